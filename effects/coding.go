package effects

import (
	"errors"
	"math"
	"slices"

	"github.com/topoi-lda/topoi/column"
)

// Coding says how a formula makes numbers of columns, so that documents that come later get the same ones.
type Coding struct {
	Formula   string           `json:"formula"`
	Variables []VariableCoding `json:"variables"` // in the order in which the formula has them first
}

// VariableCoding is the coding of one variable: levels of a category, items of a list, or knots of a spline.
type VariableCoding struct {
	Levels []string  `json:"levels,omitempty"`
	Items  []string  `json:"items,omitempty"`
	Knots  []float64 `json:"knots,omitempty"`
}

// NewCoding reads a formula, and the columns of so many documents that it names.
func NewCoding(formula string, columns []column.Column, docs int) (*Coding, error) {
	f, err := parseFormula(formula)
	if err != nil {
		return nil, err
	}
	if !f.intercept {
		return nil, errors.New("the formula of a prior needs its intercept: leave out 0 and - 1")
	}
	x, err := newDesign(f, columns, docs, nil, nil)
	if err != nil {
		return nil, err
	}
	c := &Coding{Formula: f.text}
	for _, e := range x.variables {
		c.Variables = append(c.Variables, VariableCoding{e.levels, e.items, e.knots})
	}
	return c, nil
}

// Rows returns the names of the coefficients, and a row of numbers for each of so many documents. The first number of
// a row is 1, for the intercept. A row is nil where a value is missing, or is a level that the coding does not know.
func (c *Coding) Rows(columns []column.Column, docs int) (names []string, rows [][]float64, err error) {
	f, err := parseFormula(c.Formula)
	if err != nil {
		return nil, nil, err
	}
	x := &design{formula: f}
	err = x.encode(func(v *variable) (*encoder, error) {
		if len(x.variables) == len(c.Variables) {
			return nil, errors.New("the coding does not fit its formula")
		}
		return c.Variables[len(x.variables)].encode(v, columns, docs), nil
	})
	if err == nil {
		err = x.code()
	}
	if err != nil {
		return nil, nil, err
	}
	scratch := x.newScratch()
	rows = make([][]float64, docs)
	for d := range rows {
		if !slices.ContainsFunc(x.variables, func(e *encoder) bool { return math.IsNaN(e.value(d)) }) {
			rows[d] = make([]float64, len(x.names))
			x.row(rows[d], d, scratch, nil)
		}
	}
	return x.names, rows, nil
}

// encode returns an encoder of the column of a variable. Values that it cannot encode are missing.
func (c VariableCoding) encode(v *variable, columns []column.Column, docs int) *encoder {
	e := &encoder{variable: v}
	found, err := column.Find(columns, v.column)
	switch {
	case c.Levels != nil:
		e.levels, e.codes = c.Levels, slices.Repeat([]uint32{column.None}, docs)
		if err == nil {
			levels, codes := found.Levels()
			for d, code := range codes {
				if code != column.None {
					if at := slices.Index(c.Levels, levels[code]); at >= 0 {
						e.codes[d] = uint32(at)
					}
				}
			}
		}
	case c.Items != nil:
		e.items, e.has = c.Items, make([][]uint16, docs)
		for d := range e.has {
			if err == nil {
				for _, item := range column.Items(found.Values.At(d)) {
					if at := slices.Index(c.Items, item); at >= 0 && !slices.Contains(e.has[d], uint16(at)) {
						e.has[d] = append(e.has[d], uint16(at))
					}
				}
			}
		}
	default:
		if err == nil && (found.Kind == column.Number || found.Kind == column.Date) {
			_ = e.readNumbers(found) // which may find no knots of its own
		} else {
			e.numbers = slices.Repeat([]float64{math.NaN()}, docs)
		}
		if e.knots = c.Knots; e.knots != nil {
			for d, x := range e.numbers {
				e.numbers[d] = min(max(x, e.knots[0]), e.knots[len(e.knots)-1])
			}
		}
	}
	return e
}
