package corpus

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/topoi-lda/topoi/column"
	"github.com/topoi-lda/topoi/corpus/internal/format"
	"github.com/topoi-lda/topoi/corpus/source"
)

// columnData is a column of the documents beside labels and times.
type columnData struct {
	columnInfo
	list Strings // D values
}

// columnInfo is what the section "columns" says of a column. Values of column i are the
// list of strings "c<i>"; a column that has a role has its values in the list of the role.
type columnInfo struct {
	Name string      `json:"name"`
	Kind column.Kind `json:"kind"`
	Role string      `json:"role,omitempty"` // "label" or "time"
}

// The limits of columns that are kept.
const (
	mostColumns     = 256
	mostColumnBytes = 256 // that a document's value has on average; longer ones are further texts
	guessAll        = 1 << 15
	guessEvery      = 16 // documents behind guessAll of which one is looked at to find the kind
)

func columnSection(i int) string { return "c" + strconv.Itoa(i) }

// Columns returns what is known about the documents besides their words: every column that
// the import kept, the labels under the name "label" and the times under "time" if the
// input did not name them otherwise, and "length", the number of tokens, if no column has
// that name.
func (c *Corpus) Columns() []column.Column {
	var all []column.Column
	named := map[string]bool{}
	for _, d := range c.columns {
		values := column.Values(d.list)
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
		all = append(all, column.Column{Name: d.Name, Kind: d.Kind, Values: values})
	}
	for _, role := range []struct {
		name string
		kind column.Kind
		list Strings
	}{{"label", column.Category, c.labels}, {"time", column.Date, c.times}} {
		if role.list.Len() > 0 && !named[role.name] {
			all = append(all, column.Column{Name: role.name, Kind: role.kind, Values: role.list})
		}
	}
	if !named["length"] {
		all = append(all, column.Column{Name: "length", Kind: column.Number, Values: docLengths{c}})
	}
	return all
}

// docLengths shows the number of tokens of documents as a column.
type docLengths struct{ c *Corpus }

func (l docLengths) Len() int        { return l.c.NumDocs() }
func (l docLengths) At(d int) string { return strconv.FormatUint(l.c.offsets[d+1]-l.c.offsets[d], 10) }

// columnSet collects the columns of documents that are imported. Only the goroutine that
// reads the input uses it until all is read.
type columnSet struct {
	names   []string
	index   map[string]int
	guesses []column.Guesser
	bytes   []int64
	docs    int64
	dropped map[string]bool // names beyond mostColumns
}

// place returns the number of a column, or -1 if there are too many. It looks at number guess
// first, since all rows of a table have the same order.
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
	s.names, s.guesses, s.bytes = append(s.names, name), append(s.guesses, column.Guesser{}), append(s.bytes, 0)
	return i
}

// add notes a value of a column.
func (s *columnSet) add(i int, value []byte) {
	s.bytes[i] += int64(len(value))
	if s.docs < guessAll || s.docs%guessEvery == 0 {
		s.guesses[i].Add(value)
	}
}

// kept returns the columns that the corpus keeps, nil in place of those it does not: that
// hold nothing, or text of which a corpus has one.
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

// columnInfos returns what the section "columns" holds, nil if there are no columns.
func (c *Corpus) columnInfos() []columnInfo {
	var infos []columnInfo
	for _, d := range c.columns {
		infos = append(infos, d.columnInfo)
	}
	return infos
}

// columns reads the columns of a corpus file.
func (d *decoder) columns(docs uint64) []columnData {
	raw := d.bytes(format.Columns)
	if raw == nil || d.err != nil {
		return nil
	}
	var infos []columnInfo
	if err := json.Unmarshal(raw, &infos); err != nil || len(infos) > mostColumns+2 {
		d.err = fmt.Errorf("section %q does not describe columns", format.Columns)
		return nil
	}
	data := make([]columnData, len(infos))
	for i, info := range infos {
		data[i].columnInfo = info
		if info.Role == "" {
			data[i].list = d.strings(columnSection(i), docs, false)
		}
	}
	return data
}

// roles returns the columns that are kept as labels and times, under the names that the
// input gives them.
func (im *importer) roles() []columnInfo {
	var roles []columnInfo
	switch r := im.src.(type) {
	case *source.Reader:
		kinds := map[string]column.Kind{"label": column.Category, "time": column.Date}
		for _, c := range r.Taken().Columns {
			if kind, has := kinds[c.Use]; has && c.Name != c.Use && im.tagged[map[string]int{"label": tagLabel, "time": tagTime}[c.Use]] {
				roles = append(roles, columnInfo{Name: c.Name, Kind: kind, Role: c.Use})
				delete(kinds, c.Use)
			}
		}
	case *corpusSource:
		for _, d := range r.corpus.columns {
			if d.Role != "" {
				roles = append(roles, d.columnInfo)
			}
		}
	}
	return roles
}

// WithColumns returns the corpus with columns added; one with a name that is there already
// takes its place. It shares the memory of c and is valid as long as c is.
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
		return nil, fmt.Errorf("there are %d columns, and a corpus keeps at most %d: choose some", len(v.columns), mostColumns)
	}
	return &v, nil
}

// WithLabelAndTime returns the corpus with the first of the columns that is a category as labels, and the first of dates as
// times, where it has none. It shares the memory of c as WithColumns does.
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
	return newCorpus(v) // labels and times belong to the fingerprint
}
