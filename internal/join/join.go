// Package join adds the columns of a table to documents that were imported without them.
package join

import (
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/internal/columns"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/piece"
)

// names are the columns that may hold ids of documents.
var names = []string{"id", "doc_id", "file", "filename", "file_name", "path", "name"}

// shownIDs is the largest number of ids without a match that are listed.
const shownIDs = 5

// Columns reads the tables and returns their columns with a value for every document of c. A document has the values
// of its row, or no values. Its row is the one with its id. For a text file that may also be its path relative to the
// folder, or its name, with or without extension. Pieces of a document have the document's row. Documents without ids
// are counted from 0, or from 1 if the table has a row for the last of these numbers and none for 0.
func Columns(ctx context.Context, c *corpus.Corpus, tables []string, o corpus.JoinOptions) (*corpus.JoinReport, error) {
	candidates := names
	if o.On != "" {
		candidates = []string{o.On}
	}
	var first error
	for _, o.On = range candidates {
		j := &joiner{options: o, rows: map[string]int{}, report: corpus.JoinReport{Documents: len(wholes(c))}}
		err := j.read(ctx, tables)
		if err == nil {
			return j.finish(c)
		}
		if first == nil {
			first = err
		}
		if len(j.ids) > 0 || ctx.Err() != nil { // the column exists
			return nil, err
		}
	}
	return nil, first
}

// joiner collects the values of rows.
type joiner struct {
	options corpus.JoinOptions
	rows    map[string]int // row by id
	ids     []string       // ids of rows
	names   []string
	values  [][]string // values of each column by row; a list ends at the last row with a value
	report  corpus.JoinReport
}

// read reads all rows.
func (j *joiner) read(ctx context.Context, tables []string) error {
	o := j.options.Source
	o.TextFields, o.Columns = []string{j.options.On}, nil
	src, err := source.Open(tables, o)
	if err != nil {
		return err
	}
	defer src.Close()
	for ctx.Err() == nil {
		var doc source.Document
		switch err := src.Next(&doc); err {
		case nil:
			if err := j.row(&doc, src.Taken().Columns); err != nil {
				return err
			}
		case io.EOF:
			return nil
		default:
			return err
		}
	}
	return ctx.Err()
}

// row stores the values of a row.
func (j *joiner) row(doc *source.Document, taken []source.Column) error {
	id := strings.ReplaceAll(string(doc.Text), `\`, "/")
	if _, known := j.rows[id]; known {
		return fmt.Errorf("the table has two rows for document %q in column %s: remove one of them", id, j.options.On)
	}
	j.rows[id] = len(j.ids)
	j.ids = append(j.ids, id)
	for _, f := range doc.Columns {
		j.set(f.Name, f.Value)
	}
	roles := map[string][]byte{"id": doc.ID, "label": doc.Label, "time": doc.Time, "title": doc.Title}
	for _, c := range taken { // other possible roles of a column do not matter here
		if value, has := roles[c.Use]; has {
			j.set(c.Name, value)
		}
	}
	return nil
}

// set sets the value of a column in the last row.
func (j *joiner) set(name string, value []byte) {
	if name == j.options.On || j.options.Columns != nil && !slices.Contains(j.options.Columns, name) {
		return
	}
	i := slices.Index(j.names, name)
	if i < 0 {
		i = len(j.names)
		j.names, j.values = append(j.names, name), append(j.values, nil)
	}
	for len(j.values[i]) < len(j.ids) {
		j.values[i] = append(j.values[i], "")
	}
	j.values[i][len(j.ids)-1] = string(value)
}

// find returns the row of a document.
func (j *joiner) find(id string) (int, bool) {
	base := path.Base(id)
	for _, key := range []string{
		id, strings.TrimSuffix(id, path.Ext(id)), base,
		strings.TrimSuffix(base, path.Ext(base)),
	} {
		if row, ok := j.rows[key]; ok {
			return row, true
		}
	}
	return 0, false
}

// wholes returns the first piece of each document: documents are counted, not their pieces.
func wholes(c *corpus.Corpus) []int {
	if c.HasPieces() {
		return c.FirstPieces()
	}
	return lists.Upto(c.NumDocs())
}

// match returns the row of every document, -1 for none, and counts what did not match.
func (j *joiner) match(c *corpus.Corpus) ([]int, error) {
	rows, owners := make([]int, c.NumDocs()), make([]string, len(j.ids))
	firsts := wholes(c)
	_, zero := j.rows["0"]
	_, last := j.rows[strconv.Itoa(c.NumDocs())]
	for d := range rows {
		id, _, _ := strings.Cut(c.ID(d), piece.Mark)
		if !c.HasIDs() && last && !zero {
			id = strconv.Itoa(d + 1)
		}
		counts := len(firsts) > 0 && firsts[0] == d
		if counts {
			firsts = firsts[1:]
		}
		row, found := j.find(id)
		if !found {
			rows[d] = -1
			if !counts {
				continue
			}
			if j.report.DocsLeft++; len(j.report.Docs) < shownIDs {
				j.report.Docs = append(j.report.Docs, id)
			}
			continue
		}
		if owners[row] != "" && owners[row] != id {
			return nil, fmt.Errorf("row %q of the table matches documents %q and %q: write their paths relative to the folder", j.ids[row], owners[row], id)
		}
		rows[d], owners[row] = row, id
		if counts {
			j.report.Matched++
		}
	}
	for row, owner := range owners {
		if owner == "" {
			if j.report.RowsLeft++; len(j.report.Rows) < shownIDs {
				j.report.Rows = append(j.report.Rows, j.ids[row])
			}
		}
	}
	return rows, nil
}

// finish matches the documents and determines the kinds of the columns.
func (j *joiner) finish(c *corpus.Corpus) (*corpus.JoinReport, error) {
	rows, err := j.match(c)
	if err != nil {
		return nil, err
	}
	for _, name := range j.options.Columns {
		if !slices.Contains(j.names, name) {
			return nil, fmt.Errorf("the table has no column %q", name)
		}
	}
	if j.report.Matched == 0 {
		return nil, fmt.Errorf("no row matches a document: column %s of the table has ids such as %q, the documents such as %q", j.options.On, j.report.Rows, j.report.Docs)
	}
	for i, name := range j.names {
		values := list{j.values[i], rows}
		var g columns.Guesser
		for d := range rows {
			g.Add([]byte(values.At(d)))
		}
		j.report.Columns = append(j.report.Columns, column.Column{Name: name, Kind: g.Kind(), Values: values})
	}
	return &j.report, nil
}

// list holds the values of a column by document.
type list struct {
	values []string // by row
	rows   []int    // row of each document
}

func (l list) Len() int { return len(l.rows) }

func (l list) At(d int) string {
	if row := l.rows[d]; row >= 0 && row < len(l.values) {
		return l.values[row]
	}
	return ""
}
