// Package input makes lines of UTF-8 of files, whatever they are packed with and encoded in, and says in one
// sentence what is wrong with them. It knows nothing of documents.
package input

import (
	"fmt"
	"strings"
	"sync/atomic"
)

// Error is a fault of the input: where it is, what was found against what was
// expected, and how to mend it. It prints as one sentence:
//
//	docword.kos.txt:17: word id 6907 is out of range 1 to 6906; check …
type Error struct {
	File string // path as the user gave it, or "standard input"
	Line int    // 1-based line, 0 when the fault is not on a line
	Msg  string // what was found and what was expected
	Hint string // how to mend it; may be empty
	Err  error  // underlying error, if any; already part of Msg
}

func (e *Error) Error() string {
	text := e.File
	if e.Line > 0 {
		text += fmt.Sprintf(":%d", e.Line)
	}
	text += ": " + e.Msg
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

// Unwrap returns the underlying error.
func (e *Error) Unwrap() error { return e.Err }

// AsPublic gives an error to errors.As as the public type that has the same fields, which its package sets here.
var AsPublic func(e *Error, target any) bool

// As lets errors.As find the public type.
func (e *Error) As(target any) bool { return AsPublic != nil && AsPublic(e, target) }

// WithHint returns e with a hint, for building errors in one expression.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// Quote shows a piece of input in a message: quoted, and cut when long.
func Quote(b []byte) string {
	const most = 40
	if len(b) > most {
		return fmt.Sprintf("%q…", b[:most])
	}
	return fmt.Sprintf("%q", b)
}

// Plural returns "1 word", "2 words" and so on.
func Plural[T int | int64 | uint64](n T, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// QuoteList shows a list of names in a message, the first few only.
func QuoteList(names []string) string {
	const most = 8
	var quoted []string
	for _, n := range names[:min(most, len(names))] {
		quoted = append(quoted, Quote([]byte(n)))
	}
	text := strings.Join(quoted, ", ")
	if len(names) > most {
		text += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return text
}

// A line of compressed data may take as much memory as denseLine in any case, and beyond that denseRatio times the
// bytes it is stored in: a hundred kilobytes can stand for gigabytes of the same letter, and no text is like that.
const (
	denseLine  = 32 << 20
	denseRatio = 256
)

// Expansion bounds what comes out of inputs by what they are stored in: freeOut bytes in any case, beyond that
// denseRatio for each byte. Texts and tables of real corpora give less than 50.
type Expansion struct{ stored, out atomic.Int64 }

const freeOut = 64 << 20

// Store adds bytes of a file.
func (e *Expansion) Store(n int) { e.stored.Add(int64(n)) }

// Give adds bytes that came out, and refuses them if they are too many.
func (e *Expansion) Give(n int) *Error {
	out, stored := e.out.Add(int64(n)), e.stored.Load()
	if out <= freeOut || out <= denseRatio*stored {
		return nil
	}
	m := &Error{Msg: fmt.Sprintf("the file unpacks to more than %d MiB of text from %d bytes", out>>20, stored)}
	return m.WithHint("real texts do not repeat like that: unpack the file to see what is in it")
}

// CheckLine is the same for a line of a matrix, whose entries take eight bytes of memory each, in stored bytes of file.
func CheckLine(entries uint64, stored int64) *Error {
	if entries < denseLine/8 || 8*entries <= denseRatio*uint64(stored) {
		return nil
	}
	e := &Error{Msg: fmt.Sprintf("%s were unpacked from %d bytes of compressed data", Plural(entries, "entry"), stored)}
	return e.WithHint("this is not a matrix of counts: open it with SciPy to see what is in it")
}
