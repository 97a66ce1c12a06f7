package export

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"
)

// compressed writes through the compression that the extension names.
func compressed(w io.Writer, extension string, threads int, write func(io.Writer) error) error {
	var c io.WriteCloser
	var err error
	switch extension {
	case ".gz":
		c = newGzip(w, threads)
	case ".zst":
		// Two steps of the work overlap, whatever the number of threads, so that the bytes are the same.
		// (Frames made in parallel would be faster, but some readers stop after the first.)
		if c, err = zstd.NewWriter(w, zstd.WithEncoderConcurrency(2)); err != nil {
			return err
		}
	default:
		return buffered(w, write)
	}
	if err := buffered(c, write); err != nil {
		c.Close()
		return err
	}
	return c.Close()
}

// deflateBlock is the number of bytes that are compressed independently of all others. It must not change,
// because the output depends on it.
const deflateBlock = 1 << 20

// deflater writes one deflate stream that several goroutines make. Each block is compressed by itself and
// ends at a byte boundary, as with zlib's Z_SYNC_FLUSH, so that the next one can follow. One goroutine
// writes the blocks in order.
type deflater struct {
	block   []byte
	blocks  chan []byte
	stopped chan struct{} // closed when no more blocks are accepted
	err     error         // set before stopped is closed
}

// deflated is a block with its compressed form.
type deflated struct{ plain, packed []byte }

// newDeflater starts the goroutines. If seen is not nil, it is called with every block in order.
func newDeflater(w io.Writer, threads int, seen func(plain []byte)) *deflater {
	d := &deflater{block: make([]byte, 0, deflateBlock), blocks: make(chan []byte), stopped: make(chan struct{})}
	writers := make([]*flate.Writer, threads)
	go func() {
		defer close(d.stopped)
		d.err = inOrder(context.Background(), threads, func(put func([]byte) error) error {
			for block := range d.blocks {
				if err := put(block); err != nil {
					return err
				}
			}
			return nil
		}, func(worker int, plain []byte) (deflated, error) {
			var b bytes.Buffer
			err := deflate(&writers[worker], &b, plain)
			return deflated{plain, b.Bytes()}, err
		}, func(x deflated) error {
			if seen != nil {
				seen(x.plain)
			}
			_, err := w.Write(x.packed)
			return err
		})
	}()
	return d
}

// deflate compresses a block. It creates the writer at the first call.
func deflate(writer **flate.Writer, b *bytes.Buffer, plain []byte) error {
	if *writer == nil {
		f, err := flate.NewWriter(b, flate.DefaultCompression)
		if err != nil {
			return err
		}
		*writer = f
	} else {
		(*writer).Reset(b)
	}
	if _, err := (*writer).Write(plain); err != nil {
		return err
	}
	return (*writer).Flush()
}

func (d *deflater) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		n := min(len(rest), deflateBlock-len(d.block))
		d.block = append(d.block, rest[:n]...)
		rest = rest[n:]
		if len(d.block) == deflateBlock {
			if err := d.send(); err != nil {
				return 0, err
			}
		}
	}
	return len(p), nil
}

// send passes the block on and begins another one.
func (d *deflater) send() error {
	select {
	case d.blocks <- d.block:
		d.block = make([]byte, 0, deflateBlock)
		return nil
	case <-d.stopped:
		return d.err
	}
}

// finish waits for the goroutines to end.
func (d *deflater) finish() error {
	var err error
	if len(d.block) > 0 {
		err = d.send()
	}
	close(d.blocks)
	<-d.stopped
	return cmp.Or(err, d.err)
}

// lastBlock is a deflate block that is empty and the last one.
var lastBlock = []byte{3, 0}

// gzipped writes one gzip member (RFC 1952).
type gzipped struct {
	*deflater
	to   io.Writer
	crc  uint32
	size uint32 // modulo 2³²
	err  error
}

func newGzip(w io.Writer, threads int) *gzipped {
	g := &gzipped{to: w}
	_, g.err = w.Write([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff}) // deflate, no name, no time, no system
	g.deflater = newDeflater(w, threads, func(plain []byte) {
		g.crc = crc32.Update(g.crc, crc32.IEEETable, plain)
		g.size += uint32(len(plain))
	})
	return g
}

// Close writes the rest of the data and the end of the member.
func (g *gzipped) Close() error {
	if err := cmp.Or(g.err, g.finish()); err != nil {
		return err
	}
	end := binary.LittleEndian.AppendUint32(append([]byte(nil), lastBlock...), g.crc)
	_, err := g.to.Write(binary.LittleEndian.AppendUint32(end, g.size))
	return err
}

// zipDeflater is the deflate method of zip archives.
type zipDeflater struct {
	*deflater
	to io.Writer
}

func newZipDeflater(threads int) func(w io.Writer) (io.WriteCloser, error) {
	return func(w io.Writer) (io.WriteCloser, error) { return &zipDeflater{newDeflater(w, threads, nil), w}, nil }
}

func (z *zipDeflater) Close() error {
	if err := z.finish(); err != nil {
		return err
	}
	_, err := z.to.Write(lastBlock)
	return err
}
