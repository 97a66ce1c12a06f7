package blob

import (
	"encoding/binary"
	"fmt"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/counts"
)

// EncodeHistograms writes a part's histograms of documents: job uint64, part and
// round uint32, then numbers as uvarint: lengths of the list of document lengths
// and of the K lists of topics, each followed by its elements; and the XXH3-64 of
// all that.
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
	length := func() int { return int(min(number(), uint64(len(body)))) } // every element has a byte at least
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
	if len(body) != 0 {
		return nil, fault("there are too many numbers")
	}
	return h, nil
}
