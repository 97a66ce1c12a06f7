package reproduce

import (
	"math"

	"github.com/topoi-lda/topoi/corpus"
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
	phi, expected := phiOf(v, h.train.V), v.sampler.Capabilities().ExpectedDoc
	theta := make([]float64, len(v.priors.Alpha))
	sum := 0.0
	for i := 0; i < len(h.docs); {
		d := h.docs[i]
		clear(theta)
		if expected != nil {
			expected(theta, int(d))
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
			p := 0.0
			for k, x := range phi[h.words[i]] {
				p += theta[k] * x
			}
			sum += math.Log(p / total)
		}
	}
	return math.Exp(-sum / float64(len(h.docs)))
}

// phiOf returns φ by word and topic, from expected counts where the sampler has them.
func phiOf(v look, words int) [][]float64 {
	phi, totals := make([][]float64, words), make([]float64, len(v.priors.Alpha))
	expected := v.sampler.Capabilities().ExpectedRow
	for w := range phi {
		phi[w] = make([]float64, len(totals))
		if expected != nil {
			expected(phi[w], w)
		} else {
			for _, e := range v.sampler.AppendRow(nil, w) {
				phi[w][e.Topic] = float64(e.Count)
			}
		}
		for k, n := range phi[w] {
			totals[k] += n
		}
	}
	for _, row := range phi {
		for k, n := range row {
			row[k] = (n + v.priors.Beta) / (totals[k] + float64(words)*v.priors.Beta)
		}
	}
	return phi
}
