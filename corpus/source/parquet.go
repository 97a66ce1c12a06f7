package source

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/topoi-lda/topoi/internal/nearest"
)

// parquetRows reads one document from each row of a Parquet file. The content
// is a column of text or a list of tokens; only the columns that are wanted
// are read. In messages the row number stands in place of a line.
type parquetRows struct {
	name string
	o    *Options
	raw  *os.File
	file *parquet.File

	content                *parquetColumn
	id, label, time, title *parquetColumn // nil when there is none
	tokens                 bool           // content is a list

	groups []parquet.RowGroup // not yet begun
	left   int64              // rows of the current group not yet read
	row    int

	words [][]byte
}

func openParquet(path string, _ *scanner, o *Options) (Source, error) {
	name := displayName(path)
	if path == "-" {
		return nil, (&Error{File: name, Msg: "Parquet is read from its end, which a stream does not allow"}).hint("save it to a file first")
	}
	raw, err := os.Open(path)
	if err != nil {
		return nil, openError(path, err)
	}
	p := &parquetRows{name: name, o: o, raw: raw}
	if err := p.guard(p.open); err != nil {
		raw.Close()
		return nil, err
	}
	return p, nil
}

// guard runs f and turns the errors and panics that the Parquet library has
// for damaged files into an Error.
func (p *parquetRows) guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = p.damaged(r)
		}
	}()
	err = f()
	var e *Error
	if err == nil || err == io.EOF || errors.As(err, &e) {
		return err
	}
	return p.damaged(err)
}

func (p *parquetRows) damaged(cause any) error {
	e := &Error{File: p.name, Msg: fmt.Sprintf("this is not a sound Parquet file (%v)", cause)}
	return e.hint("write or copy it again")
}

func (p *parquetRows) open() error {
	info, err := p.raw.Stat()
	if err != nil {
		return err
	}
	if p.file, err = parquet.OpenFile(p.raw, info.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true)); err != nil {
		return err
	}
	p.groups = p.file.RowGroups()
	return p.choose()
}

// choose finds the columns.
func (p *parquetRows) choose() error {
	var top []string
	for _, c := range p.file.Root().Columns() {
		top = append(top, c.Name())
	}
	content := orDefault(p.o.TextField, p.o.TokensField)
	if content == "" {
		content = firstOf(top, append(slices.Clone(textNames), tokensNames...))
	}
	if content == "" {
		e := &Error{File: p.name, Msg: fmt.Sprintf("no column is called %s or tokens; found %s", strings.Join(textNames, ", "), quoteList(top))}
		return e.hint("name the column with --text-field or --tokens-field")
	}
	for _, c := range []struct {
		into **parquetColumn
		name string
	}{
		{&p.content, content},
		{&p.id, orDefault(p.o.IDField, firstOf(top, idNames))},
		{&p.label, orDefault(p.o.LabelField, firstOf(top, labelNames))},
		{&p.time, orDefault(p.o.TimeField, firstOf(top, timeNames))},
		{&p.title, orDefault(p.o.TitleField, firstOf(top, titleNames))},
	} {
		if c.name == "" {
			continue
		}
		var err error
		if *c.into, err = p.column(c.name, top); err != nil {
			return err
		}
		if (*c.into).repeated && c.into != &p.content {
			return (&Error{File: p.name, Msg: fmt.Sprintf("the column %q is a list, expected one value per row", c.name)}).hint("choose another column")
		}
	}
	p.tokens = p.content.repeated
	if k := p.content.kind; k != parquet.ByteArray && k != parquet.FixedLenByteArray {
		return (&Error{File: p.name, Msg: fmt.Sprintf("the column %q holds %v values, expected strings", content, k)}).hint("name another with --text-field or --tokens-field")
	}
	return nil
}

// column finds a leaf of the schema by its dotted name; groups with a single
// member, such as the layers of a list, are stepped through.
func (p *parquetRows) column(name string, top []string) (*parquetColumn, error) {
	c := p.file.Root().Column(name)
	if c == nil {
		c = p.file.Root()
		for _, part := range strings.Split(name, ".") {
			if c = c.Column(part); c == nil {
				return nil, &Error{File: p.name, Msg: fmt.Sprintf("no column is called %q%s", name, nearest.Hint(name, top))}
			}
		}
	}
	for !c.Leaf() && len(c.Columns()) == 1 {
		c = c.Columns()[0]
	}
	if !c.Leaf() {
		return nil, (&Error{File: p.name, Msg: fmt.Sprintf("the column %q is a group of several columns", name)}).hint("name one of them with a dot: %s.%s", name, c.Columns()[0].Name())
	}
	if c.MaxRepetitionLevel() > 1 {
		return nil, (&Error{File: p.name, Msg: fmt.Sprintf("the column %q is a list of lists", name)}).hint("flatten it")
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

func (p *parquetRows) columns() []*parquetColumn {
	return slices.DeleteFunc([]*parquetColumn{p.content, p.id, p.label, p.time, p.title}, func(c *parquetColumn) bool { return c == nil })
}

func (p *parquetRows) Close() error {
	for _, c := range p.columns() {
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
		p.left = g.NumRows()
		chunks := g.ColumnChunks()
		for _, c := range p.columns() {
			c.begin(chunks[c.index])
		}
	}
	p.left--
	p.row++
	for _, c := range p.columns() {
		if err := c.next(); err != nil {
			return err
		}
	}
	return p.fill(doc)
}

// fill sets the fields of a document from what the columns hold.
func (p *parquetRows) fill(doc *Document) error {
	for _, f := range []struct {
		column *parquetColumn
		into   *[]byte
	}{{p.id, &doc.ID}, {p.label, &doc.Label}, {p.time, &doc.Time}, {p.title, &doc.Title}} {
		if f.column == nil {
			continue
		}
		var err error
		if *f.into, err = p.check(f.column.data); err != nil {
			return err
		}
	}
	if !p.tokens {
		var err error
		doc.Text, err = p.check(p.content.data)
		return err
	}
	p.words = p.words[:0]
	begin := 0
	for _, end := range p.content.ends {
		word, err := p.check(p.content.data[begin:end:end])
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

// check is checkText with the number of the row.
func (p *parquetRows) check(b []byte) ([]byte, error) {
	at := scanner{name: p.name, line: 1}
	b, err := checkText(b, &at, 0, p.o)
	var e *Error
	if errors.As(err, &e) {
		e.Msg = fmt.Sprintf("row %d: line %d: %s", p.row, e.Line, e.Msg)
		e.Line = 0
	}
	return b, err
}
