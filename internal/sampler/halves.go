package sampler

import (
	"context"

	"github.com/topoi-lda/topoi/internal/counts"
)

// Rounds of some samplers have two halves: in the first every token looks at the tokens of its word, in the second at those of its
// document. Where a part has not all tokens of a word, either the word's row comes to the part, or the part's tokens go to
// whoever has all of that word, and come back. Of very many topics a row has about as many entries as the word has tokens in the whole corpus, and
// every part needs it; tokens that travel are the part's own.

// DocHalf is a part of such a sampler. Its methods are for one goroutine at a time.
type DocHalf interface {
	// Propose makes tokens ready for the first half of an iteration, with n_k and priors that hold for both halves.
	Propose(ctx context.Context, iteration int, totals []uint64, priors *Priors) error

	// Tiles says where the tokens of words are: of those numbered bounds[i][0] … bounds[i][1]-1 in Words. After that the part is
	// good for halves alone, because it forgets where single words are.
	Tiles(bounds [][2]int) []Tile

	// AppendTile appends the records of a tile's tokens: what one is made of is known to the sampler alone.
	AppendTile(dst []byte, t Tile) []byte

	// SetTile puts as many records in their place, which have been through the first half. It says whether they can be: all have topics
	// below K.
	SetTile(t Tile, records []byte) (sound bool)

	// RecordBytes is the size of a record.
	RecordBytes() int

	// Settle runs the second half of an iteration, after which tokens are ready for the next unless priors change.
	Settle(ctx context.Context, iteration int) error
}

// Tile is the tokens of some words that follow each other: by block of the part, the places of the first of them and of the first behind.
type Tile [][2]uint32

// Tokens is how many there are.
func (t Tile) Tokens() (n int) {
	for _, run := range t {
		n += int(run[1] - run[0])
	}
	return n
}

// WordHalf is the first half of rounds, for all tokens of some words. Goroutines with different numbers below Problem.Threads
// may work on different words at the same time.
type WordHalf interface {
	// RecordBytes is the size of a record.
	RecordBytes() int

	// SegmentTokens is the most tokens in a segment of WordTokens.
	SegmentTokens() int

	// Sound says whether records have topics below K, without which they must not be given to the methods below.
	Sound(records []byte) bool

	// Freeze takes n_k and the priors for the words that follow.
	Freeze(totals []uint64, priors *Priors)

	// Walk runs the first half of an iteration. records has all of the words' tokens, block after block, and is aligned to 8 bytes.
	Walk(goroutine int, words *WordTokens, records []byte, iteration int)

	// Row appends the row of the word numbered i in words.
	Row(goroutine int, dst []counts.Entry, words *WordTokens, records []byte, i int) []counts.Entry
}

// Halves returns the second half of a part's rounds, or nil if they have none.
func (t *part) Halves() DocHalf {
	half, _ := t.kernel.(DocHalf)
	return half
}

// NewWordHalf returns the first half of rounds of a plan whose parts have Halves.
func (l *Plan) NewWordHalf() WordHalf { return l.info.Cutting.Words(l.P) }
