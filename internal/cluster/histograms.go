package cluster

import (
	"encoding/binary"
	"fmt"
	"runtime"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/counts"
)

// encodeHistograms writes a part's histograms of documents: job uint64, part and
// round uint32, then numbers as uvarint: lengths of the list of document lengths
// and of the K lists of topics, each followed by its elements; and the XXH3-64 of
// all that.
func encodeHistograms(id topicsID, h *counts.Histograms) []byte {
	b := binary.LittleEndian.AppendUint64(nil, id.job)
	b = binary.LittleEndian.AppendUint32(b, uint32(id.part))
	b = binary.LittleEndian.AppendUint32(b, uint32(id.round))
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

// decodeHistograms reads what encodeHistograms wrote, for k topics.
func decodeHistograms(b []byte, id topicsID, k int) (*counts.Histograms, error) {
	const head, digest = 16, 8
	le := binary.LittleEndian
	fault := func(what string) error {
		return fmt.Errorf("histograms of part %d are %w: %s", id.part, errDamaged, what)
	}
	if len(b) < head+digest {
		return nil, fault("they are cut short")
	}
	body := b[:len(b)-digest]
	if xxh3.Hash(body) != le.Uint64(b[len(body):]) {
		return nil, fault("the checksum does not match")
	}
	if got := (topicsID{le.Uint64(b), int(le.Uint32(b[8:])), int(le.Uint32(b[12:]))}); got != id {
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

// countCounts returns how many n_wk have each value, from 1 on, by value.
func (m *model) countCounts() []uint64 {
	lists := make([][]uint64, runtime.GOMAXPROCS(0))
	rows := len(m.dense) / m.topics
	spread(len(lists), 2*len(m.slices), func(goroutine, i int) {
		list := lists[goroutine]
		if i < len(m.slices) {
			for _, e := range m.slices[i].entries {
				list = countCount(list, e.Count)
			}
		} else {
			i -= len(m.slices)
			first, last := rows*i/len(m.slices), rows*(i+1)/len(m.slices)
			for _, n := range m.dense[first*m.topics : last*m.topics] {
				if n > 0 {
					list = countCount(list, uint32(n))
				}
			}
		}
		lists[goroutine] = list
	})
	var sum []uint64
	for _, list := range lists {
		sum = append(sum, make([]uint64, max(0, len(list)-len(sum)))...)
		for value, n := range list {
			sum[value] += n
		}
	}
	return sum
}

// countCount counts one value.
func countCount(list []uint64, value uint32) []uint64 {
	if int(value) >= len(list) {
		list = append(list, make([]uint64, int(value)+1-len(list))...)
	}
	list[value]++
	return list
}
