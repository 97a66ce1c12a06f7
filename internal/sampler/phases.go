package sampler

import (
	"fmt"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/grid"
)

// Files describes how a sampler works from files when memory is short. The zero value means that it cannot.
type Files struct {
	Parts  bool    // parts of the corpus pass through memory, one after the other
	Stream *Stream // slices of words, and then blocks of documents, pass through memory; nil if they cannot
	Groups bool    // only runs with Problem.Groups work from files; the state of a part is its topics in corpus order
}

// None reports whether the sampler cannot work from files.
func (f Files) None(p *Problem) bool {
	return !f.Parts && f.Stream == nil || f.Groups && p.Groups == nil
}

// Stream describes a sampler whose tokens can be stored elsewhere between its two phases.
type Stream struct {
	RecordBytes   func(p *Problem) int    // size of a token
	SegmentTokens int                     // the most tokens in a segment of WordTokens
	Phases        func(p *Problem) Phases // does not read the problem's words

	// Sort sorts the tokens of a span block by block; words are those of its tokens. It returns the
	// TokenBlock.Places of all blocks, one block after the other.
	Sort func(l *Plan, s Span, words []uint32) (g *grid.Grid, places []uint16)
}

// Phases are the two phases of such a sampler: the word phase takes slices of the vocabulary, the
// doc phase takes blocks. It needs only the slice or block at hand, and no n_wk. Goroutines with
// different numbers below Problem.Threads may work on different slices or blocks at the same time.
type Phases interface {
	// RecordBytes returns the size of a token.
	RecordBytes() int

	// Freeze sets n_k, without pseudo-counts, and the priors for the phases that follow.
	Freeze(nk []uint64, priors *Priors)

	// Start sets the topics of a block to z, in corpus order. If z is nil it sets the topics with
	// which the sampler begins.
	Start(goroutine int, b *TokenBlock, z []uint32)

	// Propose draws a block's doc-proposals again: those that the doc phase of an iteration draws
	// under the priors of Freeze.
	Propose(goroutine int, b *TokenBlock, iteration int)

	// WordPhase runs the word phase of an iteration for words that have doc-proposals.
	WordPhase(goroutine int, words *WordTokens, iteration int)

	// DocPhase runs the doc phase of an iteration for a block whose words have all been through the
	// word phase. It draws the proposals for the next iteration.
	DocPhase(goroutine int, b *TokenBlock, iteration int)

	// Count counts the topics of a block for Totals. If one is not below K it returns an error and counts nothing.
	Count(goroutine int, b *TokenBlock) error

	// Totals returns n_k, without pseudo-counts, of all blocks for which Start, Propose, DocPhase
	// or Count was called since the last call of Totals.
	Totals() []uint64

	// Topics copies the topics of a block into z, in corpus order.
	Topics(goroutine int, b *TokenBlock, z []uint32)

	// Row appends the row of word number i of words.
	Row(goroutine int, dst []counts.Entry, words *WordTokens, i int) []counts.Entry

	// CountDocs adds the documents of a block to the histograms.
	CountDocs(goroutine int, b *TokenBlock)

	// Histograms returns DocLengths and Topic of all blocks that were counted, and resets them.
	Histograms() *counts.Histograms
}

// TokenBlock is a block of the grid with its tokens.
type TokenBlock struct {
	Number  int      // in the grid
	Begin   int      // number of its first token in the corpus
	Offsets []uint64 // of its documents, from 0
	Places  []uint16 // where each token, in corpus order, is in Records; not used in a block longer than BlockPlaces
	Records []byte   // its tokens in grid order, aligned to 8 bytes
}

// WordTokens holds all tokens of some consecutive words of the vocabulary.
type WordTokens struct {
	First     []int    // words+1: word number i has segments First[i] … First[i+1]-1
	Segments  []uint32 // three numbers each: block, first place in it, number of tokens, at most Stream.SegmentTokens
	FirstWord int      // vocabulary number of the first word
	Begins    []int    // by block: index in the records that its token in place 0 has or would have
	Records   []byte   // the tokens, aligned to 8 bytes
}

// BlockPlaces is the largest number of tokens of a block that has places. A longer block is one
// document, whose tokens are already sorted.
const BlockPlaces = 1 << 16

// CheckPlaces returns an error unless every token of the block has a place of its own.
func (b *TokenBlock) CheckPlaces() error {
	n := int(b.Offsets[len(b.Offsets)-1])
	if n > BlockPlaces {
		return nil
	}
	taken := make([]bool, n)
	for i, place := range b.Places {
		if int(place) >= n || taken[place] {
			return fmt.Errorf("place %d of token %d is beyond the block, or another token's", place, i)
		}
		taken[place] = true
	}
	return nil
}
