// Package eval measures topic models: how well they predict documents they have not seen ([Completion],
// [LeftToRight], [TestLikelihood]), and how well their topics read ([Coherence], [WindowCounter], [Diversity]).
//
// All likelihoods are natural logarithms per token (nats per token), and all results are the same bits for any number
// of threads. docs/evaluation.md has the formulas side by side.
package eval

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/foldin"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/topic"
)

// Model is what evaluation needs to know of a topic model: K topics over V words, counts n_wk and n_k, and the priors
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

// rows is φ of the words that occur in some documents: what all estimators read. φ_wk = background[k] + counts of the
// row × inverse[k].
type rows struct {
	k          int
	alpha      []float64      // K: α_k
	alphaSum   float64        // Σα
	inverse    []float64      // K: 1/(n_k + Vβ)
	background []float64      // K: β/(n_k + Vβ), φ of a word that topic k never has
	counts     counts.InPlace // n_wk of the words that occur
}

// sameVocabulary refuses documents over other words than the model's.
func sameVocabulary(m Model, docs *corpus.Corpus) error {
	if docs.NumWords() != m.NumWords() {
		return fmt.Errorf("the vocabulary of the documents has %d words and that of the model %d: they must be the same",
			docs.NumWords(), m.NumWords())
	}
	return nil
}

// newRows makes the rows of the words of docs ready.
func newRows(m Model, docs *corpus.Corpus, threads int) (*rows, error) {
	if err := sameVocabulary(m, docs); err != nil {
		return nil, err
	}
	r := &rows{
		k:          m.NumTopics(),
		alpha:      m.Alpha(),
		inverse:    make([]float64, m.NumTopics()),
		background: make([]float64, m.NumTopics()),
	}
	v := float64(m.NumWords())
	for k, n := range m.TopicTotals() {
		r.inverse[k] = 1 / (float64(n) + v*m.Beta())
		r.background[k] = m.Beta() * r.inverse[k]
		r.alphaSum += r.alpha[k]
	}
	r.counts = inPlace(m, occurring(m, docs), threads)
	return r, nil
}

// occurring marks the words of docs.
func occurring(m Model, docs *corpus.Corpus) []bool {
	occurs := make([]bool, m.NumWords())
	for _, w := range docs.Tokens() {
		occurs[w] = true
	}
	return occurs
}

// inPlace returns the rows of the words marked. A model that has them from somebody else says so, who may know
// quicker ways to them.
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
		p += theta[e.Topic] * float64(e.Count) * r.inverse[e.Topic]
	}
	return p
}

// backgroundOf returns Σ_k θ_k background[k].
func (r *rows) backgroundOf(theta []float64) float64 {
	sum := 0.0
	for k, t := range theta {
		sum += t * r.background[k]
	}
	return sum
}

// eachDoc calls work for every document, spread over threads. newWorker is called once per thread and returns that
// thread's work with its own scratch space. It returns early when ctx is cancelled.
func eachDoc(ctx context.Context, docs, threads int, newWorker func() func(d int)) error {
	batch := max(1, min(16, docs/(16*max(threads, 1)))) // documents taken at a time
	var next atomic.Int64
	var group guard.Group
	for range min(max(threads, 1), max(docs, 1)) {
		group.Go(func() {
			work := newWorker()
			for ctx.Err() == nil {
				end := int(next.Add(int64(batch)))
				if end-batch >= docs {
					return
				}
				for d := end - batch; d < min(end, docs); d++ {
					work(d)
				}
			}
		})
	}
	group.Wait()
	return ctx.Err()
}

// SampleOptions steer the estimators that draw topics. The zero value of every field is a good default.
type SampleOptions struct {
	Sweeps    int    // Gibbs sweeps over a document, for [TestLikelihood]. Default 50
	Particles int    // independent chains per document, for [LeftToRight]. Default 20
	Seed      uint64 // key of all randomness
	Threads   int    // goroutines; never changes the result. Default 1

	// Once leaves the topics before a place as they were drawn, for [LeftToRight]: O(R N_d K_d) per document, and
	// less exact. MALLET does so unless told otherwise. Default: draw them again.
	Once bool

	// EachDoc, when not nil, is told the log-likelihood of every document, in nats, in their order, when all are
	// known. Documents without tokens have 0.
	EachDoc func(doc int, logLikelihood float64)
}

func (o SampleOptions) withDefaults() SampleOptions {
	if o.Sweeps <= 0 {
		o.Sweeps = 50
	}
	if o.Particles <= 0 {
		o.Particles = 20
	}
	return o
}

// LikelihoodResult is the outcome of an estimator.
type LikelihoodResult struct {
	PerToken  float64 // mean log-likelihood, in Unit; 0 when there are no tokens
	Tokens    int     // number of tokens scored
	Estimator string  // what was computed
	Unit      string  // always Unit
}

// Unit is the unit of all likelihoods of this package.
const Unit = "nats per token"

// The names of the estimators.
const (
	EstimatorCompletion  = "document completion"
	EstimatorTest        = "test-set likelihood given sampled topics"
	EstimatorLeftToRight = "left-to-right"
)

// TestLikelihood computes the per-word log-likelihood of a test set as Moon et al. (2018, Eq. 3 and 4) do: topics of
// the test documents are drawn by Gibbs sampling with φ fixed, and then every token is scored by
//
//	log Σ_k (n_wk + β)/(n_k + Vβ) · (n_dk + α_k)/(N_d + Σα)
//
// with the counts n_dk after the last sweep; the mean over all tokens is the result. The same tokens that choose θ
// are scored, so the number is higher than that of [Completion] and not a likelihood of unseen words; it serves
// comparison with published figures.
//
// It costs O(sweeps × N_d × K_d) per document, K_d the topics that it has at a time.
func TestLikelihood(ctx context.Context, m Model, docs *corpus.Corpus, o SampleOptions) (LikelihoodResult, error) {
	o = o.withDefaults()
	return estimate(ctx, m, docs, o, EstimatorTest, purposeTest, func(c *chain, doc []uint32) float64 {
		for range doc {
			c.extend(0)
		}
		for sweep := range o.Sweeps {
			for i := range doc {
				c.resample(i, uint32(sweep+1))
			}
		}
		return c.logPredictAll()
	})
}

// estimate adds up score over all documents in their order.
func estimate(ctx context.Context, m Model, docs *corpus.Corpus, o SampleOptions, name string, purpose rng.Purpose,
	score func(c *chain, doc []uint32) float64,
) (LikelihoodResult, error) {
	result := LikelihoodResult{Tokens: docs.NumTokens(), Estimator: name, Unit: Unit}
	if err := sameVocabulary(m, docs); err != nil {
		return LikelihoodResult{}, err
	}
	table := foldin.NewTable(foldin.Model{
		Rows: m, Totals: m.TopicTotals(), Alpha: m.Alpha(), Beta: m.Beta(), V: m.NumWords(),
	}, docs.Tokens())
	sums := make([]float64, docs.NumDocs())
	err := eachDoc(ctx, docs.NumDocs(), o.Threads, func() func(int) {
		c := &chain{Chain: foldin.NewChain(table), key: rng.NewKey(o.Seed), purpose: purpose}
		return func(d int) {
			c.load(docs.Doc(d), docs.Offsets()[d])
			sums[d] = score(c, docs.Doc(d))
		}
	})
	if err != nil {
		return result, err
	}
	for d, s := range sums {
		result.PerToken += s
		if o.EachDoc != nil {
			o.EachDoc(d, s)
		}
	}
	if result.Tokens == 0 {
		return result, nil
	}
	result.PerToken /= float64(result.Tokens)
	return result, nil
}

// EstimatorPrior names the measure of [PriorOnly].
const EstimatorPrior = "prior only: no word of a document chooses its topics"

// PriorOnly scores the tokens that [Completion] scores by θ = α/Σα: what a model expects of a document before it sees
// a word of it. It is for models whose α depends on the document.
func PriorOnly(ctx context.Context, m Model, docs *corpus.Corpus, threads int) (CompletionResult, error) {
	if m.NumTopics() > denseTopics {
		return CompletionResult{}, fmt.Errorf("scores by the prior alone are for at most %d topics", denseTopics)
	}
	theta, sum := make([]float64, m.NumTopics()), 0.0
	for _, a := range m.Alpha() {
		sum += a
	}
	for k, a := range m.Alpha() {
		theta[k] = a / sum
	}
	return completion(ctx, m, docs, threads, func(f *folder, doc []uint32) float64 {
		if len(doc) < 2 {
			return 0
		}
		return f.scoreRest(doc, theta)
	}, nil)
}
