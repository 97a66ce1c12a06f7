package column

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/topoi-lda/topoi/internal/dates"
)

// Guesser finds the kind of a column from its values, in bounded memory. The zero value
// is ready for use.
type Guesser struct {
	values   int // that are not missing
	numbers  int // of these: read as a number
	padded   int // numbers with leading zeros, which are codes and not amounts
	dated    int // read as a date, day and month in any order
	listed   int // with a separator of lists
	length   int // runes of all values
	distinct map[string]struct{}
	items    map[string]struct{} // distinct items of lists
	clocks   [2]dates.Clock
}

// The limits of a guess.
const (
	mostDistinct  = 1 << 16 // values that are told apart
	mostItems     = 1 << 12 // items of lists that are told apart
	strayShare    = 200     // one of so many values may be of another kind: a typing error
	fewDistinct   = 50      // always few enough for categories
	perCategory   = 5       // documents that a category has on average, at least, where there are more
	longCategory  = 80      // runes that a category has on average, at most
	distinctBytes = 256     // a longer value is counted as distinct without being kept
)

// Add takes the next value.
func (g *Guesser) Add(value []byte) {
	value = bytes.TrimSpace(value)
	s := string(value)
	if IsMissing(s) {
		return
	}
	g.values++
	g.length += utf8.RuneCountInString(s)
	g.remember(s)
	if _, ok := ParseNumber(s); ok {
		g.numbers++
		if len(s) > 1 && s[0] == '0' && s[1] != '.' && s[1] != ',' {
			g.padded++
		}
	}
	if len(s) <= 40 && g.isDate(s) {
		g.dated++
	}
	if strings.ContainsFunc(s, isSeparator) {
		g.listed++
		for _, item := range Items(s) {
			if len(g.items) < mostItems {
				g.items[strings.Clone(item)] = struct{}{}
			}
		}
	}
}

// remember counts a value among the distinct ones.
func (g *Guesser) remember(s string) {
	if g.distinct == nil {
		g.distinct, g.items = map[string]struct{}{}, map[string]struct{}{}
		g.clocks[0].Order, g.clocks[1].Order = dates.MonthFirst, dates.DayFirst
	}
	if len(s) > distinctBytes {
		s = s[:distinctBytes]
	}
	if len(g.distinct) < mostDistinct {
		g.distinct[s] = struct{}{}
	}
}

// isDate reports whether s is a date. A plain number counts as one only as a day: years
// are numbers.
func (g *Guesser) isDate(s string) bool {
	for i := range g.clocks {
		if m, ok := g.clocks[i].Read(s); ok {
			_, plain := ParseNumber(s)
			return !plain || m.Exact == dates.ToDay && len(s) == 8
		}
	}
	return false
}

// Kind returns the kind that fits the values. A column without values is text.
func (g *Guesser) Kind() Kind {
	n := g.values
	nearlyAll := func(of int) bool { return n > 0 && (n-of)*strayShare <= n }
	few := len(g.distinct) <= fewDistinct || len(g.distinct) < mostDistinct && len(g.distinct)*perCategory <= n
	short := g.length <= longCategory*n
	switch {
	case n == 0:
		return Text
	case nearlyAll(g.dated):
		return Date
	case nearlyAll(g.numbers) && g.padded == 0:
		return Number
	case short && 10*g.listed >= n && 2*len(g.items) <= len(g.distinct) && len(g.items) < mostItems:
		return List
	case short && few && (len(g.distinct) < n || n <= 2):
		return Category
	}
	return Text
}
