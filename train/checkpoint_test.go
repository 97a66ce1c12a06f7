package train

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/training"
)

// away makes checkpoints impossible from the end of one iteration to that of another:
// their directory has another name meanwhile.
func away(t *testing.T, dir string, from, to int) func(topoi.IterationInfo) {
	return func(i topoi.IterationInfo) {
		var err error
		switch i.Iteration {
		case from:
			err = os.Rename(dir, dir+".away")
		case to:
			err = os.Rename(dir+".away", dir)
		}
		if err != nil {
			t.Error(err)
		}
	}
}

// A checkpoint that cannot be written is a warning and tried again, and the run comes to
// the same model. Whatever happens meanwhile, the last checkpoint that was written can
// be resumed from.
func TestCheckpointsThatCannotBeWritten(t *testing.T) {
	c := zipf(1500)
	small(t)
	for _, test := range []struct {
		name string
		opts topoi.Options
	}{
		{"memory", topoi.Options{Sampler: "gibbs"}},
		{"warp from files", topoi.Options{Sampler: "warp", Memory: 20_000}},
		{"light from files", topoi.Options{Sampler: "light", Memory: 20_000, Tuning: topoi.Tuning{Rounds: 2}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			opts := test.opts
			opts.Topics, opts.Iterations, opts.CheckpointEvery, opts.Tolerance, opts.Threads = 10, 10, 1, -1, 2
			want := mustTrain(t, c, inMemory(opts)).Fingerprint()
			opts.Checkpoint, opts.WorkDir = filepath.Join(root, "kept", "checkpoint"), filepath.Join(root, "parts")
			if err := os.Mkdir(filepath.Dir(opts.Checkpoint), 0o777); err != nil {
				t.Fatal(err)
			}

			ctx, cancel := context.WithCancel(t.Context())
			move := away(t, filepath.Dir(opts.Checkpoint), 4, 99)
			var warnings []string
			opts.Events = topoi.Events{
				Iteration: func(i topoi.IterationInfo) {
					move(i)
					if i.Iteration == 8 {
						cancel()
					}
				},
				Warning: func(w topoi.WarningInfo) { warnings = append(warnings, w.Err.Error()) },
			}
			if _, err := Run(ctx, c, opts); !errors.Is(err, ErrInterrupted) {
				t.Fatal(err)
			}
			if len(warnings) < 5 || !strings.Contains(warnings[0], "the checkpoint of iteration 4 cannot be written: ") ||
				!strings.HasSuffix(warnings[0], ": that of iteration 3 is kept; the run continues, and the next checkpoint is tried when it is due") ||
				!strings.HasSuffix(warnings[len(warnings)-1], "it was the last one of this run") {
				t.Fatalf("warned of %q", warnings)
			}
			if left, _ := filepath.Glob(filepath.Join(opts.WorkDir, "*tokens*")); len(left) > 12 { // four of warp, two of each part of light
				t.Errorf("files are left: %v", left)
			}

			if err := os.Rename(filepath.Dir(opts.Checkpoint)+".away", filepath.Dir(opts.Checkpoint)); err != nil {
				t.Fatal(err)
			}
			var written []int
			resumed, warned := -1, 0
			opts.Resume = true
			opts.Events = topoi.Events{
				Start:      func(s topoi.StartInfo) { resumed = s.Iteration },
				Iteration:  away(t, filepath.Dir(opts.Checkpoint), 5, 7),
				Checkpoint: func(i topoi.CheckpointInfo) { written = append(written, i.Iteration) },
				Warning:    func(topoi.WarningInfo) { warned++ },
			}
			if got := mustTrain(t, c, opts).Fingerprint(); got != want || resumed != 3 {
				t.Errorf("model %s, want %s, resumed after iteration %d", got, want, resumed)
			}
			if warned != 2 || len(written) != 5 || written[0] != 4 || written[1] != 7 || written[4] != 10 {
				t.Errorf("%d warnings, checkpoints of iterations %v", warned, written)
			}
		})
	}
}

// Checkpoints that are written behind sweeps are those that are written between them: in
// order, the last one before Train returns, and told of if they cannot be written.
func TestCheckpointsBehindSweeps(t *testing.T) {
	defer func(n int) { behindFrom = n }(behindFrom)
	behindFrom = 0
	c := zipf(300)
	opts := topoi.Options{Topics: 10, Sampler: "gibbs", Iterations: 9, CheckpointEvery: 2, Tolerance: -1, OptimizeInterval: 1, BurnIn: 1}
	want := mustTrain(t, c, opts).Fingerprint()
	opts.Checkpoint = filepath.Join(t.TempDir(), "checkpoint")
	ctx, cancel := context.WithCancel(t.Context())
	var written []int
	opts.Events = topoi.Events{
		Iteration: func(i topoi.IterationInfo) {
			if i.Iteration == 7 {
				cancel()
			}
		},
		Checkpoint: func(i topoi.CheckpointInfo) { written = append(written, i.Iteration) },
	}
	if _, err := Run(ctx, c, opts); !errors.Is(err, ErrInterrupted) || !slices.Equal(written, []int{2, 4, 6, 7}) {
		t.Fatalf("%v, checkpoints of iterations %v", err, written)
	}
	opts.Resume = true
	if got := mustTrain(t, c, opts).Fingerprint(); got != want || !slices.Equal(written, []int{2, 4, 6, 7, 8, 9}) {
		t.Errorf("resumed to %s, want %s; checkpoints of iterations %v", got, want, written)
	}

	warned := ""
	opts.Checkpoint = filepath.Join(t.TempDir(), "missing", "checkpoint")
	opts.Events = topoi.Events{Warning: func(w topoi.WarningInfo) { warned = w.Err.Error() }}
	if got := mustTrain(t, c, opts).Fingerprint(); got != want || !strings.HasSuffix(warned, "it was the last one of this run") {
		t.Errorf("model %s, want %s; warned of %q", got, want, warned)
	}
}

// A run that ended by a condition has nothing left to do when it is resumed with the
// same one, and goes on with another.
func TestResumeAfterTheEnd(t *testing.T) {
	c := themed(60)
	opts := topoi.Options{Topics: 3, Sampler: "gibbs", Iterations: 5000, EvaluateEvery: 2, Checkpoint: filepath.Join(t.TempDir(), "ckpt"), Resume: true}
	first := mustTrain(t, c, opts)
	if first.Manifest().Stopped != topoi.StopPlateau {
		t.Fatalf("stopped by %s", first.Manifest().Stopped)
	}
	sameBytes(t, mustTrain(t, c, opts), first)
	opts.Tolerance = -1
	opts.Iterations = first.Manifest().Iterations + 3
	if m := mustTrain(t, c, opts).Manifest(); m.Iterations != opts.Iterations || m.Stopped != topoi.StopIterations {
		t.Errorf("another condition: stopped after %d by %s", m.Iterations, m.Stopped)
	}
}

// By default checkpoints come by time, after any iteration; an interval that somebody has asked for is kept. Neither
// changes the result.
func TestCheckpointsByDefault(t *testing.T) {
	defer func(d time.Duration) { training.KeepAfter = d }(training.KeepAfter)
	c, fingerprints := zipf(60), map[string]bool{}
	for _, test := range []struct {
		every int
		after time.Duration
		want  []int
	}{
		{0, 0, lists.Upto(251)[1:]},
		{0, time.Hour, []int{250}},
		{60, time.Hour, []int{60, 120, 180, 240, 250}},
	} {
		training.KeepAfter = test.after
		var written []int
		opts := topoi.Options{Topics: 2, Sampler: "gibbs", Iterations: 250, CheckpointEvery: test.every, Tolerance: -1, OptimizeInterval: -1, EvaluateEvery: 1000}
		opts.Checkpoint = filepath.Join(t.TempDir(), "checkpoint")
		opts.Events.Checkpoint = func(i topoi.CheckpointInfo) { written = append(written, i.Iteration) }
		fingerprints[mustTrain(t, c, opts).Fingerprint()] = true
		if !slices.Equal(written, test.want) || len(fingerprints) > 1 {
			t.Errorf("every %d, not before %v: checkpoints of iterations %v, want %v", test.every, test.after, written, test.want)
		}
	}
}

// A checkpoint that is held back is not written unless the model cannot be saved, and is then the one that would have been.
func TestHeldCheckpoints(t *testing.T) {
	defer func(d time.Duration) { training.KeepAfter = d }(training.KeepAfter)
	c, dir := zipf(100), t.TempDir()
	var written []int
	opts := topoi.Options{Topics: 4, Sampler: "cvb", Iterations: 5, Tolerance: -1, Checkpoint: filepath.Join(dir, "kept", "checkpoint")}
	opts.Events.Checkpoint = func(i topoi.CheckpointInfo) { written = append(written, i.Iteration) }
	if err := os.Mkdir(filepath.Dir(opts.Checkpoint), 0o777); err != nil {
		t.Fatal(err)
	}
	state := func() string { b, _ := os.ReadFile(opts.Checkpoint); return string(b) }
	fingerprint := mustTrain(t, c, opts).Fingerprint()
	want := state()
	if err := RemoveState(opts); err != nil || want == "" {
		t.Fatal(err, len(want))
	}

	opts.HoldCheckpoint = true
	m := mustTrain(t, c, opts)
	if state() != "" || len(written) != 1 {
		t.Fatalf("the checkpoint was not held back: %v", written)
	}
	if err := m.Save(filepath.Join(dir, "missing", "model"), topoi.SaveOptions{}); err == nil {
		t.Fatal("a model was saved in a directory that is not there")
	}
	away(t, filepath.Dir(opts.Checkpoint), 0, 1)(topoi.IterationInfo{Iteration: 0})
	if err := m.WriteCheckpoint(); err == nil {
		t.Error("a checkpoint was written to a directory that is not there")
	}
	away(t, filepath.Dir(opts.Checkpoint), 0, 1)(topoi.IterationInfo{Iteration: 1})
	if err := m.WriteCheckpoint(); err != nil || state() != want || !slices.Equal(written, []int{5, 5}) {
		t.Errorf("%v; the same bytes: %v; told of %v", err, state() == want, written)
	}
	opts.Resume = true
	if got := mustTrain(t, c, opts).Fingerprint(); got != fingerprint {
		t.Errorf("resumed to %s, want %s", got, fingerprint)
	}

	opts.Resume = false
	if err := RemoveState(opts); err != nil {
		t.Fatal(err)
	}
	m = mustTrain(t, c, opts)
	if err := m.Save(filepath.Join(dir, "model"), topoi.SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := m.WriteCheckpoint(); err != nil || state() != "" {
		t.Errorf("%v; a model that was saved has left a checkpoint: %v", err, state() != "")
	}
	defer func(n int64) { heldBytes = n }(heldBytes)
	opts.Sampler, opts.Tuning.CVB, heldBytes = "cvb", "zero", 100
	if err := mustTrain(t, c, opts).WriteCheckpoint(); err != nil || state() != "" {
		t.Errorf("%v; a checkpoint that would be large was made: %v", err, state() != "")
	}
	opts.Tuning.CVB = ""
	training.KeepAfter = 0 // a kill would lose too much now
	if mustTrain(t, c, opts); state() != want {
		t.Error("the checkpoint was held back although the one before is long ago")
	}
}
