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

// EncodeStatistics makes a blob of what the estimation of priors needs of the rows of a slice: n_k of its words, and how many of
// their n_wk have each value, by value.
func EncodeStatistics(id ID, totals, counted []uint64) []byte {
	b := make([]byte, 0, 3*len(totals)+2*len(counted))
	for _, n := range totals {
		b = binary.AppendUvarint(b, n)
	}
	for _, n := range counted {
		b = binary.AppendUvarint(b, n)
	}
	return encodeNumbers(id, len(totals)+len(counted), b)
}

// encodeNumbers makes a blob of n numbers, which lie in b, instead of rows.
func encodeNumbers(id ID, n int, b []byte) []byte {
	le := binary.LittleEndian
	out := appendHeader(make([]byte, 0, headerBytes+len(b)+digestBytes), id)
	le.PutUint64(out[40:], uint64(n))
	le.PutUint64(out[48:], uint64(len(b)))
	out = append(out, b...)
	return le.AppendUint64(out, xxh3.Hash(out))
}

// AddStatistics adds what a blob has, which must be the one that is wanted, to totals and to counted, which it returns.
func AddStatistics(totals, counted []uint64, b []byte, want ID) ([]uint64, error) {
	d, err := Open(b, want)
	if err != nil {
		return nil, err
	}
	if d.entries < uint64(len(totals)) || d.entries > uint64(len(d.rest)) { // every number has a byte at least
		return nil, fmt.Errorf("%w: %v: %d numbers in %d bytes, %d topics", ErrDamaged, d.ID, d.entries, len(d.rest), len(totals))
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

// EncodeTotals makes a blob of n_k, all of them below 2^32.
func EncodeTotals(id ID, totals []uint64) []byte {
	b := make([]byte, 4*len(totals))
	for k, n := range totals {
		binary.LittleEndian.PutUint32(b[4*k:], uint32(n))
	}
	return encodeNumbers(id, len(totals), b)
}

// AddTotals adds n_k of a blob, which must be the one that is wanted, to totals.
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
