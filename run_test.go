package topoi

import (
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/training"
)

// A run ends by a target first, then by its length, by a plateau, and by time.
func TestStopRule(t *testing.T) {
	heldout := -5.0
	level := curve(40, flat, flat)
	until := stopRule{iterations: 50, untilLL: -7, interval: 10}
	for _, c := range []struct {
		name      string
		rule      stopRule
		iteration int
		history   []Score
		scored    bool
		late      bool
		want      StopReason
	}{
		{name: "goes on", rule: stopRule{iterations: 50, tolerance: -1}, iteration: 3},
		{name: "length", rule: stopRule{iterations: 50, tolerance: -1}, iteration: 50, late: true, want: StopIterations},
		{name: "time", rule: stopRule{iterations: 50, tolerance: -1}, iteration: 3, late: true, want: StopTimeLimit},
		{name: "target", rule: until, iteration: 50, history: []Score{{LogLikelihood: -6.9}}, scored: true, want: StopTarget},
		{name: "no target yet", rule: until, iteration: 3, history: []Score{{LogLikelihood: -7.1}}, scored: true},
		{name: "an old score", rule: until, iteration: 3, history: []Score{{LogLikelihood: -6.9}}},
		{name: "held-out target", rule: stopRule{iterations: 50, untilHeldout: -5.1}, iteration: 3, history: []Score{{Heldout: &heldout}}, scored: true, want: StopTarget},
		{name: "plateau", rule: stopRule{iterations: 5000, tolerance: 0.0005, interval: 10}, iteration: 400, history: level, scored: true, want: StopPlateau},
		{name: "no plateau unless scored", rule: stopRule{iterations: 5000, tolerance: 0.0005, interval: 10}, iteration: 401, history: level},
		{name: "no plateau with a target", rule: stopRule{iterations: 5000, untilLL: -1, interval: 10}, iteration: 400, history: level, scored: true},
	} {
		if got := c.rule.reason(c.iteration, c.history, c.scored, c.late); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// The time of a sweep is the mean since the last score, and its own where a job has gone back.
func TestMeanSweep(t *testing.T) {
	s := scores{scored: 10, scoredAfter: time.Second}
	if got := s.mean(14, 5*time.Second, time.Minute); got != time.Second {
		t.Errorf("%v", got)
	}
	if got := s.mean(12, 6*time.Second, time.Minute); got != time.Minute || s.scored != 12 || s.scoredAfter != 6*time.Second {
		t.Errorf("%v, %+v", got, s)
	}
}

func TestClock(t *testing.T) {
	c := clock{began: time.Now().Add(-time.Hour)}
	if c.past(0) || c.past(2*time.Hour) || !c.past(time.Minute) {
		t.Error("the limit is kept wrongly")
	}
	_ = timed(&c.scoring, func() error { time.Sleep(time.Millisecond); return nil })
	if c.scoring < time.Millisecond {
		t.Errorf("%v", c.scoring)
	}
}

// A checkpoint that is there, or on its way, is not written again.
func TestSaver(t *testing.T) {
	s := saver{saved: 7, keptAt: time.Now()}
	if !s.has(7) || s.has(8) || !s.fresh() {
		t.Errorf("%+v", s)
	}
	s.writing, s.keptAt = &training.Writing{Iteration: 8}, time.Time{}
	if !s.has(8) || s.fresh() {
		t.Errorf("%+v", s)
	}
}
