// Package column holds what a table contains about documents besides their words: one [Column] for each
// field, with a value or nothing for every document.
//
// Values are kept as they were written. A column's [Kind] says how they are interpreted: as numbers, as
// dates, as one of few categories, as a list of categories, or as plain text. [Guesser] finds the kind from
// the values. [Parse] compiles conditions such as
//
//	party in (SPD, CDU) and date >= 2017
package column

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/topoi-lda/topoi/internal/dates"
	"github.com/topoi-lda/topoi/internal/human"
)

// Kind says how the values of a column are interpreted.
type Kind string

// The kinds of columns.
const (
	Text     Kind = "text"     // anything; cannot be grouped by
	Category Kind = "category" // one of few values
	Number   Kind = "number"
	Date     Kind = "date"
	List     Kind = "list" // several categories, separated by | or ;
)

// Values are the values of a column as they were written, one for each document.
type Values interface {
	Len() int
	At(i int) string
}

// Column is one field of the table.
type Column struct {
	Name   string
	Kind   Kind
	Values Values
}

// Find returns the column with the given name. Case is ignored unless two names differ only in case. The
// error suggests the most similar name.
func Find(columns []Column, name string) (*Column, error) {
	var found []*Column
	names := make([]string, len(columns))
	for i := range columns {
		c := &columns[i]
		if c.Name == name {
			return c, nil
		}
		if strings.EqualFold(c.Name, name) {
			found = append(found, c)
		}
		names[i] = c.Name
	}
	if len(found) == 1 {
		return found[0], nil
	}
	if len(columns) == 0 {
		return nil, fmt.Errorf("there is no column %q: the documents have no columns", name)
	}
	return nil, fmt.Errorf("there is no column %q%s", name, human.Hint(name, names))
}

// IsMissing reports whether a value means that there is none: it is empty, or one of the words that pandas
// and R write into tables for it.
func IsMissing(value string) bool {
	switch value {
	case "", "NA", "N/A", "#N/A", "n/a", "<NA>", "NaN", "nan", "NULL", "null", "None":
		return true
	}
	return false
}

// Numbers returns the values as numbers, and how many could not be parsed. Dates become seconds since
// 1970-01-01 00:00:00. A missing or invalid value is NaN.
func (c *Column) Numbers() (numbers []float64, unread int) {
	numbers = make([]float64, c.Values.Len())
	read := ParseNumber
	if c.Kind == Date {
		clock := dates.Clock{Order: dates.TellOrder(c.Values.Len(), c.Values.At)}
		read = func(s string) (float64, bool) {
			m, ok := clock.Read(s)
			return float64(m.Seconds), ok
		}
	}
	for i := range numbers {
		numbers[i] = math.NaN()
		s := strings.TrimSpace(c.Values.At(i))
		if IsMissing(s) {
			continue
		}
		if x, ok := read(s); ok {
			numbers[i] = x
		} else {
			unread++
		}
	}
	return numbers, unread
}

// ParseNumber parses a number with a decimal point or a decimal comma. It refuses infinities.
func ParseNumber(s string) (float64, bool) {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil && strings.Count(s, ",") == 1 && !strings.Contains(s, ".") {
		x, err = strconv.ParseFloat(strings.Replace(s, ",", ".", 1), 64)
	}
	return x, err == nil && !math.IsNaN(x) && !math.IsInf(x, 0)
}

// None is the code of a document without a value.
const None = math.MaxUint32

// Levels returns the distinct values of a column in their natural order (numbers by size, all others
// bytewise), and for each document the index of its value, or [None].
func (c *Column) Levels() (levels []string, codes []uint32) {
	place := map[string]uint32{}
	for i := range c.Values.Len() {
		s := c.Values.At(i)
		if _, known := place[s]; !known && !IsMissing(s) {
			place[strings.Clone(s)] = None
		}
	}
	levels = slices.SortedFunc(maps.Keys(place), Compare)
	for i, s := range levels {
		place[s] = uint32(i)
	}
	codes = slices.Repeat([]uint32{None}, c.Values.Len())
	for i := range codes {
		if k, known := place[c.Values.At(i)]; known {
			codes[i] = k
		}
	}
	return levels, codes
}

// Compare orders values: numbers by size and before all others, which are ordered bytewise.
func Compare(a, b string) int {
	x, okX := ParseNumber(a)
	y, okY := ParseNumber(b)
	switch {
	case okX && okY:
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
	case okX:
		return -1
	case okY:
		return 1
	}
	return cmp.Compare(a, b)
}

// Items returns the items of a list, without empty ones.
func Items(value string) []string {
	var items []string
	for item := range strings.FieldsFuncSeq(value, isSeparator) {
		if item = strings.TrimSpace(item); !IsMissing(item) {
			items = append(items, item)
		}
	}
	return items
}

func isSeparator(r rune) bool { return r == '|' || r == ';' }

// Guesser finds the kind of a column from its values, in bounded memory. The zero value is ready for use.
type Guesser struct {
	values   int                 // values that are not missing
	length   int                 // runes of all values
	sums     [verdicts]int       // number of values for which each verdict holds
	distinct map[string]verdict  // verdicts on values seen, because most columns repeat few values
	items    map[string]struct{} // distinct items of lists
	clocks   [2]dates.Clock
}

// verdict says what a value can be, with one bit for each possibility.
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
		if IsMissing(s) {
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
	_, number := ParseNumber(s)
	if number {
		v |= 1 << isNumber
		if len(s) > 1 && s[0] == '0' && s[1] != '.' && s[1] != ',' {
			v |= 1 << isPadded
		}
	}
	if len(s) <= 40 && g.isDate(s, number) {
		v |= 1 << isDated
	}
	if strings.ContainsFunc(s, isSeparator) {
		v |= 1 << isListed
		for _, item := range Items(s) {
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
func (g *Guesser) Kind() Kind {
	n := g.values
	nearlyAll := func(of int) bool { return n > 0 && (n-of)*strayShare <= n }
	few := len(g.distinct) <= fewDistinct || len(g.distinct) < mostDistinct && len(g.distinct)*perCategory <= n
	short := g.length <= longCategory*n
	switch {
	case n == 0:
		return Text
	case nearlyAll(g.sums[isDated]):
		return Date
	case nearlyAll(g.sums[isNumber]) && g.sums[isPadded] == 0:
		return Number
	case short && 10*g.sums[isListed] >= n && 2*len(g.items) <= len(g.distinct) && len(g.items) < mostItems:
		return List
	case short && few && (len(g.distinct) < n || n <= 2):
		return Category
	}
	return Text
}
