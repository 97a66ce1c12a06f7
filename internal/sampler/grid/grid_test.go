package grid

import (
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// One partition is sequential Gibbs sampling with canonical draws: here with all
// counts and weights computed anew for every token.
func TestGridOfOneIsGibbs(t *testing.T) {
	p := samplertest.RandomProblem(1, 40, 30, 45, 25)
	p.Tuning.Partitions = 1
	priors := samplertest.PriorsFor(p.K)
	s := samplertest.Start(t, "grid", p, nil, priors)
	z := samplertest.TopicsOf(s, p)
	for i := 1; i <= 3; i++ {
		samplertest.Sweep(t, s, i, i, priors)
		gibbsFromScratch(p, z, i, priors)
		if !slices.Equal(samplertest.TopicsOf(s, p), z) {
			t.Fatalf("sweep %d of grid with P = 1 differs from sequential sampling", i)
		}
	}
}

// gibbsFromScratch resamples every token of z, document by document.
func gibbsFromScratch(p *sampler.Problem, z []uint32, iteration int, priors *sampler.Priors) {
	kpad := draw32.PaddedTopics(p.K)
	d, w, cum := make([]float32, kpad), make([]float32, kpad), make([]float32, kpad)
	random := sampler.Draws{Key: rng.NewKey(p.Seed), Iteration: uint32(iteration), Purpose: sampler.ForDraw}
	for doc := range p.D() {
		for i := p.Offsets[doc]; i < p.Offsets[doc+1]; i++ {
			c := samplertest.RecountOf(p, z)
			c.Ndk[doc][z[i]]--
			c.Nwk[p.Words[i]][z[i]]--
			c.Nk[z[i]]--
			for k := range p.K {
				inverse := 1 / (float32(c.Nk[k]) + float32(float64(p.V)*priors.Beta))
				d[k] = (float32(c.Ndk[doc][k]) + float32(priors.Alpha[k])) * inverse
				w[k] = float32(c.Nwk[p.Words[i]][k]) + float32(priors.Beta)
			}
			z[i] = draw32.Draw(d, w, cum, p.K, z[i], 0, rng.Float32(random.Word(i)))
		}
	}
}

// Tiles hold every token once, in the tile of its document and word, with the
// documents of a tile in increasing order.
func TestTilesHoldEveryTokenOnce(t *testing.T) {
	p := samplertest.RandomProblem(5, 50, 20, 3, 12)
	part, _ := grid.Balanced(grid.Matrix{Offsets: p.Offsets, Words: p.Words, V: p.V}, 4, 3, 1)
	ts := grid.NewTiles(part, p.Offsets, p.Words)
	seen := make([]bool, p.N())
	for m := range 4 {
		for n := range 4 {
			previous := -1
			for _, run := range ts.Tile(m, n) {
				if int(run.Doc) <= previous || len(ts.Of(run)) == 0 {
					t.Fatalf("run of document %d after %d, %d items", run.Doc, previous, len(ts.Of(run)))
				}
				previous = int(run.Doc)
				for _, i := range ts.Of(run) {
					at := p.Offsets[run.Doc] + uint64(i)
					if seen[at] || int(part.Docs[run.Doc]) != m || int(part.Words[p.Words[at]]) != n {
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
