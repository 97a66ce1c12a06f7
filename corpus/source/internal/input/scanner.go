package input

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/topoi-lda/topoi/internal/objects"
)

const (
	bufferSize = 512 << 10 // first size of a scanner's buffer
	HeadSize   = 64 << 10  // how much of an input Detect sees
	HeadRows   = 100       // rows of a table from which the use of its columns is guessed

	// MaxLine is the length in bytes of the longest line, record or text file that the readers take. It bounds the
	// memory that a file without line ends can claim.
	MaxLine = 1 << 30
)

var BOM = []byte("\xef\xbb\xbf")

// Scanner cuts a stream into lines without allocating per line. Its buffer
// doubles when a line does not fit, so long lines cost linear time.
type Scanner struct {
	Name string // for messages
	r    io.Reader
	buf  []byte
	pos  int   // buf[pos:end] is read but not yet handed out
	end  int   //
	Line int   // number of the line that next returned last
	Max  int   // longest line; MaxLine except in tests
	err  error // what r returned last; sticky

	Stored func() int64 // bytes that r was unpacked from so far; nil: r was not packed
	Repair bool         // CheckText replaces what is no text
	out    *Expansion   // what came out of the inputs; nil: nobody counts
}

func NewScanner(name string, r io.Reader) *Scanner {
	return &Scanner{Name: name, r: r, buf: make([]byte, bufferSize), Max: MaxLine}
}

// ScanHead returns a scanner of the beginning of an input, as head returned it. What is cut off at its end is not read.
func ScanHead(head []byte) *Scanner {
	s := &Scanner{buf: bytes.Clone(head), end: len(head), Max: MaxLine, err: errEndOfHead}
	if IsWholeHead(head) {
		s.err = io.EOF
	}
	return s
}

var errEndOfHead = errors.New("end of the part that is looked at")

// IsWholeHead tells whether what head returned is the whole input.
func IsWholeHead(head []byte) bool { return len(head) < HeadSize-len(BOM) }

// Errorf makes an Error at the current line.
func (s *Scanner) Errorf(format string, args ...any) *Error {
	return &Error{File: s.Name, Line: s.Line, Msg: fmt.Sprintf(format, args...)}
}

// Head returns up to HeadSize bytes from the current position without
// consuming them, and steps over a byte order mark at the beginning.
func (s *Scanner) Head() ([]byte, error) {
	for s.end-s.pos < HeadSize && s.Fill() {
	}
	if s.err != nil && s.err != io.EOF {
		return nil, s.readError()
	}
	h := s.buf[s.pos:min(s.end, s.pos+HeadSize)]
	if s.skipMark() {
		h = h[len(BOM):]
	}
	return h, nil
}

// skipMark steps over a byte order mark at the current position.
func (s *Scanner) skipMark() bool {
	marked := bytes.HasPrefix(s.Peek(), BOM)
	if marked {
		s.pos += len(BOM)
	}
	return marked
}

// Begin steps over a byte order mark of a stream, and waits for no more bytes than that takes.
func (s *Scanner) Begin() {
	for s.end < len(BOM) && bytes.HasPrefix(BOM, s.buf[:s.end]) && s.Fill() {
	}
	s.skipMark()
}

// Peek returns what is buffered from the current position on; after head that
// is at least HeadSize bytes or the whole input.
func (s *Scanner) Peek() []byte { return s.buf[s.pos:s.end] }

// Skip steps over n bytes of what peek returns.
func (s *Scanner) Skip(n int) { s.pos += n }

// Has reports whether the input holds a byte i bytes behind the current position.
func (s *Scanner) Has(i int) bool {
	for s.pos+i >= s.end {
		if !s.Fill() {
			return false
		}
	}
	return true
}

// Byte returns that byte.
func (s *Scanner) Byte(i int) byte { return s.buf[s.pos+i] }

// Unread returns a reader of all that was not yet handed out.
func (s *Scanner) Unread() io.Reader { return io.MultiReader(bytes.NewReader(s.Peek()), rest{s}) }

// rest reads what a scanner has not yet buffered.
type rest struct{ in *Scanner }

func (r rest) Read(p []byte) (int, error) {
	if r.in.err != nil {
		return 0, r.in.err
	}
	return r.in.r.Read(p)
}

// Fill reads more bytes behind end and reports whether there were any.
func (s *Scanner) Fill() bool {
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
			return s.inProportion(n)
		}
		if err != nil {
			return false
		}
	}
	s.err = io.ErrNoProgress
	return false
}

// inProportion counts bytes that came out of the input, and stops where they are too many.
func (s *Scanner) inProportion(n int) bool {
	if s.out == nil {
		return true
	}
	if err := s.out.Give(n); err != nil {
		s.err, s.end = err, s.pos
		return false
	}
	return true
}

// Next returns the next line without its line end, valid until the following call, or io.EOF.
func (s *Scanner) Next() ([]byte, error) {
	line, err := s.cut(bytes.IndexByte)
	if err != nil {
		return nil, err
	}
	s.Line++
	return TrimCR(bytes.TrimSuffix(line, []byte("\n"))), nil
}

// cut hands out what is there up to the line end that find finds, and reads on where there is none. What ends the input
// without a line end is a line, too. The error is io.EOF if nothing is left.
func (s *Scanner) cut(find func(b []byte, c byte) int) ([]byte, error) {
	n := 0 // bytes from pos on that hold no line end
	for {
		if i := find(s.buf[s.pos+n:s.end], '\n'); i >= 0 {
			n += i + 1
			break
		}
		n = s.end - s.pos
		if n > s.Max {
			s.Line++
			return nil, s.Errorf("the line is longer than %d bytes",
				s.Max).WithHint("check that the file has line ends and the right format (Options.Format)")
		}
		if s.Fill() {
			continue
		}
		if s.err != io.EOF {
			s.Line++
			return nil, s.readError()
		}
		if n == 0 {
			return nil, io.EOF
		}
		break
	}
	s.pos += n
	return s.buf[s.pos-n : s.pos : s.pos], nil
}

// NextNonBlank returns the next line that holds more than blanks.
func (s *Scanner) NextNonBlank() ([]byte, error) {
	for {
		line, err := s.Next()
		if err != nil || len(bytes.TrimSpace(line)) > 0 {
			return line, err
		}
	}
}

// Block returns a run of whole lines, every one ended by '\n', valid until the
// following call, or io.EOF. The caller counts s.line itself.
func (s *Scanner) Block() ([]byte, error) {
	b, err := s.cut(bytes.LastIndexByte)
	if err == nil && b[len(b)-1] != '\n' {
		b = append(b, '\n')
	}
	return b, err
}

// All returns the rest of the input, valid until the next use of s.
func (s *Scanner) All() ([]byte, error) {
	for s.Fill() {
		if s.end-s.pos > s.Max {
			return nil, (&Error{File: s.Name, Msg: fmt.Sprintf("the file is longer than %d bytes", s.Max)}).WithHint("cut it into several documents, or use Options.Format = lines if each line is one")
		}
	}
	if s.err != io.EOF {
		return nil, s.readError()
	}
	b := s.buf[s.pos:s.end]
	s.pos = s.end
	return b, nil
}

// Failed returns why there is nothing more to read, nil at the end of the input.
func (s *Scanner) Failed() error {
	if s.err == io.EOF {
		return nil
	}
	return s.readError()
}

// readError turns the error of the underlying stream into one that says where it struck.
func (s *Scanner) readError() error {
	var e *Error
	if errors.As(s.err, &e) {
		return &Error{File: s.Name, Line: s.Line, Msg: e.Msg, Hint: e.Hint, Err: e.Err}
	}
	if f, ok := errors.AsType[*objects.Fault](s.err); ok {
		return &Error{File: s.Name, Msg: f.Msg, Hint: f.Hint, Err: f}
	}
	return &Error{File: s.Name, Line: s.Line, Msg: fmt.Sprintf("cannot read: %v", s.err), Err: s.err}
}

func TrimCR(b []byte) []byte {
	if n := len(b); n > 0 && b[n-1] == '\r' {
		return b[:n-1]
	}
	return b
}

// HeadLines returns the complete lines of head that are not blank, at most 50.
// A cut-off line is dropped unless it is the only one.
func HeadLines(head []byte) [][]byte {
	var lines [][]byte
	whole := IsWholeHead(head)
	for len(head) > 0 && len(lines) < 50 {
		line, rest, ended := bytes.Cut(head, []byte("\n"))
		if !ended && !whole && len(lines) > 0 {
			break
		}
		head = rest
		if len(bytes.TrimSpace(line)) > 0 {
			lines = append(lines, TrimCR(line))
		}
	}
	return lines
}

// checkDense returns an error if the line in the buffer is too long for the data that it was unpacked from.
func (s *Scanner) checkDense() error {
	if s.Stored == nil || len(s.buf) < denseLine || int64(len(s.buf)) <= denseRatio*s.Stored() {
		return nil
	}
	e := &Error{Msg: fmt.Sprintf("a line of more than %d MiB was unpacked from %d bytes of compressed data",
		len(s.buf)>>20, s.Stored())}
	return e.WithHint("this is not text: unpack the file to see what is in it")
}
