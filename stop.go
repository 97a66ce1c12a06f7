package topoi

// plateauWindow is the number of evaluations averaged on each side when looking
// for a plateau: enough to tell a trend from the noise of single sweeps.
const plateauWindow = 5

// decide sets r.stopped when a condition for stopping is met. All of them but
// the time limit depend on scores and iterations alone, so that two runs of the
// same options stop at the same iteration.
func (r *run) decide(score *Score) {
	switch {
	case score != nil && r.reached(*score):
		r.stopped = StopTarget
	case r.iteration >= r.opts.Iterations:
		r.stopped = StopIterations
	case score != nil && r.plateaued():
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

// plateaued tells whether the score has stopped rising: see Options.Tolerance.
func (r *run) plateaued() bool {
	if r.opts.Tolerance < 0 || r.opts.UntilLL != 0 || r.opts.UntilHeldout != 0 || len(r.history) < 2*plateauWindow {
		return false
	}
	recent := r.history[len(r.history)-plateauWindow:]
	before := r.history[len(r.history)-2*plateauWindow : len(r.history)-plateauWindow]
	return mean(recent)-mean(before) < r.opts.Tolerance
}

// mean averages the held-out scores, or the joint ones when there are none.
func mean(scores []Score) float64 {
	s := 0.0
	for _, x := range scores {
		if x.Heldout != nil {
			s += *x.Heldout
		} else {
			s += x.LogLikelihood
		}
	}
	return s / float64(len(scores))
}
