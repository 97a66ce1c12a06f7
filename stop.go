package topoi

import "github.com/topoi-lda/topoi/internal/plateau"

// decide sets r.stopped when a condition for stopping is met. All of them but
// the time limit depend on scores and iterations alone, so that two runs of the
// same options stop at the same iteration.
func (r *run) decide(score *Score) {
	switch {
	case score != nil && r.reached(*score):
		r.stopped = StopTarget
	case r.iteration >= r.opts.Iterations:
		r.stopped = StopIterations
	case score != nil && r.stopsAtPlateau() && plateaued(r.history, r.opts.shortestInterval(), r.opts.Tolerance, r.info.Draws()):
		r.stopped = StopPlateau
	case r.late:
		r.stopped = StopTimeLimit
	}
}

// reached tells whether a score the user asked for has been reached.
func (r *run) reached(score Score) bool {
	if r.opts.UntilLL != 0 && score.LogLikelihood >= r.opts.UntilLL {
		return true
	}
	return r.opts.UntilHeldout != 0 && score.Heldout != nil && *score.Heldout >= r.opts.UntilHeldout
}

// stopsAtPlateau tells whether the run ends when its scores no longer rise.
func (r *run) stopsAtPlateau() bool {
	return r.opts.Tolerance >= 0 && r.opts.UntilLL == 0 && r.opts.UntilHeldout == 0
}

// plateaued tells whether scores have stopped rising: see Options.Tolerance and plateau.Reached. Those of a run that was
// resumed with another Options.HoldoutTokens are not of the same documents.
func plateaued(history []Score, interval int, tolerance float64, draws bool) bool {
	scores := make([]plateau.Score, len(history))
	for i, s := range history {
		scores[i] = plateau.Score{Iteration: s.Iteration, Predictive: predictive(s), Joint: s.LogLikelihood, Other: s.HeldoutSample != nil}
	}
	return plateau.Reached(scores, interval, tolerance, draws)
}

// rising tells whether there are scores enough to see that they still rise.
func rising(history []Score, interval int, tolerance float64, draws bool) bool {
	return len(history) >= 2*plateau.Shortest && !plateaued(history, interval, tolerance, draws)
}

// predictive is the score of the held-out documents, or of a sample: of them where only
// that was scored on the way, of those in training where there are none. A model from
// before there were samples has none of these.
func predictive(s Score) float64 {
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
