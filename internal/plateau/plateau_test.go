package plateau

import (
	"math"
	"testing"
)

// The tolerance of all tests. Bounds are multiples of it, and powers of two keep sums exact.
const tolerance = 1.0 / 1024

// curve returns n scores, ten iterations apart.
func curve(n int, predictive, joint func(i int) float64) (list []Score) {
	for i := range n {
		list = append(list, Score{Iteration: 10 * (i + 1), Predictive: predictive(i), Joint: joint(i)})
	}
	return list
}

// step returns scores that are low until n are left, and higher by the given multiple of the tolerance from then on.
func step(from int, times float64) func(i int) float64 {
	return func(i int) float64 {
		if i < from {
			return -8
		}
		return -8 + times*tolerance
	}
}

func flat(int) float64 { return -8 }

// Means are taken over the last window and the one before, of five scores or a quarter of all: the gain is their difference.
func TestWindows(t *testing.T) {
	rising := func(i int) float64 { return float64(i) }
	for n, w := range map[int]int{10: 5, 23: 5, 24: 6, 27: 6, 40: 10, 41: 10} {
		recent, before, got, ok := Drawn.last(curve(n, rising, flat), 10)
		if !ok || got != n || len(recent) != w || len(before) != w || recent[w-1].Iteration != 10*n || before[w-1].Iteration != 10*(n-w) {
			t.Errorf("%d scores: windows of %d and %d, %v", n, len(recent), len(before), ok)
		}
		if gain, rise := gains(recent, before); gain != float64(w) || rise != 0 {
			t.Errorf("%d scores: gain %v, rise %v, want %d and 0", n, gain, rise, w)
		}
	}
	for windows, least := range map[Windows]int{Drawn: 10, Short: 20, Late: 10, Soon: 10, Averaged: 8, ManyAveraged: 8} {
		_, _, _, few := windows.last(curve(least-1, flat, flat), 10)
		_, _, _, enough := windows.last(curve(least, flat, flat), 10)
		if few || !enough {
			t.Errorf("%+v: %d scores are enough: %v; %d are: %v", windows, least-1, few, least, enough)
		}
	}
	if _, _, _, ok := Drawn.last(nil, 10); ok {
		t.Error("no scores are enough")
	}
	_, _, six, _ := Averaged.last(curve(30, flat, flat), 10)
	if recent, _, _, _ := Averaged.last(curve(30, flat, flat), 10); six != 30 || len(recent) != 5 {
		t.Errorf("a sixth of %d scores is %d", six, len(recent))
	}
}

// Scores of other documents cannot be compared, and those that a resumed run lacks are not made up.
func TestScoresThatAreMissing(t *testing.T) {
	history := curve(20, flat, flat)
	history[12].Other = true // within the two windows, 10 … 14 and 15 … 19
	if _, _, _, ok := Drawn.last(history, 10); ok {
		t.Error("scores of other documents are compared")
	}
	history[12].Other, history[9].Other = false, true // before them
	if _, _, _, ok := Drawn.last(history, 10); !ok {
		t.Error("scores of other documents before the windows matter")
	}
	if _, _, _, ok := Drawn.last(curve(20, flat, flat)[15:], 10); ok {
		t.Error("a run that lacks the window before is compared")
	}
	recent, before, n, ok := Drawn.last(curve(20, flat, flat)[14:], 10)
	if !ok || n != 20 || len(recent) != 5 || len(before) != 1 {
		t.Errorf("a run with one score before: %d, %d of %d, %v", len(recent), len(before), n, ok)
	}
}

// Reached: the gain is below the tolerance, not below -10 times, and the joint likelihood gains less than 30 times.
func TestReached(t *testing.T) {
	for name, c := range map[string]struct {
		gain, rise float64
		windows    Windows
		n          int
		want       bool
	}{
		"level":                        {0, 0, Drawn, 20, true},
		"just below the tolerance":     {0.99, 0, Drawn, 20, true},
		"the tolerance":                {1, 0, Drawn, 20, false},
		"falling a little":             {-9.9, 0, Drawn, 20, true},
		"falling by ten times":         {-10, 0, Drawn, 20, false},
		"the joint rises a little":     {0, 29.9, Drawn, 20, true},
		"the joint rises by 30 times":  {0, 30, Drawn, 20, false},
		"falls for ever where it may":  {-50, 50, Drawn, 60, false},
		"falls, and too soon to say":   {-50, 50, Soon, 23, false},
		"falls after 24 intervals":     {-50, 50, Soon, 24, true},
		"falls after 39":               {-50, 50, Late, 39, false},
		"falls after 40":               {-1.01, 50, Late, 40, true},
		"falls by the tolerance alone": {-1, 50, Late, 40, false},
	} {
		w := max(5, c.n/4)
		history := curve(c.n, step(c.n-w, c.gain), step(c.n-w, c.rise))
		if got := c.windows.Reached(history, 10, tolerance); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
		if rising := c.windows.Rising(history, 10, tolerance); rising != (c.gain >= 1) {
			t.Errorf("%s: rising is %v", name, rising)
		}
	}
	if Drawn.Reached(curve(9, flat, flat), 10, tolerance) || Drawn.Rising(curve(9, step(4, 50), flat), 10, tolerance) {
		t.Error("nine scores say something")
	}
}

// Settled: the gain is below the tolerance and a standard error, the joint gains less than 100 times, and scores do not fall by
// ten times before 40 intervals.
func TestSettled(t *testing.T) {
	for name, c := range map[string]struct {
		gain, rise float64
		n          int
		want       bool
	}{
		"just below the tolerance":     {0.99, 0, 20, true},
		"the tolerance":                {1, 0, 20, false},
		"the joint rises a little":     {0, 99.9, 20, true},
		"the joint rises by 100 times": {0, 100, 20, false},
		"falling a little":             {-9.9, 0, 20, true},
		"falling by ten times":         {-10, 0, 20, false},
		"falling by ten times, late":   {-10, 0, 40, true},
		"falling, not quite so late":   {-10, 0, 39, false},
		"too few":                      {0, 0, 9, false},
	} {
		w := max(5, c.n/4)
		if got := Drawn.Settled(curve(c.n, step(c.n-w, c.gain), step(c.n-w, c.rise)), 10, tolerance); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	for times, want := range map[float64]bool{2.9: true, 3.1: false} { // the standard error is twice the tolerance
		wave := func(i int) float64 {
			return step(15, times)(i) + 2*math.Sqrt(2.5)*tolerance*[]float64{-1, 1, 0, -1, 1}[i%5]
		}
		if got := Drawn.Settled(curve(20, wave, flat), 10, tolerance); got != want {
			t.Errorf("a gain of %v tolerances: %v", times, got)
		}
	}
}

// The standard error of a difference of means: Σ (x - mean)² / (n (n-1)) of each window, added up.
func TestScatter(t *testing.T) {
	scores := func(list ...float64) (s []Score) {
		for _, x := range list {
			s = append(s, Score{Predictive: x})
		}
		return s
	}
	for _, c := range []struct {
		a, b []Score
		want float64
	}{
		{scores(1, 2, 3), scores(5, 5), math.Sqrt(2.0 / 6)},
		{scores(1, 2, 3), scores(4, 8), math.Sqrt(2.0/6 + 8.0/2)},
		{scores(7), scores(4, 8), 2},
		{scores(7), nil, 0},
	} {
		if got := scatter(c.a, c.b); !(math.Abs(got-c.want) <= 1e-12) {
			t.Errorf("%v, %v: %v, want %v", c.a, c.b, got, c.want)
		}
	}
	if p, j := means([]Score{{Predictive: 1, Joint: 5}, {Predictive: 2, Joint: 9}}); p != 1.5 || j != 7 {
		t.Errorf("means %v, %v", p, j)
	}
}

// A window is a quarter of all scores, or a sixth before an average. Scores that fall end a run after 24 intervals where topics
// are drawn for long documents, after 40 where they are estimated, after 30 before an average of many topics.
func TestWindowsOfLongRuns(t *testing.T) {
	for name, c := range map[string]struct {
		windows   Windows
		w, ending int
	}{
		"drawn": {Drawn, 60, 0}, "short": {Short, 60, 0}, "late": {Late, 60, 40}, "soon": {Soon, 60, 24},
		"averaged": {Averaged, 40, 40}, "many averaged": {ManyAveraged, 40, 30},
	} {
		if recent, _, _, _ := c.windows.last(curve(240, flat, flat), 10); len(recent) != c.w {
			t.Errorf("%s: a window of %d of 240 scores, want %d", name, len(recent), c.w)
		}
		ending := 0
		for n := 1; n <= 60 && ending == 0; n++ {
			falling := func(i int) float64 { return -float64(i) }
			if c.windows.Reached(curve(n, falling, flat), 10, tolerance) {
				ending = n
			}
		}
		if ending != c.ending {
			t.Errorf("%s: falling scores end the run after %d intervals, want %d", name, ending, c.ending)
		}
	}
}
