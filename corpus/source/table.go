package source

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi/internal/nearest"
)

// Names that columns and fields are guessed by, best first.
var (
	textNames   = []string{"text", "content", "body", "document"}
	tokensNames = []string{"tokens"}
	idNames     = []string{"id", "doc_id", "docid", "document_id"}
	labelNames  = []string{"label", "class", "category"}
	timeNames   = []string{"time", "date", "timestamp"}
	titleNames  = []string{"title", "headline", "subject"}
)

// table reads documents from the records of csv or tsv. Which column is what
// comes from the options, the header, or, without either, from the number of
// columns: text; id and text; id, label and text.
type table struct {
	csv *csvReader
	o   *Options

	width                                int // fields of every record
	text, tokens, id, label, time, title int // column indices, -1 = none
	first                                [][]byte
	fields                               [][]byte // backing of Document.Tokens
}

func openCSV(_ string, in *scanner, o *Options) (Source, error) { return openTable(in, o, 0) }

func openTSV(_ string, in *scanner, o *Options) (Source, error) { return openTable(in, o, '\t') }

func openTable(in *scanner, o *Options, delim byte) (Source, error) {
	if d, _ := o.delimiter(); d != 0 {
		delim = d
	}
	if delim == 0 {
		delim = sniffDelimiter(in.peek(), !o.NoQuotes)
	}
	t := &table{csv: &csvReader{in: in, delim: delim, quotes: !o.NoQuotes}, o: o}
	named := looksNamed(in.peek(), delim, !o.NoQuotes)
	first, err := t.csv.record()
	if err != nil {
		return nil, err
	}
	t.width = len(first)
	if o.Header == "yes" || o.Header != "no" && (named || isHeader(first, o)) {
		return t, t.byHeader(first)
	}
	t.first = cloneFields(first)
	return t, t.byPosition()
}

// byHeader finds the columns by name.
func (t *table) byHeader(record [][]byte) error {
	header := make([]string, len(record))
	for i, f := range record {
		header[i] = string(bytes.TrimSpace(f))
	}
	var err error
	find := func(field string, guesses []string) int {
		column, e := t.column(header, field, guesses)
		if err == nil {
			err = e
		}
		return column
	}
	t.text, t.tokens = -1, -1
	if t.o.TokensField == "" {
		t.text = find(t.o.TextField, textNames)
	}
	if t.text < 0 {
		t.tokens = find(t.o.TokensField, tokensNames)
	}
	t.id, t.label, t.time = find(t.o.IDField, idNames), find(t.o.LabelField, labelNames), find(t.o.TimeField, timeNames)
	t.title = find(t.o.TitleField, titleNames)
	if err != nil {
		return err
	}
	if t.text < 0 && t.tokens < 0 {
		if len(header) != 1 {
			return t.csv.in.errorf("no column is called %s; found %s", strings.Join(textNames, ", "), quoteList(header)).hint("name the column with --text-field, or use --header no")
		}
		t.text = 0
	}
	return nil
}

// column returns the index of the column called field, or of the first guess
// that exists when field is empty.
func (t *table) column(header []string, field string, guesses []string) (int, error) {
	if field == "" {
		for _, g := range guesses {
			for i, h := range header {
				if strings.EqualFold(g, h) {
					return i, nil
				}
			}
		}
		return -1, nil
	}
	for i, h := range header {
		if h == field {
			return i, nil
		}
	}
	if isNumber(field) {
		return t.numbered(field)
	}
	return -1, t.csv.in.errorf("no column is called %q%s", field, nearest.Hint(field, header))
}

// numbered returns the index of a column that is given by its number.
func (t *table) numbered(field string) (int, error) {
	n, err := strconv.Atoi(field)
	if err != nil || n < 1 || n > t.width {
		return -1, t.csv.in.errorf("there is no column %s, only %s", field, plural(t.width, "column")).hint("columns are numbered from 1")
	}
	return n - 1, nil
}

// byPosition sets the columns of a file without header.
func (t *table) byPosition() error {
	t.text, t.tokens, t.id, t.label, t.time, t.title = -1, -1, -1, -1, -1, -1
	given := false
	for _, f := range []struct {
		field  string
		column *int
	}{{t.o.TextField, &t.text}, {t.o.TokensField, &t.tokens}, {t.o.IDField, &t.id}, {t.o.LabelField, &t.label}, {t.o.TimeField, &t.time}, {t.o.TitleField, &t.title}} {
		if f.field == "" {
			continue
		}
		if !isNumber(f.field) {
			return t.csv.in.errorf("no column is called %q: the first record %s is not a header", f.field, quoteList(toStrings(t.first))).hint("give the number of the column, or --header yes")
		}
		var err error
		if *f.column, err = t.numbered(f.field); err != nil {
			return err
		}
		given = true
	}
	switch {
	case t.text >= 0 || t.tokens >= 0:
	case given || t.width > 3:
		return t.csv.in.errorf("found %s without a header", plural(t.width, "column")).hint("say which holds the text with --text-field NUMBER")
	case t.width == 1:
		t.text = 0
	case t.width == 2:
		t.id, t.text = 0, 1
	case t.width == 3:
		t.id, t.label, t.text = 0, 1, 2
	}
	return nil
}

func (t *table) Vocabulary() ([]string, error) { return nil, nil }
func (t *table) Close() error                  { return nil }

func (t *table) Content() Content {
	if t.tokens >= 0 {
		return ContentTokens
	}
	return ContentText
}

func (t *table) Next(doc *Document) error {
	record := t.first
	t.first = nil
	if record == nil {
		var err error
		if record, err = t.csv.record(); err != nil {
			return err
		}
	}
	if len(record) != t.width {
		return t.csv.in.errorf("found %s, expected %d as on the first line", plural(len(record), "field"), t.width).hint("check the delimiter (--delimiter) and put fields that hold it in quotation marks")
	}
	for _, f := range []struct {
		column int
		into   *[]byte
	}{{t.id, &doc.ID}, {t.label, &doc.Label}, {t.time, &doc.Time}, {t.title, &doc.Title}, {max(t.text, t.tokens), &doc.Text}} {
		if f.column < 0 {
			continue
		}
		at := t.csv.spans[f.column]
		recordLine := t.csv.in.line
		t.csv.in.line = at.line
		var err error
		if *f.into, err = checkText(record[f.column], t.csv.in, at.column, t.o); err != nil {
			return err
		}
		t.csv.in.line = recordLine
	}
	if t.tokens >= 0 {
		t.fields = appendFields(t.fields[:0], doc.Text)
		doc.Tokens, doc.Text = t.fields, nil
	}
	return nil
}

func isNumber(s string) bool { return strings.IndexFunc(s, notDigit) < 0 }

func cloneFields(fields [][]byte) [][]byte {
	out := make([][]byte, len(fields))
	for i, f := range fields {
		out[i] = bytes.Clone(f)
		if out[i] == nil {
			out[i] = []byte{}
		}
	}
	return out
}

func toStrings(fields [][]byte) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = string(f)
	}
	return out
}

// quoteList shows a list of names in a message, the first few only.
func quoteList(names []string) string {
	const most = 8
	var b strings.Builder
	for i, n := range names {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(names)-most)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(quote([]byte(n)))
	}
	return b.String()
}

// appendFields appends the words of text, cut at blanks, to fields.
func appendFields(fields [][]byte, text []byte) [][]byte {
	for i := 0; i < len(text); {
		if isBlank[text[i]] {
			i++
			continue
		}
		begin := i
		for i < len(text) && !isBlank[text[i]] {
			i++
		}
		fields = append(fields, text[begin:i:i])
	}
	return fields
}

var isBlank = [256]bool{' ': true, '\t': true, '\n': true, '\v': true, '\f': true, '\r': true}
