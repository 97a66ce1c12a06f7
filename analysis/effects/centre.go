package effects

import (
	"math"
	"slices"
	"strconv"
	"time"
)

// centre measures dates and numbers that lie far from 0, such as years, from a round value near their mean. The
// intercept is then the share there and not in the year 0, and so are effects of columns that interact with them. What
// the formula can express stays the same: a column is left alone if it occurs in a term without the terms that this
// takes.
func (x *design) centre() {
	for _, e := range x.variables {
		if !e.plainNumber() || e.power > 0 || !x.centrable(e.column) {
			continue
		}
		at, ok := e.middle(x.docs)
		if !ok {
			continue
		}
		for _, o := range x.variables {
			if o.column != e.column || !o.plainNumber() {
				continue
			}
			if o.middleAt = at; o.power > 0 {
				o.numbers = slices.Clone(e.numbers)
				for d, v := range o.numbers {
					o.numbers[d] = o.apply()(v)
				}
			}
		}
	}
}

// plainNumber reports whether the variable is a number or date as it is, or a power of one.
func (e *encoder) plainNumber() bool {
	return e.codes == nil && e.has == nil && e.knots == nil && (e.call == "" || e.power > 0)
}

// centrable reports whether every term with a column has the terms that its expansion around another origin needs: the
// same one without the column, and with all lower powers of it.
func (x *design) centrable(name string) bool {
	for _, t := range x.formula.terms {
		for i, v := range t {
			e := x.variables[x.place(v)]
			if e.column != name || !e.plainNumber() {
				continue
			}
			rest := slices.Delete(slices.Clone(t), i, i+1)
			if slices.ContainsFunc(rest, func(o *variable) bool { return o.column == name }) {
				return false // a product of a column with itself
			}
			if !x.hasTerm(rest) && !(len(rest) == 0 && x.fullLevels()) {
				return false
			}
			for power := 1; power < e.power; power++ {
				if !x.hasPower(rest, name, power) {
					return false
				}
			}
		}
	}
	return true
}

// fullLevels reports whether some category has all its levels, so that their sum is 1.
func (x *design) fullLevels() bool {
	return slices.ContainsFunc(x.codes, func(t termCode) bool {
		return len(t.variables) == 1 && t.full[0] && x.variables[t.variables[0]].codes != nil
	})
}

// hasPower reports whether the formula has a term of these variables and a power of a column.
func (x *design) hasPower(rest []*variable, name string, power int) bool {
	return slices.ContainsFunc(x.variables, func(e *encoder) bool {
		return e.column == name && e.plainNumber() && max(1, e.power) == power &&
			x.hasTerm(append(slices.Clone(rest), e.variable))
	})
}

// middle returns a round value near the mean of the documents, if 0 lies farther from their values than these lie from
// each other.
func (e *encoder) middle(docs []uint32) (float64, bool) {
	low, high, sum := math.Inf(1), math.Inf(-1), 0.0
	whole := true
	for _, d := range docs {
		v := e.numbers[d]
		low, high = min(low, v), max(high, v)
		sum += v
		whole = whole && v == math.Trunc(v)
	}
	width, mean := high-low, sum/float64(len(docs))
	if !(width > 0) || low <= width && high >= -width {
		return 0, false
	}
	if e.years {
		return roundYear(mean, width), true
	}
	digits := 0
	for unit := 10.0; unit > width && digits < 15; unit /= 10 {
		digits++
	}
	if whole {
		digits = 0
	}
	at, err := strconv.ParseFloat(strconv.FormatFloat(mean, 'f', digits, 64), 64)
	return at, err == nil
}

// roundYear returns the first day of the mean's year, or the day of the mean if the dates span less than two years.
func roundYear(mean, width float64) float64 {
	day := time.Unix(int64(math.Round((mean-1970)*secondsPerYear)), 0).UTC().Truncate(24 * time.Hour)
	if width >= 2 {
		return yearBegins(day.Year())
	}
	return 1970 + float64(day.Unix())/secondsPerYear
}

// yearBegins returns the first day of a year as dates are kept: in years of equal length since 1970.
func yearBegins(year int) float64 {
	return 1970 + float64(time.Date(year, time.January, 1, 0, 0, 0, 0, time.UTC).Unix())/secondsPerYear
}

// crossed reports whether a number that is measured from elsewhere interacts with another column.
func (x *design) crossed() bool {
	return slices.ContainsFunc(x.codes, func(t termCode) bool {
		return len(t.variables) > 1 &&
			slices.ContainsFunc(t.variables, func(i int) bool { return x.variables[i].middleAt != 0 })
	})
}
