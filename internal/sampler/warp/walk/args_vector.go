//go:build (amd64 || arm64) && !noasm

package walk

import "unsafe"

// stepArgs are the arguments of the kernel of Step, for n > 0 tokens.
type stepArgs struct {
	z, own, proposal, x *uint32
	n                   int
	cells               *TopicCell
	each                bool
	prior               float32
}

// drawArgs are the arguments of the kernel of Draw, for n > 0 tokens; threshold and other are nil if there is no alias
// table.
type drawArgs struct {
	proposal, x, y, places *uint32
	n                      int
	mix                    Mix
	topics                 uint32
	threshold, other       *uint32
}

// recordArgs are the arguments of the kernels that copy tokens between memory and columns. Records have 32
// bits (a topic and one proposal, or two if topics are few) or 64 bits (a topic and two or three proposals).
type recordArgs struct {
	records      unsafe.Pointer // all tokens, or those of the block
	at, block, z *uint32        // columns
	proposal     [3]*uint32     // columns; old stands in for missing ones
	segments     *Segment
	begins       *int    // first token of each block
	places       *uint16 // of a document's tokens
	n            int     // segments or tokens, above 0
	number       uint32  // of the document's block
	width        uint64  // bits of a topic
}

// movedArgs are the arguments of the kernel that lists tokens that have moved.
type movedArgs struct {
	records  unsafe.Pointer // all tokens
	segments *Segment
	begins   *int // first token of each block
	n        int  // segments, above 0
	taken    int  // segments, set by the kernel
}
