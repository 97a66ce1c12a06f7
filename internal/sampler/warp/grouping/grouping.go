// Package grouping deals documents and words into the groups of warp_groups.h: consecutive ones whose tokens one block of threads
// holds; and lists their tokens in runs.
package grouping

import (
	"github.com/topoi-lda/topoi/internal/cuda/kernels/layout"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
)

const (
	Threads = layout.WarpGroupsThreads
	Tokens  = layout.WarpGroupsPer * Threads // the most of a group
	Topics  = layout.WarpGroupsIsPlace       // the most, because a bit tells topics from places
	Members = layout.WarpGroupsMembers       // the most members of a group
)

// Group is Group of warp_groups.h.
type Group = layout.WarpGroupsGroup

// List collects groups.
type List struct {
	Groups []Group
	Shares []uint32 // Shares of warp_groups.h
	Tokens uint32   // in all groups
}

// Begin starts a group.
func (g *List) Begin(block, begin uint32) {
	g.Groups = append(g.Groups, Group{From: g.Tokens, First: uint32(len(g.Shares)), Block: block, Begin: begin})
}

// Last is the last group.
func (g *List) Last() *Group { return &g.Groups[len(g.Groups)-1] }

// Fits says whether the last group has room for a member of n tokens.
func (g *List) Fits(n, members int) bool {
	return len(g.Groups) > 0 && int(g.Last().N)+n <= Tokens && int(g.Last().Members) < members
}

// Add adds a member of n tokens to the last group.
func (g *List) Add(n uint32) {
	last := g.Last()
	g.Shares = append(g.Shares, last.N|n<<16)
	last.N += n
	last.Members++
	g.Tokens += n
}

// DocBytes is the shared memory of warp_doc_groups.cu.
func DocBytes(k, rows int) int {
	return 4*(2*((k+3)&^3)+3*Members+4+rows*((k+7)/8*4)) + 2*Tokens
}

// WordBytes is the shared memory of warp_word_groups.cu.
func WordBytes(k, rows int) int {
	return 4*((k+3)&^3+3*Members+4+Threads/draw32.Lanes+(rows*k+3)&^3) + 2*Tokens
}

// Rows is for how many rows, of most that are wanted, there is shared memory.
func Rows(k, most, shared int, bytes func(k, rows int) int) int {
	rows := 0
	for rows < min(most, Members) && bytes(k, rows+1) <= shared {
		rows++
	}
	return rows
}

// AppendParts cuts tokens begin … end-1 of a row into parts: row, first and last+1 token.
func AppendParts(parts []uint32, row, begin, end uint32, size int) []uint32 {
	for at := begin; at < end; {
		next := at + min(end-at, uint32(size))
		parts = append(parts, row, at, next)
		at = next
	}
	return parts
}
