package columns

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/internal/dates"
	"github.com/topoi-lda/topoi/internal/tablecell"
)

// Condition is a condition for rows that are read one by one, before the kinds of their columns are known. It has the
// grammar of [Parse]. Two values are compared as numbers if both are numbers, else as dates if both are dates, else as
// texts; an order between a number or date and another text does not hold. Dates such as 3/5/2024 are texts.
type Condition struct {
	Names []string // columns that it mentions, each once

	root *expression
}

// value is a text, and what it means as a number and as a date.
type value struct {
	text   string
	number float64
	first  float64     // second of the date
	end    float64     // second after the date
	kind   column.Kind // Number, Date or Text; a year is a Number with first and end
}

// NewCondition reads a condition.
func NewCondition(condition string) (*Condition, error) {
	e, err := parse(condition)
	if err != nil {
		return nil, fmt.Errorf("cannot read the condition %q: %w", condition, err)
	}
	c := &Condition{root: e}
	c.read(e)
	return c, nil
}

func (c *Condition) read(e *expression) {
	for _, side := range e.sides {
		c.read(side)
	}
	for _, v := range e.values {
		e.meant = append(e.meant, read(v))
	}
	if e.column != "" && !slices.Contains(c.Names, e.column) {
		c.Names = append(c.Names, e.column)
	}
}

func read(s string) value {
	v := value{text: s, kind: column.Text}
	if len(s) > 40 {
		return v
	}
	var clock dates.Clock
	if m, ok := clock.Read(s); ok {
		v.first, v.end, v.kind = float64(m.Seconds), float64(m.End()), column.Date
	}
	if x, ok := tablecell.ParseNumber(s); ok {
		v.number, v.kind = x, column.Number
	}
	return v
}

// Range tells what is known about a column in one or many rows.
type Range struct {
	Low, High string      // no value is smaller or larger
	Kind      column.Kind // with different Low and High: Number or Date if all values are, else Text, ordered bytewise
	Missing   bool        // some row may have no value
	Present   bool        // some row may have a value
	List      bool        // the value may be a list
}

// Value returns the range of one row.
func Value(s string, list bool) Range {
	missing := tablecell.IsMissing(s)
	return Range{Low: s, High: s, Missing: missing, Present: !missing, List: list}
}

// Over reports whether the condition may hold in some row, and whether it holds in all rows. of returns what is known
// about a column. For one row whose values are all known, both results are the answer.
func (c *Condition) Over(of func(name string) (r Range, known bool)) (some, all bool) {
	return c.root.over(of)
}

func (e *expression) over(of func(name string) (Range, bool)) (some, all bool) {
	var sides [2]struct{ some, all bool }
	for i, side := range e.sides {
		sides[i].some, sides[i].all = side.over(of)
	}
	switch f, g := sides[0], sides[1]; e.op {
	case "and":
		return f.some && g.some, f.all && g.all
	case "or":
		return f.some || g.some, f.all || g.all
	case "not":
		return !f.all, !f.some
	}
	r, known := of(e.column)
	switch {
	case !known:
		return true, false
	case e.op == "missing" && e.not:
		return r.Present, !r.Missing
	case e.op == "missing":
		return r.Missing, !r.Present
	case !r.Present:
		return false, false
	}
	some, all = e.compare(r)
	return some, all && !r.Missing
}

// compare does what Over says for a comparison, in the rows that have a value.
func (e *expression) compare(r Range) (some, all bool) {
	low := read(r.Low)
	if r.Low == r.High {
		is := e.test(low, e.meant, r.List)
		return is, is
	}
	high := read(r.High)
	for _, v := range e.meant {
		first, last := v.compare(low), v.compare(high)
		switch {
		case r.Kind == column.Text:
			some = some || e.op != "=" || v.kind != column.Text || low.text <= v.text && v.text <= high.text
		case !alike(low, v) || !alike(high, v):
			some = true
		case e.op == "=":
			some, all = some || first <= 0 && last >= 0, all || first == 0 && last == 0
		default:
			some, all = holds(e.op, first) || holds(e.op, last), holds(e.op, first) && holds(e.op, last)
		}
	}
	if e.not {
		return !all, !some
	}
	return some, all
}

// alike reports whether x can be compared with v: they have the same kind, or x is a date and v can be read as one.
func alike(x, v value) bool { return x.kind == v.kind || x.kind == column.Date && v.first < v.end }

// compare returns the sign of x - v: 0 for a date that v, a year or a month, contains.
func (v value) compare(x value) int {
	switch {
	case x.kind == column.Number && v.kind == column.Number:
		return cmp.Compare(x.number, v.number)
	case x.kind != column.Date:
		return tablecell.Compare(x.text, v.text)
	case x.first < v.first:
		return -1
	case x.first >= v.end:
		return 1
	}
	return 0
}
