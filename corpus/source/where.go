package source

import (
	"bytes"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
	pqformat "github.com/parquet-go/parquet-go/format"

	"github.com/topoi-lda/topoi/column"
	"github.com/topoi-lda/topoi/internal/human"
)

// rowSource is a Source with columns on which conditions can be made.
type rowSource interface {
	// watch prepares to answer value for the columns of a condition. known are columns that the file does not need.
	watch(c *column.Condition, known map[string]string) error

	// value returns what the current row has in the i-th column of the condition, or false if watch had it as known.
	value(i int) (r column.Range, ok bool)
}

// known tells conditions what folders say.
func known(columns map[string]string) func(name string) (column.Range, bool) {
	return func(name string) (column.Range, bool) {
		s, ok := columns[name]
		return column.Value(s, false), ok
	}
}

func (t *table) watch(c *column.Condition, known map[string]string) error {
	for _, name := range c.Names {
		i := -1
		if _, ok := known[name]; !ok {
			var err error
			if i, err = t.column(name); err != nil {
				return err
			}
		}
		t.watched = append(t.watched, i)
	}
	return nil
}

func (t *table) value(i int) (column.Range, bool) {
	if i = t.watched[i]; i < 0 {
		return column.Range{}, false
	} else if i >= len(t.row) {
		return column.Value("", true), true
	}
	return column.Value(string(bytes.TrimSpace(t.row[i])), true), true
}

func (j *jsonl) watch(c *column.Condition, known map[string]string) error {
	for _, name := range c.Names {
		want := -1
		if _, ok := known[name]; !ok {
			want = j.want(name)
			j.found[want] = true // it may be empty everywhere
			if top, _, _ := strings.Cut(name, "."); !slices.Contains(j.top, name) && !slices.Contains(j.top, top) {
				return j.in.Errorf("no field is called %q%s", name, human.Hint(name, j.top)).WithHint("a field of a condition must be in the first object; it may be null there")
			}
		}
		j.watched = append(j.watched, want)
	}
	return nil
}

func (j *jsonl) value(i int) (column.Range, bool) {
	if i = j.watched[i]; i < 0 {
		return column.Range{}, false
	}
	return column.Value(string(bytes.TrimSpace(appendValue(nil, j.parse.wants[i].value))), true), true
}

// watch also marks the row groups in whose statistics the condition cannot hold.
func (p *parquetRows) watch(c *column.Condition, folders map[string]string) error {
	return p.guard(func() error { return p.mark(c, folders) })
}

func (p *parquetRows) mark(c *column.Condition, folders map[string]string) error {
	for _, name := range c.Names {
		var watched *parquetColumn
		if _, ok := folders[name]; !ok {
			var err error
			if watched, err = p.use(name); err != nil {
				return err
			}
		}
		p.watched = append(p.watched, watched)
	}
	groups := p.file.Metadata().RowGroups
	p.without = make([]bool, len(groups))
	for g := range groups {
		some, _ := c.Over(func(name string) (column.Range, bool) {
			if watched := p.watched[slices.Index(c.Names, name)]; watched != nil {
				return watched.bounds(&groups[g].Columns[watched.index].MetaData.Statistics)
			}
			return known(folders)(name)
		})
		p.without[g] = !some
	}
	return nil
}

func (p *parquetRows) value(i int) (column.Range, bool) {
	c := p.watched[i]
	if c == nil {
		return column.Range{}, false
	}
	return column.Value(string(bytes.TrimSpace(c.joined())), c.repeated), true
}

// bounds returns what the statistics of a row group tell about a column. Those of unsigned numbers, decimals and the
// like have an order of their own and tell nothing.
func (c *parquetColumn) bounds(s *pqformat.Statistics) (r column.Range, known bool) {
	if c.repeated || c.ordered == "" || len(s.MinValue) == 0 && len(s.MaxValue) == 0 {
		return r, false
	}
	show := func(b []byte) string { return string(c.show(nil, c.kind.Value(b))) }
	low, high := show(s.MinValue), show(s.MaxValue)
	if low == high {
		r = column.Value(low, false)
	} else {
		r = column.Range{Low: low, High: high, Present: true, Kind: c.ordered}
	}
	r.Missing = r.Missing || c.def > 0 || c.ordered == column.Text || c.kind == parquet.Float || c.kind == parquet.Double
	return r, true
}
