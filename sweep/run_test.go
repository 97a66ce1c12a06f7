package sweep

import (
	"slices"
	"testing"
)

// A sweep whose models are measured while the next ones are trained ends as one that does
// one thing after the other, and tells of every run once.
func TestMeasuringBesideTraining(t *testing.T) {
	c, dir := small(t)
	plain := do(t, dir+"/plain", c, smallOptions(), false)
	was := beside
	defer func() { beside = was }()
	beside = func(string) bool { return true }
	var begun, done []Run
	o := smallOptions()
	o.Events.Begin = func(r RunInfo) { begun = append(begun, r.Run) }
	o.Events.Done = func(r RunInfo) { done = append(done, r.Run) }
	do(t, dir+"/beside", c, o, false)
	if got, want := read(t, dir, "beside", "sweep.csv"), read(t, dir, "plain", "sweep.csv"); got != want {
		t.Errorf("sweep.csv is\n%s, want\n%s", got, want)
	}
	if len(plain.Groups) < 2 || !slices.Equal(begun, done) {
		t.Errorf("begun %v, done %v", begun, done)
	}
}
