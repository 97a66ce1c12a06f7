package walk

import "github.com/topoi-lda/topoi/internal/sampler"

// Load copies the tokens of segments into the columns and returns their number.
func (t *Tokens[T]) Load(c *Columns, segments []Segment) int {
	n, done := loadVector(t, c, segments)
	if done {
		return n
	}
	for _, seg := range segments {
		for i := range seg.N {
			t.Get(c, n, int(seg.Block), int(seg.Begin+i))
			n++
		}
	}
	return n
}

// Store copies the columns back to the segments from which Load took them, with the topics before the phase
// if records have space for them.
func (t *Tokens[T]) Store(c *Columns, segments []Segment, n int) {
	if storeVector(t, c, segments) {
		return
	}
	old := t.KeepsOld()
	for i := range n {
		t.put(c, i)
		if old {
			at := t.Begins[c.block[i]] + int(c.at[i])
			t.Topics[(at+1)*t.Stride-1] = T(c.Own[i])
		}
	}
}

// LoadDoc copies the tokens in some places of block b into the columns.
func (t *Tokens[T]) LoadDoc(c *Columns, b int, places []uint16) {
	if loadDocVector(t, c, b, places) {
		return
	}
	for i, place := range places {
		t.Get(c, i, b, int(place))
	}
}

// StoreDoc copies n columns back to where LoadDoc took them from.
func (t *Tokens[T]) StoreDoc(c *Columns, b, n int) {
	if storeDocVector(t, c, b, n) {
		return
	}
	for i := range n {
		t.put(c, i)
	}
}

// moved lists the tokens of the first segments whose topic differs from the stored old one: the new topic in
// the lowest 16 bits, the old one in the highest, anything between. It takes at least one segment and at most
// MostTokens tokens, and returns the segments that remain. dst must have space for MostTokens + Slack.
func (t *Tokens[T]) moved(dst []uint64, segments []Segment) (list []uint64, rest []Segment) {
	n, taken, done := movedVector(t, dst, segments)
	if done {
		return dst[:n], segments[taken:]
	}
	taken = FirstChunk(segments)
	for _, seg := range segments[:taken] {
		begin := (t.Begins[seg.Block] + int(seg.Begin)) * t.Stride
		for records := t.Topics[begin : begin+int(seg.N)*t.Stride]; len(records) > 0; records = records[t.Stride:] {
			k, old := records[0], records[t.Stride-1]
			dst[n] = uint64(k) | uint64(old)<<48
			if k != old {
				n++
			}
		}
	}
	return dst[:n], segments[taken:]
}

// AddMoves passes n the tokens of a word's segments that have moved. Records must store the old topic.
func (t *Tokens[T]) AddMoves(segments []Segment, n *sampler.Net) {
	n.Begin(AtLeast(segments, n.Many()))
	for len(segments) > 0 {
		var list []uint64
		list, segments = t.moved(n.Moved, segments)
		n.MoveAll(list)
	}
}
