package sampler

import (
	"weak"

	"github.com/topoi-lda/topoi/internal/grid"
)

// CorpusKey names numbers that a device keeps of a corpus from one run to the next: see
// device.Keep. Runs with another number of topics or seed have the same keys.
type CorpusKey struct {
	words *uint32                 // the first token of the corpus
	n     int                     // its tokens
	grid  weak.Pointer[grid.Grid] // how it is cut: one of Problem.Grids, which it does not hold
	what  string                  // which numbers
	by    [3]int                  // what else they depend on
}

// Key begins the keys of numbers that depend on the corpus, and on its cut unless that
// is nil.
func (p *Problem) Key(cut *grid.Grid) CorpusKey {
	key := CorpusKey{n: len(p.Words)}
	if cut != nil {
		key.grid = weak.Make(cut)
	}
	if len(p.Words) > 0 {
		key.words = &p.Words[0]
	}
	return key
}

// For makes a key of one that was begun: of which numbers, and up to three others that
// they depend on.
func (k CorpusKey) For(what string, by ...int) CorpusKey {
	k.what = what
	copy(k.by[:], by)
	return k
}
