package sampler

import "unsafe"

// warpTokens is the state of all tokens in grid order: topic, then M proposals.
// Up to three 16-bit proposals make records of 32 or 64 bits, which vector code
// can gather and scatter.
type warpTokens[T warpTopic] struct {
	topics []T   // N × stride
	stride int   // topics in a record, M+1 or more
	m      int   // M
	begins []int // first token of each block
}

// warpStride is the number of topics in a record of the CPU's.
func warpStride[T warpTopic](m int) int {
	if m == 2 && unsafe.Sizeof(T(0)) == 2 {
		return 4
	}
	return m + 1
}

func newWarpTokens[T warpTopic](n, m, stride int) warpTokens[T] {
	return warpTokens[T]{topics: make([]T, n*stride), stride: stride, m: m}
}

// topic returns the topic of the token in a place of block b.
func (t *warpTokens[T]) topic(b, place int) uint32 {
	return uint32(t.topics[(t.begins[b]+place)*t.stride])
}

// set starts a token with a topic.
func (t *warpTokens[T]) set(b, place int, k uint32) {
	t.topics[(t.begins[b]+place)*t.stride] = T(k)
}

// get copies a token into column i.
func (t *warpTokens[T]) get(c *warpColumns, i, b, place int) {
	at := (t.begins[b] + place) * t.stride
	token := t.topics[at : at+t.m+1]
	c.z[i] = uint32(token[0])
	for j, k := range token[1:] {
		c.proposal[j][i] = uint32(k)
	}
	c.at[i], c.block[i] = uint32(place), uint32(b)
}

// put copies column i back into its token.
func (t *warpTokens[T]) put(c *warpColumns, i int) {
	at := (t.begins[c.block[i]] + int(c.at[i])) * t.stride
	token := t.topics[at : at+t.m+1]
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
			t.get(c, n, int(seg.block), int(seg.begin+i))
			n++
		}
	}
	return n
}

// store copies the columns back to the segments that load took them from.
func (t *warpTokens[T]) store(c *warpColumns, segments []warpSegment, n int) {
	if t.storeVector(c, segments) {
		return
	}
	for i := range n {
		t.put(c, i)
	}
}

// loadDoc copies the tokens in some places of block b into the columns.
func (t *warpTokens[T]) loadDoc(c *warpColumns, b int, places []uint16) {
	if t.loadDocVector(c, b, places) {
		return
	}
	for i, place := range places {
		t.get(c, i, b, int(place))
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
