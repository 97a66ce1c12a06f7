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
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

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
	if hint := human.Hint(name, names); hint != "" {
		return nil, fmt.Errorf("there is no column %q%s", name, hint)
	}
	return nil, fmt.Errorf("there is no column %q: the columns are %s", name, strings.Join(names, ", "))
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
