package train

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/claim"
)

// A run that stood still while another took its place says who has it, and not what the other did to files that both
// use.
func TestRunThatLostItsPlace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "corpus.topoi")
	if err := zipf(4000).SaveLinked(path); err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	o := topoi.Options{
		Topics: 8, Iterations: 8, Seed: 1, EvaluateEvery: 1,
		Checkpoint: filepath.Join(dir, "c"), CheckpointEvery: 100,
	}
	for _, lost := range []bool{false, true} {
		o.Events.Iteration = func(i topoi.IterationInfo) {
			if i.Iteration != 3 {
				return
			}
			if err := os.Truncate(path, 100); err != nil {
				t.Fatal(err)
			}
			record := `{"token":"other","pid":17,"host":"elsewhere","command":"topoi train"}`
			if !lost {
				return
			}
			if err := os.WriteFile(filepath.Join(dir, ".c.topoi-lock"), []byte(record), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Run(t.Context(), c, o)
		taken := errors.Is(err, claim.ErrTaken) && strings.Contains(err.Error(), o.Checkpoint+" is in use by process 17 on elsewhere")
		if err == nil || taken != lost {
			t.Errorf("lost %v: the run says %v", lost, err)
		}
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
