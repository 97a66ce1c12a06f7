package topoi

import (
	"fmt"
	"math"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/hyper"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// PseudoCounts holds m_wk for every word w and topic k: tokens that belong to no document and never
// leave their topic. They guide topics towards chosen words, or carry an older model into a new
// one:
//
//	φ_wk = (n_wk + m_wk + β) / (n_k + m_k + Vβ),   m_k = Σ_w m_wk
type PseudoCounts = counts.Pseudo

// NewPseudoCounts returns the pseudo-counts of so many words and topics. row returns those of a word,
// topics in increasing order.
func NewPseudoCounts(words, topics int, row func(w int) []TopicCount) *PseudoCounts {
	return counts.NewPseudo(words, topics, row)
}

// Ancestor is a step by which a model was made from something else than a corpus and options.
type Ancestor struct {
	Kind   string `json:"kind"`                  // "seeds", "update", "edit" or "by-time"
	From   string `json:"fingerprint,omitempty"` // of the model it was made from
	Docs   int    `json:"docs,omitempty"`        // training documents of that model
	Detail string `json:"detail"`                // what was done, in words

	By    string  `json:"by,omitempty"`    // length of the slices of "by-time", such as "year"
	Carry float64 `json:"carry,omitempty"` // share of the counts that each of them took from the one before
}

// PseudoCounts returns the pseudo-counts with which the model was trained; nil if there are none.
func (m *Model) PseudoCounts() *PseudoCounts { return m.has.Pseudo }

// TopicTokens returns the number of training tokens of every topic: TopicTotals without pseudo-counts.
func (m *Model) TopicTokens() []uint64 { return m.has.TopicTokens() }

// guide gives a problem the pseudo-counts of the options, or says why they do not fit.
func (r *run) guide(p *sampler.Problem, info sampler.Info) error {
	m := r.opts.Pseudo
	if m == nil {
		return nil
	}
	switch {
	case m.Words() != p.V || len(m.Totals()) != p.K:
		return fmt.Errorf("Options.Pseudo has %d words and %d topics, and the run has %d and %d", m.Words(), len(m.Totals()), p.V, p.K)
	case m.Tokens()+uint64(p.N()) > math.MaxInt32:
		return fmt.Errorf("Options.Pseudo adds up to %d tokens, too many beside the %d of the corpus: give it less weight", m.Tokens(), p.N())
	case info.Guided == nil || !info.Guided(p):
		return fmt.Errorf("sampler %q does not take pseudo-counts: choose auto, batch, warp or cvb with Tuning.CVB = zero", info.Name)
	}
	p.Pseudo = m
	return nil
}

// pseudoLikelihood returns log p of the pseudo-counts by themselves. Scores subtract it, because they are
// about the tokens of the corpus given the pseudo-counts.
func (r *run) pseudoLikelihood() float64 {
	if r.opts.Pseudo == nil {
		return 0
	}
	if r.pseudo == nil {
		r.pseudo = r.opts.Pseudo.Histograms()
	}
	_, words := hyper.LogLikelihoods(r.pseudo, nil, r.priors.Beta, r.corpus.NumWords(), r.opts.Threads)
	return words
}
