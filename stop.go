package topoi

import "sort"

// decide sets r.stopped when a condition for stopping is met. All of them but
// the time limit depend on scores and iterations alone, so that two runs of the
// same options stop at the same iteration.
func (r *run) decide(score *Score) {
	switch {
	case score != nil && r.reached(*score):
		r.stopped = StopTarget
	case r.iteration >= r.opts.Iterations:
		r.stopped = StopIterations
	case score != nil && r.stopsAtPlateau() && plateaued(r.history, r.opts.shortestInterval(), r.opts.Tolerance, r.draws):
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

const (
	// shortestWindow is the smallest number of intervals between the first evaluations that
	// scores are averaged over on each side when looking for a plateau: enough to tell a
	// trend from the noise of single sweeps.
	shortestWindow = 5

	// windowShare is the part of all sweeps that a window holds when that is
	// more. Scores rise about as the logarithm of the sweeps, so that a plateau
	// found by windows of fixed size would mean less and less.
	windowShare = 4

	// jointTolerance is how many times Tolerance the joint likelihood may still
	// gain. It rises by the priors alone, for long after predictions have settled.
	// But where it rises by more, topics and priors are on their way from one state
	// to another, which the score may not show for a hundred sweeps.
	jointTolerance = 30

	// fallTolerance is how many times Tolerance the score may fall. Where it falls by
	// more, priors are on their way, and it comes back: it fell by 0.04 before it rose
	// again on documents in which topics are hard to tell apart.
	fallTolerance = 10

	// fallWindow is the window from which on a falling score ends a run that estimates
	// probabilities instead of drawing topics: after a few hundred sweeps priors have
	// arrived, and it goes on falling, slowly, while the joint likelihood rises, because topics
	// fit the documents of training ever more closely.
	fallWindow = 10
)

// plateaued tells whether scores have stopped rising: see Options.Tolerance. Windows are
// measured in intervals, of so many iterations each: those between the first evaluations,
// which may become longer later on. draws says whether the sampler draws topics.
func plateaued(history []Score, interval int, tolerance float64, draws bool) bool {
	if len(history) == 0 {
		return false
	}
	end := history[len(history)-1].Iteration
	w := max(shortestWindow, end/interval/windowShare)
	if end/interval < 2*w {
		return false
	}
	recent, before := after(history, end-w*interval), after(history, end-2*w*interval)
	compared := before
	before = before[:len(before)-len(recent)]
	if len(before) == 0 { // a run whose first scores are not there
		return false
	}
	gain := mean(recent, predictive) - mean(before, predictive)
	switch {
	case !alike(compared) || gain >= tolerance:
		return false
	case !draws && w >= fallWindow && gain < -tolerance:
		return true
	}
	return gain > -fallTolerance*tolerance && mean(recent, joint)-mean(before, joint) < jointTolerance*tolerance
}

// after returns the scores of the iterations after the given one.
func after(history []Score, iteration int) []Score {
	i := sort.Search(len(history), func(i int) bool { return history[i].Iteration > iteration })
	return history[i:]
}

// alike tells whether scores are of the same documents. Those of a run that was resumed
// with another Options.HoldoutTokens are not.
func alike(history []Score) bool {
	for _, s := range history {
		if (s.HeldoutSample == nil) != (history[0].HeldoutSample == nil) {
			return false
		}
	}
	return true
}

// rising tells whether there are scores enough to see that they still rise.
func rising(history []Score, interval int, tolerance float64, draws bool) bool {
	return len(history) >= 2*shortestWindow && !plateaued(history, interval, tolerance, draws)
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

func joint(s Score) float64 { return s.LogLikelihood }

// mean averages one of the scores.
func mean(scores []Score, of func(Score) float64) float64 {
	s := 0.0
	for _, x := range scores {
		s += of(x)
	}
	return s / float64(len(scores))
}
