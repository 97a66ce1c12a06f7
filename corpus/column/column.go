// Package column holds what a table contains about documents besides their words: one [Column] for each
// field, with a value or nothing for every document.
//
// Values are kept as they were written. A column's [Kind] says how they are interpreted: as numbers, as
// dates, as one of few categories, as a list of categories, or as plain text.
package column

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/internal/dates"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/tablecell"
)

// Kind describes how the values of a column are interpreted.
type Kind string

// The kinds of columns.
const (
	Text     Kind = "text"     // anything; cannot be grouped by
	Category Kind = "category" // one of few values
	Number   Kind = "number"
	Date     Kind = "date"
	List     Kind = "list" // several categories, separated by | or ;
)

// Column is one field of the table.
type Column struct {
	Name string
	Kind Kind

	// Role is "label" or "time" for the column that holds the labels or times of documents, whatever its name; else "".
	Role string

	// Values are the values as they were written, one for each document.
	Values interface {
		Len() int
		At(i int) string
	}
}

// Find returns the column with the given name. Case is ignored unless two names differ only in case. If no column is
// called label or time, these names find the column with that role. The error suggests the most similar name.
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
	if i := slices.IndexFunc(columns, func(c Column) bool { return c.Role != "" && c.Role == name }); i >= 0 {
		return &columns[i], nil
	}
	if len(columns) == 0 {
		return nil, fmt.Errorf("there is no column %q: the documents have no columns", name)
	}
	return nil, fmt.Errorf("there is no column %q%s", name, human.Hint(name, names))
}

// Numbers returns the values as numbers, and how many could not be parsed. Dates become seconds since
// 1970-01-01 00:00:00. A missing or invalid value is NaN.
func (c *Column) Numbers() (numbers []float64, unread int) {
	numbers = make([]float64, c.Values.Len())
	read := tablecell.ParseNumber
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
		if tablecell.IsMissing(s) {
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

// None is the code of a document without a value.
const None = math.MaxUint32

// Levels returns the distinct values of a column in their natural order (numbers by size, all others
// bytewise), and for each document the index of its value, or [None].
func (c *Column) Levels() (levels []string, codes []uint32) {
	place := map[string]uint32{}
	for i := range c.Values.Len() {
		s := c.Values.At(i)
		if _, known := place[s]; !known && !tablecell.IsMissing(s) {
			place[strings.Clone(s)] = None
		}
	}
	levels = slices.SortedFunc(maps.Keys(place), tablecell.Compare)
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
