// Package human writes for people: numbers the way they are read, the name that was
// probably meant, and text from elsewhere so that it cannot steer the terminal.
package human

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/term"
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

// Writer passes text on with everything written out that is not safe, except line ends and tabs. What is written must
// be whole characters in the end; a piece of one waits for the rest. Several goroutines may write.
type Writer struct {
	mu   sync.Mutex
	to   io.Writer
	rest []byte // the beginning of a character
	out  []byte
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer { return &Writer{to: w} }

// Screen returns f if it is a file or a pipe, whose bytes are meant for programs,
// and a Writer to it if it is a terminal.
func Screen(f *os.File) io.Writer {
	if term.IsTerminal(int(f.Fd())) {
		return NewWriter(f)
	}
	return f
}

// Write implements io.Writer.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	whole := append(w.rest, p...)
	cut := wholeRunes(whole)
	w.out = appendSafe(w.out[:0], whole[:cut], "\n\t")
	w.rest = append([]byte(nil), whole[cut:]...)
	if _, err := w.to.Write(w.out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Unwrap returns the writer behind this one.
func (w *Writer) Unwrap() io.Writer { return w.to }

// wholeRunes returns the length of b without the beginning of a character at its end.
func wholeRunes(b []byte) int {
	for i := len(b) - 1; i >= 0 && i >= len(b)-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			if utf8.FullRune(b[i:]) {
				break
			}
			return i
		}
	}
	return len(b)
}

// Safe reports whether a character can be shown on a terminal as it is. Words, ids, labels and file names may hold
// escape sequences that change colours and titles, move the cursor over what was written before, or make some
// terminals type commands; others turn the direction of text round. They are shown as JSON writes them, \u001b, so
// that a JSON document has the same meaning before and after. The size of a character is that of [utf8.DecodeRune].
// Not safe are the control characters (C0, DEL, C1), the separators of lines and paragraphs, the characters that
// override or isolate the direction of text (Unicode Technical Report 36, 3.2), and bytes that are not UTF-8, which
// some terminals take for control characters.
func Safe(r rune, size int) bool {
	switch {
	case r < 0x20, r >= 0x7F && r < 0xA0, r == utf8.RuneError && size <= 1:
		return false
	case r >= 0x2028 && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
		return false
	}
	return true
}

// Line returns s fit to be part of a line: every character that is not safe is
// written out, line ends and tabs too. Bytes that are not UTF-8 become U+FFFD.
func Line(s string) string { return escape(s, "") }

// Lines is Line for text of several lines: line ends and tabs stay.
func Lines(s string) string { return escape(s, "\n\t") }

// escape writes out what is not safe, but for the characters in keep.
func escape(s, keep string) string {
	first := strings.IndexFunc(s, func(r rune) bool { return !Safe(r, 1) && !strings.ContainsRune(keep, r) })
	if first < 0 {
		return s // not even a U+FFFD, which the size 1 makes a bad byte
	}
	return string(appendSafe([]byte(s[:first]), []byte(s[first:]), keep))
}

// appendSafe appends b to dst with what is not safe written out.
func appendSafe(dst, b []byte, keep string) []byte {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		switch {
		case Safe(r, n) || strings.ContainsRune(keep, r) && r != utf8.RuneError:
			dst = append(dst, b[:n]...)
		case r == utf8.RuneError:
			dst = utf8.AppendRune(dst, r)
		default:
			dst = fmt.Appendf(dst, `\u%04x`, r)
		}
		b = b[n:]
	}
	return dst
}
