package source

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
	"github.com/topoi-lda/topoi/corpus/source/internal/roles"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
)

// records yields the rows of a table.
type records interface {
	// Record returns the fields of the next row, valid until the following call, or io.EOF.
	Record() ([][]byte, error)

	// Check refuses field i of the current row if it is not text, or repairs it.
	Check(i int, field []byte) ([]byte, error)

	// Errorf makes an Error at the current row.
	Errorf(format string, args ...any) *input.Error
}

// table reads documents from the rows of csv, tsv or a spreadsheet. Which column is what comes from the options, the
// header, or, without either, from the number of columns: text; id and text; id, label and text.
type table struct {
	plain
	rows records
	o    *Options
	name string // of the input, for messages

	header  []string // names of the columns; nil without a header
	guessed bool     // whether there is a header was guessed
	width   int      // fields of every row
	padded  bool     // rows may be shorter or longer: cells that lack are empty, others have no column
	chosen  chosen
	columns [roles.Count][]int // indices of the chosen columns
	others  []int              // indices of columns that go along with the documents
	first   [][]byte           // the first row, if it is a document
	read    int                // rows handed out
	row     [][]byte           // the last of them

	fields [][]byte // backing of Document.Tokens
	along  []Field  // backing of Document.Columns
	joined []byte   // texts of several columns
}

// open decides about the header and the columns. head yields the first rows.
func (t *table) open(head iter.Seq[[][]byte]) error {
	var rows [][]string // to look at what the columns hold
	for fields := range head {
		rows = append(rows, toStrings(fields))
	}
	first, err := t.rows.Record()
	if err == io.EOF {
		return (&input.Error{File: t.name, Msg: "there is no row in it"}).WithHint("expected at least one document")
	}
	if err != nil {
		return err
	}
	t.width = len(first)
	t.guessed = t.o.Header != "yes" && t.o.Header != "no"
	if len(rows) == 0 { // a row is longer than what is looked at
		rows = [][]string{toStrings(first)}
	}
	if t.o.Header == "yes" || t.guessed && isHeader(rows, t.o) {
		return t.byHeader(first, rows[1:])
	}
	t.first = input.CloneFields(first)
	return t.byPosition(rows)
}

// sample returns the columns with their names and first values.
func (t *table) sample(rows [][]string) []roles.Column {
	columns := make([]roles.Column, t.width)
	for i, name := range t.header {
		columns[i].Name = name
	}
	for _, row := range rows {
		for i := range min(len(row), t.width) {
			columns[i].Values = append(columns[i].Values, row[i])
		}
	}
	return columns
}

// byHeader finds the columns by name and by what they hold.
func (t *table) byHeader(record [][]byte, rows [][]string) error {
	t.header = make([]string, len(record))
	for i, f := range record {
		name, err := t.rows.Check(i, bytes.TrimSpace(f))
		if err != nil {
			return err
		}
		t.header[i] = string(name)
	}
	columns := t.sample(rows)
	t.chosen = t.o.choose(columns, nil)
	if len(t.chosen.content()) == 0 {
		if kind := t.chosen.kinds[0]; t.width != 1 || kind == roles.Link || kind == roles.Key {
			return t.rows.Errorf("no column holds text; found %s", noText(columns, t.chosen.kinds)).WithHint("name the column with Options.TextFields, or use Options.Header = no")
		}
		t.chosen.fields[roles.Text], t.chosen.guessed[roles.Text] = []string{fieldName(columns, 0)}, true
	}
	return t.resolve()
}

// byPosition sets the columns of a table without header.
func (t *table) byPosition(rows [][]string) error {
	given := false
	for r := range roles.Count {
		for _, f := range t.o.asked(r) {
			if !isNumber(f) {
				return t.rows.Errorf("no column is called %q: the first record %s is not a header", f, input.QuoteList(toStrings(t.first))).WithHint("give the number of the column, or Options.Header = yes")
			}
			given = true
		}
	}
	columns := t.sample(rows)
	t.chosen = t.o.choose(columns, nil)
	last := t.width - 1
	if len(t.chosen.content()) == 0 {
		kind := t.chosen.kinds[last]
		if given || t.width > 3 || kind == roles.Link || kind == roles.Key {
			return t.rows.Errorf("no column holds text; found %s without a header: %s", input.Plural(t.width, "column"), noText(columns, t.chosen.kinds)).WithHint("say which holds the text with Options.TextFields = NUMBER")
		}
		t.free(strconv.Itoa(t.width))
		t.chosen.fields[roles.Text], t.chosen.guessed[roles.Text] = []string{strconv.Itoa(t.width)}, true
	}
	if !given && t.width <= 3 && t.chosen.fields[roles.Text][0] == strconv.Itoa(t.width) {
		t.byCustom(last)
	}
	return t.resolve()
}

// byCustom gives columns before the text that nothing was guessed of the use they mostly have: id, then label.
func (t *table) byCustom(text int) {
	for i, r := range []roles.Role{roles.ID, roles.Label}[:text] {
		name := []string{strconv.Itoa(i + 1)}
		taken := func(fields []string) bool { return slices.Equal(fields, name) }
		if len(t.chosen.fields[r]) == 0 && !slices.ContainsFunc(t.chosen.fields[:], taken) {
			t.chosen.fields[r], t.chosen.guessed[r] = name, true
		}
	}
}

// free takes a column away from what it was guessed to be.
func (t *table) free(name string) {
	for r, fields := range t.chosen.fields {
		if t.chosen.guessed[r] && slices.Equal(fields, []string{name}) {
			t.chosen.fields[r], t.chosen.guessed[r] = nil, false
		}
	}
}

// resolve finds the index of every chosen column.
func (t *table) resolve() error {
	for r, fields := range t.chosen.fields {
		for _, f := range fields {
			i, err := t.column(f)
			if err != nil {
				return err
			}
			t.columns[r] = append(t.columns[r], i)
		}
	}
	return t.chooseOthers()
}

// chooseOthers finds the columns that go along with the documents: those that the options
// name, or else all that serve no other purpose.
func (t *table) chooseOthers() error {
	for _, f := range t.o.Columns {
		i, err := t.column(f)
		if err != nil {
			return err
		}
		t.others = append(t.others, i)
	}
	if t.o.Columns != nil {
		return nil
	}
	for i := range t.width {
		if !slices.ContainsFunc(t.columns[:], func(used []int) bool { return slices.Contains(used, i) }) {
			t.others = append(t.others, i)
		}
	}
	return nil
}

// addColumns hands over the columns that go along with a document.
func (t *table) addColumns(row [][]byte, doc *Document) error {
	t.along = t.along[:0]
	for _, i := range t.others {
		if i >= len(row) {
			continue
		}
		value, err := t.rows.Check(i, row[i])
		if err != nil {
			return err
		}
		t.along = append(t.along, Field{t.columnName(i), value})
	}
	doc.Columns = t.along
	return nil
}

// columnName returns the name of a column, its number if it has none.
func (t *table) columnName(i int) string {
	if t.header != nil && t.header[i] != "" {
		return t.header[i]
	}
	return strconv.Itoa(i + 1)
}

// column returns the index of the column that has the given name or number.
func (t *table) column(field string) (int, error) {
	if i := slices.Index(t.header, field); i >= 0 {
		return i, nil
	}
	if !isNumber(field) {
		return -1, t.rows.Errorf("no column is called %q%s", field, human.Hint(field, t.header))
	}
	n, err := strconv.Atoi(field)
	if err != nil || n < 1 || n > t.width {
		return -1, t.rows.Errorf("there is no column %s, only %s", field,
			input.Plural(t.width, "column")).WithHint("columns are numbered from 1")
	}
	return n - 1, nil
}

// taken tells what the columns are used for.
func (t *table) taken() Taken {
	names, header := make([]string, t.width), "yes"
	if t.header == nil {
		header = "no"
	}
	for i := range names {
		names[i] = t.columnName(i)
	}
	index := func(field string) int { i, _ := t.column(field); return i }
	return Taken{
		Columns: t.chosen.columns(names, index, t.Content().String()), Header: header,
		HeaderGuessed: t.guessed,
	}
}

func (t *table) Content() Content {
	if len(t.columns[roles.Text]) == 0 {
		return ContentTokens
	}
	return ContentText
}

func (t *table) Next(doc *Document) error {
	row, err := t.next()
	if err != nil {
		return err
	}
	for r, into := range doc.carried() {
		if into == nil {
			continue
		}
		if *into, err = t.content(row, t.columns[r]); err != nil {
			return err
		}
	}
	if err := t.addColumns(row, doc); err != nil {
		return err
	}
	if len(t.columns[roles.Text]) > 0 {
		doc.Text, err = t.content(row, t.columns[roles.Text])
		return err
	}
	tokens, err := t.content(row, t.columns[roles.Tokens])
	t.fields = input.AppendFields(t.fields[:0], tokens)
	doc.Tokens = t.fields
	return err
}

// next returns the next row that is a document.
func (t *table) next() ([][]byte, error) {
	row := t.first
	t.first = nil
	if row == nil {
		var err error
		row, err = t.rows.Record()
		if err == io.EOF && t.read == 0 {
			e := &input.Error{File: t.name, Msg: fmt.Sprintf("it has a header (%s) but no documents",
				input.QuoteList(t.header))}
			return nil, e.WithHint("if the first row is a document, say so with Options.Header = no")
		}
		if err != nil {
			return nil, err
		}
	}
	if len(row) != t.width && !t.padded {
		return nil, t.rows.Errorf("found %s, expected %d as on the first line", input.Plural(len(row), "field"),
			t.width).WithHint("check the delimiter (Options.Delimiter) and put fields that hold it in quotation marks")
	}
	t.read++
	t.row = row
	return row, nil
}

// content returns the text of some columns of a row, one after the other on lines of their own.
func (t *table) content(row [][]byte, columns []int) ([]byte, error) {
	if len(columns) > 1 {
		t.joined = t.joined[:0]
	}
	for _, i := range columns {
		if i >= len(row) {
			continue
		}
		field, err := t.rows.Check(i, row[i])
		if err != nil || len(columns) == 1 {
			return field, err
		}
		t.joined = appendText(t.joined, field)
	}
	if len(columns) > 1 {
		return t.joined, nil
	}
	return nil, nil
}

// appendText appends another part of a text, on a line of its own.
func appendText(text, part []byte) []byte {
	if len(text) > 0 && len(part) > 0 {
		text = append(text, '\n')
	}
	return append(text, part...)
}

func isNumber(s string) bool { return strings.IndexFunc(s, input.NotDigit) < 0 }

func toStrings(fields [][]byte) []string {
	return lists.Of(fields, func(f []byte) string { return string(f) })
}
