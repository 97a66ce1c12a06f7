// Package join adds the columns of a table to documents that were imported without them.
package join

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/topoi-lda/topoi/column"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/source"
)

// Options say how a table is matched with documents.
type Options struct {
	On      string         // column of the table with the ids of documents. Default "id"
	Columns []string       // columns to add. Default: all
	Source  source.Options // how the table is read
}

// Report tells what matched.
type Report struct {
	Columns   []column.Column // that were added
	Matched   int             // documents with a row
	Docs      []string        // ids of the first documents without a row
	DocsLeft  int             // documents without a row
	Rows      []string        // ids of the first rows without a document
	RowsLeft  int             // rows without a document
	Documents int             // documents in all
}

// shownIDs is how many ids without a match are listed.
const shownIDs = 5

// Columns reads the tables and returns their columns with a value for every document of c:
// that of the row whose id is the document's, or nothing.
func Columns(ctx context.Context, c *corpus.Corpus, tables []string, o Options) (*Report, error) {
	if o.On == "" {
		o.On = "id"
	}
	o.Source.TextFields, o.Source.Columns = []string{o.On}, nil
	src, err := source.Open(tables, o.Source)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	j := &joiner{options: o, places: make(map[string]int, c.NumDocs()), seen: make([]bool, c.NumDocs()), report: Report{Documents: c.NumDocs()}}
	for d := range c.NumDocs() {
		j.places[c.ID(d)] = d
	}
	var doc source.Document
	for {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		doc = source.Document{}
		switch err := src.Next(&doc); err {
		case nil:
			if err := j.row(&doc, src.Taken().Columns); err != nil {
				return nil, err
			}
		case io.EOF:
			return j.finish(c)
		default:
			return nil, err
		}
	}
}

// joiner collects the values of rows.
type joiner struct {
	options Options
	places  map[string]int // id to document
	seen    []bool         // documents that have a row
	names   []string
	values  [][]string // of each column and document
	report  Report
}

// row takes the values of a row.
func (j *joiner) row(doc *source.Document, taken []source.Column) error {
	id := string(doc.Text)
	d, known := j.places[id]
	switch {
	case !known:
		j.report.RowsLeft++
		if len(j.report.Rows) < shownIDs {
			j.report.Rows = append(j.report.Rows, id)
		}
		return nil
	case j.seen[d]:
		return fmt.Errorf("the table has two rows for document %q in column %s: keep one of them", id, j.options.On)
	}
	j.seen[d] = true
	j.report.Matched++
	for _, f := range doc.Columns {
		j.set(d, f.Name, f.Value)
	}
	roles := map[string][]byte{"id": doc.ID, "label": doc.Label, "time": doc.Time, "title": doc.Title}
	for _, c := range taken { // a guess about what else a column may be does not matter here
		if value, has := roles[c.Use]; has {
			j.set(d, c.Name, value)
		}
	}
	return nil
}

// set sets the value of a column for document d.
func (j *joiner) set(d int, name string, value []byte) {
	if name == j.options.On || j.options.Columns != nil && !slices.Contains(j.options.Columns, name) {
		return
	}
	i := slices.Index(j.names, name)
	if i < 0 {
		i = len(j.names)
		j.names, j.values = append(j.names, name), append(j.values, make([]string, len(j.seen)))
	}
	j.values[i][d] = string(value)
}

// finish guesses the kinds of the columns and counts what did not match.
func (j *joiner) finish(c *corpus.Corpus) (*Report, error) {
	for _, name := range j.options.Columns {
		if !slices.Contains(j.names, name) && j.report.Matched > 0 {
			return nil, fmt.Errorf("the table has no column %q", name)
		}
	}
	for i, name := range j.names {
		var g column.Guesser
		for _, v := range j.values[i] {
			g.Add([]byte(v))
		}
		j.report.Columns = append(j.report.Columns, column.Column{Name: name, Kind: g.Kind(), Values: list(j.values[i])})
	}
	for d, seen := range j.seen {
		if seen {
			continue
		}
		j.report.DocsLeft++
		if len(j.report.Docs) < shownIDs {
			j.report.Docs = append(j.report.Docs, c.ID(d))
		}
	}
	if j.report.Matched == 0 {
		return nil, fmt.Errorf("no row matches a document: column %s of the table has ids such as %q, the documents such as %q", j.options.On, j.report.Rows, j.report.Docs)
	}
	return &j.report, nil
}

// list is values in memory.
type list []string

func (l list) Len() int        { return len(l) }
func (l list) At(i int) string { return l[i] }
