package reproduce

import (
	"math"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// forHolding keeps the choice of tokens apart from other uses of randomness.
const forHolding rng.Purpose = 0x686f6c64

// heldTokens is Yan's test set: a tenth of all tokens, drawn at random, the rest
// of their documents being the training set.
type heldTokens struct {
	train sampler.Problem
	docs  []uint32 // document of each test token
	words []uint32 // its word
}

func holdTokens(c *corpus.Corpus, seed uint64) heldTokens {
	h := heldTokens{train: sampler.Problem{Offsets: []uint64{0}, V: c.NumWords()}}
	key := rng.NewKey(seed)
	token := uint64(0)
	for d := range c.NumDocs() {
		for _, w := range c.Doc(d) {
			word := key.Block(uint32(token), 0, uint32(forHolding), uint32(token>>32))[0]
			if rng.Below(word, 10) == 0 {
				h.docs, h.words = append(h.docs, uint32(d)), append(h.words, w)
			} else {
				h.train.Words = append(h.train.Words, w)
			}
			token++
		}
		h.train.Offsets = append(h.train.Offsets, uint64(len(h.train.Words)))
	}
	return h
}

// perplexity returns exp(-1/N Σ log Σ_k θ_dk φ_wk) over the test tokens, with
// θ_dk = (n_dk + α_k)/(N_d + Σα) and φ_wk = (n_wk + β)/(n_k + Vβ) of one state;
// for samplers that know expectations of the counts, with those.
func (h heldTokens) perplexity(v look) float64 {
	z := make([]uint32, len(h.train.Words))
	v.sampler.Topics(z)
	phi := newPhi(v, h.train.V)
	theta := make([]float64, len(v.priors.Alpha))
	sum := 0.0
	for i := 0; i < len(h.docs); {
		d := h.docs[i]
		clear(theta)
		if phi.can.ExpectedDoc != nil {
			phi.can.ExpectedDoc(theta, int(d))
		} else {
			for _, k := range z[h.train.Offsets[d]:h.train.Offsets[d+1]] {
				theta[k]++
			}
		}
		total := 0.0
		for k, a := range v.priors.Alpha {
			theta[k] += a
			total += theta[k]
		}
		for ; i < len(h.docs) && h.docs[i] == d; i++ {
			sum += math.Log(phi.dot(theta, int(h.words[i])) / total)
		}
	}
	return math.Exp(-sum / float64(len(h.docs)))
}

// phi computes φ row by row.
type phi struct {
	v       look
	can     sampler.Capabilities // with expected counts, where there are not only whole ones
	inverse []float64            // K: 1/(n_k + Vβ)
	row     []float64            // K: scratch
	entries []counts.Entry       // scratch
}

func newPhi(v look, words int) *phi {
	k := len(v.priors.Alpha)
	p := &phi{v: v, inverse: make([]float64, k), row: make([]float64, k)}
	p.can = v.sampler.Capabilities()
	if p.can.ExpectedRow == nil {
		for k, n := range v.sampler.TopicTotals() {
			p.inverse[k] = float64(n)
		}
	} else {
		for w := range words {
			p.can.ExpectedRow(p.row, w)
			for k, x := range p.row {
				p.inverse[k] += x
			}
		}
	}
	for k, n := range p.inverse {
		p.inverse[k] = 1 / (n + float64(words)*v.priors.Beta)
	}
	return p
}

// dot returns Σ_k θ_k φ_wk.
func (p *phi) dot(theta []float64, w int) float64 {
	if p.can.ExpectedRow != nil {
		p.can.ExpectedRow(p.row, w)
	} else {
		clear(p.row)
		p.entries = p.v.sampler.AppendRow(p.entries[:0], w)
		for _, e := range p.entries {
			p.row[e.Topic] = float64(e.Count)
		}
	}
	sum := 0.0
	for k, n := range p.row {
		sum += theta[k] * (n + p.v.priors.Beta) * p.inverse[k]
	}
	return sum
}
