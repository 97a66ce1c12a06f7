package topoi

import (
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/mapfile"
)

// assignments holds z, the topic of every token in corpus order, as 16-bit
// numbers or as 32-bit ones. One of the two slices is nil.
type assignments struct {
	narrow []uint16
	wide   []uint32
}

// narrowTopics is the largest K whose topics fit into 16 bits.
const narrowTopics = 1 << 16

// modelCounts are the counts of a model: all, or those of some words.
type modelCounts interface {
	counts.Rows
	TopicTotals() []uint64
}

func (a assignments) len() int { return len(a.narrow) + len(a.wide) }

func (a assignments) at(i int) uint32 {
	if a.wide != nil {
		return a.wide[i]
	}
	return uint32(a.narrow[i])
}

// append appends z of the tokens lo, …, hi-1 to dst.
func (a assignments) append(dst []uint32, lo, hi int) []uint32 {
	if a.wide != nil {
		return append(dst, a.wide[lo:hi]...)
	}
	for _, k := range a.narrow[lo:hi] {
		dst = append(dst, uint32(k))
	}
	return dst
}

// assignmentsChunk is the number of topics that eachChunk hands over at a time.
const assignmentsChunk = 1 << 16

// eachChunk calls f with the little-endian bytes of z, piece by piece, in the
// width that files use for k topics.
func (a assignments) eachChunk(k int, f func([]byte) error) error {
	if k > narrowTopics || a.narrow != nil {
		return f(a.bytes())
	}
	buffer := make([]uint16, min(len(a.wide), assignmentsChunk))
	for rest := a.wide; len(rest) > 0; {
		n := min(len(rest), len(buffer))
		for i, z := range rest[:n] {
			buffer[i] = uint16(z)
		}
		if err := f(mapfile.Bytes(buffer[:n])); err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

func (a assignments) bytes() []byte {
	if a.wide != nil {
		return mapfile.Bytes(a.wide)
	}
	return mapfile.Bytes(a.narrow)
}

// topicBytes returns the bytes that one topic takes in files.
func topicBytes(k int) int {
	if k > narrowTopics {
		return 4
	}
	return 2
}

// viewAssignments sees the bytes of z in a file as topics.
func viewAssignments(b []byte, k int) assignments {
	if k > narrowTopics {
		return assignments{wide: mapfile.View[uint32](b)}
	}
	return assignments{narrow: mapfile.View[uint16](b)}
}
