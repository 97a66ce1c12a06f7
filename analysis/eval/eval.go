// Package eval measures topic models: how well they predict documents they have not seen ([Completion],
// [LeftToRight], [TestLikelihood]), and how well their topics read ([Coherence], [Diversity]). [Measure] computes all
// the measures by which people choose the number of topics, and [Metrics] lists them with unit, formula and source.
//
// With K topics, V words, D documents and N training tokens, n_wk the tokens of word w in topic k, n_k = Σ_w n_wk, n_dk
// those of document d, and the priors α and β,
//
//	φ_wk = (n_wk + β)/(n_k + Vβ),   θ_dk = (n_dk + α_k)/(N_d + Σα).
//
// Logarithms are natural, all likelihoods are nats per token, and all results are the same bits for any number of
// threads. No measure forms the K × V table. docs/evaluation.md has the formulas side by side.
//
// None of the measures is the right one. docs/choosing.md relies on held-out prediction and on stability over seeds
// (compare.Runs). The others are there because people know them, and to show where they disagree.
package eval

import (
	"context"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/foldin"
	"github.com/topoi-lda/topoi/internal/rng"
)

// Options steer [Completion], [LeftToRight] and [TestLikelihood]. The zero value of every field is a good default.
type Options struct {
	// Variant names the way of [Completion]:
	//
	//   - "brief" takes 20 steps of EM, a third of the time. Use it for scores that are only compared with each other,
	//     such as those during training.
	//   - "leave-out" is for documents that the model was trained on: what is expected of their own tokens is taken out
	//     of the counts first (docs/evaluation.md has the formula). The score is a probability of words alone. So it can
	//     be compared between states whose priors differ, which the joint likelihood of words and topics cannot. It is a
	//     little above that of documents never seen, because topics have settled around the documents that they were
	//     learnt from. It takes two thirds of the time.
	//   - "prior" scores the same tokens with θ = α/Σα: what a model expects of a document before it sees a word of it.
	//     Use it for models whose α depends on the document.
	Variant string

	Sweeps    int    // Gibbs sweeps over a document, for [TestLikelihood]. Default 50
	Particles int    // independent chains per document, for [LeftToRight]. Default 20
	Seed      uint64 // key of all randomness
	Threads   int    // goroutines; never changes the result. Default 1

	// Once makes [LeftToRight] keep the topics before a place as they were drawn: O(R N_d K_d) per document, and less
	// exact. This is MALLET's default. Default here: draw them again.
	Once bool

	// EachDoc, if not nil, is called at the end with the log-likelihood of every document, in nats and in order. Documents
	// without tokens have 0.
	EachDoc func(doc int, logLikelihood float64)
}

func (o Options) withDefaults() Options {
	if o.Sweeps <= 0 {
		o.Sweeps = 50
	}
	if o.Particles <= 0 {
		o.Particles = 20
	}
	return o
}

// CompletionResult is the outcome of an estimator of likelihoods.
type CompletionResult struct {
	PerToken float64 // mean log-likelihood of the scored tokens, nats per token; 0 when there are none
	Scored   int     // number of scored tokens
}

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
func TestLikelihood(ctx context.Context, m Model, docs *corpus.Corpus, o Options) (CompletionResult, error) {
	o = o.withDefaults()
	return estimate(ctx, m, docs, o, purposeTest, func(c *chain, doc []uint32) float64 {
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
func estimate(ctx context.Context, m Model, docs *corpus.Corpus, o Options, purpose rng.Purpose,
	score func(c *chain, doc []uint32) float64,
) (CompletionResult, error) {
	result := CompletionResult{Scored: docs.NumTokens()}
	if err := sameVocabulary(m, docs); err != nil {
		return CompletionResult{}, err
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
	if result.Scored == 0 {
		return result, nil
	}
	result.PerToken /= float64(result.Scored)
	return result, nil
}
