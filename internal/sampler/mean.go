package sampler

import (
	"cmp"
	"context"

	"github.com/topoi-lda/topoi/discrete"
	"github.com/topoi-lda/topoi/internal/rng"
)

// mean fixes θ and φ for a whole sweep, so that every token can be drawn apart
// from all others (Steele and Tristan 2017, §4 to 6):
//
//	p(z = k) ∝ θ_dk · φ_wk
//
// By default θ and φ are the means of their posteriors given z, "mean for mode"
// (Tristan, Tassarotti and Steele 2015),
//
//	θ_dk ∝ n_dk + α_k     φ_wk = (n_wk + β) / (n_k + Vβ)
//
// with the token's own count in. With Tuning.Uncollapsed they are drawn from
// those posteriors, which are Dirichlet distributions: the uncollapsed Gibbs
// sampler, whose z has the same stationary distribution as that of gibbs.
// Costs O(K) per token, whatever method of package discrete draws; uncollapsed,
// V × K gamma variates a sweep come on top.
//
// Prefer it on machines with very many cores: nothing is shared but frozen
// counts. Uncollapsed it mixes slowly, since tokens see each other's moves a
// sweep late.
//
// F is the precision of weights and their sums.
type mean[F discrete.Float] struct {
	denseState
	uncollapsed bool
	inverse     []F            // K: 1/(n_k + Vβ), or 1 if uncollapsed
	phi         []float32      // V × K: gamma variates of shape n_wk + β, each divided by the topic's sum; nil unless uncollapsed
	scratch     []meanLanes[F] // one per worker
}

// meanLanes draws the topics of up to lanes tokens of a document together, as a
// SIMD machine does.
type meanLanes[F discrete.Float] struct {
	many    discrete.Many[F]
	weights [][]F   // lanes × K
	theta   []F     // K: θ_dk, times inverse
	ndk     []int32 // K: zero between documents
	u       []F     // lanes
	topics  []int   // lanes
}

var meanInfo = Info{
	Name:    "mean",
	Summary: "θ and φ fixed per sweep: mean for mode, or uncollapsed Gibbs sampling",
	Cost:    "O(K)",
	Source:  "Tristan, Tassarotti & Steele 2015; Steele & Tristan 2017",
	MaxK:    1 << 20,
	Tables:  func(p *Problem) uint64 { return 2 * denseTable(p) }, // n_wk and φ
	New:     newMean,
	NewOn:   newMeanOn,
}

func newMean(p *Problem) (Sampler, error) {
	if p.Tuning.Precision == "float32" {
		return makeMean[float32](p)
	}
	return makeMean[float64](p)
}

// drawTransposed is the way to draw that differs from "binary" on a GPU alone.
const drawTransposed = "transposed"

func makeMean[F discrete.Float](p *Problem) (*mean[F], error) {
	s := &mean[F]{denseState: newDenseState(p), uncollapsed: p.Tuning.Uncollapsed, inverse: make([]F, p.K)}
	if s.uncollapsed {
		s.phi = make([]float32, p.V*p.K)
	}
	method := cmp.Or(p.Tuning.Draw, "linear")
	if method == drawTransposed {
		method = "binary"
	}
	for range workers(p.Threads, chunks(p)) {
		many, err := discrete.ByName[F](method)
		if err != nil {
			return nil, err
		}
		scratch := meanLanes[F]{
			many: many, theta: make([]F, p.K), ndk: make([]int32, p.K),
			u: make([]F, lanes), topics: make([]int, lanes),
		}
		for range lanes {
			scratch.weights = append(scratch.weights, make([]F, p.K))
		}
		s.scratch = append(s.scratch, scratch)
	}
	return s, nil
}

// chunks returns the number of tasks of a sweep.
func chunks(p *Problem) int { return (p.D() + docChunk - 1) / docChunk }

// Sweep implements Sampler. When ctx ends between documents the state is left
// half-way and must not be used.
func (s *mean[F]) Sweep(ctx context.Context, iteration int, priors *Priors) error {
	key := rng.NewKey(s.p.Seed)
	s.fixPhi(gammas{key: key, iteration: uint32(iteration), purpose: forPhi}, priors)
	random := draws{key: key, iteration: uint32(iteration), purpose: forDraw}
	theta := gammas{key: key, iteration: uint32(iteration), purpose: forTheta}
	err := parallel(ctx, s.p.Threads, chunks(s.p), func(worker, chunk int) {
		for d := chunk * docChunk; d < min((chunk+1)*docChunk, s.p.D()); d++ {
			s.fixTheta(&s.scratch[worker], d, theta, priors)
			s.drawDoc(&s.scratch[worker], d, random, priors.Beta)
		}
	})
	if err != nil {
		return err
	}
	s.recount()
	return nil
}

// fixPhi fixes φ: inverse alone for the mean, phi for a draw.
func (s *mean[F]) fixPhi(random gammas, priors *Priors) {
	if !s.uncollapsed {
		for k, n := range s.nk {
			s.inverse[k] = F(1 / (float64(n) + float64(s.p.V)*priors.Beta))
		}
		return
	}
	_ = parallel(context.Background(), s.p.Threads, s.p.V, func(_, w int) {
		for i := w * s.p.K; i < (w+1)*s.p.K; i++ {
			s.phi[i] = float32(random.draw(uint64(i), float64(s.nwk[i])+priors.Beta))
		}
	})
	sums := make([]float64, s.p.K)
	for i, x := range s.phi {
		sums[i%s.p.K] += float64(x)
	}
	for k := range s.inverse {
		s.inverse[k] = 1 // the sums can be too small for F to hold their inverses
	}
	_ = parallel(context.Background(), s.p.Threads, s.p.V, func(_, w int) {
		for k, sum := range sums {
			if sum > 0 { // a topic without tokens may have no variate that float32 can tell from 0
				s.phi[w*s.p.K+k] = float32(float64(s.phi[w*s.p.K+k]) / sum)
			}
		}
	})
}

// fixTheta fixes θ of document d, times inverse.
func (s *mean[F]) fixTheta(l *meanLanes[F], d int, random gammas, priors *Priors) {
	doc := s.z[s.p.Offsets[d]:s.p.Offsets[d+1]]
	for _, k := range doc {
		l.ndk[k]++
	}
	for k, n := range l.ndk {
		shape := float64(n) + priors.Alpha[k]
		if s.uncollapsed {
			shape = random.draw(uint64(d)*uint64(s.p.K)+uint64(k), shape)
		}
		l.theta[k] = F(shape) * s.inverse[k]
	}
	for _, k := range doc {
		l.ndk[k] = 0
	}
}

// drawDoc draws the topics of document d, a few tokens at a time.
func (s *mean[F]) drawDoc(l *meanLanes[F], d int, random draws, beta float64) {
	for lo := s.p.Offsets[d]; lo < s.p.Offsets[d+1]; lo += lanes {
		n := int(min(lanes, s.p.Offsets[d+1]-lo))
		for lane := range n {
			i := lo + uint64(lane)
			s.weigh(l.weights[lane], l.theta, int(s.p.Words[i]), F(beta))
			l.u[lane] = uniform[F](random, i)
		}
		l.many.Build(l.weights[:n])
		l.many.Draw(l.topics[:n], l.u[:n])
		for lane, k := range l.topics[:n] {
			s.z[lo+uint64(lane)] = uint32(k)
		}
	}
}

// uniform returns token i's random number in [0, 1).
func uniform[F discrete.Float](random draws, i uint64) F {
	var u F
	switch u := any(&u).(type) {
	case *float32:
		*u = rng.Float32(random.word(i))
	case *float64:
		*u = rng.Float64(random.pair(i))
	}
	return u
}

// weigh sets weights_k = θ_k φ_wk.
func (s *mean[F]) weigh(weights, theta []F, w int, beta F) {
	if s.uncollapsed {
		for k, x := range s.phi[w*s.p.K : (w+1)*s.p.K] {
			weights[k] = theta[k] * F(x)
		}
		return
	}
	for k, n := range s.nwk[w*s.p.K : (w+1)*s.p.K] {
		weights[k] = theta[k] * (F(n) + beta)
	}
}
