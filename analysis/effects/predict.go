package effects

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/internal/human"
)

// Point is a value of a column with the shares that the regression expects there.
type Point struct {
	Value  string   // a level, a number or a date
	At     float64  // the number; the year of a date; the place of a level
	Column string   // of the value
	Group  string   // the level of the other column; "" without one
	Shares []Effect // of Result.Topics
}

// averaged is how many documents at most the other columns are averaged over.
const averaged = 10_000

// Columns returns the columns of the formula that shares can be predicted by.
func (r *Result) Columns() []string {
	var names []string
	for _, e := range r.design.variables {
		if e.has == nil && !slices.Contains(names, e.column) {
			names = append(names, e.column)
		}
	}
	return names
}

// Predict returns the shares expected at values of a column: all levels of a category, or
// points equally far apart between the smallest and the largest number or date. The other
// columns keep the values that documents have, over whose rows the average is taken.
//
// by may name two columns with a comma between them, of which one has levels: the points of the other one then follow
// level by level. Numbers and dates lie between the smallest and the largest that documents with the level have.
func (r *Result) Predict(by string, points int) ([]Point, error) {
	e, groups, err := r.axes(by)
	if err != nil {
		return nil, err
	}
	all, rows := []Point(nil), [][]float64(nil)
	add := func(docs []uint32, group string, given ...fixed) {
		for _, p := range e.points(docs, points) {
			p.Column, p.Group = e.column, group
			all = append(all, p)
			rows = append(rows, r.averageAt(append(slices.Clone(given), fixed{e, p.At})...))
		}
	}
	if groups == nil {
		add(r.design.docs, "")
	} else {
		of := make([][]uint32, len(groups.levels))
		for _, d := range r.design.docs {
			of[groups.codes[d]] = append(of[groups.codes[d]], d)
		}
		for code, docs := range of {
			if len(docs) > 0 {
				add(docs, groups.levels[code], fixed{groups, float64(code)})
			}
		}
	}
	shares, err := r.sums(rows)
	for i := range shares {
		all[i].Shares = shares[i]
	}
	return all, err
}

// PredictAt returns the shares expected where some columns have given values. The other columns keep the values that
// documents have.
func (r *Result) PredictAt(values map[string]string) ([]Effect, error) {
	var all []fixed
	for _, name := range slices.Sorted(maps.Keys(values)) {
		e, err := r.variable(name)
		if err != nil {
			return nil, err
		}
		value, err := e.parse(values[name])
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", name, err)
		}
		all = append(all, fixed{e, value})
	}
	shares, err := r.sums([][]float64{r.averageAt(all...)})
	if err != nil {
		return nil, err
	}
	return shares[0], nil
}

// axes returns the variables of one or two columns: that of the points, and that of the groups or nil.
func (r *Result) axes(by string) (e, groups *encoder, err error) {
	names := strings.Split(by, ",")
	if _, plain := r.variable(by); plain == nil {
		names = []string{by} // a name with a comma
	}
	if len(names) > 2 {
		return nil, nil, fmt.Errorf("shares are shown by one column or by two, such as year,party, and not by %q", by)
	}
	if e, err = r.variable(strings.TrimSpace(names[0])); err != nil || len(names) == 1 {
		return e, nil, err
	}
	if groups, err = r.variable(strings.TrimSpace(names[1])); err != nil {
		return nil, nil, err
	}
	if groups.codes == nil {
		e, groups = groups, e
	}
	switch {
	case groups.codes == nil:
		return nil, nil, fmt.Errorf("neither %s nor %s has levels to make groups of: use factor() in the formula for one of them",
			e.column, groups.column)
	case e.column == groups.column:
		return nil, nil, fmt.Errorf("column %s is named twice", e.column)
	}
	return e, groups, nil
}

// drawnBy returns the columns that shares are drawn by if nobody says which: the first of the formula, or a number that
// interacts with it if it has levels.
func (r *Result) drawnBy() (string, error) {
	columns := r.Columns()
	if len(columns) == 0 {
		return "", fmt.Errorf("the formula %s has no column to draw shares by", r.Formula)
	}
	e, err := r.variable(columns[0])
	if err != nil {
		return "", err
	}
	if e.codes != nil {
		if other := r.interacting(e, func(o *encoder) bool { return o.codes == nil }); other != nil {
			return other.column + "," + e.column, nil
		}
	}
	return r.withGroups(columns[0]), nil
}

// withGroups adds to the name of a column that of one with levels with which it interacts, so that there is a curve for
// each level. It returns the name if there is none.
func (r *Result) withGroups(name string) string {
	e, err := r.variable(name)
	if err != nil {
		return name
	}
	if groups := r.interacting(e, func(o *encoder) bool { return o.codes != nil }); groups != nil {
		return name + "," + groups.column
	}
	return name
}

// interacting returns the first variable of another column that shares a term with the column of e and is wanted, or
// nil.
func (r *Result) interacting(e *encoder, wanted func(*encoder) bool) *encoder {
	for _, t := range r.design.codes {
		if !slices.ContainsFunc(t.variables, func(i int) bool { return r.design.variables[i].column == e.column }) {
			continue
		}
		for _, i := range t.variables {
			if o := r.design.variables[i]; o.column != e.column && o.has == nil && wanted(o) {
				return o
			}
		}
	}
	return nil
}

// fixed is a value that a column has in all documents.
type fixed struct {
	of    *encoder
	value float64
}

// Contrast returns the difference between the shares expected at two values of a column: the first less the second.
func (r *Result) Contrast(name, value, versus string) ([]Effect, error) {
	e, err := r.variable(name)
	if err != nil {
		return nil, err
	}
	a, errA := e.parse(value)
	b, errB := e.parse(versus)
	if errA != nil || errB != nil {
		return nil, fmt.Errorf("column %s: %w", name, cmp.Or(errA, errB))
	}
	x := r.averageAt(fixed{e, a})
	for i, v := range r.averageAt(fixed{e, b}) {
		x[i] -= v
	}
	all, err := r.sums([][]float64{x})
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// variable finds a variable of the formula by its column; one that is used through functions will do, since all of
// them get the value. One whose values are levels goes first: no level lies between two others.
func (r *Result) variable(name string) (found *encoder, err error) {
	for _, e := range r.design.variables {
		if e.column != name || e.has != nil {
			continue
		}
		if found == nil || found.codes == nil && e.codes != nil || found.power > 0 && e.power == 0 {
			found = e
		}
	}
	if found != nil && found.power > 0 {
		return nil, fmt.Errorf("shares cannot be shown by %s, which the formula has in %s only: write ~ %s + %s",
			name, found.text, name, found.text)
	}
	if found == nil {
		err = fmt.Errorf("the formula has no column %q%s", name, human.Hint(name, r.Columns()))
	}
	return found, err
}

// averageAt returns the average row of documents in which some columns have given values.
func (r *Result) averageAt(given ...fixed) []float64 {
	x := r.design
	at := make([]float64, len(x.variables))
	for i, e := range x.variables {
		at[i] = math.NaN()
		for _, f := range given {
			if e.column == f.of.column {
				at[i] = e.convert(f.value, f.of)
			}
		}
	}
	step := max(1, len(x.docs)/averaged)
	sum, row, room, n := make([]float64, len(x.names)), make([]float64, len(x.names)), x.newScratch(), 0.0
	for i := 0; i < len(x.docs); i += step {
		x.row(row, int(x.docs[i]), room, at)
		addTo(sum, row)
		n++
	}
	for j := range sum {
		sum[j] /= n
	}
	return sum
}

// sums returns sums of coefficients with given factors, each for every topic.
func (r *Result) sums(factors [][]float64) ([][]Effect, error) {
	free, determined, err := r.doubt.ofSums(context.Background(), factors)
	if err != nil {
		return nil, err
	}
	all, far := make([][]Effect, len(factors)), reach(r.Interval, free)
	for i, c := range factors {
		all[i] = make([]Effect, len(r.Topics))
		for k := range all[i] {
			if all[i][k] = (Effect{math.NaN(), math.NaN(), math.NaN(), math.NaN(), 0}); determined[i] {
				all[i][k] = r.effect(k, c, free[i], far[i])
			}
		}
	}
	return all, nil
}

// points returns the values to predict at.
func (e *encoder) points(docs []uint32, n int) []Point {
	if e.codes != nil {
		all := make([]Point, len(e.levels))
		for i, level := range e.levels {
			all[i] = Point{Value: level, At: float64(i)}
		}
		return all
	}
	low, high, whole := math.Inf(1), math.Inf(-1), e.call == ""
	for _, d := range docs {
		x := e.numbers[d]
		low, high = min(low, x), max(high, x)
		whole = whole && x == e.nearestWhole(x)
	}
	whole = whole && (e.years || low > high-low) // years, and not ratings from 1 to 7
	n = max(2, n)
	all := make([]Point, n)
	for i := range all {
		x := low + (high-low)*float64(i)/float64(n-1)
		if whole && high-low >= float64(n-1) { // a share at 2001.5, or on 31 August 2008, where documents have years
			x = e.nearestWhole(x)
		}
		all[i] = Point{Value: e.show(e.raw(x)), At: x}
	}
	return all
}

// nearestWhole returns the whole number that is nearest to x, or the beginning of the nearest year.
func (e *encoder) nearestWhole(x float64) float64 {
	if x = math.Round(x); e.years {
		return yearBegins(int(x))
	}
	return x
}
