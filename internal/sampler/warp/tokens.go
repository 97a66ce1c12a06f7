package warp

import (
	"unsafe"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// warpTokens is the state of all tokens in grid order: topic, then M proposals.
// Up to three 16-bit proposals make records of 32 or 64 bits, which vector code
// can gather and scatter. So do up to two wider ones, packed, and two smaller ones. Where
// a record of 16-bit topics has room for one number more, its last is the topic before
// the last word phase.
type warpTokens[T warpTopic] struct {
	topics []T      // N × stride; nil if packed or small
	packed []uint64 // N: topic, then proposals, packedBits each from the lowest on; nil if not packed
	small  []uint32 // N: topic and two proposals, smallBits each from the lowest on; nil if not small
	stride int      // topics in a record, M+1 or more; 0 if packed or small
	m      int      // M
	begins []int    // first token of each block
}

// packedBits is the width of a topic in packed records: three fit 64 bits.
const (
	packedBits = 21
	packedMask = 1<<packedBits - 1
)

// smallBits is the width of a topic in small records: three fit 32 bits.
const (
	smallBits = 10
	smallMask = 1<<smallBits - 1
)

// warpStride is the number of topics in a record of the CPU's: 0 stands for packed.
func warpStride[T warpTopic](m int) int {
	narrow := unsafe.Sizeof(T(0)) == 2
	switch {
	case m == 2 && narrow:
		return 4
	case m <= 2 && !narrow:
		return 0
	}
	return m + 1
}

// lay makes room for n tokens, in the memory it has if that is enough.
func (t *warpTokens[T]) lay(n, m, stride int) {
	t.m, t.stride = m, stride
	switch {
	case stride == 0 && n <= cap(t.packed):
		t.packed = t.packed[:n]
	case stride == 0:
		t.packed = make([]uint64, n)
		alloc.HugePages(t.packed)
	case n*stride <= cap(t.topics):
		t.topics = t.topics[:n*stride]
	default:
		t.topics = make([]T, n*stride)
		alloc.HugePages(t.topics)
	}
}

// keepsOld says whether records have room for the topic before the last word phase.
func (t *warpTokens[T]) keepsOld() bool { return t.stride > t.m+1 }

// At returns the topic of token i in grid order.
func (t *warpTokens[T]) At(i int) uint32 {
	switch {
	case t.packed != nil:
		return uint32(t.packed[i] & packedMask)
	case t.small != nil:
		return t.small[i] & smallMask
	}
	return uint32(t.topics[i*t.stride])
}

// copyTopics copies all topics in grid order.
func (t *warpTokens[T]) copyTopics(dst []T) {
	if t.packed != nil {
		for i, record := range t.packed[:len(dst)] {
			dst[i] = T(record & packedMask)
		}
		return
	}
	stride := t.stride
	for i := range dst {
		dst[i] = t.topics[i*stride]
	}
}

// copyBlock copies the topics in some places of block b.
func (t *warpTokens[T]) copyBlock(z []uint32, b int, places []uint16) {
	begin := t.begins[b]
	switch {
	case t.packed != nil:
		records := t.packed[begin:]
		for i, place := range places {
			z[i] = uint32(records[place] & packedMask)
		}
		return
	case t.small != nil:
		records := t.small[begin:]
		for i, place := range places {
			z[i] = records[place] & smallMask
		}
		return
	}
	records, stride := t.topics[begin*t.stride:], t.stride
	for i, place := range places {
		z[i] = uint32(records[int(place)*stride])
	}
}

// topic returns the topic of the token in a place of block b.
func (t *warpTokens[T]) topic(b, place int) uint32 { return t.At(t.begins[b] + place) }

// Set starts a token with a topic.
func (t *warpTokens[T]) Set(b, place int, k uint32) {
	i := t.begins[b] + place
	switch {
	case t.packed != nil:
		t.packed[i] = uint64(k)
	case t.small != nil:
		t.small[i] = k
	default:
		t.topics[i*t.stride] = T(k)
	}
}

// Get copies a token into column i.
func (t *warpTokens[T]) Get(c *warpColumns, i, b, place int) {
	c.at[i], c.block[i] = uint32(place), uint32(b)
	switch {
	case t.packed != nil:
		record := t.packed[t.begins[b]+place]
		c.z[i] = uint32(record & packedMask)
		for j := range c.proposal {
			record >>= packedBits
			c.proposal[j][i] = uint32(record & packedMask)
		}
		return
	case t.small != nil:
		record := t.small[t.begins[b]+place]
		c.z[i], c.proposal[0][i], c.proposal[1][i] = record&smallMask, record>>smallBits&smallMask, record>>(2*smallBits)&smallMask
		return
	}
	at := (t.begins[b] + place) * t.stride
	token := t.topics[at : at+t.m+1]
	c.z[i] = uint32(token[0])
	for j, k := range token[1:] {
		c.proposal[j][i] = uint32(k)
	}
	if t.keepsOld() {
		c.old[i] = uint32(t.topics[at+t.stride-1]) // for vector code that stores it again
	}
}

// put copies column i back into its token.
func (t *warpTokens[T]) put(c *warpColumns, i int) {
	at := t.begins[c.block[i]] + int(c.at[i])
	switch {
	case t.packed != nil:
		record := uint64(c.z[i])
		for j := range c.proposal {
			record |= uint64(c.proposal[j][i]) << (packedBits * (j + 1))
		}
		t.packed[at] = record
		return
	case t.small != nil:
		t.small[at] = c.z[i] | c.proposal[0][i]<<smallBits | c.proposal[1][i]<<(2*smallBits)
		return
	}
	token := t.topics[at*t.stride : at*t.stride+t.m+1]
	token[0] = T(c.z[i])
	for j := range token[1:] {
		token[1+j] = T(c.proposal[j][i])
	}
}

// load copies the tokens of segments into the columns and returns their number.
func (t *warpTokens[T]) load(c *warpColumns, segments []warpSegment) int {
	n, done := t.loadVector(c, segments)
	if done {
		return n
	}
	for _, seg := range segments {
		for i := range seg.n {
			t.Get(c, n, int(seg.block), int(seg.begin+i))
			n++
		}
	}
	return n
}

// store copies the columns back to the segments that load took them from, with
// the topics before the phase if there is room.
func (t *warpTokens[T]) store(c *warpColumns, segments []warpSegment, n int) {
	if t.storeVector(c, segments) {
		return
	}
	old := t.keepsOld()
	for i := range n {
		t.put(c, i)
		if old {
			at := t.begins[c.block[i]] + int(c.at[i])
			t.topics[(at+1)*t.stride-1] = T(c.own[i])
		}
	}
}

// loadDoc copies the tokens in some places of block b into the columns.
func (t *warpTokens[T]) loadDoc(c *warpColumns, b int, places []uint16) {
	if t.loadDocVector(c, b, places) {
		return
	}
	for i, place := range places {
		t.Get(c, i, b, int(place))
	}
}

// storeDoc copies n columns back to where loadDoc took them from.
func (t *warpTokens[T]) storeDoc(c *warpColumns, b, n int) {
	if t.storeDocVector(c, b, n) {
		return
	}
	for i := range n {
		t.put(c, i)
	}
}

// moved lists those tokens of segments, at most warpChunk, whose topic is not the one
// that their record keeps: the new one in the lowest 16 bits, the old one in the
// highest, anything between. dst has room for warpSlack more than there are tokens.
func (t *warpTokens[T]) moved(dst []uint64, segments []warpSegment) []uint64 {
	n, done := t.movedVector(dst, segments)
	if done {
		return dst[:n]
	}
	for _, seg := range segments {
		begin := (t.begins[seg.block] + int(seg.begin)) * t.stride
		for records := t.topics[begin : begin+int(seg.n)*t.stride]; len(records) > 0; records = records[t.stride:] {
			k, old := records[0], records[t.stride-1]
			dst[n] = uint64(k) | uint64(old)<<48
			if k != old {
				n++
			}
		}
	}
	return dst[:n]
}

// AddMoves gives n the tokens of a word's segments that have moved, where records keep
// the topic before.
func (t *warpTokens[T]) AddMoves(segments []warpSegment, n *sampler.Net) {
	n.Begin(tokensIn(segments))
	for len(segments) > 0 {
		next := firstChunk(segments)
		n.MoveAll(t.moved(n.Moved, segments[:next]))
		segments = segments[next:]
	}
}
