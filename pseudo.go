package topoi

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/hyper"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/topic"
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
func (m *Model) PseudoCounts() *PseudoCounts { return m.pseudo }

// TopicTokens returns the number of training tokens of every topic: TopicTotals without pseudo-counts.
func (m *Model) TopicTokens() []uint64 {
	if m.pseudo == nil {
		return m.totals
	}
	tokens := make([]uint64, len(m.totals))
	for k, n := range m.pseudo.Totals() {
		tokens[k] = m.totals[k] - n
	}
	return tokens
}

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

// pseudoHash returns a text that identifies pseudo-counts; "" if there are none.
func pseudoHash(m *PseudoCounts) string {
	if m == nil {
		return ""
	}
	h := xxh3.New()
	_ = binary.Write(h, binary.LittleEndian, m.Totals()) // a hash takes everything
	for w := range m.Words() {
		_ = binary.Write(h, binary.LittleEndian, uint64(w))
		_, _ = h.Write(counts.BytesOf(m.Row(w)))
	}
	sum := h.Sum128().Bytes()
	return hex.EncodeToString(sum[:])
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

// readPseudo makes the pseudo-counts of an opened model of its arrays, and checks them against the rows.
func (m *Model) readPseudo(ends []uint64, entries []TopicCount) error {
	k := uint32(m.NumTopics())
	for w := range ends {
		begin := uint64(0)
		if w > 0 {
			begin = ends[w-1]
		}
		if begin > ends[w] || ends[w] > uint64(len(entries)) {
			return fmt.Errorf("%s does not fit %s", arrayPseudoEnds, arrayPseudo)
		}
		before := -1
		for _, e := range entries[begin:ends[w]] {
			if int(e.Topic) <= before || e.Topic >= k || e.Count == 0 || e.Count > counts.CountIn(m.Row(w), e.Topic) {
				return fmt.Errorf("%s does not fit %s at word %d", arrayPseudo, arrayRows, w)
			}
			before = int(e.Topic)
		}
	}
	rows := topic.Rows{Topics: m.NumTopics(), Ends: ends, Entries: entries}
	m.pseudo = counts.NewPseudo(len(ends), m.NumTopics(), rows.Row)
	if m.pseudo.Tokens() != m.manifest.PseudoTokens {
		return errors.New("the pseudo-counts do not add up to what the manifest says")
	}
	return nil
}

// eachPseudo calls f with the ends of the rows of pseudo-counts, or with their entries.
func (m *Model) eachPseudo(ends bool, f func([]byte) error) error {
	end, buffer := uint64(0), []byte(nil)
	for w := range m.pseudo.Words() {
		row := m.pseudo.Row(w)
		if end += uint64(len(row)); ends {
			buffer = binary.LittleEndian.AppendUint64(buffer, end)
		} else {
			buffer = append(buffer, counts.BytesOf(row)...)
		}
	}
	return f(buffer)
}
