package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

const (
	bufferSize = 512 << 10 // first size of a scanner's buffer
	headSize   = 64 << 10  // how much of an input Detect sees

	// MaxLine is the length in bytes of the longest line, record or text
	// file that the readers take. It bounds the memory that a file without
	// line ends can claim.
	MaxLine = 1 << 30
)

var bom = []byte("\xef\xbb\xbf")

// scanner cuts a stream into lines without allocating per line. Its buffer
// doubles when a line does not fit, so long lines cost linear time.
type scanner struct {
	name string // for messages
	r    io.Reader
	buf  []byte
	pos  int   // buf[pos:end] is read but not yet handed out
	end  int   //
	line int   // number of the line that next returned last
	max  int   // longest line; MaxLine except in tests
	err  error // what r returned last; sticky

	stored func() int64 // bytes that r was unpacked from so far; nil: r was not packed
}

func newScanner(name string, r io.Reader) *scanner {
	return &scanner{name: name, r: r, buf: make([]byte, bufferSize), max: MaxLine}
}

// errorf makes an Error at the current line.
func (s *scanner) errorf(format string, args ...any) *Error {
	return &Error{File: s.name, Line: s.line, Msg: fmt.Sprintf(format, args...)}
}

// head returns up to headSize bytes from the current position without
// consuming them, and steps over a byte order mark at the beginning.
func (s *scanner) head() ([]byte, error) {
	for s.end-s.pos < headSize && s.fill() {
	}
	if s.err != nil && s.err != io.EOF {
		return nil, s.readError()
	}
	h := s.buf[s.pos:min(s.end, s.pos+headSize)]
	if bytes.HasPrefix(h, bom) {
		s.pos += len(bom)
		h = h[len(bom):]
	}
	return h, nil
}

// peek returns what is buffered from the current position on; after head that
// is at least headSize bytes or the whole input.
func (s *scanner) peek() []byte { return s.buf[s.pos:s.end] }

// fill reads more bytes behind end and reports whether there were any.
func (s *scanner) fill() bool {
	if s.err != nil {
		return false
	}
	if s.pos > 0 && s.end == len(s.buf) {
		copy(s.buf, s.buf[s.pos:s.end])
		s.end -= s.pos
		s.pos = 0
	}
	if s.end == len(s.buf) {
		if s.err = s.checkDense(); s.err != nil {
			return false
		}
		s.buf = append(s.buf, make([]byte, len(s.buf))...)
	}
	for range 100 {
		n, err := s.r.Read(s.buf[s.end:])
		s.end += n
		s.err = err
		if n > 0 {
			return true
		}
		if err != nil {
			return false
		}
	}
	s.err = io.ErrNoProgress
	return false
}

// next returns the next line without its line end, valid until the following
// call, or io.EOF.
func (s *scanner) next() ([]byte, error) {
	searched := 0 // bytes from pos on that hold no line end
	for {
		if i := bytes.IndexByte(s.buf[s.pos+searched:s.end], '\n'); i >= 0 {
			line := s.buf[s.pos : s.pos+searched+i]
			s.pos += searched + i + 1
			s.line++
			return trimCR(line), nil
		}
		searched = s.end - s.pos
		if searched > s.max {
			s.line++
			return nil, s.errorf("the line is longer than %d bytes", s.max).hint("check that the file has line ends and the right format (Options.Format)")
		}
		if s.fill() {
			continue
		}
		if s.err != io.EOF {
			s.line++
			return nil, s.readError()
		}
		if searched == 0 {
			return nil, io.EOF
		}
		line := s.buf[s.pos:s.end]
		s.pos = s.end
		s.line++
		return trimCR(line), nil
	}
}

// block returns a run of whole lines, every one ended by '\n', valid until the
// following call, or io.EOF. The caller counts s.line itself.
func (s *scanner) block() ([]byte, error) {
	searched := 0
	for {
		if i := bytes.LastIndexByte(s.buf[s.pos+searched:s.end], '\n'); i >= 0 {
			b := s.buf[s.pos : s.pos+searched+i+1]
			s.pos += len(b)
			return b, nil
		}
		searched = s.end - s.pos
		if searched > s.max {
			s.line++
			return nil, s.errorf("the line is longer than %d bytes", s.max).hint("check that the file has line ends and the right format (Options.Format)")
		}
		if s.fill() {
			continue
		}
		if s.err != io.EOF {
			s.line++
			return nil, s.readError()
		}
		if searched == 0 {
			return nil, io.EOF
		}
		b := append(s.buf[s.pos:s.end:s.end], '\n')
		s.pos = s.end
		return b, nil
	}
}

// all returns the rest of the input, valid until the next use of s.
func (s *scanner) all() ([]byte, error) {
	for s.fill() {
		if s.end-s.pos > s.max {
			return nil, (&Error{File: s.name, Msg: fmt.Sprintf("the file is longer than %d bytes", s.max)}).hint("cut it into several documents, or use Options.Format = lines if each line is one")
		}
	}
	if s.err != io.EOF {
		return nil, s.readError()
	}
	b := s.buf[s.pos:s.end]
	s.pos = s.end
	return b, nil
}

// readError turns the error of the underlying stream into one that says where
// it struck.
func (s *scanner) readError() error {
	var e *Error
	if errors.As(s.err, &e) {
		return &Error{File: s.name, Line: s.line, Msg: e.Msg, Hint: e.Hint, Err: e.Err}
	}
	return &Error{File: s.name, Line: s.line, Msg: fmt.Sprintf("cannot read: %v", s.err), Err: s.err}
}

func trimCR(b []byte) []byte {
	if n := len(b); n > 0 && b[n-1] == '\r' {
		return b[:n-1]
	}
	return b
}

// parseUint reads decimal digits at b[i:] and returns the value and the index
// behind them, which is i when there is no digit or more than 18. b must end
// with a byte that is not a digit.
func parseUint(b []byte, i int) (uint64, int) {
	v, j := uint64(0), i
	for {
		d := b[j] - '0'
		if d > 9 {
			break
		}
		v = v*10 + uint64(d)
		j++
	}
	if j-i > 18 {
		return 0, i
	}
	return v, j
}

// numberField parses a whole number from least to most for a message about
// what it is; it is the slow, explaining sister of parseUint.
func numberField(in *scanner, b []byte, what string, least, most uint64) (uint64, error) {
	v, n := parseUint(append(b[:len(b):len(b)], '\n'), 0)
	switch {
	case len(b) > 1 && b[0] == '-' && bytes.IndexFunc(b[1:], notDigit) < 0:
		return 0, in.errorf("%s %s is negative", what, b).hint("expected a whole number from %d to %d", least, most)
	case bytes.IndexFunc(b, notDigit) >= 0 || len(b) == 0:
		return 0, in.errorf("%s is %s, which is not a whole number", what, quote(b)).hint("expected a whole number from %d to %d", least, most)
	case n != len(b) || v < least || v > most:
		return 0, in.errorf("%s %s is out of range %d to %d", what, b, least, most).hint("check that the file and its header belong together")
	}
	return v, nil
}

func notDigit(r rune) bool { return r < '0' || r > '9' }
