package source

import (
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/internal/columns"
	"github.com/topoi-lda/topoi/internal/human"
)

// rowSource is a Source with columns on which conditions can be made.
type rowSource interface {
	// watch returns a function that gives the value of a column in the current row, and whether it may be a list.
	watch(name string) (value func() []byte, list bool, err error)
}

func (t *table) watch(name string) (func() []byte, bool, error) {
	i, err := t.column(name)
	return func() []byte {
		if i < len(t.row) {
			return t.row[i]
		}
		return nil
	}, true, err
}

func (j *jsonl) watch(name string) (func() []byte, bool, error) {
	if top, _, _ := strings.Cut(name, "."); !slices.Contains(j.top, name) && !slices.Contains(j.top, top) {
		return nil, true, j.in.Errorf("no field is called %q%s", name,
			human.Hint(name, j.top)).WithHint("a field of a condition must be in the first object; it may be null there")
	}
	want := j.want(name)
	j.found[want] = true // it may be empty everywhere
	return func() []byte { return appendValue(nil, j.parse.wants[want].value) }, true, nil
}

func (p *parquetRows) watch(name string) (func() []byte, bool, error) {
	c, err := p.use(name)
	if err != nil {
		return nil, false, err
	}
	return c.Joined, c.IsList(), nil
}

// skip marks the row groups in whose statistics a condition cannot hold, if known is what is known about all rows.
func (p *parquetRows) skip(c *columns.Condition, known func(string) (columns.Range, bool)) error {
	return p.guard(func() error {
		for group := range p.file.Groups() {
			some, _ := c.Over(func(name string) (columns.Range, bool) {
				if r, ok := known(name); ok {
					return r, true
				}
				watched, _ := p.use(name)
				return watched.Bounds(group)
			})
			p.without = append(p.without, !some)
		}
		return nil
	})
}
