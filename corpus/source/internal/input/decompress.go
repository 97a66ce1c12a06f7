package input

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/objects"
)

// maxWindow is the largest zstd window that is accepted, the limit of the
// zstd command itself; a hostile header cannot claim more memory than this.
const maxWindow = 128 << 20

// foreign are compressions that are recognised only to be refused clearly.
var foreign = []struct{ magic, name, tool string }{
	{"BZh", "bzip2", "bunzip2"},
	{"\xfd7zXZ\x00", "xz", "unxz"},
	{"\x04\x22\x4d\x18", "lz4", "unlz4"},
}

// Decompress returns the plain bytes of r, which may be compressed with gzip (any number of members) or zstd; the
// beginning of the stream tells. Compressed streams are decoded by a goroutine that reads ahead.
func Decompress(r io.Reader) (io.ReadCloser, error) {
	b := buffers.Get().(*bufio.Reader)
	b.Reset(r)
	magic, err := b.Peek(6)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(magic, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, damaged("gzip", err)
		}
		return NewReadAhead(damageReader{z, "gzip"}, z.Close), nil
	case isZstd(magic):
		z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, damaged("zstd", err)
		}
		return NewReadAhead(damageReader{z, "zstd"}, func() error { z.Close(); return nil }), nil
	}
	for _, f := range foreign {
		if bytes.HasPrefix(magic, []byte(f.magic)) {
			e := &Error{Msg: fmt.Sprintf("the file is compressed with %s, which topoi cannot read", f.name)}
			return nil, e.WithHint("unpack it with %s, or pack it with gzip or zstd", f.tool)
		}
	}
	return &plain{b}, nil
}

// buffers are reused, for the sake of directories with many small files.
var buffers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 256<<10) }}

// plain is a stream that is not compressed.
type plain struct{ b *bufio.Reader }

func (p *plain) Read(to []byte) (int, error) { return p.b.Read(to) }

func (p *plain) Close() error {
	p.b.Reset(nil)
	buffers.Put(p.b)
	p.b = nil
	return nil
}

// isZstd recognises a zstd frame and the skippable frame that parallel zstd writers put in front of it.
func isZstd(magic []byte) bool {
	return bytes.HasPrefix(magic, []byte("\x28\xb5\x2f\xfd")) ||
		len(magic) >= 4 && magic[0]&0xf0 == 0x50 && bytes.Equal(magic[1:4], []byte("\x2a\x4d\x18"))
}

// damageReader turns the errors of a decompressor into sentences.
type damageReader struct {
	r    io.Reader
	kind string
}

func (d damageReader) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	if err != nil && err != io.EOF {
		err = damaged(d.kind, err)
	}
	return n, err
}

func damaged(kind string, err error) error {
	if f, ok := errors.AsType[*objects.Fault](err); ok {
		return f
	}
	e := &Error{
		Msg: fmt.Sprintf("the %s data is damaged (%v)", kind, err), Hint: "copy or download the file again",
		Err: err,
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.Msg = fmt.Sprintf("the %s data ends too early, the file is truncated", kind)
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		e.Msg = fmt.Sprintf("the zstd data needs a window of more than %d MiB", maxWindow>>20)
		e.Hint = "unpack it with zstd -d --long=31"
	}
	return e
}

// readAhead reads from a stream in a goroutine of its own, a few buffers ahead of its consumer.
type readAhead struct {
	full  chan chunk  // filled buffers, in order; closed after the last
	free  chan []byte // buffers to fill
	stop  chan struct{}
	close func() error

	cur  chunk
	rest []byte // unread part of cur
}

type chunk struct {
	b   []byte
	err error
}

func NewReadAhead(r io.Reader, closer func() error) *readAhead {
	const buffers, size = 4, 256 << 10
	a := &readAhead{
		full:  make(chan chunk, buffers),
		free:  make(chan []byte, buffers),
		stop:  make(chan struct{}),
		close: closer,
	}
	for range buffers {
		a.free <- make([]byte, size)
	}
	go a.run(r)
	return a
}

func (a *readAhead) run(r io.Reader) {
	defer close(a.full)
	for {
		var b []byte
		select {
		case b = <-a.free:
		case <-a.stop:
			return
		}
		var n int
		err := guard.Try(func() (err error) { // a decompressor may panic on damaged data
			n, err = io.ReadFull(r, b[:cap(b)])
			return err
		})
		if err == io.ErrUnexpectedEOF {
			err = io.EOF // a short last buffer; a truncated stream has an Error of its own
		}
		a.full <- chunk{b[:n], err} // never blocks: as many slots as buffers
		if err != nil {
			return
		}
	}
}

func (a *readAhead) Read(p []byte) (int, error) {
	for len(a.rest) == 0 {
		if a.cur.err != nil {
			return 0, a.cur.err
		}
		if a.cur.b != nil {
			a.free <- a.cur.b
		}
		a.cur = <-a.full
		a.rest = a.cur.b
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

// Close stops the goroutine and then the decompressor.
func (a *readAhead) Close() error {
	close(a.stop)
	for range a.full {
	}
	return a.close()
}
