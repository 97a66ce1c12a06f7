// Package plateau decides when the scores of a run no longer rise.
package plateau

import (
	"math"
	"slices"
	"sort"
)

// Score is the score of a run after some iteration.
type Score struct {
	Iteration  int
	Predictive float64 // log-likelihood of documents that are predicted, nats per token
	Joint      float64 // of words and topics in training
	Other      bool    // the predicted documents are others than usual
}

const (
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

// Windows describes over how many scores means are taken to find a plateau. Lengths are in intervals, of so many
// iterations each: those between the first evaluations, which may become longer later on.
type Windows struct {
	shortest int // least length: enough to tell a trend from the noise of single sweeps
	share    int // a window holds one of so many parts of all sweeps when that is more: scores rise as their logarithm

	// fall is the number of intervals after which a falling score ends a run; 0: it never does. Topics then fit the
	// training documents ever more closely, while the joint likelihood still rises.
	fall int
}

var (
	Drawn = Windows{5, 4, 0} // for runs that draw topics

	// Short is for runs that draw topics for short documents, whose score may stay the same for 50 sweeps in between.
	Short = Windows{10, 4, 0}

	// Late is for runs that estimate probabilities instead of drawing topics, because their priors settle by then, and
	// for runs that draw many topics for long documents.
	Late = Windows{5, 4, 40}

	// Soon is for runs that draw topics for long documents: their score falls after 100 to 200 sweeps.
	Soon = Windows{5, 4, 24}

	// Averaged is for runs that estimate probabilities before the draws of an average, ManyAveraged the same with many
	// topics, whose score falls sooner. A shorter look back is enough for them.
	Averaged, ManyAveraged = Windows{4, 6, 40}, Windows{4, 6, 30}
)

// Reached reports whether scores have stopped rising by more than tolerance.
func (l Windows) Reached(history []Score, interval int, tolerance float64) bool {
	recent, before, n, ok := l.last(history, interval)
	gain, rise := gains(recent, before)
	switch {
	case !ok || gain >= tolerance:
		return false
	case l.fall > 0 && n >= l.fall && gain < -tolerance:
		return true
	}
	return gain > -fallTolerance*tolerance && rise < jointTolerance*tolerance
}

// Settled is Reached for large corpora. Scores may still rise by a standard error more, and the joint likelihood by
// slowTolerance: β makes it rise there for thousands of sweeps.
func (l Windows) Settled(history []Score, interval int, tolerance float64) bool {
	recent, before, n, ok := l.last(history, interval)
	gain, rise := gains(recent, before)
	fallen := gain <= -fallTolerance*tolerance && n < Late.fall
	return ok && gain < tolerance+scatter(recent, before) && !fallen && rise < slowTolerance*tolerance
}

// scatter returns the standard error of the difference between the mean scores of two windows.
func scatter(windows ...[]Score) float64 {
	sum := 0.0
	for _, scores := range windows {
		if len(scores) > 1 {
			squares := 0.0
			center, _ := means(scores)
			for _, s := range scores {
				squares += float64((s.Predictive - center) * (s.Predictive - center))
			}
			sum += squares / float64(len(scores)*(len(scores)-1))
		}
	}
	return math.Sqrt(sum)
}

// Rising reports whether scores still rise by tolerance or more.
func (l Windows) Rising(history []Score, interval int, tolerance float64) bool {
	recent, before, _, ok := l.last(history, interval)
	gain, _ := gains(recent, before)
	return ok && gain >= tolerance
}

// gains returns by how much the mean score and the mean joint likelihood of a window lie above those of the one before.
func gains(recent, before []Score) (gain, rise float64) {
	predictive, joint := means(recent)
	predictiveBefore, jointBefore := means(before)
	return predictive - predictiveBefore, joint - jointBefore
}

// last returns the scores of the last window and of the one before, and the number n of intervals so far. ok is false
// where there are too few scores, or they are not of the same documents.
func (l Windows) last(history []Score, interval int) (recent, before []Score, n int, ok bool) {
	if len(history) == 0 {
		return nil, nil, 0, false
	}
	end := history[len(history)-1].Iteration
	n = end / interval
	w := max(l.shortest, n/l.share)
	if n < 2*w {
		return nil, nil, n, false
	}
	recent, before = after(history, end-w*interval), after(history, end-2*w*interval)
	other := slices.ContainsFunc(before, func(s Score) bool { return s.Other != before[0].Other })
	before = before[:len(before)-len(recent)]
	return recent, before, n, len(before) > 0 && !other // a resumed run may lack its first scores
}

// after returns the scores of the iterations after the given one.
func after(history []Score, iteration int) []Score {
	i := sort.Search(len(history), func(i int) bool { return history[i].Iteration > iteration })
	return history[i:]
}

// means averages both scores.
func means(scores []Score) (predictive, joint float64) {
	for _, s := range scores {
		predictive += s.Predictive
		joint += s.Joint
	}
	n := float64(len(scores))
	return predictive / n, joint / n
}
