package effects

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"time"

	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/portable"
	"github.com/topoi-lda/topoi/internal/tablecell"
)

// encoder turns a variable of the formula into numbers: one column for a number, a column for each level of a
// category, for each item of a list, for each basis function of a spline. Exactly one of the groups of fields is set.
type encoder struct {
	*variable
	numbers []float64 // value of each document, NaN if it is missing

	middleAt float64 // where a number is measured from; 0 for most

	levels []string // of a category
	codes  []uint32 // place of each document's value among levels; column.None if it is missing
	base   int      // the level that others are compared with

	items []string   // of a list
	has   [][]uint16 // places of each document's items

	knots []float64 // of a cubic B-spline over numbers: the full sequence, ends repeated
	years bool      // numbers are dates, in years
}

// The limits of what a formula may compare.
const (
	mostLevels   = 1000
	splineDegree = 3
	defaultDF    = 10 // degrees of freedom of s(), as in stm
)

// secondsPerYear is the mean length of a year of the calendar.
const secondsPerYear = 365.2425 * 24 * 3600

// newEncoder reads the column of a variable. base names the level of a category that the
// others are compared with; "" is the first.
func newEncoder(v *variable, columns []column.Column, base string) (*encoder, error) {
	c, err := column.Find(columns, v.column)
	if err != nil {
		return nil, err
	}
	e := &encoder{variable: v}
	switch {
	case v.call == "factor" || v.call == "" && c.Kind == column.Category:
		return e, e.readCategory(c, base)
	case base != "":
		return nil, fmt.Errorf("column %s has no base level: it holds %ss", c.Name, c.Kind)
	case v.call == "" && c.Kind == column.List:
		return e, e.readList(c)
	case c.Kind != column.Number && c.Kind != column.Date:
		if v.call != "" {
			return nil, fmt.Errorf("%s needs numbers or dates, and column %s holds %s", v.text, c.Name, article(c.Kind))
		}
		return nil, fmt.Errorf("column %s holds text, which cannot be used directly; factor(%s) compares its values",
			c.Name, c.Name)
	}
	return e, e.readNumbers(c)
}

func article(k column.Kind) string {
	switch k {
	case column.Category:
		return "categories"
	case column.List:
		return "lists"
	}
	return string(k)
}

// readCategory makes levels of a column.
func (e *encoder) readCategory(c *column.Column, base string) error {
	e.levels, e.codes = c.Levels()
	switch {
	case len(e.levels) > mostLevels:
		return fmt.Errorf("column %s has %d different values: a formula compares at most %d", c.Name, len(e.levels),
			mostLevels)
	case len(e.levels) < 2:
		return fmt.Errorf("column %s has %d different values, so there is nothing to compare", c.Name, len(e.levels))
	}
	if base != "" {
		if e.base = slices.Index(e.levels, base); e.base < 0 {
			return fmt.Errorf("column %s has no value %q to compare with", c.Name, base)
		}
	}
	return nil
}

// readList makes a column of 0 and 1 for each item.
func (e *encoder) readList(c *column.Column) error {
	place := map[string]uint16{}
	e.has = make([][]uint16, c.Values.Len())
	for d := range e.has {
		for _, item := range tablecell.Items(c.Values.At(d)) {
			at, known := place[item]
			if !known {
				if len(e.items) == mostLevels {
					return fmt.Errorf("column %s has more than %d different items, the most that a formula compares",
						c.Name, mostLevels)
				}
				at = uint16(len(e.items))
				place[item] = at
				e.items = append(e.items, item)
			}
			if !slices.Contains(e.has[d], at) {
				e.has[d] = append(e.has[d], at)
			}
		}
	}
	return nil
}

// readNumbers applies the variable's function to a column.
func (e *encoder) readNumbers(c *column.Column) error {
	unread := 0
	if e.numbers, unread = c.Numbers(); unread > 0 && !slices.ContainsFunc(e.numbers, isNumber) {
		return fmt.Errorf("column %s was imported as %ss, and none of its values is one, such as %q: factor(%s) compares them, or import the documents again with another column as their time",
			c.Name, c.Kind, firstValue(c), c.Name)
	}
	if e.years = c.Kind == column.Date; e.years {
		for d, x := range e.numbers {
			e.numbers[d] = 1970 + x/secondsPerYear
		}
	}
	if f := e.apply(); f != nil {
		for d, x := range e.numbers {
			if e.numbers[d] = f(x); math.IsInf(e.numbers[d], 0) {
				e.numbers[d] = math.NaN()
			}
		}
	}
	if e.call == "s" {
		return e.placeKnots()
	}
	return nil
}

func isNumber(x float64) bool { return !math.IsNaN(x) }

// firstValue returns the first value of a column that is not missing.
func firstValue(c *column.Column) string {
	for d := range c.Values.Len() {
		if v := c.Values.At(d); !tablecell.IsMissing(v) {
			return v
		}
	}
	return ""
}

// placeKnots puts the knots of a B-spline where R's bs() puts them: at quantiles, equally
// many documents between two of them.
func (e *encoder) placeKnots() error {
	sorted := slices.DeleteFunc(slices.Clone(e.numbers), math.IsNaN)
	slices.Sort(sorted)
	distinct := len(slices.Compact(slices.Clone(sorted)))
	if distinct <= splineDegree+1 {
		return fmt.Errorf("%s needs more than %d different values, and column %s has %d: use factor(%s)",
			e.text, splineDegree+1, e.column, distinct, e.column)
	}
	df := e.df
	if df == 0 {
		df = min(defaultDF, distinct-1)
	}
	inner := df - splineDegree
	e.knots = append(e.knots, slices.Repeat([]float64{sorted[0]}, splineDegree+1)...)
	for i := range inner {
		e.knots = append(e.knots, quantile(sorted, float64(i+1)/float64(inner+1)))
	}
	e.knots = append(e.knots, slices.Repeat([]float64{sorted[len(sorted)-1]}, splineDegree+1)...)
	return nil
}

// quantile interpolates between order statistics as R does by default (type 7).
func quantile(sorted []float64, p float64) float64 {
	at := float64(p * float64(len(sorted)-1))
	i := int(at)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i] + float64((at-float64(i))*(sorted[i+1]-sorted[i]))
}

// value returns the value of document d: a number, or the place of a level. It is NaN if
// it is missing. A list has none, and gives 0.
func (e *encoder) value(d int) float64 {
	switch {
	case e.has != nil:
		return 0
	case e.codes == nil:
		return e.numbers[d]
	case e.codes[d] == column.None:
		return math.NaN()
	}
	return float64(e.codes[d])
}

// width returns the number of columns. A category has one for each level if it is full, else for each but the base.
func (e *encoder) width(full bool) int {
	switch {
	case e.has != nil:
		return len(e.items)
	case e.codes != nil && full:
		return len(e.levels)
	case e.codes != nil:
		return len(e.levels) - 1
	case e.knots != nil:
		return len(e.knots) - splineDegree - 2
	}
	return 1
}

// names returns the names of the columns.
func (e *encoder) names(full bool) []string {
	if e.codes == nil && e.has == nil && e.knots == nil {
		return []string{e.text}
	}
	var all []string
	for i := range e.width(true) {
		switch {
		case e.codes != nil:
			if full || i != e.base {
				all = append(all, fmt.Sprintf("%s[%s]", e.text, e.levels[i]))
			}
		case e.has != nil:
			all = append(all, fmt.Sprintf("%s[%s]", e.text, e.items[i]))
		default:
			all = append(all, fmt.Sprintf("%s.%d", e.text, i+1))
		}
	}
	return all
}

// fill sets dst to the columns of a value. Items of lists come from document d.
func (e *encoder) fill(dst []float64, value float64, full bool, d int) {
	if e.codes == nil && e.has == nil && e.knots == nil {
		if dst[0] = value; e.power == 0 {
			dst[0] -= e.middleAt // numbers of powers are powers of differences
		}
		return
	}
	clear(dst)
	switch {
	case e.has != nil:
		for _, i := range e.has[d] {
			dst[i] = 1
		}
	case e.knots != nil:
		fillSpline(dst, e.knots, value)
	default:
		at := int(value)
		switch {
		case full || at < e.base:
			dst[at] = 1
		case at > e.base:
			dst[at-1] = 1
		}
	}
}

// fillSpline sets dst to the cubic B-splines over the knots at x, but for the first one,
// by the recursion of Cox and de Boor. x beyond the ends counts as the end.
func fillSpline(dst, knots []float64, x float64) {
	const order = splineDegree + 1
	last := len(knots) - order // of the inner intervals
	x = min(max(x, knots[0]), knots[last])
	i := sort.Search(len(knots), func(i int) bool { return knots[i] > x }) - 1
	i = min(i, last-1)
	for i > splineDegree && knots[i] == knots[i+1] {
		i--
	}
	var b [order]float64
	b[0] = 1
	for k := 1; k < order; k++ {
		saved := 0.0
		for r := range k {
			right, left := knots[i+r+1]-x, x-knots[i+1-k+r]
			term := b[r] / (right + left)
			b[r] = saved + float64(right*term)
			saved = left * term
		}
		b[k] = saved
	}
	for r := range order {
		if at := i - splineDegree + r - 1; at >= 0 {
			dst[at] = b[r]
		}
	}
}

// parse returns what the encoder keeps for a value that people write.
func (e *encoder) parse(s string) (float64, error) {
	if e.codes != nil {
		i := slices.Index(e.levels, s)
		if i < 0 {
			return 0, fmt.Errorf("there is no value %q%s", s, human.Hint(s, e.levels))
		}
		return float64(i), nil
	}
	c := column.Column{Name: e.column, Kind: column.Number, Values: one(s)}
	if e.years {
		c.Kind = column.Date
	}
	numbers, unread := c.Numbers()
	if unread > 0 || math.IsNaN(numbers[0]) {
		return 0, fmt.Errorf("%q is not a %s", s, c.Kind)
	}
	x := numbers[0]
	if e.years {
		x = 1970 + x/secondsPerYear
	}
	plain := &encoder{variable: &variable{}}
	return e.convert(x, plain), nil
}

// one is a column of one value.
type one string

func (o one) Len() int      { return 1 }
func (o one) At(int) string { return string(o) }

// functions are the functions of numbers in formulas, with their inverses.
var functions = map[string]struct{ apply, invert func(float64) float64 }{
	"log":   {portable.Log, portable.Exp},
	"log1p": {portable.Log1p, portable.Expm1},
	"sqrt":  {math.Sqrt, func(x float64) float64 { return float64(x * x) }},
}

// raw returns the number before the variable's function.
func (e *encoder) raw(x float64) float64 {
	if f, ok := functions[e.call]; ok {
		return f.invert(x)
	}
	return x
}

// convert returns what the encoder keeps for a value that another encoder of the same column keeps: NaN for a level
// that is no number. Encoders of levels have the same ones, and take none of numbers.
func (e *encoder) convert(value float64, from *encoder) float64 {
	if e == from || e.codes != nil {
		return value
	}
	if from.codes != nil {
		x, err := e.parse(from.levels[int(value)])
		if err != nil {
			return math.NaN()
		}
		return x
	}
	x := from.raw(value)
	if f := e.apply(); f != nil {
		return f(x)
	}
	return x
}

// apply returns the function of the variable's numbers, nil if there is none.
func (e *encoder) apply() func(float64) float64 {
	if e.power > 0 {
		return func(x float64) float64 {
			x -= e.middleAt
			y := x
			for range e.power - 1 {
				y = float64(y * x)
			}
			return y
		}
	}
	return functions[e.call].apply
}

// show writes a number, or a date that is kept in years.
func (e *encoder) show(x float64) string {
	if !e.years {
		return fmt.Sprintf("%.6g", x)
	}
	return time.Unix(int64(math.Round((x-1970)*secondsPerYear)), 0).UTC().Format(time.DateOnly)
}
