package hyper

import (
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/portable"
	"github.com/topoi-lda/topoi/internal/rng"
)

// HDP draws the α of a truncated hierarchical Dirichlet process. The weights ψ of the topics have a prior of their
// own, so that topics without tokens get next to nothing and die:
//
//	ψ ~ Dirichlet(γ/K, …, γ/K),   θ_d ~ Dirichlet(a ψ),   α_k = a ψ_k
//
// Given the topics of all tokens, auxiliary counts l make ψ conjugate:
//
//	l_k = Σ_{i≥0} Binomial(#{d : n_dk > i}, a ψ_k / (a ψ_k + i)),   ψ ~ Dirichlet(l + γ/K)
//
// Teh, Jordan, Beal and Blei, "Hierarchical Dirichlet processes", JASA 101, 2006, section 5.3, for l; Terenin,
// Magnusson and Jonsson, "Sparse parallel training of hierarchical Dirichlet process topic models", EMNLP 2020, for l
// from histograms.
type HDP struct {
	Key       rng.Key
	Iteration uint32
	Gamma     float64     // γ, the concentration of ψ
	Tables    rng.Purpose // of the random numbers of l
	Weights   rng.Purpose // of those of ψ
	Threads   int         // goroutines; never changes the result
}

// leastAlpha is the α of a topic that is dead: so small that a token hardly ever takes it, and large enough for
// samplers that calculate in float32.
const leastAlpha = 1e-9

// Alpha returns the next α from the present one (K values, all positive): ψ is drawn, and a then takes a few steps of
// Minka's fixed point, but does not fall below [LeastSum] of the topics that have tokens. length is the mean length of
// documents.
func (p HDP) Alpha(alpha []float64, h *counts.Histograms, length float64) []float64 {
	next, sum, live := p.weights(p.tables(alpha, h)), 0.0, 0
	for k, a := range alpha {
		sum += a
		if len(h.Topic[k]) > 0 {
			live++
		}
	}
	scaled := make([]float64, len(next))
	for range rounds {
		denominator := digammaRise(sum, h.DocLengths)
		if denominator == 0 { // no tokens, nothing learnt
			break
		}
		each(len(next), topicsAtOnce, p.Threads, func(k int) {
			scaled[k] = float64(next[k] * digammaRise(max(float64(sum*next[k]), leastAlpha), h.Topic[k]))
		})
		numerator := 0.0
		for _, x := range scaled {
			numerator += x
		}
		sum = stepped(sum, numerator, denominator)
	}
	sum = max(sum, LeastSum(live, length))
	for k := range next {
		next[k] = max(float64(sum*next[k]), leastAlpha)
	}
	return next
}

// tables draws l given α.
func (p HDP) tables(alpha []float64, h *counts.Histograms) []uint64 {
	l := make([]uint64, len(alpha))
	each(len(alpha), topicsAtOnce, p.Threads, func(k int) {
		more := uint64(0) // documents in which the topic has more than i tokens
		for i := len(h.Topic[k]) - 2; i >= 0; i-- {
			more += uint64(h.Topic[k][i+1])
			b := binomial{HDP: p, index: uint64(k)<<40 | uint64(i)<<8}
			l[k] += b.draw(more, alpha[k]/(alpha[k]+float64(i)))
		}
	})
	return l
}

// weights draws ψ given l.
func (p HDP) weights(l []uint64) []float64 {
	gammas := portable.Gammas{Key: p.Key, Iteration: p.Iteration, Purpose: p.Weights}
	psi, sum := make([]float64, len(l)), 0.0
	each(len(l), topicsAtOnce, p.Threads, func(k int) {
		psi[k] = gammas.Draw(uint64(k),
			float64(l[k])+p.Gamma/float64(len(l)))
	})
	for _, x := range psi {
		sum += x
	}
	for k := range psi {
		psi[k] /= sum
	}
	return psi
}

// binomial draws one binomial variate. Its random numbers have the indices from index on.
type binomial struct {
	HDP
	index uint64
}

// draw returns the number of successes in n trials of probability p. While many are expected, it draws the middle one
// of n ordered uniform numbers, which is a beta variate, and goes on with the numbers on one side of it (Devroye,
// "Non-uniform random variate generation", 1986, section X.4.3).
func (b *binomial) draw(n uint64, p float64) (successes uint64) {
	gammas := portable.Gammas{Key: b.Key, Iteration: b.Iteration, Purpose: b.Tables}
	for n > 64 && float64(n)*min(p, 1-p) > 16 {
		i := (n + 1) / 2
		x := gammas.Draw(b.index, float64(i))
		x /= x + gammas.Draw(b.index+1, float64(n+1-i))
		if b.index += 2; x <= p {
			successes, n, p = successes+i, n-i, (p-x)/(1-x)
		} else {
			n, p = i-1, p/x
		}
	}
	if p > 0.5 {
		return successes + n - b.invert(n, 1-p)
	}
	return successes + b.invert(n, p)
}

// invert draws where few successes are expected, by adding up probabilities.
func (b *binomial) invert(n uint64, p float64) uint64 {
	words := b.Key.Block(uint32(b.index), b.Iteration, uint32(b.Tables), uint32(b.index>>32))
	u, q := rng.Float64(words[0], words[1]), 1-max(p, 0)
	probability, power := 1.0, q // (1-p)^n
	for m := n; m > 0; m >>= 1 {
		if m&1 == 1 {
			probability *= power
		}
		power *= power
	}
	k := uint64(0)
	for ; k < n && u >= probability; k++ {
		u -= probability
		probability *= float64(n-k) / float64(k+1) * ((1 - q) / q)
	}
	return k
}
