package source

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/topoi-lda/topoi/corpus/source/internal/input"
	"github.com/topoi-lda/topoi/corpus/source/internal/parquetcheck"
	"github.com/topoi-lda/topoi/corpus/source/internal/roles"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/remote"
)

// parquetRows reads one document from each row of a Parquet file. The content is a column of text or a list of
// tokens; only the columns that are wanted are read. In messages the row number stands in place of a line.
type parquetRows struct {
	name string
	o    *Options
	raw  input.Stored
	file *parquet.File

	chosen  chosen
	names   []string // of the outermost columns
	columns [roles.Count][]*parquetColumn
	reads   []*parquetColumn // all of them, each once
	content []*parquetColumn // those with text or tokens
	tokens  bool             // content is a list

	groups []parquet.RowGroup // not yet begun
	left   int64              // rows of the current group not yet read
	row    int

	words  [][]byte
	joined []byte // text of a row

	others []*parquetColumn // that go along with the documents
	along  []Field          // backing of Document.Columns
	size   int64
	out    input.Expansion
	begun  int // row groups begun

	without []bool // row groups in which a condition cannot hold
}

func openParquet(path string, in *input.Scanner, o *Options) (Source, error) {
	name := input.DisplayName(path)
	if path == "-" {
		return nil, (&input.Error{
			File: name,
			Msg:  "Parquet cannot be read from a stream, because its list of columns is at the end",
		}).WithHint("save it to a file first")
	}
	raw, size, err := in.Whole(path)
	if err != nil {
		return nil, err
	}
	p := &parquetRows{name: name, o: o, raw: raw, size: size}
	if err := p.guard(p.open); err != nil {
		raw.Close()
		return nil, err
	}
	return p, nil
}

// guard runs f and turns the errors and panics that the Parquet library has for damaged files into an Error.
func (p *parquetRows) guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = p.damaged(r)
		}
	}()
	err = f()
	var e *input.Error
	if err == nil || err == io.EOF || errors.As(err, &e) {
		return err
	}
	if _, ok := errors.AsType[*remote.Fault](err); ok {
		return input.OpenError(p.name, err)
	}
	return p.damaged(err)
}

func (p *parquetRows) damaged(cause any) error {
	e := &input.Error{File: p.name, Msg: fmt.Sprintf("this is not a valid Parquet file (%v)", cause)}
	return e.WithHint("write or copy it again")
}

func (p *parquetRows) open() (err error) {
	p.out.Store(int(p.size))
	if err := parquetcheck.Footer(p.raw, p.size); err != nil {
		return err
	}
	if p.file, err = parquet.OpenFile(p.raw, p.size, parquet.SkipPageIndex(true),
		parquet.SkipBloomFilters(true)); err != nil {
		return err
	}
	p.groups = p.file.RowGroups()
	return p.choose()
}

// choose finds the columns.
func (p *parquetRows) choose() error {
	var columns []roles.Column
	for _, c := range p.file.Root().Columns() {
		p.names, columns = append(p.names, c.Name()), append(columns, roles.Column{Name: c.Name()})
	}
	p.chosen = p.o.choose(columns, p.fits)
	if len(p.chosen.content()) == 0 {
		e := &input.Error{File: p.name, Msg: fmt.Sprintf("no column holds text or tokens; found %s",
			noText(columns, p.chosen.kinds))}
		return e.WithHint("name the column with Options.TextFields or Options.TokensField")
	}
	for r, fields := range p.chosen.fields {
		for _, name := range fields {
			c, err := p.use(name)
			if err != nil {
				return err
			}
			p.columns[r] = append(p.columns[r], c)
			if content := roles.Role(r) == roles.Text || roles.Role(r) == roles.Tokens; content {
				err = p.checkContent(name, c, len(fields))
			} else if c.repeated {
				err = (&input.Error{
					File: p.name,
					Msg: fmt.Sprintf("the column %q is a list, expected one value per row",
						name),
				}).WithHint("choose another column")
			}
			if err != nil {
				return err
			}
		}
	}
	p.content = append(p.columns[roles.Text], p.columns[roles.Tokens]...)
	p.tokens = p.content[0].repeated
	return p.chooseOthers()
}

// chooseOthers finds the columns that go along with the documents: those that the options
// name, or else all outermost ones with one value, or one list, a row.
func (p *parquetRows) chooseOthers() error {
	for _, name := range p.o.Columns {
		c, err := p.use(name)
		if err != nil {
			return err
		}
		p.others, p.along = append(p.others, c), append(p.along, Field{Name: name})
	}
	if p.o.Columns != nil {
		return nil
	}
	for _, name := range p.names {
		c, err := p.column(name, p.names)
		if err != nil || slices.ContainsFunc(p.reads, func(r *parquetColumn) bool { return r.index == c.index }) {
			continue
		}
		c, _ = p.use(name)
		p.others, p.along = append(p.others, c), append(p.along, Field{Name: name})
	}
	return nil
}

// addColumns hands over the columns that go along with a document, items of lists joined by |.
func (p *parquetRows) addColumns(doc *Document) error {
	for i, c := range p.others {
		value, err := p.check(c.joined())
		if err != nil {
			return err
		}
		p.along[i].Value = value
	}
	doc.Columns = p.along
	return nil
}

// fits tells whether an outermost column could serve a role.
func (p *parquetRows) fits(r roles.Role, i int) bool {
	c, err := p.column(p.names[i], p.names)
	if err != nil || c.repeated != (r == roles.Tokens) {
		return false
	}
	return r != roles.Text && r != roles.Tokens || c.isText()
}

// use returns the column of the given name, which will be read.
func (p *parquetRows) use(name string) (*parquetColumn, error) {
	c, err := p.column(name, p.names)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(p.reads, func(r *parquetColumn) bool { return r.index == c.index }); i >= 0 {
		return p.reads[i], nil
	}
	c.out = &p.out
	p.reads = append(p.reads, c)
	return c, nil
}

// checkContent refuses one of several content columns that does not hold text, or the only
// one if it does not hold tokens either.
func (p *parquetRows) checkContent(name string, c *parquetColumn, several int) error {
	if !c.isText() {
		return (&input.Error{File: p.name, Msg: fmt.Sprintf("the column %q holds %v values, expected strings", name,
			c.kind)}).WithHint("name another with Options.TextFields or Options.TokensField")
	}
	if c.repeated && several > 1 {
		return (&input.Error{
			File: p.name,
			Msg: fmt.Sprintf("the column %q is a list, which cannot be joined with other text",
				name),
		}).WithHint("choose another column")
	}
	return nil
}

// taken tells what the columns are used for.
func (p *parquetRows) taken() Taken {
	return Taken{Columns: p.chosen.columns(p.names, nameIndex(p.names), p.Content().String())}
}

// column finds a leaf of the schema by its dotted name; groups with a single
// member, such as the layers of a list, are stepped through.
func (p *parquetRows) column(name string, top []string) (*parquetColumn, error) {
	c := p.file.Root().Column(name)
	if c == nil {
		c = p.file.Root()
		for _, part := range strings.Split(name, ".") {
			if c = c.Column(part); c == nil {
				return nil, &input.Error{File: p.name, Msg: fmt.Sprintf("no column is called %q%s", name,
					human.Hint(name, top))}
			}
		}
	}
	for !c.Leaf() && len(c.Columns()) == 1 {
		c = c.Columns()[0]
	}
	if !c.Leaf() {
		return nil, (&input.Error{File: p.name, Msg: fmt.Sprintf("the column %q is a group of several columns",
			name)}).WithHint("name one of them with a dot: %s.%s", name, c.Columns()[0].Name())
	}
	if c.MaxRepetitionLevel() > 1 {
		return nil, (&input.Error{File: p.name, Msg: fmt.Sprintf("the column %q is a list of lists",
			name)}).WithHint("flatten it")
	}
	return newParquetColumn(c), nil
}

func (p *parquetRows) Vocabulary() ([]string, error) { return nil, nil }

func (p *parquetRows) Content() Content {
	if p.tokens {
		return ContentTokens
	}
	return ContentText
}

func (p *parquetRows) Close() error {
	for _, c := range p.reads {
		c.close()
	}
	return p.raw.Close()
}

func (p *parquetRows) Next(doc *Document) error {
	return p.guard(func() error { return p.next(doc) })
}

func (p *parquetRows) next(doc *Document) error {
	for p.left == 0 {
		if len(p.groups) == 0 {
			return io.EOF
		}
		g := p.groups[0]
		p.groups = p.groups[1:]
		if p.without != nil && p.without[p.begun] {
			p.row += int(g.NumRows())
			p.o.taken.LeftRows += g.NumRows()
			p.o.taken.LeftGroups++
			p.begun++
			continue
		}
		p.left = g.NumRows()
		chunks, stored := g.ColumnChunks(), p.file.Metadata().RowGroups[p.begun].Columns
		p.begun++
		for _, c := range p.reads {
			if err := c.check(p.raw, p.size, &stored[c.index].MetaData); err != nil {
				return err
			}
			c.begin(chunks[c.index])
		}
	}
	p.left--
	p.row++
	for _, c := range p.reads {
		if err := c.next(); err != nil {
			return err
		}
	}
	return p.fill(doc)
}

// fill sets the fields of a document from what the columns hold.
func (p *parquetRows) fill(doc *Document) error {
	for r, into := range doc.carried() {
		if into == nil || len(p.columns[r]) == 0 {
			continue
		}
		var err error
		if *into, err = p.check(p.columns[r][0].data); err != nil {
			return err
		}
	}
	if err := p.addColumns(doc); err != nil {
		return err
	}
	if !p.tokens {
		return p.fillText(doc)
	}
	p.words = p.words[:0]
	begin := 0
	content := p.content[0]
	for _, end := range content.ends {
		word, err := p.check(content.data[begin:end:end])
		if err != nil {
			return err
		}
		if len(word) > 0 {
			p.words = append(p.words, word)
		}
		begin = end
	}
	doc.Tokens = p.words
	return nil
}

// check is CheckText with the number of the row.
func (p *parquetRows) check(b []byte) ([]byte, error) {
	at := input.Scanner{Name: p.name, Line: 1, Repair: p.o.RepairUTF8}
	b, err := input.CheckText(b, &at, 0)
	if e, ok := errors.AsType[*input.Error](err); ok {
		e.Msg = fmt.Sprintf("row %d: line %d: %s", p.row, e.Line, e.Msg)
		e.Line, e.Hint = 0, "write the column as UTF-8, or replace such bytes with Options.RepairUTF8"
	}
	return b, err
}

// fillText joins the columns of text.
func (p *parquetRows) fillText(doc *Document) error {
	p.joined = p.joined[:0]
	for _, c := range p.content {
		text, err := p.check(c.data)
		if err != nil {
			return err
		}
		p.joined = appendText(p.joined, text)
	}
	doc.Text = p.joined
	return nil
}
