package train

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
)

// frozenRun are the options of the run that testdata/checkpoint-v1 is of, in its seventh iteration.
func frozenRun() topoi.Options {
	return topoi.Options{Topics: 2, Sampler: "gibbs", Iterations: 20, Tolerance: -1, Seed: 7, Draws: 1, Threads: 1}
}

// A corpus and a checkpoint of the first format that was released are read by this program, and the run that was
// interrupted then ends with the model of one that was not. The tests of package topoi open the model beside the
// corpus. A change of these files breaks what people have on their disks.
func TestFrozenCheckpoint(t *testing.T) {
	c, err := corpus.Open(filepath.Join("..", "internal", "modelfile", "testdata", "model-v1", "corpus.topoi"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	frozen := filepath.Join("testdata", "checkpoint-v1")
	if os.Getenv("TOPOI_FREEZE") != "" {
		freeze(t, c, frozen)
	}
	if what, err := Verify(frozen); err != nil || what != "a checkpoint of iteration 7, 2 topics" {
		t.Fatalf("%s, %v", what, err)
	}
	bytes, err := os.ReadFile(frozen)
	if err != nil {
		t.Fatal(err)
	}
	o := frozenRun()
	want := mustTrain(t, c, o).Fingerprint()
	o.Checkpoint, o.Resume = filepath.Join(t.TempDir(), "checkpoint"), true
	if err := os.WriteFile(o.Checkpoint, bytes, 0o600); err != nil {
		t.Fatal(err)
	}
	began := -1
	o.Events.Start = func(s topoi.StartInfo) { began = s.Iteration }
	if got := mustTrain(t, c, o).Fingerprint(); got != want || began != 7 {
		t.Errorf("resumed after iteration %d to %s, want %s", began, got, want)
	}
}

// freeze writes the checkpoint of a run that is interrupted.
func freeze(t *testing.T, c *corpus.Corpus, path string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	o := frozenRun()
	o.Checkpoint = path
	o.Events.Iteration = func(i topoi.IterationInfo) {
		if i.Iteration == 7 {
			cancel()
		}
	}
	if _, err := Run(ctx, c, o); err == nil {
		t.Fatal("the run was not interrupted")
	}
}
