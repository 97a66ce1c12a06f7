package train

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
)

// Checkpoints that were put together by hand are refused before they are used.
func TestForgedCheckpoints(t *testing.T) {
	c := zipf(50)
	opts := topoi.Options{Topics: 4, Sampler: "gibbs", Iterations: 3, Seed: 1, Checkpoint: filepath.Join(t.TempDir(), "checkpoint")}
	mustTrain(t, c, opts)
	opts.Resume = true
	whole, err := readCheckpoint(opts.Checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(s *checkpoint){
		"α for 3 topics, not 4":             func(s *checkpoint) { s.Alpha = s.Alpha[:3]; clear(s.Topics.Wide) },
		"a prior is 0 or negative":          func(s *checkpoint) { s.Alpha = []float64{1, -1, 1, 1} },
		"a prior is 0 or negative;":         func(s *checkpoint) { s.Beta = 0 },
		"tokens, not":                       func(s *checkpoint) { s.Topics.Wide = s.Topics.Wide[1:] },
		"it was written after iteration -1": func(s *checkpoint) { s.Iteration = -1 },
	} {
		forged := *whole
		forged.Topics.Wide = slices.Clone(whole.Topics.Wide)
		spoil(&forged)
		if _, err := writeCheckpoint(opts.Checkpoint, &forged); err != nil {
			t.Fatal(err)
		}
		if _, err := Run(t.Context(), c, opts); !errors.Is(err, ErrCheckpoint) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
