package sampler

import (
	"fmt"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/grid"
)

// Files says how a sampler works from files, where memory is short. The zero value: it cannot.
type Files struct {
	Parts  bool    // parts of the corpus pass through memory, one after the other
	Stream *Stream // slices of words, and then blocks of documents, pass through memory; nil: they cannot
}

// None reports whether the sampler cannot work from files.
func (f Files) None() bool { return !f.Parts && f.Stream == nil }

// Stream is a sampler whose tokens can be kept elsewhere between its two phases.
type Stream struct {
	RecordBytes   func(p *Problem) int    // size of a token
	SegmentTokens int                     // the most tokens in a segment of WordTokens
	Phases        func(p *Problem) Phases // of a problem whose words are not looked at

	// Sort sorts the tokens of a span, whose words are given, block by block, and returns the
	// places of its tokens as in TokenBlock, those of all blocks.
	Sort func(l *Plan, s Span, words []uint32) (g *grid.Grid, places []uint16)
}

// Phases are the two phases of such a sampler: slices of the vocabulary are brought to it for the
// word phase, blocks for the doc phase. It never needs more than those at hand, and no n_wk at all.
// Goroutines with different numbers below Problem.Threads may work on different slices or blocks
// at the same time.
type Phases interface {
	// RecordBytes returns the size of a token.
	RecordBytes() int

	// Freeze takes n_k, without pseudo-counts, and the priors for the phases that follow.
	Freeze(nk []uint64, priors *Priors)

	// Start sets the topics of a block: to z in corpus order, or to those with
	// which the sampler starts when z is nil.
	Start(goroutine int, b *TokenBlock, z []uint32)

	// Propose draws a block's doc-proposals anew, as the doc phase of an iteration
	// would have drawn them under the priors of Freeze.
	Propose(goroutine int, b *TokenBlock, iteration int)

	// WordPhase runs the word phase of an iteration for words that have doc-proposals.
	WordPhase(goroutine int, words *WordTokens, iteration int)

	// DocPhase runs the doc phase of an iteration for a block whose words have all
	// been through the word phase. Proposals are drawn for the iteration after.
	DocPhase(goroutine int, b *TokenBlock, iteration int)

	// Count counts the topics of a block for Totals. It is an error, and nothing is
	// counted, if one is not below K.
	Count(goroutine int, b *TokenBlock) error

	// Totals returns n_k, without pseudo-counts, of all blocks for which Start, Propose, DocPhase or Count
	// was called since the last call.
	Totals() []uint64

	// Topics copies the topics of a block into z, in corpus order.
	Topics(goroutine int, b *TokenBlock, z []uint32)

	// Row appends the row of word number i of words.
	Row(goroutine int, dst []counts.Entry, words *WordTokens, i int) []counts.Entry

	// CountDocs adds the documents of a block to the histograms.
	CountDocs(goroutine int, b *TokenBlock)

	// Histograms returns DocLengths and Topic of all blocks that were counted, and
	// begins anew.
	Histograms() *counts.Histograms
}

// TokenBlock is a block of the grid with its tokens.
type TokenBlock struct {
	Number  int      // in the grid
	Begin   int      // number of its first token in the corpus
	Offsets []uint64 // of its documents, from 0
	Places  []uint16 // of its tokens in corpus order; of no meaning in a block longer than BlockPlaces
	Records []byte   // its tokens in grid order, aligned to 8 bytes
}

// WordTokens is all tokens of some words that follow each other in the vocabulary.
type WordTokens struct {
	First     []int    // words+1: word number i has segments First[i] … First[i+1]-1
	Segments  []uint32 // three numbers for each: block, first place in it, tokens, at most Stream.SegmentTokens
	FirstWord int      // the first of the words in the vocabulary
	Begins    []int    // by block: where its token in place 0 would be among the records, if it was there
	Records   []byte   // the tokens, aligned to 8 bytes
}

// BlockPlaces is the most tokens of a block that has places. A longer one is one document, whose tokens
// follow each other.
const BlockPlaces = 1 << 16

// CheckPlaces checks that every token of the block has a place of its own in it.
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
