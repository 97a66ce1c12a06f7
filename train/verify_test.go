package train

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/ondisk"
)

// A work directory is verified with its checkpoint, and by its name.
func TestVerifyWorkDirectory(t *testing.T) {
	small(t)
	dir := t.TempDir()
	opts := filesOptions("warp", dir)
	ctx, cancel := context.WithCancel(t.Context())
	opts.Events.Iteration = func(topoi.IterationInfo) { cancel() }
	if _, err := Run(ctx, zipf(4000), opts); !errors.Is(err, ErrInterrupted) {
		t.Fatal(err)
	}
	parts := opts.Checkpoint + ".parts"
	for path, want := range map[string]string{
		opts.Checkpoint: "a checkpoint of iteration 1, 40 topics, with its files in " + parts,
		parts:           "the work directory of a run after iteration 1",
	} {
		if what, err := Verify(path); err != nil || what != want {
			t.Errorf("%s: %q, %v", path, what, err)
		}
	}
	places := filepath.Join(parts, "warp-places")
	b, err := os.ReadFile(places)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(places, b, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{opts.Checkpoint, parts} {
		if _, err := Verify(path); !errors.Is(err, ondisk.ErrDamaged) {
			t.Errorf("%s: %v", path, err)
		}
	}
	opts.Resume, opts.Events = true, topoi.Events{}
	if _, err := Run(t.Context(), zipf(4000), opts); !errors.Is(err, ondisk.ErrDamaged) || !strings.Contains(err.Error(), "warp-places") {
		t.Errorf("the run went on: %v", err)
	}
	if _, err := os.Stat(opts.Checkpoint); err != nil {
		t.Error(err)
	}
	if err := os.Remove(opts.Checkpoint); err != nil {
		t.Fatal(err)
	}
	if _, err := Verify(parts); err == nil || !strings.Contains(err.Error(), "with its checkpoint") {
		t.Errorf("without a checkpoint: %v", err)
	}
}
