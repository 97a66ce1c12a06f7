// Package human writes for people: numbers the way they are read, the name that was
// probably meant, and text from elsewhere so that it cannot steer the terminal.
package human

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Count writes n with a comma between thousands: 1,234,567.
func Count[T int | int64 | uint64](n T) string {
	digits := fmt.Sprint(n)
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// Of writes a count with its noun, with an s unless there is one: "1 topic", "2 topics".
func Of[T int | int64 | uint64](n T, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Count(n) + " " + noun + "s"
}

// Rate writes x per second with three significant digits: "12.3 M".
func Rate(x float64) string {
	x, unit := scaled(x, 1e9)
	return strings.TrimRight(significant(x)+" "+unit, " ")
}

// Bytes writes a size with three significant digits: "1.50 MB".
func Bytes(n int64) string {
	if n < 1e3 {
		return fmt.Sprintf("%d bytes", n)
	}
	x, unit := scaled(float64(n), 1e12)
	return significant(x) + " " + unit + "B"
}

// scaled returns x in its unit, k, M, G or T, which is not larger than most.
func scaled(x, most float64) (float64, string) {
	unit, size := 0, 1.0
	for ; size < most && x >= 1000*size; size *= 1000 {
		unit++
	}
	return x / size, []string{"", "k", "M", "G", "T"}[unit]
}

// ParseBytes reads a size as Bytes writes it, and with binary units: "1.5 GB", "300MB",
// "2GiB", "4096". Units stand for bytes, and their case does not matter.
func ParseBytes(text string) (int64, error) {
	at := strings.IndexFunc(text, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if at < 0 {
		at = len(text)
	}
	number, err := strconv.ParseFloat(text[:at], 64)
	unit, ok := sizes[strings.ToLower(strings.TrimSpace(text[at:]))]
	if n := number * unit; err == nil && ok && n < 1<<62 {
		return int64(n), nil
	}
	return 0, fmt.Errorf("%q is not a size: write it as 300MB, 1.5GB or 2GiB", text)
}

var sizes = map[string]float64{
	"": 1, "b": 1, "bytes": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12,
	"k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
}

// significant writes a number below 1000 with three significant digits.
func significant(x float64) string {
	switch {
	case x >= 100:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case x >= 10:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// Duration writes d as finely as is of use: "0.4 s", "12 s", "3 min 05 s", "2 h 07 min".
func Duration(d time.Duration) string {
	seconds := int64(d.Round(time.Second) / time.Second)
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case seconds < 60:
		return fmt.Sprintf("%d s", seconds)
	case seconds < 3600:
		return fmt.Sprintf("%d min %02d s", seconds/60, seconds%60)
	}
	return fmt.Sprintf("%d h %02d min", seconds/3600, seconds%3600/60)
}

// Hint returns `: did you mean "x"?` for the closest of valid, or a list of all valid names when none is close.
func Hint(name string, valid []string) string {
	if best, ok := Nearest(name, valid); ok {
		return fmt.Sprintf(": did you mean %q?", best)
	}
	return fmt.Sprintf(": it must be one of %s", strings.Join(valid, ", "))
}

// FaultIf returns an error with the given text if something is bad, else nil.
func FaultIf(bad bool, format string, args ...any) error {
	if !bad {
		return nil
	}
	return fmt.Errorf(format, args...)
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
