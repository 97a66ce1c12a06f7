package sampler

import (
	"context"

	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/rng"
)

// gridSampler is the parallel collapsed Gibbs sampler of Yan, Xu and Qi (2009,
// Algorithm 1). Documents and words are cut into P groups each; in epoch l the P
// tiles (m, m ⊕ l) are sampled at once by the conditional of gibbs,
//
//	p(z = k | rest) ∝ (n_dk + α_k) · (n_wk + β) / (n_k^m + Vβ)
//
// No two of them share a document or a word, so n_dk and n_wk are always fresh;
// each tile has its own n_k^m, a copy from the beginning of the epoch kept up to
// date with the tile's own changes, and n_k + Σ_m (n_k^m - n_k) begins the next
// epoch. Costs O(K) per token and O(N_d) per document and tile. P = 1 is gibbs.
//
// Prefer it to gibbs when there are cores to use and counts are to be as fresh
// as parallel work allows; one copy of n_wk serves all threads.
type gridSampler struct {
	denseState
	part    grid.Partition
	tiles   tiles         // tokens by tile
	local   []int32       // P × K: n_k^m of the current epoch
	scratch []gridScratch // one per worker
}

// gridScratch is what one worker needs for itself.
type gridScratch struct {
	ndk []int32   // K: the current document's counts, zero between documents
	cum []float64 // K: running sums of the weights
}

// defaultPartitions is P unless Tuning.Partitions says otherwise.
const defaultPartitions = 16

// partitionTries is the number of orders of documents and words among which the
// best balanced is taken.
const partitionTries = 8

var gridInfo = Info{
	Name:    "grid",
	Summary: "parallel collapsed Gibbs sampling on a P × P grid, diagonal by diagonal",
	Cost:    "O(K)",
	Source:  "Yan, Xu & Qi 2009, §3.1 and §3.3",
	MaxK:    1 << 20,
	Tables:  denseTable,
	New:     newGrid,
}

func newGrid(p *Problem) (Sampler, error) {
	part, _ := grid.Balanced(
		grid.Matrix{Offsets: p.Offsets, Words: p.Words, V: p.V},
		or(p.Tuning.Partitions, defaultPartitions), partitionTries, p.Seed)
	g := &gridSampler{
		denseState: newDenseState(p),
		part:       part,
		tiles:      newTiles(part, p.Offsets, p.Words),
		local:      make([]int32, part.P*p.K),
		scratch:    make([]gridScratch, workers(p.Threads, part.P)),
	}
	for i := range g.scratch {
		g.scratch[i] = gridScratch{ndk: make([]int32, p.K), cum: make([]float64, p.K)}
	}
	return g, nil
}

// Sweep implements Sampler. When ctx ends between tiles the state is left
// half-way and must not be used.
func (g *gridSampler) Sweep(ctx context.Context, iteration int, priors *Priors) error {
	random := draws{key: rng.NewKey(g.p.Seed), iteration: uint32(iteration), purpose: forDraw}
	for epoch := range g.part.P {
		err := parallel(ctx, g.p.Threads, g.part.P, func(worker, m int) {
			nk := g.local[m*g.p.K : (m+1)*g.p.K]
			copy(nk, g.nk)
			g.sampleTile(g.tiles.tile(m, g.part.Group(m, epoch)), nk, g.scratch[worker], random, priors)
		})
		if err != nil {
			return err
		}
		g.merge()
	}
	return nil
}

// merge adds the changes of all tiles of an epoch to n_k.
func (g *gridSampler) merge() {
	for k, before := range g.nk {
		sum := before
		for m := range g.part.P {
			sum += g.local[m*g.p.K+k] - before
		}
		g.nk[k] = sum
	}
}

// sampleTile resamples the tokens of a tile, document by document.
func (g *gridSampler) sampleTile(tile []tileRun, nk []int32, s gridScratch, random draws, priors *Priors) {
	vbeta := float64(g.p.V) * priors.Beta
	for _, run := range tile {
		lo, hi := g.p.Offsets[run.doc], g.p.Offsets[run.doc+1]
		doc, words := g.z[lo:hi], g.p.Words[lo:hi]
		for _, k := range doc {
			s.ndk[k]++
		}
		for _, i := range g.tiles.of(run) {
			u := rng.Float64(random.pair(lo + uint64(i)))
			w := int(words[i])
			row := g.nwk[w*g.p.K : (w+1)*g.p.K]
			doc[i] = uint32(drawDense(row, s.ndk, nk, s.cum, int(doc[i]), u, vbeta, priors))
		}
		for _, k := range doc {
			s.ndk[k] = 0
		}
	}
}
