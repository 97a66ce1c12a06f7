package sampler

import (
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/grid"
)

// One partition is sequential Gibbs sampling, draw by draw.
func TestGridOfOneIsGibbs(t *testing.T) {
	p := randomProblem(1, 40, 30, 7, 25)
	p.Tuning.Partitions = 1
	priors := priorsFor(p.K)
	a, b := start(t, "gibbs", p, nil, priors), start(t, "grid", p, nil, priors)
	sweep(t, a, 1, 5, priors)
	sweep(t, b, 1, 5, priors)
	if !slices.Equal(topicsOf(a, p), topicsOf(b, p)) {
		t.Error("grid with P = 1 differs from gibbs")
	}
}

// Tiles hold every token once, in the tile of its document and word, with the
// documents of a tile in increasing order.
func TestTilesHoldEveryTokenOnce(t *testing.T) {
	p := randomProblem(5, 50, 20, 3, 12)
	part, _ := grid.Balanced(grid.Matrix{Offsets: p.Offsets, Words: p.Words, V: p.V}, 4, 3, 1)
	ts := newTiles(part, p.Offsets, p.Words)
	seen := make([]bool, p.N())
	for m := range 4 {
		for n := range 4 {
			previous := -1
			for _, run := range ts.tile(m, n) {
				if int(run.doc) <= previous || len(ts.of(run)) == 0 {
					t.Fatalf("run of document %d after %d, %d items", run.doc, previous, len(ts.of(run)))
				}
				previous = int(run.doc)
				for _, i := range ts.of(run) {
					at := p.Offsets[run.doc] + uint64(i)
					if seen[at] || int(part.Docs[run.doc]) != m || int(part.Words[p.Words[at]]) != n {
						t.Fatalf("token %d is in tile (%d, %d)", at, m, n)
					}
					seen[at] = true
				}
			}
		}
	}
	if slices.Contains(seen, false) {
		t.Error("a token is in no tile")
	}
}
