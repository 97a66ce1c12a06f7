package input

import (
	"fmt"
	"sync/atomic"
)

// A line of compressed data may take as much memory as denseLine in any case, and beyond
// that denseRatio times the bytes it is stored in: a hundred kilobytes can stand for gigabytes
// of the same letter, and no text is like that.
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
	m := &Error{Msg: fmt.Sprintf("more than %d MiB of text come out of %d bytes of file", out>>20, stored)}
	return m.WithHint("no corpus repeats itself like that: unpack the file to see what is in it")
}

// CheckLine is the same for a line of a matrix, whose entries take eight bytes of memory each, in
// stored bytes of file.
func CheckLine(entries uint64, stored int64) *Error {
	if entries < denseLine/8 || 8*entries <= denseRatio*uint64(stored) {
		return nil
	}
	e := &Error{Msg: fmt.Sprintf("%s come out of %d bytes of compressed data", Plural(entries, "entry"), stored)}
	return e.WithHint("this is no matrix of counts: open it with scipy to see what is in it")
}

// checkDense returns an error if the line in the buffer is too long for the data that it was
// unpacked from.
func (s *Scanner) checkDense() error {
	if s.Stored == nil || len(s.buf) < denseLine || int64(len(s.buf)) <= denseRatio*s.Stored() {
		return nil
	}
	e := &Error{Msg: fmt.Sprintf("a line of more than %d MiB comes out of %d bytes of compressed data", len(s.buf)>>20, s.Stored())}
	return e.WithHint("this is no text: unpack the file to see what is in it")
}
