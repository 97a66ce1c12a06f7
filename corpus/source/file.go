package source

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
)

// file is an input whose compression and encoding have been undone.
type file struct {
	text   *utf8Reader
	plain  io.Closer
	raw    io.Closer
	closed bool
	stored func() int64 // bytes read of a packed file; nil for others
}

func (f *file) Read(p []byte) (int, error) { return f.text.Read(p) }

// Close may be called more than once.
func (f *file) Close() error {
	if f.closed {
		return nil
	}
	f.closed = true
	return errors.Join(f.plain.Close(), f.raw.Close())
}

// openFile opens path, or standard input for "-", as UTF-8, and counts in read
// the bytes taken from it.
func openFile(path string, o *Options, read *atomic.Int64) (*file, error) {
	raw := io.NopCloser(os.Stdin)
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, openError(path, err)
		}
		raw = f
	}
	counted := &countingReader{r: raw, n: read}
	plain, err := decompress(counted)
	if err != nil {
		raw.Close()
		var e *Error
		if errors.As(err, &e) {
			e.File = displayName(path)
			return nil, e
		}
		return nil, openError(path, err)
	}
	f := &file{text: newUTF8Reader(plain, o), plain: plain, raw: raw}
	if _, packed := plain.(*readAhead); packed {
		f.stored = counted.own.Load
	}
	return f, nil
}

// openScanner opens a file that belongs to an input.
func openScanner(path string, o *Options) (*file, *scanner, error) {
	f, err := openFile(path, o, nil)
	if err != nil {
		return nil, nil, err
	}
	in := newScanner(displayName(path), f)
	in.stored = f.stored
	head, err := in.head()
	if err == nil {
		err = refuse(path, head)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, in, nil
}

func openError(path string, err error) *Error {
	cause := err
	var p *os.PathError
	if errors.As(err, &p) {
		cause = p.Err
	}
	e := &Error{File: displayName(path), Msg: fmt.Sprintf("cannot open: %v", cause), Err: err}
	if errors.Is(err, os.ErrNotExist) {
		e.Hint = "check the path"
	}
	return e
}

type countingReader struct {
	r   io.Reader
	n   *atomic.Int64 // of all inputs
	own atomic.Int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.own.Add(int64(n))
	if c.n != nil {
		c.n.Add(int64(n))
	}
	return n, err
}
