package corpus

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/internal/columns"
)

// Limits for columns that are kept.
const (
	mostColumns     = 256
	mostColumnBytes = 256 // mean length of the values; longer columns are texts
	guessAll        = 1 << 15
	guessEvery      = 16 // after guessAll documents, one in guessEvery is used to find the kind
)

// Columns returns what is known about the documents besides their words: every column that the import kept, the
// labels and the times, and the lengths of documents in tokens. Labels and times are named "label" and "time"
// unless the input names them. Lengths are named "length" and are left out if another column has that name.
func (c *Corpus) Columns() []column.Column {
	var all []column.Column
	named := map[string]bool{}
	for _, d := range c.columns {
		values := d.list
		switch d.Role {
		case "label":
			values = c.labels
		case "time":
			values = c.times
		}
		if values.Len() == 0 {
			continue
		}
		named[d.Role], named[d.Name] = true, true
		all = append(all, column.Column{Name: d.Name, Kind: d.Kind, Role: d.Role, Values: values})
	}
	for _, role := range []struct {
		name string
		kind column.Kind
		list Strings
	}{{"label", column.Category, c.labels}, {"time", column.Date, c.times}} {
		if role.list.Len() > 0 && !named[role.name] {
			all = append(all, column.Column{Name: role.name, Kind: role.kind, Role: role.name, Values: role.list})
		}
	}
	if !named["length"] {
		all = append(all, column.Column{Name: "length", Kind: column.Number, Values: docLengths{c}})
	}
	return all
}

// docLengths is a column with the number of tokens of each document.
type docLengths struct{ c *Corpus }

func (l docLengths) Len() int        { return l.c.NumDocs() }
func (l docLengths) At(d int) string { return strconv.FormatUint(l.c.offsets[d+1]-l.c.offsets[d], 10) }

// columnSet collects the columns during an import. Only the goroutine that reads the input uses it until
// everything is read.
type columnSet struct {
	names   []string
	index   map[string]int
	guesses []columns.Guesser
	bytes   []int64
	docs    int64
	dropped map[string]bool // names of columns beyond mostColumns
}

// place returns the number of a column, or -1 if there are too many. It tries guess first, because all rows
// of a table have the same order.
func (s *columnSet) place(name string, guess int) int {
	if guess < len(s.names) && s.names[guess] == name {
		return guess
	}
	if i, known := s.index[name]; known {
		return i
	}
	if len(s.names) == mostColumns {
		if s.dropped == nil {
			s.dropped = map[string]bool{}
		}
		if len(s.dropped) < mostColumns {
			s.dropped[name] = true
		}
		return -1
	}
	if s.index == nil {
		s.index = map[string]int{}
	}
	i := len(s.names)
	s.index[name] = i
	s.names, s.guesses, s.bytes = append(s.names, name), append(s.guesses, columns.Guesser{}), append(s.bytes, 0)
	return i
}

// add records a value of a column.
func (s *columnSet) add(i int, value []byte) {
	s.bytes[i] += int64(len(value))
	if s.docs < guessAll || s.docs%guessEvery == 0 {
		s.guesses[i].Add(value)
	}
}

// kept returns the columns that the corpus keeps, with nil for the others: columns without values, and long texts.
func (s *columnSet) kept() (infos []*columnInfo, long []string) {
	infos = make([]*columnInfo, len(s.names))
	for i, name := range s.names {
		switch {
		case s.bytes[i] == 0:
		case s.bytes[i] > mostColumnBytes*s.docs:
			long = append(long, name)
		default:
			infos[i] = &columnInfo{Name: name, Kind: s.guesses[i].Kind()}
		}
	}
	return infos, long
}

// WithColumns returns the corpus with columns added. A column replaces one of the same name. The result
// shares the memory of c and is valid as long as c is.
func (c *Corpus) WithColumns(columns []column.Column) (*Corpus, error) {
	v := *c
	v.columns = slices.Clone(c.columns)
	for _, n := range columns {
		if n.Values.Len() != c.NumDocs() {
			return nil, fmt.Errorf("column %s has %d values for %d documents", n.Name, n.Values.Len(), c.NumDocs())
		}
		data := columnData{columnInfo: columnInfo{Name: n.Name, Kind: n.Kind}}
		for i := range n.Values.Len() {
			data.list.add(n.Values.At(i))
		}
		at := slices.IndexFunc(v.columns, func(d columnData) bool { return d.Name == n.Name })
		if at < 0 {
			v.columns = append(v.columns, data)
		} else {
			v.columns[at] = data
		}
	}
	if len(v.columns) > mostColumns {
		return nil, fmt.Errorf("there are %d columns, and a corpus keeps at most %d: choose some", len(v.columns),
			mostColumns)
	}
	return &v, nil
}

// WithLabelAndTime returns a copy of the corpus. If c has no labels, they are the first of the columns that is a
// category; if c has no times, they are the first that holds dates. The copy shares the memory of c as in WithColumns.
func (c *Corpus) WithLabelAndTime(columns []column.Column) *Corpus {
	v := *c
	fill := func(list *Strings, kind column.Kind) {
		i := slices.IndexFunc(columns, func(n column.Column) bool { return n.Kind == kind })
		if i < 0 || list.Len() > 0 {
			return
		}
		*list = Strings{}
		for d := range c.NumDocs() {
			list.add(columns[i].Values.At(d))
		}
	}
	fill(&v.labels, column.Category)
	fill(&v.times, column.Date)
	return newCorpus(v) // labels and times are part of the fingerprint
}

// JoinOptions say how a table is matched with the documents of a model that topoi.Join adds it to.
type JoinOptions struct {
	// On is the column of the table with the ids of documents. Default: the first that exists of id, doc_id, file,
	// filename, file_name, path and name.
	On string

	Columns []string       // columns to add. Default: all
	Source  source.Options // how the table is read
}

// JoinReport describes what matched.
type JoinReport struct {
	Columns   []column.Column // columns that were added
	Matched   int             // documents with a row
	Docs      []string        // ids of the first documents without a row
	DocsLeft  int             // documents without a row
	Rows      []string        // ids of the first rows without a document
	RowsLeft  int             // rows without a document
	Documents int             // documents in all
}
