package train

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/claim"
)

// Two runs at once in one place: the second is refused with the name of the first, and the first is as it would be alone.
func TestTwoRunsInOnePlace(t *testing.T) {
	dir := t.TempDir()
	c := zipf(50)
	alone, err := Run(t.Context(), c, topoi.Options{Topics: 4, Iterations: 6, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	o := topoi.Options{Topics: 4, Iterations: 6, Seed: 1, Checkpoint: filepath.Join(dir, "c"), WorkDir: filepath.Join(dir, "w"), CheckpointEvery: 1}
	second := errors.New("it was not tried")
	o.Events.Iteration = func(i topoi.IterationInfo) {
		if i.Iteration != 3 {
			return
		}
		for _, places := range [][2]string{{o.Checkpoint, ""}, {filepath.Join(dir, "other"), o.WorkDir}} {
			other := topoi.Options{Topics: 5, Iterations: 2, Checkpoint: places[0], WorkDir: places[1]}
			if _, second = Run(t.Context(), c, other); !errors.Is(second, claim.ErrTaken) {
				t.Errorf("%v: %v", places, second)
			}
		}
	}
	m, err := Run(t.Context(), c, o)
	if err != nil || m.Fingerprint() != alone.Fingerprint() {
		t.Errorf("the first run is disturbed: %v", err)
	}
	if !strings.Contains(second.Error(), fmt.Sprintf("is in use by process %d", os.Getpid())) {
		t.Error(second)
	}
	if err := RemoveState(o); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v are left, %v", left, err)
	}
}

// A work directory with the files of a run that can go on is not for another run.
func TestWorkDirOfAnotherRun(t *testing.T) {
	dir := t.TempDir()
	o := topoi.Options{Memory: 1, WorkDir: dir, Checkpoint: filepath.Join(dir, "a.checkpoint")}
	other := o
	other.Checkpoint = filepath.Join(dir, "b.checkpoint")
	for _, err := range []error{options{o}.enterWorkDir(), options{other}.enterWorkDir(), options{o}.enterWorkDir()} { // nobody has kept anything
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a.checkpoint", "part-00000.topics"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := (options{other}).enterWorkDir(); err == nil || !strings.Contains(err.Error(), "whose checkpoint is "+o.Checkpoint) {
		t.Errorf("another run: %v", err)
	}
	if err := (options{o}).enterWorkDir(); err != nil {
		t.Errorf("the same run: %v", err)
	}
	if err := RemoveState(o); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
}
