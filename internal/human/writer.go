package human

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/term"
)

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
