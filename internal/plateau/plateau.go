// Package plateau decides when the scores of a run no longer rise.
package plateau

import (
	"math"
	"sort"
)

// Score is what a run was worth after some iteration.
type Score struct {
	Iteration  int
	Predictive float64 // log-likelihood of documents that are predicted, nats per token
	Joint      float64 // of words and topics in training
	Other      bool    // the predicted documents are others than usual
}

const (
	// Shortest is the smallest number of intervals between the first evaluations that scores are averaged over on
	// each side when looking for a plateau: enough to tell a trend from the noise of single sweeps.
	Shortest = 5

	// windowShare is the part of all sweeps that a window holds when that is more. Scores rise about as the logarithm
	// of the sweeps, so that a plateau found by windows of fixed size would mean less and less.
	windowShare = 4

	// jointTolerance is how many times Tolerance the joint likelihood may still gain. It rises by the priors alone,
	// for long after predictions have settled. But where it rises by more, topics and priors are on their way from
	// one state to another, which the score may not show for a hundred sweeps.
	jointTolerance = 30

	// slowTolerance is jointTolerance for large corpora.
	slowTolerance = 100

	// fallTolerance is how many times Tolerance the score may fall. Where it falls by more, priors are on their way,
	// and it comes back: it fell by 0.04 before it rose again on documents in which topics are hard to tell apart.
	fallTolerance = 10
)

// Fall is the number of intervals that a window must have before a falling score ends a run; 0: it never does. Topics
// then fit the training documents ever more closely, while the joint likelihood still rises.
type Fall int

const (
	// Late is for runs that estimate probabilities instead of drawing topics, because their priors settle by then, and
	// for runs that draw many topics for long documents.
	Late Fall = 10

	// Soon is for runs that draw topics for long documents: their score falls after 100 to 200 sweeps.
	Soon Fall = 6
)

// Reached reports whether scores have stopped rising by more than tolerance. Windows are measured in intervals, of so
// many iterations each: those between the first evaluations, which may become longer later on.
func Reached(history []Score, interval int, tolerance float64, fall Fall) bool {
	recent, before, w, ok := windows(history, interval)
	gain, rise := gains(recent, before)
	switch {
	case !ok || gain >= tolerance:
		return false
	case fall > 0 && w >= int(fall) && gain < -tolerance:
		return true
	}
	return gain > -fallTolerance*tolerance && rise < jointTolerance*tolerance
}

// Settled is Reached for large corpora. Scores may still rise by a standard error more, and the joint likelihood by
// slowTolerance: β makes it rise there for thousands of sweeps.
func Settled(history []Score, interval int, tolerance float64) bool {
	recent, before, w, ok := windows(history, interval)
	gain, rise := gains(recent, before)
	fallen := gain <= -fallTolerance*tolerance && w < int(Late)
	return ok && gain < tolerance+scatter(recent, before) && !fallen && rise < slowTolerance*tolerance
}

// scatter returns the standard error of the difference between the mean scores of two windows.
func scatter(windows ...[]Score) float64 {
	sum := 0.0
	for _, scores := range windows {
		if len(scores) > 1 {
			squares, center := 0.0, mean(scores, predictive)
			for _, s := range scores {
				squares += float64((s.Predictive - center) * (s.Predictive - center))
			}
			sum += squares / float64(len(scores)*(len(scores)-1))
		}
	}
	return math.Sqrt(sum)
}

// Rising reports whether scores still rise by tolerance or more.
func Rising(history []Score, interval int, tolerance float64) bool {
	recent, before, _, ok := windows(history, interval)
	gain, _ := gains(recent, before)
	return ok && gain >= tolerance
}

// gains returns by how much the mean score and the mean joint likelihood of a window lie above those of the one before.
func gains(recent, before []Score) (gain, rise float64) {
	return mean(recent, predictive) - mean(before, predictive), mean(recent, joint) - mean(before, joint)
}

// windows returns the scores of the last window, of w intervals, and of the window before. ok is false where there are
// too few scores, or they are not of the same documents.
func windows(history []Score, interval int) (recent, before []Score, w int, ok bool) {
	if len(history) == 0 {
		return nil, nil, 0, false
	}
	end := history[len(history)-1].Iteration
	w = max(Shortest, end/interval/windowShare)
	if end/interval < 2*w {
		return nil, nil, w, false
	}
	recent, before = after(history, end-w*interval), after(history, end-2*w*interval)
	compared := before
	before = before[:len(before)-len(recent)]
	return recent, before, w, len(before) > 0 && alike(compared) // a resumed run may lack its first scores
}

// after returns the scores of the iterations after the given one.
func after(history []Score, iteration int) []Score {
	i := sort.Search(len(history), func(i int) bool { return history[i].Iteration > iteration })
	return history[i:]
}

// alike reports whether scores are of the same documents.
func alike(history []Score) bool {
	for _, s := range history {
		if s.Other != history[0].Other {
			return false
		}
	}
	return true
}

func predictive(s Score) float64 { return s.Predictive }

func joint(s Score) float64 { return s.Joint }

// mean averages one of the scores.
func mean(scores []Score, of func(Score) float64) float64 {
	s := 0.0
	for _, x := range scores {
		s += of(x)
	}
	return s / float64(len(scores))
}
