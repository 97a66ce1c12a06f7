package train

import (
	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/plateau"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
	"github.com/topoi-lda/topoi/internal/training"
)

// stopRule describes when a run ends. Except for the time limit it depends only on scores and iterations, so
// that two runs with the same options stop at the same iteration.
type stopRule struct {
	iterations   int
	untilLL      float64 // joint log-likelihood per token; 0: not used
	untilHeldout float64 // held-out score; 0: not used
	tolerance    float64 // Options.Tolerance, or twice that
	interval     int     // iterations between the first scores
	windows      plateau.Windows
	large        bool // the corpus is large: see training.Large
	most         int  // iterations after which draws of whole papers suffice, since those of the average continue them; 0: any
}

// newStopRule returns the rule for a run of a sampler on the given documents.
func newStopRule(o *options, info sampler.Info, docs *corpus.Corpus) stopRule {
	windows, many, averaged, most, tolerance := plateau.Drawn, o.Topics > registry.ManyTopics, o.Draws > 1, 0,
		o.Tolerance
	long := docs.NumTokens() >= sampler.LongTokens*docs.NumDocs()
	switch {
	case !info.Draws() && averaged && many:
		windows, most, tolerance = plateau.ManyAveraged, 280, 2*o.Tolerance // the average gains more than is left
	case !info.Draws() && averaged:
		windows, most = plateau.Averaged, 100
	case !info.Draws(), many && long:
		windows = plateau.Late
	case long:
		windows = plateau.Soon
	case averaged && docs.NumTokens() < sampler.ShortTokens*docs.NumDocs():
		windows = plateau.Short
	}
	if o.Tolerance <= 0 || docs.NumTokens() < sampler.WholeTokens*docs.NumDocs() {
		most = 0
	}
	most = int(float64(most) * 0.0005 / max(o.Tolerance, 1e-9))
	return stopRule{
		o.Iterations, o.UntilLL, o.UntilHeldout, tolerance, o.shortestInterval(), windows,
		training.Large(docs), most,
	}
}

// reason returns why a run ends after an iteration, or "". scored reports whether the last score of the history
// belongs to this iteration, drawn whether the state is drawn topics, late whether the time limit has passed.
func (s stopRule) reason(iteration int, history []topoi.Score, scored, drawn, late bool) topoi.StopReason {
	switch {
	case scored && s.reached(history[len(history)-1]):
		return topoi.StopTarget
	case iteration >= s.iterations:
		return topoi.StopIterations
	case scored && s.atPlateau() && (s.level(plateauScores(history)) || drawn && s.most > 0 &&
		iteration >= max(100, s.most)):
		return topoi.StopPlateau
	case late:
		return topoi.StopTimeLimit
	}
	return ""
}

// level reports whether scores have stopped rising.
func (s stopRule) level(scores []plateau.Score) bool {
	return s.windows.Reached(scores, s.interval, s.tolerance) || s.large &&
		s.windows.Settled(scores, s.interval, s.tolerance)
}

// reached reports whether a score that the user asked for has been reached.
func (s stopRule) reached(score topoi.Score) bool {
	if s.untilLL != 0 && score.LogLikelihood >= s.untilLL {
		return true
	}
	return s.untilHeldout != 0 && score.Heldout != nil && *score.Heldout >= s.untilHeldout
}

// atPlateau reports whether the run may end because scores no longer rise.
func (s stopRule) atPlateau() bool { return s.tolerance >= 0 && s.untilLL == 0 && s.untilHeldout == 0 }

// rising reports whether the scores still rise. It is false if there are too few of them.
func (s stopRule) rising(history []topoi.Score) bool {
	return s.atPlateau() && s.windows.Rising(plateauScores(history), s.interval, s.tolerance)
}

// plateauScores returns what plateau.Windows compares. It does not compare scores of different documents, which a run
// has if it was resumed with another Options.HoldoutTokens.
func plateauScores(history []topoi.Score) []plateau.Score {
	scores := make([]plateau.Score, len(history))
	for i, s := range history {
		scores[i] = plateau.Score{
			Iteration: s.Iteration, Predictive: predictive(s), Joint: s.LogLikelihood,
			Other: s.HeldoutSample != nil,
		}
	}
	return scores
}

// predictive returns the score by which a run stops: that of the sample of held-out documents, of all of
// them, or of the sample of training documents. Old models may have none of these.
func predictive(s topoi.Score) float64 {
	switch {
	case s.HeldoutSample != nil:
		return *s.HeldoutSample
	case s.Heldout != nil:
		return *s.Heldout
	case s.Sample != nil:
		return *s.Sample
	}
	return s.LogLikelihood
}
