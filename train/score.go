package train

import (
	"context"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/eval"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/internal/training"
)

// scorer scores the states of a run.
type scorer struct {
	opts    *options
	docs    *training.Documents
	priors  *training.Priors
	engine  engine.Engine
	sample  bool               // score a sample of the training documents if none are held out
	counted *counts.Histograms // of the present state; nil until they are needed
}

// statistics returns the counts from which priors and likelihoods are computed. They are made once an iteration.
func (s *scorer) statistics() (h *counts.Histograms, err error) {
	if s.counted == nil {
		s.counted, err = s.engine.Statistics()
	}
	return s.counted, err
}

// score scores the state after an iteration.
func (s *scorer) score(ctx context.Context, iteration int) (*topoi.Score, error) {
	score, err := s.likelihoods(iteration)
	if err != nil {
		return nil, err
	}
	return score, s.predict(context.WithoutCancel(ctx), score)
}

// likelihoods scores the state after an iteration without predictions.
func (s *scorer) likelihoods(iteration int) (*topoi.Score, error) {
	h, err := s.statistics()
	if err != nil {
		return nil, err
	}
	joint, words, err := s.priors.LogLikelihoods(h)
	tokens := float64(s.docs.Train.NumTokens())
	return &topoi.Score{
		Iteration:     iteration,
		LogLikelihood: joint / tokens,
		WordsGiven:    words / tokens,
		AlphaSum:      prior.Sum(s.priors.Now.Alpha),
		Beta:          s.priors.Now.Beta,
	}, err
}

// predict scores held-out documents. If there are none and the run may stop by it, predict scores the
// sample of training documents.
func (s *scorer) predict(ctx context.Context, score *topoi.Score) error {
	most := s.opts.HoldoutTokens
	if s.opts.UntilHeldout != 0 {
		most = -1 // all of them
	}
	switch some := s.docs.HeldoutSample(most); {
	case some != nil:
		result, err := s.complete(ctx, "score held-out documents", some, "brief")
		score.HeldoutSample = &result.PerToken
		return err
	case s.docs.Heldout != nil:
		return s.heldout(ctx, score)
	case s.sample:
		result, err := s.complete(ctx, "score a sample", s.docs.Sample(), "leave-out")
		if result.Scored > 0 {
			score.Sample = &result.PerToken
		}
		return err
	}
	return nil
}

// heldout scores all held-out documents.
func (s *scorer) heldout(ctx context.Context, score *topoi.Score) error {
	result, err := s.complete(context.WithoutCancel(ctx), "score held-out documents", s.docs.Heldout, "")
	score.Heldout = &result.PerToken
	return err
}

// complete scores documents in the present state by a variant of eval.Completion.
func (s *scorer) complete(ctx context.Context, phase string, docs *corpus.Corpus,
	variant string,
) (eval.CompletionResult, error) {
	s.opts.phase(phase, 0, int64(docs.NumDocs()))
	// Counts of the words that occur in docs are enough.
	has, err := s.engine.Counts(func() []uint32 { return counts.Occurring(docs.Tokens(), docs.NumWords()) })
	if err != nil {
		return eval.CompletionResult{}, err
	}
	state := engine.Scored{Counts: has, Priors: s.priors.Now, Words: docs.NumWords()}
	result, err := eval.Completion(ctx, state, docs, eval.Options{Variant: variant, Threads: s.opts.Threads})
	if err == nil {
		err = has.Err()
	}
	if err == nil {
		s.opts.phase(phase, int64(docs.NumDocs()), int64(docs.NumDocs()))
	}
	return result, err
}
