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

// scores are those of a run so far.
type scores struct {
	history     []Score
	scored      int           // iteration of the last score, or with which the run began
	scoredAfter time.Duration // training up to then
}

// mean returns the time of a sweep since the last score: while sweeps overlap, as on a device, only
// a mean is right. took is what the last one seemed to take.
func (s *scores) mean(iteration int, training, took time.Duration) time.Duration {
	if n := iteration - s.scored; n > 0 { // a job may go back to an earlier iteration
		took = (training - s.scoredAfter) / time.Duration(n)
	}
	s.scored, s.scoredAfter = iteration, training
	return took
}

// documents are what a run is about.
type documents struct {
	corpus  *corpus.Corpus // all documents
	docs    *corpus.Corpus // those in training
	heldout *corpus.Corpus // those left out; nil when there are none
	sample  *corpus.Corpus // those in training that are scored instead; nil until then
	some    *corpus.Corpus // those left out that are scored on the way; nil until then
	handed  bool           // docs and heldout belong to the model now
}

// scoreDue says whether the state is scored after this iteration.
func (r *run) scoreDue() bool { return r.opts.evaluates(r.iteration) || r.late }

// Where nobody says when to score, it is every firstInterval iterations up to firstLength,
// and at intervals twice as long whenever the run has become twice as long: scores rise
// about as the logarithm of the sweeps, and a sweep on a GPU may take a tenth of the time
// of a score.
const firstInterval, firstLength = 10, 200

// evaluates says whether the state is scored after an iteration, unless the time is up.
func (o Options) evaluates(iteration int) bool {
	every := o.shortestInterval()
	for length := firstLength; o.EvaluateEvery == 0 && iteration > length; length *= 2 {
		every *= 2
	}
	return iteration%every == 0 || iteration == o.Iterations
}

// shortestInterval is the number of iterations between the first scores.
func (o Options) shortestInterval() int {
	if o.EvaluateEvery == 0 {
		return firstInterval
	}
	return o.EvaluateEvery
}

// statistics counts what priors and likelihoods follow from, once an iteration.
func (r *run) statistics() (h *counts.Histograms, err error) {
	if r.counted == nil {
		r.counted, err = r.engine.Statistics()
	}
	return r.counted, err
}

// evaluate scores the state when it is due; it returns nil otherwise, and when
// ctx was cancelled meanwhile.
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

// The sample has about a tenth of the tokens, and not more than 20,000: scoring it
// takes a few per cent of ten sweeps, and its noise from sweep to sweep is then below
// 0.003 nats per token.
const (
	sampleShare  = 10
	sampleTokens = 20_000
	sampleSeed   = 1 // other documents than those that are held out by default
)

// heldoutSample returns the held-out documents that are scored on the way, of at most so many tokens;
// nil if it is all of them, as where most is negative. It depends on the number and the lengths of
// these alone.
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

// sampled returns the training documents that are scored when none are held out.
// They depend on the number and the lengths of the training documents alone.
func (d *documents) sampled() *corpus.Corpus {
	if d.sample == nil {
		docs, tokens := d.docs.NumDocs(), d.docs.NumTokens()
		d.sample = holdout.Some(d.docs, min(tokens/sampleShare, sampleTokens)*docs/tokens+1, sampleSeed)
	}
	return d.sample
}

// predict scores held-out documents, or the sample of training documents where
// there are none and the run may stop by it.
func (r *run) predict(ctx context.Context, score *Score) error {
	ctx = context.WithoutCancel(ctx)
	most := r.opts.HoldoutTokens
	if r.opts.UntilHeldout != 0 {
		most = -1 // which is about all of them
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

// scoreLast scores all held-out documents when the run has ended, if only a sample has
// been.
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
