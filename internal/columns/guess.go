package columns

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/internal/dates"
	"github.com/topoi-lda/topoi/internal/tablecell"
)

// Guesser finds the kind of a column from its values, in bounded memory. The zero value is ready for use.
type Guesser struct {
	values   int                 // values that are not missing
	length   int                 // runes of all values
	sums     [verdicts]int       // number of values for which each verdict holds
	distinct map[string]verdict  // verdicts on values seen, because most columns repeat few values
	items    map[string]struct{} // distinct items of lists
	clocks   [2]dates.Clock
}

// verdict describes what a value can be, with one bit for each possibility.
type verdict uint8

const (
	isNumber = iota
	isPadded // a number with leading zeros, which is a code and not an amount
	isDated  // a date with day and month in either order
	isListed // contains a separator of lists
	verdicts
)

// The limits of a guess.
const (
	mostDistinct  = 1 << 16 // largest number of distinct values that are kept
	mostItems     = 1 << 12 // largest number of distinct items that are kept
	strayShare    = 200     // one in this many values may be of another kind, such as a typing error
	fewDistinct   = 50      // this many distinct values are always few enough for categories
	perCategory   = 5       // with more, the least number of documents a category must have on average
	longCategory  = 80      // largest mean length of a category in runes
	distinctBytes = 256     // a longer value is counted as distinct without being kept
)

// Add takes the next value.
func (g *Guesser) Add(value []byte) {
	value = bytes.TrimSpace(value)
	v, known := g.distinct[string(value)]
	if !known {
		s := string(value)
		if tablecell.IsMissing(s) {
			return
		}
		v = g.judge(s)
	}
	g.values++
	g.length += utf8.RuneCount(value)
	for i := range g.sums {
		g.sums[i] += int(v >> i & 1)
	}
}

// judge finds out what a value can be, and stores the result.
func (g *Guesser) judge(s string) (v verdict) {
	if g.distinct == nil {
		g.distinct, g.items = map[string]verdict{}, map[string]struct{}{}
		g.clocks[0].Order, g.clocks[1].Order = dates.MonthFirst, dates.DayFirst
	}
	_, number := tablecell.ParseNumber(s)
	if number {
		v |= 1 << isNumber
		if len(s) > 1 && s[0] == '0' && s[1] != '.' && s[1] != ',' {
			v |= 1 << isPadded
		}
	}
	if len(s) <= 40 && g.isDate(s, number) {
		v |= 1 << isDated
	}
	if strings.ContainsFunc(s, tablecell.IsSeparator) {
		v |= 1 << isListed
		for _, item := range tablecell.Items(s) {
			if len(g.items) < mostItems {
				g.items[strings.Clone(item)] = struct{}{}
			}
		}
	}
	if len(s) > distinctBytes {
		s = s[:distinctBytes]
	}
	if len(g.distinct) < mostDistinct {
		g.distinct[s] = v
	}
	return v
}

// isDate reports whether s is a date. A plain number is a date only if it has the form 20240131; years are numbers.
func (g *Guesser) isDate(s string, number bool) bool {
	if number && (len(s) != 8 || strings.Trim(s, "0123456789") != "") {
		return false
	}
	for i := range g.clocks {
		if m, ok := g.clocks[i].Read(s); ok {
			return !number || m.Exact == dates.ToDay
		}
	}
	return false
}

// Kind returns the kind that fits the values. A column without values is text.
func (g *Guesser) Kind() column.Kind {
	n := g.values
	nearlyAll := func(of int) bool { return n > 0 && (n-of)*strayShare <= n }
	few := len(g.distinct) <= fewDistinct || len(g.distinct) < mostDistinct && len(g.distinct)*perCategory <= n
	short := g.length <= longCategory*n
	switch {
	case n == 0:
		return column.Text
	case nearlyAll(g.sums[isDated]):
		return column.Date
	case nearlyAll(g.sums[isNumber]) && g.sums[isPadded] == 0:
		return column.Number
	case short && 10*g.sums[isListed] >= n && 2*len(g.items) <= len(g.distinct) && len(g.items) < mostItems:
		return column.List
	case short && few && (len(g.distinct) < n || n <= 2):
		return column.Category
	}
	return column.Text
}
