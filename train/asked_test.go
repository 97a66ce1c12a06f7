package train

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/topoi-lda/topoi"
)

// Who cancels with ErrStop gets the model of that sweep, scored, and may go on from its checkpoint.
func TestAskedToStop(t *testing.T) {
	c := zipf(60)
	for name, o := range map[string]topoi.Options{
		"in memory":        {Topics: 4, Sampler: "gibbs"},
		"a sample scored":  {Topics: 4, Sampler: "gibbs", Holdout: 0.3, HoldoutTokens: 20},
		"auto, with draws": {Topics: 4, Draws: 2},
	} {
		o.Iterations, o.Tolerance, o.Checkpoint = 40, -1, filepath.Join(t.TempDir(), "checkpoint")
		want := mustTrain(t, c, withoutDraws(o, 13))
		o.Checkpoint = filepath.Join(t.TempDir(), "checkpoint")
		ctx, stop := context.WithCancelCause(t.Context())
		o.Events.Iteration = func(i topoi.IterationInfo) {
			if i.Iteration == 13 {
				stop(topoi.ErrStop)
			}
		}
		var done topoi.DoneInfo
		o.Events.Done = func(d topoi.DoneInfo) { done = d }
		m, err := Run(ctx, c, o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		manifest := m.Manifest()
		last := manifest.History[len(manifest.History)-1]
		if manifest.Stopped != topoi.StopAsked || manifest.Iterations != 13 || last.Iteration != 13 || done.Reason != topoi.StopAsked {
			t.Errorf("%s: %s after %d iterations, scored after %d, told %s", name, manifest.Stopped, manifest.Iterations, last.Iteration, done.Reason)
		}
		if o.Holdout > 0 && last.Heldout == nil {
			t.Errorf("%s: the held-out documents are not scored", name)
		}
		if m.Fingerprint() != want.Fingerprint() {
			t.Errorf("%s: another model than that of 13 iterations", name)
		}
		state, err := readCheckpoint(o.Checkpoint)
		if err != nil || state.Iteration != 13 || state.Stopped != "" {
			t.Errorf("%s: checkpoint %+v, %v", name, state, err)
		}
	}
}

// withoutDraws returns options of a run that ends after some iterations without an average.
func withoutDraws(o topoi.Options, iterations int) topoi.Options {
	o.Iterations, o.Draws = iterations, 1
	return o
}

// There is no model before the first sweep, and other causes interrupt.
func TestStopsThatInterrupt(t *testing.T) {
	for _, cause := range []error{topoi.ErrStop, errors.New("another")} {
		ctx, stop := context.WithCancelCause(t.Context())
		stop(cause)
		if m, err := Run(ctx, zipf(20), topoi.Options{Topics: 2, Sampler: "gibbs"}); m != nil || !errors.Is(err, ErrInterrupted) {
			t.Errorf("%v: %v, %v", cause, m, err)
		}
	}
}

// Who asks while states are added up gets the whole average.
func TestAskedToStopInTheAverage(t *testing.T) {
	c := zipf(60)
	o := topoi.Options{Topics: 4, Sampler: "batch", Iterations: 30, Tolerance: -1, Draws: 3}
	want := mustTrain(t, c, o)
	ctx, stop := context.WithCancelCause(t.Context())
	o.Events.Phase = func(p topoi.PhaseInfo) {
		if p.Name == "average topics" {
			stop(topoi.ErrStop)
		}
	}
	m, err := Run(ctx, c, o)
	if err != nil || m.Fingerprint() != want.Fingerprint() || m.Manifest().Draws != 3 {
		t.Errorf("%v", err)
	}
}
