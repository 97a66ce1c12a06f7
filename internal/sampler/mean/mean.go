// Package mean implements uncollapsed sampling: θ and φ are fixed during an iteration.
package mean

import (
	"cmp"
	"context"

	"github.com/topoi-lda/topoi/internal/discrete"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/portable"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
	"github.com/topoi-lda/topoi/internal/sampler/state"
)

// mean fixes θ and φ for a whole sweep, so that every token can be drawn apart
// from all others (Steele and Tristan 2017, §4 to 6):
//
//	p(z = k) ∝ θ_dk · φ_wk
//
// By default θ and φ are the means of their posteriors given z, "mean for mode" (Tristan, Tassarotti and Steele 2015),
//
//	θ_dk ∝ n_dk + α_k     φ_wk = (n_wk + β) / (n_k + Vβ)
//
// with the token's own count in. With Tuning.Uncollapsed they are drawn from those posteriors, which are Dirichlet
// distributions: the uncollapsed Gibbs sampler, whose z has the same stationary distribution as that of gibbs. Costs
// O(K) per token, whatever method of package discrete draws; uncollapsed, V × K gamma variates a sweep come on top.
//
// Prefer it on machines with very many cores: nothing is shared but frozen counts. Uncollapsed it mixes slowly, since
// tokens see each other's moves a sweep late.
//
// F is the precision of weights and their sums.
type mean[F discrete.Float] struct {
	state.Dense
	uncollapsed bool
	inverse     []F            // K: 1/(n_k + Vβ), or 1 if uncollapsed
	phi         []float32      // V × K: gamma variates of shape n_wk + β, each divided by the topic's sum; nil unless uncollapsed
	scratch     []meanLanes[F] // one per worker
}

// meanLanes draws the topics of up to lanes tokens of a document together, as a SIMD machine does.
type meanLanes[F discrete.Float] struct {
	many    discrete.Many[F]
	weights [][]F   // lanes × K
	theta   []F     // K: θ_dk, times inverse
	ndk     []int32 // K: zero between documents
	u       []F     // lanes
	topics  []int   // lanes
}

// Info describes mean.
var Info = sampler.Info{
	Exact:   []sampler.Tuning{{Uncollapsed: true}, {Uncollapsed: true, Draw: "butterfly"}},
	Near:    0.16,
	Name:    "mean",
	Summary: "θ and φ fixed per sweep: mean for mode, or uncollapsed Gibbs sampling",
	Cost:    "O(K)",
	Source:  "Tristan, Tassarotti & Steele 2015; Steele & Tristan 2017",
	MaxK:    1 << 20,
	Tables:  func(p *sampler.Problem) uint64 { return 2 * sampler.DenseTable(p) }, // n_wk and φ
	New:     newMean,
	NewOn:   newMeanOn,
}

func newMean(p *sampler.Problem) (sampler.Sampler, error) {
	if p.Tuning.Precision == "float32" {
		return makeMean[float32](p)
	}
	return makeMean[float64](p)
}

// drawTransposed is the value of Tuning.Draw that differs from "binary" only on a GPU.
const drawTransposed = "transposed"

func makeMean[F discrete.Float](p *sampler.Problem) (*mean[F], error) {
	s := &mean[F]{Dense: state.NewDense(p), uncollapsed: p.Tuning.Uncollapsed, inverse: make([]F, p.K)}
	if s.uncollapsed {
		s.phi = make([]float32, p.V*p.K)
	}
	method := cmp.Or(p.Tuning.Draw, "linear")
	if method == drawTransposed {
		method = "binary"
	}
	for range parallel.Workers(p.Threads, chunks(p)) {
		many, err := discrete.ByName[F](method)
		if err != nil {
			return nil, err
		}
		scratch := meanLanes[F]{
			many: many, theta: make([]F, p.K), ndk: make([]int32, p.K),
			u: make([]F, draw32.Lanes), topics: make([]int, draw32.Lanes),
		}
		for range draw32.Lanes {
			scratch.weights = append(scratch.weights, make([]F, p.K))
		}
		s.scratch = append(s.scratch, scratch)
	}
	return s, nil
}

// chunks returns the number of tasks of a sweep.
func chunks(p *sampler.Problem) int { return (p.D() + state.DocChunk - 1) / state.DocChunk }

// Sweep implements Sampler. If ctx ends between documents, the state is incomplete and must not be used.
func (s *mean[F]) Sweep(ctx context.Context, iteration int, priors *sampler.Priors) error {
	key := rng.NewKey(s.P.Seed)
	s.fixPhi(portable.Gammas{Key: key, Iteration: uint32(iteration), Purpose: sampler.ForPhi}, priors)
	random := sampler.Draws{Key: key, Iteration: uint32(iteration), Purpose: sampler.ForDraw}
	theta := portable.Gammas{Key: key, Iteration: uint32(iteration), Purpose: sampler.ForTheta}
	err := parallel.Do(ctx, s.P.Threads, chunks(s.P), func(worker, chunk int) {
		for d := chunk * state.DocChunk; d < min((chunk+1)*state.DocChunk, s.P.D()); d++ {
			s.fixTheta(&s.scratch[worker], d, theta, priors)
			s.drawDoc(&s.scratch[worker], d, random, priors.Beta)
		}
	})
	if err != nil {
		return err
	}
	s.Recount()
	return nil
}

// fixPhi computes φ: only inverse for the mean, phi if uncollapsed.
func (s *mean[F]) fixPhi(random portable.Gammas, priors *sampler.Priors) {
	if !s.uncollapsed {
		for k, n := range s.Nk {
			s.inverse[k] = F(1 / (float64(n) + float64(float64(s.P.V)*priors.Beta)))
		}
		return
	}
	_ = parallel.Do(context.Background(), s.P.Threads, s.P.V, func(_, w int) {
		for i := w * s.P.K; i < (w+1)*s.P.K; i++ {
			s.phi[i] = float32(random.Draw(uint64(i), float64(s.Nwk[i])+priors.Beta))
		}
	})
	sums := make([]float64, s.P.K)
	for i, x := range s.phi {
		sums[i%s.P.K] += float64(x)
	}
	for k := range s.inverse {
		s.inverse[k] = 1 // the sums can be too small for F to hold their inverses
	}
	_ = parallel.Do(context.Background(), s.P.Threads, s.P.V, func(_, w int) {
		for k, sum := range sums {
			if sum > 0 { // a topic without tokens may have no variate that float32 can tell from 0
				s.phi[w*s.P.K+k] = float32(float64(s.phi[w*s.P.K+k]) / sum)
			}
		}
	})
}

// fixTheta computes θ of document d, times inverse.
func (s *mean[F]) fixTheta(l *meanLanes[F], d int, random portable.Gammas, priors *sampler.Priors) {
	doc := s.Z[s.P.Offsets[d]:s.P.Offsets[d+1]]
	for _, k := range doc {
		l.ndk[k]++
	}
	for k, n := range l.ndk {
		shape := float64(n) + priors.Alpha[k]
		if s.uncollapsed {
			shape = random.Draw(uint64(d)*uint64(s.P.K)+uint64(k), shape)
		}
		l.theta[k] = F(shape) * s.inverse[k]
	}
	for _, k := range doc {
		l.ndk[k] = 0
	}
}

// drawDoc draws the topics of document d, a few tokens at a time.
func (s *mean[F]) drawDoc(l *meanLanes[F], d int, random sampler.Draws, beta float64) {
	for lo := s.P.Offsets[d]; lo < s.P.Offsets[d+1]; lo += draw32.Lanes {
		n := int(min(draw32.Lanes, s.P.Offsets[d+1]-lo))
		for lane := range n {
			i := lo + uint64(lane)
			s.weigh(l.weights[lane], l.theta, int(s.P.Words[i]), F(beta))
			l.u[lane] = uniform[F](random, i)
		}
		l.many.Build(l.weights[:n])
		l.many.Draw(l.topics[:n], l.u[:n])
		for lane, k := range l.topics[:n] {
			s.Z[lo+uint64(lane)] = uint32(k)
		}
	}
}

// uniform returns token i's random number in [0, 1).
func uniform[F discrete.Float](random sampler.Draws, i uint64) F {
	var u F
	switch u := any(&u).(type) {
	case *float32:
		*u = rng.Float32(random.Word(i))
	case *float64:
		*u = rng.Float64(random.Pair(i))
	}
	return u
}

// weigh sets weights_k = θ_k φ_wk.
func (s *mean[F]) weigh(weights, theta []F, w int, beta F) {
	if s.uncollapsed {
		for k, x := range s.phi[w*s.P.K : (w+1)*s.P.K] {
			weights[k] = theta[k] * F(x)
		}
		return
	}
	for k, n := range s.Nwk[w*s.P.K : (w+1)*s.P.K] {
		weights[k] = theta[k] * (F(n) + beta)
	}
}
