package eval

import (
	"context"
	"errors"
	"fmt"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/topic"
)

// Model is a topic model as evaluation sees it: K topics over V words, counts n_wk and n_k, and the priors
// α_k and β, from which
//
//	φ_wk = (n_wk + β)/(n_k + Vβ).
type Model interface {
	NumTopics() int        // K
	NumWords() int         // V
	Alpha() []float64      // K values α_k
	Beta() float64         // β
	TopicTotals() []uint64 // K values n_k

	// AppendRow appends the non-zero n_wk of word w in increasing topic order.
	AppendRow(dst []topic.Count, w int) []topic.Count
}

// rows holds φ of the words that occur in some documents: φ_wk = background[k] + n_wk × inverse[k]. All estimators read
// it.
type rows struct {
	k          int
	alpha      []float64      // K: α_k
	alphaSum   float64        // Σα
	inverse    []float64      // K: 1/(n_k + Vβ)
	background []float64      // K: β/(n_k + Vβ), φ of a word that topic k never has
	counts     counts.InPlace // n_wk of the words that occur
}

// sameVocabulary returns an error if the documents have another vocabulary than the model. Words are compared if the
// model has a method Words.
func sameVocabulary(m Model, docs *corpus.Corpus) error {
	if named, ok := m.(interface{ Words() corpus.Strings }); ok {
		if !docs.Words().Equal(named.Words()) {
			return errors.New("the documents have other words than the model, or number them in another way: " +
				"read them with the model's vocabulary")
		}
		return nil
	}
	if docs.NumWords() != m.NumWords() {
		return fmt.Errorf("the vocabulary of the documents has %d words and that of the model %d: they must be the same",
			docs.NumWords(), m.NumWords())
	}
	return nil
}

// newRows returns the rows of the words in docs.
func newRows(m Model, docs *corpus.Corpus, threads int) *rows {
	r := &rows{
		k:          m.NumTopics(),
		alpha:      m.Alpha(),
		inverse:    make([]float64, m.NumTopics()),
		background: make([]float64, m.NumTopics()),
	}
	v := float64(m.NumWords())
	for k, n := range m.TopicTotals() {
		r.inverse[k] = 1 / (float64(n) + float64(v*m.Beta()))
		r.background[k] = m.Beta() * r.inverse[k]
		r.alphaSum += r.alpha[k]
	}
	r.counts = inPlace(m, occurring(m, docs), threads)
	return r
}

// occurring marks the words of docs.
func occurring(m Model, docs *corpus.Corpus) []bool {
	occurs := make([]bool, m.NumWords())
	for _, w := range docs.Tokens() {
		occurs[w] = true
	}
	return occurs
}

// inPlace returns the rows of the marked words. If the model has a source of its rows, that may have a faster way.
func inPlace(m Model, words []bool, threads int) counts.InPlace {
	if from, ok := m.(interface{ Rows() counts.Rows }); ok {
		return counts.InPlaceOf(from.Rows(), words, threads)
	}
	return counts.InPlaceOf(m, words, threads)
}

// row returns the non-zero counts of word w.
func (r *rows) row(w uint32) []counts.Entry { return r.counts.Row(int(w)) }

// probability returns Σ_k θ_k φ_wk, given Σ_k θ_k background[k].
func (r *rows) probability(w uint32, theta []float64, background float64) float64 {
	p := background
	for _, e := range r.row(w) {
		p += float64(theta[e.Topic] * float64(e.Count) * r.inverse[e.Topic])
	}
	return p
}

// backgroundOf returns Σ_k θ_k background[k].
func (r *rows) backgroundOf(theta []float64) float64 {
	sum := 0.0
	for k, t := range theta {
		sum += float64(t * r.background[k])
	}
	return sum
}

// eachDoc calls work for every document, spread over threads. newWorker is called once per thread and returns that
// thread's work with its own scratch space. It returns early when ctx is cancelled.
func eachDoc(ctx context.Context, docs, threads int, newWorker func() func(d int)) error {
	workers := make([]func(d int), parallel.Workers(threads, docs))
	return parallel.Do(ctx, threads, docs, func(worker, d int) {
		if workers[worker] == nil {
			workers[worker] = newWorker()
		}
		workers[worker](d)
	})
}

// denseTopics is the largest number of topics for which estimators look at every topic of every document. The two
// ways to the same numbers differ in rounding, so that the choice must not depend on the machine.
const denseTopics = 1 << 16
