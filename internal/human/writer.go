package human

import (
	"io"
	"os"
	"sync"
	"unicode/utf8"

	"golang.org/x/term"
)

// Writer passes text on with everything written out that is not safe, except
// line ends and tabs. What is written must be whole characters in the end; a
// piece of one waits for the rest. Several goroutines may write.
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

// wholeRunes returns the length of b without the beginning of a character at its
// end.
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
