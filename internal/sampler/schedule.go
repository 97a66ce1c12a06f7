package sampler

import (
	"context"

	"github.com/topoi-lda/topoi/internal/grid"
)

// schedule is the order in which batch draws. Draws of different documents do
// not see each other inside a mini-batch, so tokens may change places as long
// as each document's own stay in order: every such order gives the same topics.
//
// A draw is a long chain of dependent operations, and a processor is busy only
// when it works on several at once. So the tokens of a block are cut into
// chunks of a few words, and a chunk into quads: four tokens of four documents,
// drawn at the same time. Neighbouring quads share no document either, because
// the next quad's loads are to overtake the last one's stores. Tokens that fit
// no full quad, a few in most chunks, come last, one by one.
type schedule struct {
	chunks [][]chunk // by block
	order  []uint16  // N: the tokens of each chunk in turn, relative to its first
}

// chunk is a run of segments whose rows fit a cache together.
type chunk struct {
	firstSeg, lastSeg int // segments firstSeg … lastSeg-1; the first and the last may be cut
	begin, end        int // tokens begin … end-1 in grid order
	quads             int // quads at the beginning of the chunk's order
}

const (
	chunkBytes  = 1 << 16 // most bytes of word rows in a chunk, …
	chunkMin    = 4       // … if that leaves so many words
	chunkMax    = 32      // most words in a chunk
	chunkTokens = 1 << 16 // most tokens in a chunk: their numbers are 16-bit
	quadGap     = 2       // a document has no two tokens in so many consecutive quads
)

// chunkWords returns the most words in a chunk.
func chunkWords(kpad int) int { return max(chunkMin, min(chunkMax, chunkBytes/(4*kpad))) }

// newSchedule orders the draws of a grid, with chunks of at most the given words.
func newSchedule(g *grid.Grid, words, threads int) *schedule {
	s := &schedule{chunks: make([][]chunk, len(g.Blocks)), order: make([]uint16, len(g.Docs))}
	planners := make([]planner, threads)
	// Planning cannot fail: nothing ends its context.
	_ = parallel(context.Background(), threads, len(g.Blocks), func(thread, i int) {
		b := g.Blocks[i]
		s.chunks[i] = planners[thread].planBlock(s.order[b.Begin:b.End], g, b, words)
	})
	return s
}

// cutChunks cuts a block's tokens into chunks.
func cutChunks(g *grid.Grid, b grid.Block, words int) []chunk {
	var chunks []chunk
	c := chunk{firstSeg: b.FirstSeg, lastSeg: b.FirstSeg, begin: b.Begin, end: b.Begin}
	for i := b.FirstSeg; i < b.LastSeg; i++ {
		end := b.Begin + int(g.Segments[i].End)
		for c.end < end {
			if c.lastSeg-c.firstSeg == words || c.end-c.begin == chunkTokens {
				chunks = append(chunks, c)
				c = chunk{firstSeg: i, begin: c.end, end: c.end}
			}
			c.lastSeg = i + 1
			c.end = min(end, c.begin+chunkTokens)
		}
	}
	if c.end > c.begin {
		chunks = append(chunks, c)
	}
	return chunks
}

// appendRows appends to dst, for every token of the chunk, which of the chunk's
// words is its own.
func (c chunk) appendRows(dst []uint16, g *grid.Grid, b grid.Block) []uint16 {
	at := c.begin
	for i, seg := range g.Segments[c.firstSeg:c.lastSeg] {
		for end := min(c.end, b.Begin+int(seg.End)); at < end; at++ {
			dst = append(dst, uint16(i))
		}
	}
	return dst
}

// planner finds quads. It belongs to one goroutine.
type planner struct {
	slots [][4]uint16 // tokens of each quad
	used  []uint8     // how many of the four places are taken
	next  []int       // per document: the first quad that may have its next token
}

// planBlock cuts a block into chunks and plans each of them in its part of order.
func (p *planner) planBlock(order []uint16, g *grid.Grid, b grid.Block, words int) []chunk {
	chunks := cutChunks(g, b, words)
	for i, c := range chunks {
		chunks[i].quads = p.plan(order[c.begin-b.Begin:c.end-b.Begin], g.Docs[c.begin:c.end], b.Docs())
	}
	return chunks
}

// plan writes the tokens of a chunk, given by their documents, into order: each
// into the first quad that has a place and comes late enough after the
// document's last one. It returns the number of quads that have no incomplete
// one before them.
func (p *planner) plan(order, docs []uint16, numDocs int) int {
	p.slots, p.used = p.slots[:0], p.used[:0]
	p.next = append(p.next[:0], make([]int, numDocs)...)
	full := 0
	for i, d := range docs {
		q := max(full, p.next[d])
		for q < len(p.used) && p.used[q] == 4 {
			q++
		}
		for q >= len(p.used) {
			p.slots, p.used = append(p.slots, [4]uint16{}), append(p.used, 0)
		}
		p.slots[q][p.used[q]] = uint16(i)
		p.used[q]++
		p.next[d] = q + quadGap
		for full < len(p.used) && p.used[full] == 4 {
			full++
		}
	}
	at := 0
	for q, n := range p.used {
		at += copy(order[at:], p.slots[q][:n])
	}
	return full
}

// batchLimits says how large blocks are: small enough that the documents' rows
// stay in a second-level cache, as large as that allows because a word's row is
// fetched once per block, but at least about a hundred of them, so that there is
// work for many threads in each of several mini-batches.
func batchLimits(tokens, kpad int) grid.Limits {
	const rowBytes = 3 << 18 // of DNT_dk and n_dk
	return grid.Limits{
		Tokens: max(1<<12, min(1<<18, tokens/128)),
		Docs:   max(16, min(1<<16, rowBytes/(6*kpad))),
	}
}
