package blob

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/mapfile"
)

// PartID says of which part and round of a job topics or histograms are.
type PartID struct {
	Job         uint64
	Part, Round int
}

// A blob of topics is job uint64, part, round, tokens, bytes per topic uint32, the
// topics, and the XXH3-64 of all that, little-endian.
const (
	topicsHeader = 24
	topicsDigest = 8
)

// EncodeTopics makes a blob of the topics of a part, of k topics.
func EncodeTopics(id PartID, z []uint32, k int) []byte {
	le := binary.LittleEndian
	width := topicWidth(k)
	b := make([]byte, topicsHeader+len(z)*width, topicsHeader+len(z)*width+topicsDigest)
	le.PutUint64(b, id.Job)
	for i, n := range []int{id.Part, id.Round, len(z), width} {
		le.PutUint32(b[8+4*i:], uint32(n))
	}
	body := b[topicsHeader:]
	if width == 2 {
		for i, t := range z {
			le.PutUint16(body[2*i:2*i+2], uint16(t))
		}
	} else {
		for i, t := range z {
			le.PutUint32(body[4*i:4*i+4], t)
		}
	}
	return le.AppendUint64(b, xxh3.Hash(b))
}

// EncodeNarrowTopics is EncodeTopics for n topics of 16 bits, which fill writes. It returns nil if fill cannot.
func EncodeNarrowTopics(id PartID, n int, fill func(z []uint16) (bool, error)) ([]byte, error) {
	le := binary.LittleEndian
	b := make([]byte, topicsHeader+2*n, topicsHeader+2*n+topicsDigest)
	le.PutUint64(b, id.Job)
	for i, x := range []int{id.Part, id.Round, n, 2} {
		le.PutUint32(b[8+4*i:], uint32(x))
	}
	if ok, err := fill(mapfile.View[uint16](b[topicsHeader:])); !ok || err != nil {
		return nil, err
	}
	return le.AppendUint64(b, xxh3.Hash(b)), nil
}

// WriteTopics writes what EncodeTopics makes of n topics, which come in runs, piece by piece.
func WriteTopics(w io.Writer, id PartID, n int, each func(f func(z []uint32) error) error, k int) error {
	const piece = 1 << 16
	hash := xxh3.New()
	empty := EncodeTopics(id, nil, k)[:topicsHeader]
	binary.LittleEndian.PutUint32(empty[16:], uint32(n))
	out := io.MultiWriter(w, hash)
	if _, err := out.Write(empty); err != nil {
		return err
	}
	err := each(func(z []uint32) error {
		for run := range slices.Chunk(z, piece) {
			b := EncodeTopics(id, run, k)
			if _, err := out.Write(b[topicsHeader : len(b)-topicsDigest]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	_, err = w.Write(binary.LittleEndian.AppendUint64(nil, hash.Sum64()))
	return err
}

// topicWidth is the number of bytes of a topic below k.
func topicWidth(k int) int {
	if k <= 1<<16 {
		return 2
	}
	return 4
}

// DecodeTopics reads a blob of the topics of len(z) tokens into z.
func DecodeTopics(z []uint32, b []byte, id PartID, k int) error {
	le := binary.LittleEndian
	width := topicWidth(k)
	if len(b) != topicsHeader+len(z)*width+topicsDigest {
		return fmt.Errorf("%w: topics of part %d: %d bytes for %d tokens", ErrDamaged, id.Part, len(b), len(z))
	}
	body := b[:len(b)-topicsDigest]
	if xxh3.Hash(body) != le.Uint64(b[len(body):]) {
		return fmt.Errorf("%w: topics of part %d: the checksum does not match", ErrDamaged, id.Part)
	}
	got := PartID{le.Uint64(b), int(le.Uint32(b[8:])), int(le.Uint32(b[12:]))}
	if got != id || int(le.Uint32(b[20:])) != width {
		return fmt.Errorf("%w: topics of part %d: they are others (%v) than expected (%v)", ErrDamaged, id.Part, got, id)
	}
	body = body[topicsHeader:]
	for i := range z {
		if width == 2 {
			z[i] = uint32(le.Uint16(body[2*i:]))
		} else {
			z[i] = le.Uint32(body[4*i:])
		}
		if int(z[i]) >= k {
			return fmt.Errorf("%w: topics of part %d: topic %d of %d", ErrDamaged, id.Part, z[i], k)
		}
	}
	return nil
}

// topicSet is a set of topics that is emptied in increasing order, in time
// proportional to what it holds plus K/4096: a bitmap, and a bitmap of which of
// its words are not 0.
type topicSet struct {
	low  []uint64 // [K/64] bit k
	high []uint64 // [K/4096] bit i: low[i] is not 0
}

func (s *topicSet) resize(topics int) {
	low := (topics + 63) / 64
	if len(s.low) != low {
		s.low, s.high = make([]uint64, low), make([]uint64, (low+63)/64)
	}
}

func (s *topicSet) add(k uint32) {
	s.low[k/64] |= 1 << (k % 64)
	s.high[k/4096] |= 1 << (k / 64 % 64)
}

// drain calls f with every topic in increasing order and leaves the set empty.
func (s *topicSet) drain(f func(k uint32)) {
	for h, word := range s.high {
		for ; word != 0; word &= word - 1 {
			i := h*64 + bits.TrailingZeros64(word)
			for b := s.low[i]; b != 0; b &= b - 1 {
				f(uint32(i*64 + bits.TrailingZeros64(b)))
			}
			s.low[i] = 0
		}
		s.high[h] = 0
	}
}
