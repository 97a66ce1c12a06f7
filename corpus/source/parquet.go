package source

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/topoi-lda/topoi/corpus/source/internal/columnar"
	"github.com/topoi-lda/topoi/corpus/source/internal/input"
	"github.com/topoi-lda/topoi/corpus/source/internal/roles"
	"github.com/topoi-lda/topoi/internal/linked"
	"github.com/topoi-lda/topoi/internal/objects"
)

// parquetRows reads one document from each row of a Parquet file. The content is a column of text or a list of
// tokens; only the columns that are wanted are read. In messages the row number stands in place of a line.
type parquetRows struct {
	name string
	o    *Options
	raw  input.Stored
	file columnar.File

	chosen  chosen
	names   []string // of the outermost columns
	columns [roles.Count][]columnar.Column
	reads   []columnar.Column // all of them, each once
	content []columnar.Column // those with text or tokens
	tokens  bool              // content is a list

	left int64 // rows of the current group not yet read
	row  int

	words  [][]byte
	joined []byte // text of a row

	others []columnar.Column // that go along with the documents
	along  []Field           // backing of Document.Columns
	begun  int               // row groups begun

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
	open, ok := columnar.Parquet.Get()
	if !ok {
		return nil, (&input.Error{
			File: name,
			Msg:  "this program was built without the reader of Parquet",
		}).WithHint("add %s", linked.Import)
	}
	raw, size, err := in.Whole(path)
	if err != nil {
		return nil, err
	}
	p := &parquetRows{name: name, o: o, raw: raw}
	err = p.guard(func() (err error) {
		if p.file, err = open(name, raw, size); err != nil {
			return err
		}
		return p.choose()
	})
	if err != nil {
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
	if _, ok := errors.AsType[*objects.Fault](err); ok {
		return input.OpenError(p.name, err)
	}
	return p.damaged(err)
}

func (p *parquetRows) damaged(cause any) error {
	e := &input.Error{File: p.name, Msg: fmt.Sprintf("this is not a valid Parquet file (%v)", cause)}
	return e.WithHint("write or copy it again")
}

// choose finds the columns.
func (p *parquetRows) choose() error {
	var columns []roles.Column
	p.names = p.file.Names()
	for _, name := range p.names {
		columns = append(columns, roles.Column{Name: name})
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
			} else if c.IsList() {
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
	p.tokens = p.content[0].IsList()
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
		c, err := p.file.Column(name)
		if err != nil || slices.ContainsFunc(p.reads, func(r columnar.Column) bool { return r.Index() == c.Index() }) {
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
		value, err := p.check(c.Joined())
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
	c, err := p.file.Column(p.names[i])
	if err != nil || c.IsList() != (r == roles.Tokens) {
		return false
	}
	return r != roles.Text && r != roles.Tokens || c.IsText()
}

// use returns the column of the given name, which will be read.
func (p *parquetRows) use(name string) (columnar.Column, error) {
	c, err := p.file.Column(name)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(p.reads, func(r columnar.Column) bool { return r.Index() == c.Index() }); i >= 0 {
		return p.reads[i], nil
	}
	p.reads = append(p.reads, c)
	return c, nil
}

// checkContent refuses one of several content columns that does not hold text, or the only
// one if it does not hold tokens either.
func (p *parquetRows) checkContent(name string, c columnar.Column, several int) error {
	if !c.IsText() {
		return (&input.Error{File: p.name, Msg: fmt.Sprintf("the column %q holds %v values, expected strings", name,
			c.Kind())}).WithHint("name another with Options.TextFields or Options.TokensField")
	}
	if c.IsList() && several > 1 {
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

func (p *parquetRows) Vocabulary() ([]string, error) { return nil, nil }

func (p *parquetRows) Content() Content {
	if p.tokens {
		return ContentTokens
	}
	return ContentText
}

func (p *parquetRows) Close() error {
	for _, c := range p.reads {
		c.Close()
	}
	return p.raw.Close()
}

func (p *parquetRows) Next(doc *Document) error {
	return p.guard(func() error { return p.next(doc) })
}

func (p *parquetRows) next(doc *Document) error {
	for p.left == 0 {
		if p.begun == p.file.Groups() {
			return io.EOF
		}
		if err := p.nextGroup(); err != nil {
			return err
		}
	}
	p.left--
	p.row++
	for _, c := range p.reads {
		if err := c.Next(); err != nil {
			return err
		}
	}
	return p.fill(doc)
}

// nextGroup begins the next row group, or leaves it out.
func (p *parquetRows) nextGroup() error {
	group := p.begun
	rows := p.file.Rows(group)
	p.begun++
	if p.without != nil && p.without[group] {
		p.row += int(rows)
		p.o.taken.LeftRows += rows
		p.o.taken.LeftGroups++
		return nil
	}
	p.left = rows
	for _, c := range p.reads {
		if err := c.Begin(group); err != nil {
			return err
		}
	}
	return nil
}

// fill sets the fields of a document from what the columns hold.
func (p *parquetRows) fill(doc *Document) error {
	for r, into := range doc.carried() {
		if into == nil || len(p.columns[r]) == 0 {
			continue
		}
		value, _ := p.columns[r][0].Values()
		var err error
		if *into, err = p.check(value); err != nil {
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
	data, ends := p.content[0].Values()
	for _, end := range ends {
		word, err := p.check(data[begin:end:end])
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
		data, _ := c.Values()
		text, err := p.check(data)
		if err != nil {
			return err
		}
		p.joined = appendText(p.joined, text)
	}
	doc.Text = p.joined
	return nil
}
