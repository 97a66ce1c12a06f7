// Package tablecell reads the values of tables, as they were written: what is missing, what is a number, which items a list
// has, and which of two values comes first.
package tablecell

import (
	"cmp"
	"math"
	"strconv"
	"strings"
)

// IsMissing reports whether a value means that there is none: it is empty, or one of the words that pandas
// and R write into tables for it.
func IsMissing(value string) bool {
	switch value {
	case "", "NA", "N/A", "#N/A", "n/a", "<NA>", "NaN", "nan", "NULL", "null", "None":
		return true
	}
	return false
}

// ParseNumber parses a number with a decimal point or a decimal comma. It refuses infinities.
func ParseNumber(s string) (float64, bool) {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil && strings.Count(s, ",") == 1 && !strings.Contains(s, ".") {
		x, err = strconv.ParseFloat(strings.Replace(s, ",", ".", 1), 64)
	}
	return x, err == nil && !math.IsNaN(x) && !math.IsInf(x, 0)
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
	for item := range strings.FieldsFuncSeq(value, IsSeparator) {
		if item = strings.TrimSpace(item); !IsMissing(item) {
			items = append(items, item)
		}
	}
	return items
}

// IsSeparator reports whether a character separates the items of a list.
func IsSeparator(r rune) bool { return r == '|' || r == ';' }
