package effects

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/internal/tablecell"
)

// design is the matrix X of the regression: a row for each document that has all values,
// a column for each coefficient. Rows are computed when they are asked for.
type design struct {
	*formula
	variables []*encoder // each variable of the formula once
	codes     []termCode
	names     []string // p names of coefficients
	docs      []uint32 // n documents that take part
	missing   int      // documents left out for a missing value
}

// termCode is how a term becomes columns: the products of its variables' columns.
type termCode struct {
	variables []int  // places among design.variables
	full      []bool // a category has all its levels
	width     int
}

// intercept is the name of the coefficient of 1.
const intercept = "(Intercept)"

// mostCoefficients bounds p: sums take p² numbers for each topic.
const mostCoefficients = 2000

// newDesign reads the columns that the formula names. base gives the levels of categories
// that others are compared with, by column.
func newDesign(f *formula, columns []column.Column, docs int, base map[string]string,
	keep func(d int) bool,
) (*design, error) {
	x := &design{formula: f}
	err := x.encode(func(v *variable) (*encoder, error) { return newEncoder(v, columns, base[v.column]) })
	if err != nil {
		return nil, err
	}
	for name := range base {
		if !slices.ContainsFunc(x.variables, func(e *encoder) bool { return e.column == name }) {
			return nil, fmt.Errorf("a base level is given for column %s, which the formula does not name", name)
		}
	}
	if err := x.code(); err != nil {
		return nil, err
	}
	for d := range docs {
		switch {
		case keep != nil && !keep(d):
		case slices.ContainsFunc(x.variables, func(e *encoder) bool { return math.IsNaN(e.value(d)) }):
			x.missing++
		default:
			x.docs = append(x.docs, uint32(d))
		}
	}
	if len(x.docs) <= len(x.names) {
		return nil, fmt.Errorf("only %d documents have all values of the formula, which has %d coefficients: use more documents or fewer terms", len(x.docs), len(x.names))
	}
	return x, nil
}

// encode makes an encoder of each variable of the formula.
func (x *design) encode(of func(v *variable) (*encoder, error)) error {
	for _, v := range slices.Concat(x.terms...) {
		if x.place(v) < 0 {
			e, err := of(v)
			if err != nil {
				return err
			}
			x.variables = append(x.variables, e)
		}
	}
	return nil
}

func (x *design) place(v *variable) int {
	return slices.IndexFunc(x.variables, func(e *encoder) bool { return e.variable == v })
}

// code decides how each term becomes columns. A category in a term leaves out its base
// level if the term without it is in the formula too, as in R.
func (x *design) code() error {
	if x.intercept {
		x.names = append(x.names, intercept)
	}
	for _, t := range x.formula.terms {
		code := termCode{width: 1}
		names := []string{""}
		for i, v := range t {
			rest := slices.Delete(slices.Clone(t), i, i+1)
			full := !x.hasTerm(rest)
			e := x.variables[x.place(v)]
			code.variables, code.full = append(code.variables, x.place(v)), append(code.full, full)
			code.width *= e.width(full)
			if len(x.names)+code.width > mostCoefficients {
				return fmt.Errorf("the formula has more than %d coefficients: compare fewer levels or leave out an interaction", mostCoefficients)
			}
			var next []string
			for _, name := range e.names(full) { // the first variable varies fastest
				for _, before := range names {
					next = append(next, strings.TrimPrefix(before+":"+name, ":"))
				}
			}
			names = next
		}
		x.codes, x.names = append(x.codes, code), append(x.names, names...)
	}
	return nil
}

// about returns for each coefficient the level that it is compared with, for the intercept the values of numbers that it
// is a share at, "" if there is none, and the number of
// documents that have its levels: all of them where a term has none.
func (x *design) about() (bases []string, docs []int) {
	bases, docs = make([]string, len(x.names)), slices.Repeat([]int{len(x.docs)}, len(x.names))
	first := len(x.names)
	for _, t := range x.codes {
		first -= t.width
	}
	if x.intercept {
		bases[0] = strings.Join(x.origins(), ", ")
	}
	row, room := make([]float64, len(x.names)), x.newScratch()
	counted := make([]int, len(x.names))
	for _, d := range x.docs {
		x.row(row, int(d), room, nil)
		for i, v := range row {
			if v != 0 {
				counted[i]++
			}
		}
	}
	for _, t := range x.codes {
		var base []string
		levels := true
		for i, v := range t.variables {
			switch e := x.variables[v]; {
			case e.codes != nil && !t.full[i]:
				base = append(base, e.levels[e.base])
			case e.codes == nil && e.has == nil:
				levels = false
			}
		}
		for i := first; i < first+t.width; i++ {
			if bases[i] = strings.Join(base, ":"); levels {
				docs[i] = counted[i]
			}
		}
		first += t.width
	}
	return bases, docs
}

// references names the levels that others are compared with, as a sentence.
func (x *design) references() string {
	var names []string
	for _, t := range x.codes {
		for i, v := range t.variables {
			if e := x.variables[v]; e.codes != nil && !t.full[i] {
				if name := fmt.Sprintf("%s = %s", e.column, e.levels[e.base]); !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	if names == nil {
		return ""
	}
	return "Categories are compared with " + strings.Join(names, " and ") + ". "
}

// origins names the values that numbers are measured from, such as "date = 2010-01-01".
func (x *design) origins() []string {
	var list []string
	for _, e := range x.variables {
		if e.middleAt != 0 && e.power == 0 {
			list = append(list, fmt.Sprintf("%s = %s", e.column, e.show(e.middleAt)))
		}
	}
	return list
}

// hasTerm reports whether the formula has a term of these variables.
func (x *design) hasTerm(variables []*variable) bool {
	if len(variables) == 0 {
		return x.intercept
	}
	return slices.ContainsFunc(x.formula.terms, func(t []*variable) bool {
		return len(t) == len(variables) && !slices.ContainsFunc(variables,
			func(v *variable) bool { return !slices.Contains(t, v) })
	})
}

// scratch is room for computing rows. It belongs to one goroutine.
type scratch struct {
	values []float64
	parts  [2][]float64
	one    []float64
}

func (x *design) newScratch() *scratch {
	widest := 1
	for _, t := range x.codes {
		widest = max(widest, t.width)
	}
	for _, e := range x.variables {
		widest = max(widest, e.width(true))
	}
	return &scratch{
		values: make([]float64, len(x.variables)), one: make([]float64, widest),
		parts: [2][]float64{make([]float64, widest), make([]float64, widest)},
	}
}

// row sets dst to the row of document d. at, if not nil, replaces the values of variables that it is not NaN for.
func (x *design) row(dst []float64, d int, s *scratch, at []float64) {
	for i, e := range x.variables {
		s.values[i] = e.value(d)
		if at != nil && !math.IsNaN(at[i]) {
			s.values[i] = at[i]
		}
	}
	if x.intercept {
		dst[0] = 1
		dst = dst[1:]
	}
	for _, t := range x.codes {
		x.fillTerm(dst[:t.width], t, s, d)
		dst = dst[t.width:]
	}
}

// fillTerm sets dst to the products of the columns of a term's variables.
func (x *design) fillTerm(dst []float64, t termCode, s *scratch, d int) {
	if len(t.variables) == 1 {
		i := t.variables[0]
		x.variables[i].fill(dst, s.values[i], t.full[0], d)
		return
	}
	sofar := append(s.parts[0][:0], 1)
	next := s.parts[1][:0]
	for j, i := range t.variables {
		e := x.variables[i]
		columns := s.one[:e.width(t.full[j])]
		e.fill(columns, s.values[i], t.full[j], d)
		next = next[:0]
		for _, c := range columns {
			for _, b := range sofar {
				next = append(next, b*c)
			}
		}
		sofar, next = next, sofar
	}
	copy(dst, sofar)
}

// Coding describes how a formula makes numbers of columns, so that documents that come later get the same ones.
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
				for _, item := range tablecell.Items(found.Values.At(d)) {
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
