package effects

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/topoi-lda/topoi/internal/human"
	"gonum.org/v1/gonum/floats"
)

// Point is a value of a column with the shares that the regression expects there.
type Point struct {
	Value  string   // a level, a number or a date
	At     float64  // the number; the year of a date; the place of a level
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
func (r *Result) Predict(name string, points int) ([]Point, error) {
	e, err := r.variable(name)
	if err != nil {
		return nil, err
	}
	all := e.points(r.design.docs, points)
	for i := range all {
		x := r.averageAt(name, all[i].At)
		all[i].Shares = r.shares(x)
	}
	return all, nil
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
	x := r.averageAt(name, a)
	floats.Sub(x, r.averageAt(name, b))
	return r.shares(x), nil
}

// variable finds a variable of the formula by its column; one that is used through
// functions will do, since all of them get the value.
func (r *Result) variable(name string) (*encoder, error) {
	for _, e := range r.design.variables {
		if e.column == name && e.has == nil {
			return e, nil
		}
	}
	names := r.Columns()
	if hint := human.Hint(name, names); hint != "" {
		return nil, fmt.Errorf("the formula has no column %q%s", name, hint)
	}
	return nil, fmt.Errorf("the formula has no column %q to predict by: its columns are %s", name, strings.Join(names, ", "))
}

// averageAt returns the average row of documents in which a column has the given value,
// which for variables with a function is the function's argument as the encoder keeps it.
func (r *Result) averageAt(name string, value float64) []float64 {
	x := r.design
	at := make([]float64, len(x.variables))
	var first *encoder
	for i, e := range x.variables {
		at[i] = math.NaN()
		if e.column != name {
			continue
		}
		if first == nil {
			first = e
		}
		at[i] = e.convert(value, first)
	}
	step := max(1, len(x.docs)/averaged)
	sum, row, room, n := make([]float64, len(x.names)), make([]float64, len(x.names)), x.newScratch(), 0.0
	for i := 0; i < len(x.docs); i += step {
		x.row(row, int(x.docs[i]), room, at)
		floats.Add(sum, row)
		n++
	}
	for j := range sum {
		sum[j] /= n
	}
	return sum
}

// shares returns x·b with its interval for every topic.
func (r *Result) shares(x []float64) []Effect {
	all := make([]Effect, len(r.Topics))
	for k := range all {
		all[k] = r.effect(dot(x, r.coefficients[k]), dot(x, times(r.covariances[k], x)))
	}
	return all
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
	low, high := math.Inf(1), math.Inf(-1)
	for _, d := range docs {
		low, high = min(low, e.numbers[d]), max(high, e.numbers[d])
	}
	all := make([]Point, max(2, n))
	for i := range all {
		x := low + (high-low)*float64(i)/float64(len(all)-1)
		all[i] = Point{Value: e.show(e.raw(x)), At: x}
	}
	return all
}

// show writes a number, or a date that is kept in years.
func (e *encoder) show(x float64) string {
	if !e.years {
		return fmt.Sprintf("%.6g", x)
	}
	return time.Unix(int64(math.Round((x-1970)*secondsPerYear)), 0).UTC().Format(time.DateOnly)
}
