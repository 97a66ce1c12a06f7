package effects

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/topoi-lda/topoi/internal/portable"
)

// drawer draws the shares of documents' chosen topics. It belongs to one goroutine.
type drawer struct {
	post   *posterior
	random *rand.Rand
	source *rand.PCG
	others float64 // Σα of topics that were not chosen
	counts []float64
}

func (p *posterior) newDrawer() *drawer {
	w := &drawer{post: p, source: rand.NewPCG(0, 0), others: p.total, counts: make([]float64, len(p.alpha))}
	w.random = rand.New(w.source)
	for _, a := range p.alpha {
		w.others -= a
	}
	return w
}

// draw draws θ ~ Dirichlet(n + α) and sets dst to y of the chosen topics, as posterior says. All other topics
// together are one more. The draw depends on seed, number of the draw, document and counts alone.
func (w *drawer) draw(dst []float64, seed uint64, number int, doc uint32, tokens int, counts []share) {
	w.source.Seed(seed, uint64(number)<<32|uint64(doc))
	clear(w.counts)
	rest := float64(tokens)
	for _, c := range counts {
		w.counts[c.slot] = c.n
		rest -= c.n
	}
	sum := 0.0
	for k, alpha := range w.post.alpha {
		dst[k] = gamma(w.random, w.counts[k]+alpha)
		sum += dst[k]
	}
	if shape := rest + w.others; shape > 1e-12 { // else all topics were chosen
		sum += gamma(w.random, shape)
	}
	n := float64(tokens)
	for k, alpha := range w.post.alpha {
		dst[k] = (float64(dst[k]/sum*(n+w.post.total)) - alpha) / n
	}
}

// gamma draws from the gamma distribution with scale 1 by the method of Marsaglia and Tsang (2000).
func gamma(r *rand.Rand, shape float64) float64 {
	if shape < 1 {
		return float64(gamma(r, shape+1) * portable.Exp(portable.Log(1-uniform(r))/shape))
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := normal(r)
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = float64(v * v * v)
		if portable.Log(1-uniform(r)) < float64(0.5*x*x)+d-float64(d*v)+float64(d*portable.Log(v)) {
			return float64(d * v)
		}
	}
}

// uniform returns a number in [0, 1), rounded before anything is added to it.
func uniform(r *rand.Rand) float64 { return float64(r.Float64()) }

// normal draws from the standard normal distribution by Marsaglia's polar method. That of math/rand calls the
// library's exponential, which is not the same on every machine.
func normal(r *rand.Rand) float64 {
	for {
		a, b := float64(2*uniform(r))-1, float64(2*uniform(r))-1
		square := float64(a*a) + float64(b*b)
		if square > 0 && square < 1 {
			return float64(a * math.Sqrt(-2*portable.Log(square)/square))
		}
	}
}

// drawn returns the fits pooled over draws: the mean of the coefficients, and the mean of
// their covariances plus 1 + 1/S times the covariance between the draws (Rubin 1987).
func (r *regression) drawn(ctx context.Context) ([]fit, error) {
	p, topics := len(r.design.names), len(r.options.Topics)
	draws := float64(r.options.Draws)
	pooled := make([]fit, topics)
	outer := make([][]float64, topics) // Σ_s b b'
	for k := range pooled {
		pooled[k] = fit{b: make([]float64, p), cov: make([]float64, p*p)}
		outer[k] = make([]float64, p*p)
	}
	for number := range r.options.Draws {
		fits, err := r.oneDraw(ctx, number)
		if err != nil {
			return nil, err
		}
		for k, f := range fits {
			for i, b := range f.b {
				pooled[k].b[i] += b / draws
			}
			for i, c := range f.cov {
				pooled[k].cov[i] += c / draws
			}
			addOuter(outer[k], f.b, 1)
		}
	}
	for k := range pooled {
		f := &pooled[k]
		mirror(outer[k], p)
		f.between = make([]float64, p*p)
		for i := range p {
			for j := range p {
				between := (outer[k][i*p+j] - float64(draws*f.b[i]*f.b[j])) / (draws - 1)
				f.between[i*p+j] = float64((1 + 1/draws) * between)
				f.cov[i*p+j] += f.between[i*p+j]
			}
		}
	}
	return pooled, nil
}

// oneDraw regresses one draw of all shares.
func (r *regression) oneDraw(ctx context.Context, number int) ([]fit, error) {
	p, topics := len(r.design.names), len(r.options.Topics)
	type sum struct{ xy, yy []float64 } // K×p, K
	all := sum{make([]float64, topics*p), make([]float64, topics)}
	err := eachPiece(ctx, r, func(e *reader, docs []uint32) sum {
		s := sum{make([]float64, topics*p), make([]float64, topics)}
		w, y := r.posterior.newDrawer(), make([]float64, topics)
		for _, d := range docs {
			if ctx.Err() != nil {
				break // nobody uses the sums
			}
			tokens := e.read(d)
			w.draw(y, r.options.Seed, number, d, tokens, e.counts)
			for k, share := range y {
				s.yy[k] += float64(share * share)
				for i, x := range e.x {
					s.xy[k*p+i] += float64(share * x)
				}
			}
		}
		return s
	}, func(s sum) {
		addTo(all.xy, s.xy)
		addTo(all.yy, s.yy)
	})
	if err != nil {
		return nil, err
	}
	return r.fits(ctx, all.xy, all.yy, &number)
}
