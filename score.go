package topoi

import (
	"context"
	"time"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/eval"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/holdout"
	"github.com/topoi-lda/topoi/internal/hyper"
	"github.com/topoi-lda/topoi/internal/prior"
)

// scores holds the scores of a run so far.
type scores struct {
	history     []Score
	scored      int           // iteration of the last score, or at which the run began
	scoredAfter time.Duration // training time up to then
}

// mean returns the mean time of a sweep since the last score. Sweeps may overlap, as they do on a device;
// then only a mean is meaningful. took is what the last sweep seemed to take.
func (s *scores) mean(iteration int, training, took time.Duration) time.Duration {
	if n := iteration - s.scored; n > 0 { // a job may go back to an earlier iteration
		took = (training - s.scoredAfter) / time.Duration(n)
	}
	s.scored, s.scoredAfter = iteration, training
	return took
}

// documents holds the documents of a run.
type documents struct {
	corpus  *corpus.Corpus // all documents
	docs    *corpus.Corpus // training documents
	heldout *corpus.Corpus // held-out documents; nil if there are none
	sample  *corpus.Corpus // training documents that are scored if none are held out; nil until needed
	some    *corpus.Corpus // held-out documents that are scored during training; nil until needed
	handed  bool           // docs and heldout belong to the model now
}

// scoreDue reports whether the state is scored after this iteration.
func (r *run) scoreDue() bool { return r.opts.evaluates(r.iteration) || r.late }

// By default, scores are firstInterval iterations apart up to iteration firstLength. The interval doubles
// whenever the run becomes twice as long. Scores rise about as the logarithm of the sweeps, and a sweep on
// a GPU may take a tenth of the time of a score.
const firstInterval, firstLength = 10, 200

// evaluates reports whether the state is scored after an iteration. It does not consider the time limit.
func (o Options) evaluates(iteration int) bool {
	every := o.shortestInterval()
	for length := firstLength; o.EvaluateEvery == 0 && iteration > length; length *= 2 {
		every *= 2
	}
	return iteration%every == 0 || iteration == o.Iterations
}

// shortestInterval returns the number of iterations between the first scores.
func (o Options) shortestInterval() int {
	if o.EvaluateEvery == 0 {
		return firstInterval
	}
	return o.EvaluateEvery
}

// statistics returns the counts from which priors and likelihoods are computed. They are made once an iteration.
func (r *run) statistics() (h *counts.Histograms, err error) {
	if r.counted == nil {
		r.counted, err = r.engine.Statistics()
	}
	return r.counted, err
}

// evaluate scores the state if a score is due. It returns nil otherwise, and if ctx was cancelled meanwhile.
func (r *run) evaluate(ctx context.Context) (*Score, error) {
	if !r.scoreDue() {
		return nil, nil
	}
	h, err := r.statistics()
	if err != nil {
		return nil, err
	}
	joint, words := hyper.LogLikelihoods(h, r.priors.Alpha, r.priors.Beta, r.corpus.NumWords(), r.opts.Threads)
	pseudo := r.pseudoLikelihood()
	joint, words = joint-pseudo, words-pseudo
	if r.priors.Groups != nil {
		joint = words + prior.DocTerms(h.Groups, r.priors.Groups)
	}
	score := Score{
		Iteration:     r.iteration,
		LogLikelihood: joint / float64(r.docs.NumTokens()),
		WordsGiven:    words / float64(r.docs.NumTokens()),
		AlphaSum:      prior.Sum(r.priors.Alpha),
		Beta:          r.priors.Beta,
	}
	if err := r.predict(ctx, &score); err != nil {
		return nil, err
	}
	r.history = append(r.history, score)
	return &score, nil
}

// The sample has about a tenth of the tokens, at most 20,000. Scoring it takes a few per cent of ten
// sweeps, and its noise from sweep to sweep is below 0.003 nats per token.
const (
	sampleShare  = 10
	sampleTokens = 20_000
	sampleSeed   = 1 // differs from the default of HoldoutSeed, so that other documents are drawn
)

// heldoutSample returns a sample of the held-out documents with about most tokens, for scores during
// training. It returns nil if all are to be scored: there are no more tokens, or most is negative. The
// sample depends only on the number and the lengths of the held-out documents.
func (d *documents) heldoutSample(most int) *corpus.Corpus {
	if d.heldout == nil || most < 0 || d.heldout.NumTokens() <= most {
		return nil
	}
	if d.some == nil {
		docs, tokens := float64(d.heldout.NumDocs()), float64(d.heldout.NumTokens())
		d.some = holdout.Some(d.heldout, int(float64(most)/tokens*docs)+1, sampleSeed)
	}
	return d.some
}

// sampled returns the training documents that are scored if none are held out. They depend only on the
// number and the lengths of the training documents.
func (d *documents) sampled() *corpus.Corpus {
	if d.sample == nil {
		docs, tokens := d.docs.NumDocs(), d.docs.NumTokens()
		d.sample = holdout.Some(d.docs, min(tokens/sampleShare, sampleTokens)*docs/tokens+1, sampleSeed)
	}
	return d.sample
}

// predict scores held-out documents. If there are none and the run may stop by it, predict scores the
// sample of training documents.
func (r *run) predict(ctx context.Context, score *Score) error {
	ctx = context.WithoutCancel(ctx)
	most := r.opts.HoldoutTokens
	if r.opts.UntilHeldout != 0 {
		most = -1 // all of them
	}
	switch some := r.heldoutSample(most); {
	case some != nil:
		result, err := r.complete(ctx, "score held-out documents", some, eval.BriefCompletion)
		score.HeldoutSample = &result.PerToken
		return err
	case r.heldout != nil:
		return r.scoreHeldout(ctx, score)
	case r.rule().atPlateau():
		result, err := r.complete(ctx, "score a sample", r.sampled(), eval.LeaveOut)
		if result.Scored > 0 {
			score.Sample = &result.PerToken
		}
		return err
	}
	return nil
}

// scoreHeldout scores all held-out documents.
func (r *run) scoreHeldout(ctx context.Context, score *Score) error {
	result, err := r.complete(ctx, "score held-out documents", r.heldout, eval.Completion)
	score.Heldout = &result.PerToken
	return err
}

// scoreLast scores all held-out documents at the end of a run that has scored only a sample of them.
func (r *run) scoreLast(ctx context.Context, score *Score) error {
	if r.stopped == "" || score == nil || score.HeldoutSample == nil {
		return nil
	}
	err := r.scoreHeldout(context.WithoutCancel(ctx), score)
	r.history[len(r.history)-1] = *score
	return err
}

// completing is eval.Completion, eval.BriefCompletion or eval.LeaveOut.
type completing func(context.Context, eval.Model, *corpus.Corpus, int) (eval.CompletionResult, error)

// complete scores documents in the present state.
func (r *run) complete(ctx context.Context, phase string, docs *corpus.Corpus, by completing) (eval.CompletionResult, error) {
	r.phase(phase, 0, int64(docs.NumDocs()))
	counts, err := r.countsOf(docs)
	if err != nil {
		return eval.CompletionResult{}, err
	}
	result, err := by(ctx, engine.Scored{Counts: counts, Priors: r.priors, Words: r.corpus.NumWords()}, docs, r.opts.Threads)
	if err == nil {
		err = counts.Err()
	}
	if err == nil {
		r.phase(phase, int64(docs.NumDocs()), int64(docs.NumDocs()))
	}
	return result, err
}
