package light

import (
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// lightChain is the Markov chain of one token on light's frozen model. Its
// stationary distribution is
//
//	p(k) ∝ (n_dk + α_k) · φ_k     φ_k = (n_wk + β) / (n_k + Vβ)
//
// with n_dk of the document's other tokens as they are, and n_wk, n_k frozen,
// less one for the topic that the token itself had when they were.
type lightChain struct {
	*light
	doc   []uint32  // topics of the document
	ndk   []int32   // K: its counts
	alpha []float64 // K
	i     int       // the token's place in the document
	w     int       // its word
	own   uint32    // its topic when the model was frozen
}

// candidate is a topic with what acceptance needs to know of it.
type candidate struct {
	k   uint32
	phi float64 // φ_k
	q   float64 // the word-proposal's (n_wk + β) / (n_k + Vβ), own count in
}

// At looks topic k up.
func (c *lightChain) At(k uint32) candidate {
	n := float64(c.Table.Get(c.w, int(k)))
	q := (n + c.beta) * c.inverse[k]
	if k != c.own {
		return candidate{k, q, q}
	}
	return candidate{k, (n - 1 + c.beta) / (float64(c.Nk[k]) - 1 + c.vbeta), q}
}

// walk starts from topic k, takes the token out of n_dk, makes the sampler's
// number of steps and puts it back where the chain ends. token is the token's
// number in the corpus. The proposals take turns from sweep to sweep as well, so
// that a single step a sweep still uses both.
func (c *lightChain) walk(k uint32, token uint64, random sampler.Draws) uint32 {
	c.ndk[k]--
	s := c.At(k)
	for step := range c.steps {
		u := random.Step(token, step)
		propose, accept := rng.Float64(u[0], u[1]), rng.Float64(u[2], u[3])
		if c.proposal.byDoc(int(random.Iteration) + step) {
			s = c.docStep(s, propose, accept)
		} else {
			s = c.wordStep(s, propose, accept)
		}
	}
	c.ndk[s.k]++
	return s.k
}

// docStep proposes with q(k) ∝ n_dk + α_k: p(t) q(s) / (p(s) q(t)) = φ_t / φ_s.
func (c *lightChain) docStep(s candidate, propose, accept float64) candidate {
	others := len(c.doc) - 1
	x := propose * (float64(others) + c.alphaSum)
	var k uint32
	if x < float64(others) {
		j := int(x)
		if j >= c.i {
			j++
		}
		k = c.doc[j]
	} else {
		k = uint32(c.alphaTable.Draw(sampler.Unit((x - float64(others)) / c.alphaSum)))
	}
	if k == s.k {
		return s
	}
	if t := c.At(k); accept*s.phi < t.phi {
		return t
	}
	return s
}

// wordStep proposes with q(k) ∝ (n_wk + β) / (n_k + Vβ).
func (c *lightChain) wordStep(s candidate, propose, accept float64) candidate {
	sum := c.words.Sum[c.w]
	x := propose * (sum + c.smoothSum)
	var k uint32
	if x < sum {
		k = c.words.Draw(c.w, sampler.Unit(x/sum))
	} else {
		k = uint32(c.smooth.Draw(sampler.Unit((x - sum) / c.smoothSum)))
	}
	if k == s.k {
		return s
	}
	t := c.At(k)
	pS := (float64(c.ndk[s.k]) + c.alpha[s.k]) * s.phi
	pT := (float64(c.ndk[k]) + c.alpha[k]) * t.phi
	if accept*(pS*t.q) < pT*s.q {
		return t
	}
	return s
}
