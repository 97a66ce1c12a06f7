package wholefile

import (
	"io"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/guard"
)

// Summed hashes and counts bytes while they are written.
type Summed struct {
	Size int64 // bytes so far
	to   io.Writer
	hash *xxh3.Hasher
}

// NewSummed begins to write to w.
func NewSummed(w io.Writer) *Summed { return &Summed{to: w, hash: xxh3.New()} }

// Sum returns the XXH3-128 of all that was written.
func (s *Summed) Sum() []byte {
	sum := s.hash.Sum128().Bytes()
	return sum[:]
}

// Put writes b. Another goroutine hashes what is long enough, a piece that fits a core's cache at a time.
func (s *Summed) Put(b []byte) error {
	const piece, short = 1 << 20, 1 << 16
	s.Size += int64(len(b))
	for len(b) > short {
		now := b[:min(piece, len(b))]
		b = b[len(now):]
		var group guard.Group
		group.Go(func() { s.hash.Write(now) })
		_, err := s.to.Write(now)
		group.Wait()
		if err != nil {
			return err
		}
	}
	s.hash.Write(b)
	_, err := s.to.Write(b)
	return err
}
