// Package grouping divides documents and words into the groups of warp_groups.h, consecutive ones whose
// tokens one block of threads holds, and lists their tokens in runs.
package grouping

import (
	"github.com/topoi-lda/topoi/internal/cuda/kernels/layout"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
)

const (
	Threads = layout.WarpGroupsThreads
	Tokens  = layout.WarpGroupsPer * Threads // most tokens in a group
	Topics  = layout.WarpGroupsIsPlace       // largest K, because a bit distinguishes topics from places
	Members = layout.WarpGroupsMembers       // most members of a group
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

// Last returns the last group.
func (g *List) Last() *Group { return &g.Groups[len(g.Groups)-1] }

// Fits reports whether the last group has space for a member of n tokens.
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

// DocBytes returns the shared memory of warp_doc_groups.cu.
func DocBytes(k, rows int) int { return 4*(2*((k+3)&^3)+3*Members+4+rows*((k+7)/8*4)) + 2*Tokens }

// WordBytes returns the shared memory of warp_word_groups.cu.
func WordBytes(k, rows int) int {
	return 4*((k+3)&^3+3*Members+4+Threads/draw32.Lanes+(rows*k+3)&^3) + 2*Tokens
}

// Rows returns the largest number of rows, up to most, that fit the shared memory.
func Rows(k, most, shared int, bytes func(k, rows int) int) int {
	rows := 0
	for rows < min(most, Members) && bytes(k, rows+1) <= shared {
		rows++
	}
	return rows
}

// AppendParts cuts tokens begin … end-1 of a row into parts: row, first token, one after the last.
func AppendParts(parts []uint32, row, begin, end uint32, size int) []uint32 {
	for at := begin; at < end; {
		next := at + min(end-at, uint32(size))
		parts = append(parts, row, at, next)
		at = next
	}
	return parts
}

// Runs lists the tokens of words as kernels of packed warp read them: in runs of 32, each with the
// segments that begin in it. It is Runs of warp_packed.h.
type Runs struct {
	Wide bool // members are stored in separate bytes, because spots need all 32 bits

	begins, before []uint32 // runs
	segments       []uint32
	memberOf       []uint8 // segments, if wide
	tokens         int     // in all runs, with gaps
}

// RunTokens is the number of tokens in a run.
const RunTokens = 32

// Add adds n tokens of a group's member from a spot on.
func (r *Runs) Add(spot, member, n uint32) {
	for n > 0 {
		lane := uint32(r.tokens % RunTokens)
		if lane == 0 {
			r.begins = append(r.begins, 0)
			r.before = append(r.before, uint32(len(r.segments)))
		}
		r.begins[len(r.begins)-1] |= 1 << lane
		if r.Wide {
			r.segments, r.memberOf = append(r.segments, spot), append(r.memberOf, uint8(member))
		} else {
			r.segments = append(r.segments, spot|member<<27)
		}
		took := min(n, RunTokens-lane)
		r.tokens += int(took)
		spot, n = spot+took, n-took
	}
}

// End lets the next token begin a new run.
func (r *Runs) End() { r.tokens = RunRoom(r.tokens) }

// RunRoom returns the number of places in the runs for n tokens.
func RunRoom(n int) int { return (n + RunTokens - 1) &^ (RunTokens - 1) }

// Join appends the runs of more.
func (r *Runs) Join(more *Runs) {
	for _, n := range more.before {
		r.before = append(r.before, n+uint32(len(r.segments)))
	}
	r.begins = append(r.begins, more.begins...)
	r.segments = append(r.segments, more.segments...)
	r.memberOf = append(r.memberOf, more.memberOf...)
	r.tokens += more.tokens
}

// Lists returns the lists in the form of a load.
func (r *Runs) Lists() [][]uint32 {
	members := make([]uint32, (len(r.memberOf)+3)/4)
	for i, m := range r.memberOf {
		members[i/4] |= uint32(m) << (8 * (i % 4))
	}
	return [][]uint32{r.begins, r.before, r.segments, members}
}
