// Package walk holds warp's inner loops: tokens as records, columns of some of them, and the steps on
// columns. kernel.go defines the steps in portable Go; assembly gives the same results.
package walk

import (
	"unsafe"

	"github.com/topoi-lda/topoi/internal/alloc"
)

// Tokens is the state of all tokens in grid order: topic, then M proposals. Up to three 16-bit proposals make
// records of 32 or 64 bits, which vector code can gather and scatter. The same holds for up to two wider
// proposals (Packed) and for two smaller ones (Small). If a record of 16-bit topics has space for one more
// number, its last is the topic before the last word phase.
type Tokens[T Topic] struct {
	Topics []T      // N × stride; nil if packed or small
	Packed []uint64 // N: topic, then proposals, packedBits each from the lowest on; nil if not packed
	Small  []uint32 // N: topic and two proposals, SmallBits each from the lowest on; nil if not small
	Stride int      // topics in a record, M+1 or more; 0 if packed or small
	M      int      // M
	Begins []int    // first token of each block
}

// packedBits is the width of a topic in packed records: three fit 64 bits.
const (
	packedBits = 21
	PackedMask = 1<<packedBits - 1 // mask of the topic in a packed record
)

// SmallBits is the width of a topic in small records: three fit 32 bits.
const (
	SmallBits = 10
	smallMask = 1<<SmallBits - 1
)

// Stride returns the number of topics in a record on the CPU; 0 means packed.
func Stride[T Topic](m int) int {
	narrow := unsafe.Sizeof(T(0)) == 2
	switch {
	case m == 2 && narrow:
		return 4
	case m <= 2 && !narrow:
		return 0
	}
	return m + 1
}

// Lay allocates memory for n tokens, or reuses what it has.
func (t *Tokens[T]) Lay(n, m, stride int) {
	t.M, t.Stride = m, stride
	switch {
	case stride == 0 && n <= cap(t.Packed):
		t.Packed = t.Packed[:n]
	case stride == 0:
		t.Packed = make([]uint64, n)
		alloc.HugePages(t.Packed)
	case n*stride <= cap(t.Topics):
		t.Topics = t.Topics[:n*stride]
	default:
		t.Topics = make([]T, n*stride)
		alloc.HugePages(t.Topics)
	}
}

// KeepsOld reports whether records store the topic before the last word phase.
func (t *Tokens[T]) KeepsOld() bool { return t.Stride > t.M+1 }

// At returns the topic of token i in grid order.
func (t *Tokens[T]) At(i int) uint32 {
	switch {
	case t.Packed != nil:
		return uint32(t.Packed[i] & PackedMask)
	case t.Small != nil:
		return t.Small[i] & smallMask
	}
	return uint32(t.Topics[i*t.Stride])
}

// CopyTopics copies all topics in grid order.
func (t *Tokens[T]) CopyTopics(dst []T) {
	if t.Packed != nil {
		for i, record := range t.Packed[:len(dst)] {
			dst[i] = T(record & PackedMask)
		}
		return
	}
	stride := t.Stride
	for i := range dst {
		dst[i] = t.Topics[i*stride]
	}
}

// CopyBlock copies the topics in some places of block b.
func (t *Tokens[T]) CopyBlock(z []uint32, b int, places []uint16) {
	begin := t.Begins[b]
	switch {
	case t.Packed != nil:
		records := t.Packed[begin:]
		for i, place := range places {
			z[i] = uint32(records[place] & PackedMask)
		}
		return
	case t.Small != nil:
		records := t.Small[begin:]
		for i, place := range places {
			z[i] = records[place] & smallMask
		}
		return
	}
	records, stride := t.Topics[begin*t.Stride:], t.Stride
	for i, place := range places {
		z[i] = uint32(records[int(place)*stride])
	}
}

// CopyNarrow is CopyBlock for 16-bit topics.
func (t *Tokens[T]) CopyNarrow(z []uint16, b int, places []uint16) {
	records, stride := t.Topics[t.Begins[b]*t.Stride:], t.Stride
	z = z[:len(places)]
	for i, place := range places {
		z[i] = uint16(records[int(place)*stride])
	}
}

// Topic returns the topic of the token in a place of block b.
func (t *Tokens[T]) Topic(b, place int) uint32 { return t.At(t.Begins[b] + place) }

// Set sets the topic of a token without proposals.
func (t *Tokens[T]) Set(b, place int, k uint32) {
	i := t.Begins[b] + place
	switch {
	case t.Packed != nil:
		t.Packed[i] = uint64(k)
	case t.Small != nil:
		t.Small[i] = k
	default:
		t.Topics[i*t.Stride] = T(k)
	}
}

// Get copies a token into column i.
func (t *Tokens[T]) Get(c *Columns, i, b, place int) {
	c.at[i], c.block[i] = uint32(place), uint32(b)
	switch {
	case t.Packed != nil:
		record := t.Packed[t.Begins[b]+place]
		c.Z[i] = uint32(record & PackedMask)
		for j := range c.proposal {
			record >>= packedBits
			c.proposal[j][i] = uint32(record & PackedMask)
		}
		return
	case t.Small != nil:
		record := t.Small[t.Begins[b]+place]
		c.Z[i], c.proposal[0][i], c.proposal[1][i] = record&smallMask, record>>SmallBits&smallMask,
			record>>(2*SmallBits)&smallMask
		return
	}
	at := (t.Begins[b] + place) * t.Stride
	token := t.Topics[at : at+t.M+1]
	c.Z[i] = uint32(token[0])
	for j, k := range token[1:] {
		c.proposal[j][i] = uint32(k)
	}
	if t.KeepsOld() {
		c.old[i] = uint32(t.Topics[at+t.Stride-1]) // for vector code that stores it again
	}
}

// put copies column i back into its token.
func (t *Tokens[T]) put(c *Columns, i int) {
	at := t.Begins[c.block[i]] + int(c.at[i])
	switch {
	case t.Packed != nil:
		record := uint64(c.Z[i])
		for j := range c.proposal {
			record |= uint64(c.proposal[j][i]) << (packedBits * (j + 1))
		}
		t.Packed[at] = record
		return
	case t.Small != nil:
		t.Small[at] = c.Z[i] | c.proposal[0][i]<<SmallBits | c.proposal[1][i]<<(2*SmallBits)
		return
	}
	token := t.Topics[at*t.Stride : at*t.Stride+t.M+1]
	token[0] = T(c.Z[i])
	for j := range token[1:] {
		token[1+j] = T(c.proposal[j][i])
	}
}
