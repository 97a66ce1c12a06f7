package human

import (
	"fmt"
	"strings"
)

// Hint returns `: did you mean "x"?` for the closest of valid, or a list of all
// valid names when none is close.
func Hint(name string, valid []string) string {
	if best, ok := Nearest(name, valid); ok {
		return fmt.Sprintf(": did you mean %q?", best)
	}
	return fmt.Sprintf(": it must be one of %s", strings.Join(valid, ", "))
}

// Nearest returns the closest of valid, and whether it is close enough to be what
// was meant: fewer than a third of the letters plus two need to change.
func Nearest(name string, valid []string) (best string, ok bool) {
	distance := len(name)/3 + 2
	for _, v := range valid {
		if d := levenshtein(name, v); d < distance {
			best, distance, ok = v, d, true
		}
	}
	return best, ok
}

// levenshtein counts the insertions, deletions and replacements between a and b.
func levenshtein(a, b string) int {
	ra, rb := []rune(a), []rune(b)
	row := make([]int, len(rb)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range ra {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range rb {
			cost := 1
			if x == y {
				cost = 0
			}
			next := min(row[j]+1, row[j+1]+1, diagonal+cost)
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(rb)]
}
