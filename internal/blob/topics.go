package blob

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/mapfile"
)

// PartID identifies the part and round of a job to which topics or histograms belong.
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

// EncodeTopics returns a blob of the topics of a part; k is the number of topics.
func EncodeTopics(id PartID, z []uint32, k int) []byte {
	le := binary.LittleEndian
	width := topicWidth(k)
	b := beginTopics(id, len(z), width)
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

// EncodeNarrowTopics is EncodeTopics for n topics of 16 bits, which fill writes. It returns nil if fill returns false.
func EncodeNarrowTopics(id PartID, n int, fill func(z []uint16) (bool, error)) ([]byte, error) {
	b := beginTopics(id, n, 2)
	if ok, err := fill(mapfile.View[uint16](b[topicsHeader:])); !ok || err != nil {
		return nil, err
	}
	return binary.LittleEndian.AppendUint64(b, xxh3.Hash(b)), nil
}

// beginTopics returns the header of a blob of n topics, and room for the rest.
func beginTopics(id PartID, n, width int) []byte {
	b := make([]byte, topicsHeader+n*width, topicsHeader+n*width+topicsDigest)
	binary.LittleEndian.PutUint64(b, id.Job)
	for i, x := range []int{id.Part, id.Round, n, width} {
		binary.LittleEndian.PutUint32(b[8+4*i:], uint32(x))
	}
	return b
}

// WriteTopics writes the blob that EncodeTopics returns, piece by piece. each calls its argument with runs of
// the n topics.
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

// topicWidth returns the number of bytes of a topic below k.
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
		return fmt.Errorf("%w: topics of part %d: they are others (%v) than expected (%v)", ErrDamaged, id.Part, got,
			id)
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

// topicSet is a set of topics that is emptied in increasing order, in time proportional to its size plus
// K/4096. It is a bitmap, and a bitmap of its words that are not 0.
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

// EncodeHistograms returns a part's histograms of documents as bytes: job uint64, part and round uint32, then
// uvarint numbers: the list of document lengths and the K lists of topics, each after its length. With groups
// of documents, the cell, n and times of their bins come after that. The XXH3-64 of all that follows.
func EncodeHistograms(id PartID, h *counts.Histograms) []byte {
	b := binary.LittleEndian.AppendUint64(nil, id.Job)
	b = binary.LittleEndian.AppendUint32(b, uint32(id.Part))
	b = binary.LittleEndian.AppendUint32(b, uint32(id.Round))
	b = binary.AppendUvarint(b, uint64(len(h.DocLengths)))
	for _, n := range h.DocLengths {
		b = binary.AppendUvarint(b, n)
	}
	for _, list := range h.Topic {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, n := range list {
			b = binary.AppendUvarint(b, uint64(n))
		}
	}
	for _, bin := range h.Groups {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(bin.Cell)), uint64(bin.N))
		b = binary.AppendUvarint(b, uint64(bin.Times))
	}
	return binary.LittleEndian.AppendUint64(b, xxh3.Hash(b))
}

// DecodeHistograms reads what EncodeHistograms wrote, for k topics.
func DecodeHistograms(b []byte, id PartID, k int) (*counts.Histograms, error) {
	const head, digest = 16, 8
	le := binary.LittleEndian
	fault := func(what string) error {
		return fmt.Errorf("%w: histograms of part %d: %s", ErrDamaged, id.Part, what)
	}
	if len(b) < head+digest {
		return nil, fault("they are cut short")
	}
	body := b[:len(b)-digest]
	if xxh3.Hash(body) != le.Uint64(b[len(body):]) {
		return nil, fault("the checksum does not match")
	}
	if got := (PartID{le.Uint64(b), int(le.Uint32(b[8:])), int(le.Uint32(b[12:]))}); got != id {
		return nil, fault("they are others than expected")
	}
	body = body[head:]
	number := func() uint64 {
		n, size := binary.Uvarint(body)
		if size <= 0 {
			body = nil
			return 0
		}
		body = body[size:]
		return n
	}
	length := func() int { return int(min(number(), uint64(len(body)))) } // every element has at least a byte
	h := &counts.Histograms{DocLengths: make([]uint64, length()), Topic: make([][]uint32, k)}
	for i := range h.DocLengths {
		h.DocLengths[i] = number()
	}
	for i := range h.Topic {
		h.Topic[i] = make([]uint32, length())
		for n := range h.Topic[i] {
			h.Topic[i][n] = uint32(number())
		}
	}
	for len(body) > 0 {
		bin := counts.Bin{Cell: uint32(number()), N: uint32(number()), Times: uint32(number())}
		if bin.Times == 0 {
			return nil, fault("the numbers do not end with a bin")
		}
		h.Groups = append(h.Groups, bin)
	}
	return h, nil
}

// EncodeStatistics returns a blob of what the estimation of priors needs of the rows of a slice: n_k of its
// words, and for each value the number of n_wk that have it.
func EncodeStatistics(id ID, totals, counted []uint64) []byte {
	b := make([]byte, 0, 3*len(totals)+2*len(counted))
	for _, n := range slices.Concat(totals, counted) {
		b = binary.AppendUvarint(b, n)
	}
	return encodeNumbers(id, len(totals)+len(counted), b)
}

// encodeNumbers returns a blob with n numbers, encoded in b, instead of rows.
func encodeNumbers(id ID, n int, b []byte) []byte {
	le := binary.LittleEndian
	out := appendHeader(make([]byte, 0, headerBytes+len(b)+digestBytes), id)
	le.PutUint64(out[40:], uint64(n))
	le.PutUint64(out[48:], uint64(len(b)))
	out = append(out, b...)
	return le.AppendUint64(out, xxh3.Hash(out))
}

// AddStatistics adds the numbers of a blob with the ID want to totals and counted, and returns counted, which may grow.
func AddStatistics(totals, counted []uint64, b []byte, want ID) ([]uint64, error) {
	d, err := Open(b, want)
	if err != nil {
		return nil, err
	}
	if d.entries < uint64(len(totals)) || d.entries > uint64(len(d.rest)) { // every number has at least a byte
		return nil, fmt.Errorf("%w: %v: %d numbers in %d bytes, %d topics", ErrDamaged, d.ID, d.entries, len(d.rest),
			len(totals))
	}
	if more := int(d.entries) - len(totals) - len(counted); more > 0 {
		counted = append(counted, make([]uint64, more)...)
	}
	for i := range int(d.entries) {
		x, n := uvarint(d.rest)
		if n == 0 {
			return nil, fmt.Errorf("%w: %v: number %d is cut short", ErrDamaged, d.ID, i)
		}
		d.rest = d.rest[n:]
		if i < len(totals) {
			totals[i] += x
		} else {
			counted[i-len(totals)] += x
		}
	}
	if len(d.rest) > 0 {
		return nil, fmt.Errorf("%w: %v: there are too many bytes", ErrDamaged, d.ID)
	}
	return counted, nil
}

// EncodeTotals returns a blob of n_k, all of which must be below 2^32.
func EncodeTotals(id ID, totals []uint64) []byte {
	b := make([]byte, 4*len(totals))
	for k, n := range totals {
		binary.LittleEndian.PutUint32(b[4*k:], uint32(n))
	}
	return encodeNumbers(id, len(totals), b)
}

// AddTotals adds the n_k of a blob with the ID want to totals.
func AddTotals(totals []uint64, b []byte, want ID) error {
	d, err := Open(b, want)
	if err != nil {
		return err
	}
	if len(d.rest) != 4*len(totals) {
		return fmt.Errorf("%w: %v: %d bytes for %d topics", ErrDamaged, d.ID, len(d.rest), len(totals))
	}
	for k := range totals {
		totals[k] += uint64(binary.LittleEndian.Uint32(d.rest[4*k:]))
	}
	return nil
}
