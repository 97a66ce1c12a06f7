package cvb

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/state"
)

// cvb is collapsed variational Bayes (Teh, Newman and Welling 2007) on the schedule of grid (Yan, Xu and Qi 2009,
// §3.2). The posterior is approximated by independent topics: token i of document d has topic k with probability γ_ik.
// An update of a token computes, with n_dk, n_wk, n_k sums of independent indicators that exclude the token itself,
//
//	γ_k ∝ (α_k + E n_dk) (β + E n_wk) / (Vβ + E n_k)
//	      · exp( - Var n_dk / 2(α_k + E n_dk)² - Var n_wk / 2(β + E n_wk)² + Var n_k / 2(Vβ + E n_k)² )
//
// The zero-order form (Asuncion et al. 2009) leaves the exponential out; with full steps zeroCVB is used
// instead. Equal words of a document share one γ. After an epoch the new γ are combined with the old ones in
// natural parameters with step size μ,
//
//	log γ_k = (1 - μ) log γ_k^old + μ log γ_k^new + constant
//
// and E n_k, Var n_k are summed over the tiles. μ = 1 is the default and the paper's choice. The cost is O(K) per
// distinct word of a document, with an exponential for each topic unless zero-order, and K float32 of memory for each.
//
// The rest of the program uses whole counts. Topics draws a topic for each token from its γ with a random
// number that belongs to the token alone. So the topics are a function of γ, and their counts have the
// expectations E n_wk. ExpectedRow and ExpectedDoc return the expectations themselves.
//
// Prefer it for its lower bound; zeroCVB finds better topics in less time.
type cvb struct {
	state.Dense // z drawn from γ, and its counts
	pairs       pairs
	part        grid.Partition
	tiles       grid.Tiles // pairs by tile

	gamma  []float32 // pairs × K
	docs   moments   // D × K: n_dk
	words  moments   // V × K: n_wk
	topics moments   // K: n_k
	local  []moments // P, K each: n_k of the current epoch, one per tile
	old    [][]float32
	next   [][]float64 // one per worker, K: the γ being computed

	second bool    // with the variance terms
	step   float64 // μ
}

// pairs lists the distinct words of every document.
type pairs struct {
	offsets []uint64 // D+1: document d has the pairs offsets[d] … offsets[d+1]-1
	words   []uint32 // word of each pair
	counts  []uint32 // number of its tokens, which are adjacent
}

func newPairs(p *sampler.Problem) pairs {
	list := pairs{offsets: make([]uint64, 1, p.D()+1)}
	for d := range p.D() {
		doc := p.Words[p.Offsets[d]:p.Offsets[d+1]]
		for i, w := range doc {
			if i > 0 && doc[i-1] == w {
				list.counts[len(list.counts)-1]++
				continue
			}
			list.words = append(list.words, w)
			list.counts = append(list.counts, 1)
		}
		list.offsets = append(list.offsets, uint64(len(list.words)))
	}
	return list
}

// cvbTables returns the bytes of γ, for at most N pairs, and of the moments of n_dk and n_wk.
func cvbTables(p *sampler.Problem) uint64 {
	return (4*uint64(p.N()) + 16*uint64(p.D()+p.V)) * uint64(p.K)
}

func newCVB(p *sampler.Problem) (sampler.Sampler, error) {
	part, _ := grid.Balanced(
		grid.Matrix{Offsets: p.Offsets, Words: p.Words, V: p.V, Distinct: true},
		cmp.Or(p.Tuning.Partitions, grid.DefaultGroups), grid.Tries, p.Seed)
	list := newPairs(p)
	c := &cvb{
		Dense:  state.NewDense(p),
		pairs:  list,
		part:   part,
		tiles:  grid.NewTiles(part, list.offsets, list.words),
		gamma:  make([]float32, len(list.words)*p.K),
		old:    make([][]float32, part.P),
		second: cmp.Or(p.Tuning.CVB, "second") == "second",
		step:   cmp.Or(p.Tuning.Step, 1),
	}
	c.docs = newMoments(p.D()*p.K, c.second)
	c.words = newMoments(p.V*p.K, c.second)
	c.topics = newMoments(p.K, c.second)
	for range part.P {
		c.local = append(c.local, newMoments(p.K, c.second))
	}
	for range parallel.Workers(p.Threads, part.P) {
		c.next = append(c.next, make([]float64, p.K))
	}
	return c, nil
}

// Start implements Sampler. A pair that occurs c times, c_k times with topic k, begins with γ_k = (c_k + 1/K)
// / (c + 1). So no γ is 0, which the natural parameters would never change.
func (c *cvb) Start(z []uint32, priors *sampler.Priors) error {
	if err := c.Dense.Start(z, priors); err != nil {
		return err
	}
	token := 0
	for pair, n := range c.pairs.counts {
		row := c.gamma[pair*c.P.K : (pair+1)*c.P.K]
		share := 1 / float32(n+1)
		for k := range row {
			row[k] = share / float32(c.P.K)
		}
		for range n {
			row[c.Z[token]] += share
			token++
		}
	}
	c.sumMoments()
	return nil
}

// Sweep implements Sampler. If ctx ends between tiles, the state is incomplete and must not be used.
func (c *cvb) Sweep(ctx context.Context, _ int, priors *sampler.Priors) error {
	for epoch := range c.part.P {
		err := parallel.Do(ctx, c.P.Threads, c.part.P, func(worker, m int) {
			c.local[m].Set(c.topics)
			n := c.part.Group(m, epoch)
			c.keepOld(m, n)
			c.updateTile(m, n, c.next[worker], priors)
			c.combineTile(m, n, c.next[worker])
		})
		if err != nil {
			return err
		}
		c.topics.merge(c.local)
	}
	// Running sums collect rounding errors. Fresh sums for every sweep also make the state a function of γ alone.
	c.sumMoments()
	c.drawTopics()
	return nil
}

// drawTopics draws z from γ.
func (c *cvb) drawTopics() {
	random := sampler.Draws{Key: rng.NewKey(c.P.Seed), Purpose: sampler.ForRounding}
	token := uint64(0)
	for pair, n := range c.pairs.counts {
		row := c.gamma[pair*c.P.K : (pair+1)*c.P.K]
		for range n {
			c.Z[token] = inverseOf(row, rng.Float64(random.Pair(token)))
			token++
		}
	}
	c.Recount()
}

// inverseOf returns the smallest k with Σ_{i ≤ k} row_i > u, for probabilities in row.
func inverseOf(row []float32, u float64) uint32 {
	for k, x := range row {
		if u -= float64(x); u < 0 {
			return uint32(k)
		}
	}
	// Probabilities in float32 may sum to a little less than 1.
	best := 0
	for k, x := range row {
		if x > row[best] {
			best = k
		}
	}
	return uint32(best)
}

func (c *cvb) ExpectedRow(dst []float64, w int) { copy(dst, c.words.mean[w*c.P.K:(w+1)*c.P.K]) }

func (c *cvb) ExpectedDoc(dst []float64, d int) { copy(dst, c.docs.mean[d*c.P.K:(d+1)*c.P.K]) }

// SaveExtra implements sampler.Capabilities.SaveExtra. It returns all γ as little-endian float32.
func (c *cvb) SaveExtra() []byte {
	extra := make([]byte, 0, 4*len(c.gamma))
	for _, x := range c.gamma {
		extra = binary.LittleEndian.AppendUint32(extra, math.Float32bits(x))
	}
	return extra
}

func (c *cvb) LoadExtra(extra []byte) error {
	if len(extra) != 4*len(c.gamma) {
		return fmt.Errorf("cvb: %d bytes of variational parameters, need %d: saved from another corpus or number of topics", len(extra), 4*len(c.gamma))
	}
	for i := range c.gamma {
		x := math.Float32frombits(binary.LittleEndian.Uint32(extra[4*i:]))
		if !(x >= 0 && x <= 1+1e-6) {
			return fmt.Errorf("cvb: variational parameter %d is %v, not a probability", i, x)
		}
		c.gamma[i] = x
	}
	c.sumMoments()
	return nil
}
