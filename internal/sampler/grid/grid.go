// Package grid implements parallel Gibbs sampling on a grid of tiles, on the CPU and on a GPU.
package grid

import (
	"cmp"
	"context"

	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
	"github.com/topoi-lda/topoi/internal/sampler/state"
)

// gridSampler is the parallel collapsed Gibbs sampler of Yan, Xu and Qi (2009, Algorithm 1). Documents and words are
// cut into P groups each; in epoch l the P tiles (m, m ⊕ l) are sampled at once by the conditional of gibbs,
//
//	p(z = k | rest) ∝ (n_dk + α_k) / (n_k^m + Vβ) · (n_wk + β)
//
// No two of them share a document or a word, so n_dk and n_wk are always fresh; each tile has its own n_k^m, a copy
// from the beginning of the epoch kept up to date with the tile's own changes, and n_k + Σ_m (n_k^m - n_k) begins the
// next epoch. The first factor is kept for the current document and mended for the topics that a token leaves and
// enters; draws are the canonical ones, in float32. Costs O(K) per token and O(N_d + K) per document and tile. P = 1
// samples as gibbs does.
//
// Prefer it to gibbs when there are cores to use and counts are to be as fresh
// as parallel work allows; one copy of n_wk serves all threads.
type gridSampler struct {
	state.Dense
	part    grid.Partition
	tiles   grid.Tiles    // tokens by tile
	local   []int32       // P × K: n_k^m of the current epoch
	alpha   []float32     // kpad: α_k, 0 beyond K
	inverse []float32     // kpad: 1/(n_k + Vβ) before the epoch, 0 beyond K
	scratch []gridScratch // one per worker
}

// gridScratch is the scratch memory of one worker.
type gridScratch struct {
	nk      []int32   // K: n_k^m of the current tile, a part of local
	inverse []float32 // kpad: 1/(n_k^m + Vβ)
	ndk     []int32   // K: the current document's counts, zero between documents
	dnt     []float32 // kpad: (n_dk + α_k)/(n_k^m + Vβ), 0 beyond K
	word    int       // the word of row; -1 before the first
	row     []float32 // kpad: n_wk + β of that word
	cum     []float32 // kpad: of the draw
}

// Info describes grid.
var Info = sampler.Info{
	Exact:   []sampler.Tuning{{Partitions: 1}},
	Near:    0.08,
	Name:    "grid",
	Summary: "parallel collapsed Gibbs sampling on a P × P grid, diagonal by diagonal",
	Cost:    "O(K)",
	Source:  "Yan, Xu & Qi 2009, §3.1 and §3.3",
	MaxK:    1 << 20,
	Tables:  sampler.DenseTable,
	New:     newGrid,
	NewOn:   newGridOn,
	Busy:    func(p *sampler.Problem) bool { return cmp.Or(p.Tuning.Partitions, grid.DefaultGroups) >= 128 }, // warps at work
}

func newGrid(p *sampler.Problem) (sampler.Sampler, error) { return makeGrid(p), nil }

func makeGrid(p *sampler.Problem) *gridSampler {
	part, _ := grid.Balanced(
		grid.Matrix{Offsets: p.Offsets, Words: p.Words, V: p.V},
		cmp.Or(p.Tuning.Partitions, grid.DefaultGroups), grid.Tries, p.Seed)
	kpad := draw32.PaddedTopics(p.K)
	g := &gridSampler{
		Dense:   state.NewDense(p),
		part:    part,
		tiles:   grid.NewTiles(part, p.Offsets, p.Words),
		local:   make([]int32, part.P*p.K),
		alpha:   make([]float32, kpad),
		inverse: make([]float32, kpad),
		scratch: make([]gridScratch, parallel.Workers(p.Threads, part.P)),
	}
	for i := range g.scratch {
		g.scratch[i] = gridScratch{
			inverse: make([]float32, kpad), ndk: make([]int32, p.K),
			dnt: make([]float32, kpad), row: make([]float32, kpad), cum: make([]float32, kpad),
		}
	}
	return g
}

// Sweep implements Sampler. If ctx ends between tiles, the state is incomplete and must not be used.
func (g *gridSampler) Sweep(ctx context.Context, iteration int, priors *sampler.Priors) error {
	random := sampler.Draws{Key: rng.NewKey(g.P.Seed), Iteration: uint32(iteration), Purpose: sampler.ForDraw}
	for k, a := range priors.Alpha {
		g.alpha[k] = float32(a)
	}
	beta, vbeta := float32(priors.Beta), float32(float64(g.P.V)*priors.Beta)
	for epoch := range g.part.P {
		for k, n := range g.Nk {
			g.inverse[k] = 1 / (float32(n) + vbeta)
		}
		err := parallel.Do(ctx, g.P.Threads, g.part.P, func(worker, m int) {
			s := &g.scratch[worker]
			s.nk = g.local[m*g.P.K : (m+1)*g.P.K]
			s.word = -1
			copy(s.nk, g.Nk)
			copy(s.inverse, g.inverse)
			g.sampleTile(g.tiles.Tile(m, g.part.Group(m, epoch)), s, random, beta, vbeta)
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
	for k, before := range g.Nk {
		sum := before
		for m := range g.part.P {
			sum += g.local[m*g.P.K+k] - before
		}
		g.Nk[k] = sum
	}
}

// sampleTile resamples the tokens of a tile, document by document.
func (g *gridSampler) sampleTile(tile []grid.TileDoc, s *gridScratch, random sampler.Draws, beta, vbeta float32) {
	for _, part := range tile {
		lo, hi := g.P.Offsets[part.Doc], g.P.Offsets[part.Doc+1]
		doc, words := g.Z[lo:hi], g.P.Words[lo:hi]
		for _, k := range doc {
			s.ndk[k]++
		}
		for k, n := range s.ndk {
			s.dnt[k] = (float32(n) + g.alpha[k]) * s.inverse[k]
		}
		for _, i := range g.tiles.Of(part) {
			old, w := doc[i], int(words[i])
			row := g.Nwk[w*g.P.K : (w+1)*g.P.K]
			s.fetch(w, row, beta)
			g.Move(s, row, old, -1, beta, vbeta)
			doc[i] = draw32.Draw(s.dnt, s.row, s.cum, g.P.K, old, 0, rng.Float32(random.Word(lo+uint64(i))))
			g.Move(s, row, doc[i], 1, beta, vbeta)
		}
		clear(s.ndk)
	}
}

// fetch sets row to n_wk + β of word w, unless it holds that already.
func (s *gridScratch) fetch(w int, row []int32, beta float32) {
	if s.word == w {
		return
	}
	s.word = w
	whole := len(row) &^ 15 // as floatRow wants it
	if whole > 0 {
		draw32.FloatRow(s.row[:whole], row[:whole], beta)
	}
	draw32.FloatRowGo(s.row[whole:], row[whole:], beta)
}

// Move adds delta (+1 or -1) tokens to topic k of all counts.
func (g *gridSampler) Move(s *gridScratch, row []int32, k uint32, delta int32, beta, vbeta float32) {
	row[k] += delta
	s.row[k] = float32(row[k]) + beta
	s.ndk[k] += delta
	s.nk[k] += delta
	s.inverse[k] = 1 / (float32(s.nk[k]) + vbeta)
	s.dnt[k] = (float32(s.ndk[k]) + g.alpha[k]) * s.inverse[k]
}
