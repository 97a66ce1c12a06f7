package topoi

import (
	"context"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/eval"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/holdout"
	"github.com/topoi-lda/topoi/internal/hyper"
	"github.com/topoi-lda/topoi/internal/sampler"
)

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
	score := Score{
		Iteration:     r.iteration,
		LogLikelihood: joint / float64(r.docs.NumTokens()),
		WordsGiven:    words / float64(r.docs.NumTokens()),
		AlphaSum:      sum(r.priors.Alpha),
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

// heldoutSample returns the held-out documents that are scored on the way, nil if it is
// all of them. It depends on the number and the lengths of these alone.
func (r *run) heldoutSample() *corpus.Corpus {
	most := r.opts.HoldoutTokens
	if r.heldout == nil || most < 0 || r.opts.UntilHeldout != 0 || r.heldout.NumTokens() <= most {
		return nil
	}
	if r.some == nil {
		docs, tokens := r.heldout.NumDocs(), r.heldout.NumTokens()
		_, drawn := holdout.Sample(docs, int(float64(most)/float64(tokens)*float64(docs))+1, sampleSeed)
		r.some = r.heldout.Select(drawn)
	}
	return r.some
}

// sampled returns the training documents that are scored when none are held out.
// They depend on the number and the lengths of the training documents alone.
func (r *run) sampled() *corpus.Corpus {
	if r.sample == nil {
		docs, tokens := r.docs.NumDocs(), r.docs.NumTokens()
		want := min(tokens/sampleShare, sampleTokens)
		n := min(docs, want*docs/tokens+1)
		_, drawn := holdout.Sample(docs, n, sampleSeed)
		r.sample = r.docs.Select(drawn)
	}
	return r.sample
}

// predict scores held-out documents, or the sample of training documents where
// there are none and the run may stop by it.
func (r *run) predict(ctx context.Context, score *Score) error {
	ctx = context.WithoutCancel(ctx)
	switch {
	case r.heldoutSample() != nil:
		result, err := r.complete(ctx, "score held-out documents", r.heldoutSample(), eval.BriefCompletion)
		score.HeldoutSample = &result.PerToken
		return err
	case r.heldout != nil:
		return r.scoreHeldout(ctx, score)
	case r.stopsAtPlateau():
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
	result, err := by(ctx, scored{counts, r.priors, r.corpus.NumWords()}, docs, r.opts.Threads)
	if err == nil {
		err = counts.Err()
	}
	if err == nil {
		r.phase(phase, int64(docs.NumDocs()), int64(docs.NumDocs()))
	}
	return result, err
}

// scored shows a sampler's state to package eval.
type scored struct {
	modelCounts
	priors *sampler.Priors
	words  int
}

func (s scored) NumTopics() int    { return len(s.priors.Alpha) }
func (s scored) NumWords() int     { return s.words }
func (s scored) Alpha() []float64  { return s.priors.Alpha }
func (s scored) Beta() float64     { return s.priors.Beta }
func (s scored) Rows() counts.Rows { return s.modelCounts }
