package sampler

import "unsafe"

// warpTokens is the state of all tokens in grid order: topic, then M proposals.
type warpTokens[T warpTopic] struct {
	topics []T
	stride int      // M+1
	begins []int    // first token of each block
	pairs  []uint32 // the same memory as topics where a token is two 16-bit topics, for vector code; else nil
}

func newWarpTokens[T warpTopic](n, m int) warpTokens[T] {
	t := warpTokens[T]{topics: make([]T, n*(m+1)), stride: m + 1}
	if unsafe.Sizeof(T(0)) == 2 && m == 1 && n > 0 {
		words := make([]uint32, n) // aligned for both
		t.topics = unsafe.Slice((*T)(unsafe.Pointer(&words[0])), 2*n)
		t.pairs = words
	}
	return t
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
	token := t.topics[at : at+t.stride]
	c.z[i] = uint32(token[0])
	for j, k := range token[1:] {
		c.proposal[j][i] = uint32(k)
	}
	c.at[i], c.block[i] = uint32(place), uint32(b)
}

// put copies column i back into its token.
func (t *warpTokens[T]) put(c *warpColumns, i int) {
	at := (t.begins[c.block[i]] + int(c.at[i])) * t.stride
	token := t.topics[at : at+t.stride]
	token[0] = T(c.z[i])
	for j := range token[1:] {
		token[1+j] = T(c.proposal[j][i])
	}
}

// load copies the tokens of segments into the columns and returns their number.
func (t *warpTokens[T]) load(c *warpColumns, segments []warpSegment) int {
	n, done := loadPairs(c, segments, t.pairs, t.begins)
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
	if storePairs(c, segments, t.pairs, t.begins) {
		return
	}
	for i := range n {
		t.put(c, i)
	}
}

// loadDoc copies the tokens in some places of block b into the columns.
func (t *warpTokens[T]) loadDoc(c *warpColumns, b int, places []uint16) {
	if loadDocPairs(c, b, places, t.pairs, t.begins) {
		return
	}
	for i, place := range places {
		t.get(c, i, b, int(place))
	}
}

// storeDoc copies n columns back to where loadDoc took them from.
func (t *warpTokens[T]) storeDoc(c *warpColumns, b, n int) {
	if storeDocPairs(c, b, n, t.pairs, t.begins) {
		return
	}
	for i := range n {
		t.put(c, i)
	}
}
