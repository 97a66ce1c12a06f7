package train

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/statefile"
	"github.com/topoi-lda/topoi/internal/topics"
)

// The major version of a checkpoint says what a program must understand: 1, or 2 where topics are in other files, and 2 more
// where the held-out documents are a sample. Older programs refuse what they would misread.
func TestCheckpointVersions(t *testing.T) {
	for _, c := range []struct {
		options topoi.Options
		parts   string
		major   int
	}{
		{topoi.Options{}, "", 1},
		{topoi.Options{Holdout: 0.1, HoldoutLast: true}, "", 1},
		{topoi.Options{}, `["a"]`, 2},
		{topoi.Options{Holdout: 0.1, HoldoutLast: true}, `["a"]`, 2},
		{topoi.Options{Holdout: 0.1}, "", 3},
		{topoi.Options{Holdout: 0.1}, `["a"]`, 4},
	} {
		state := &checkpoint{Options: c.options, Alpha: []float64{1, 1}, Beta: 1, Parts: json.RawMessage(c.parts)}
		if c.parts == "" {
			state.Parts, state.Topics = nil, topics.List{Wide: []uint32{0, 1, 1}}
		}
		var b bytes.Buffer
		size, err := encodeCheckpoint(&b, state)
		if err != nil || size != int64(b.Len()) {
			t.Fatalf("%d bytes, told %d: %v", b.Len(), size, err)
		}
		for most := 1; most <= checkpointMost; most++ {
			var h checkpointHeader
			if _, err := statefile.Decode(b.Bytes(), most, &h); (err == nil) != (most >= c.major) {
				t.Errorf("%+v: a program that reads version %d gets %v", c, most, err)
			}
		}
	}
}

// A checkpoint whose topics are in other files keeps the one before it, and is not written where that fails: after a power
// failure the one before may be all that there is.
func TestCheckpointBeforeIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoint")
	s := &saver{opts: &options{topoi.Options{Checkpoint: path}}}
	state := &checkpoint{Iteration: 1, Alpha: []float64{1}, Beta: 1, Parts: json.RawMessage(`["a"]`)}
	for ; state.Iteration <= 2; state.Iteration++ {
		if _, err := s.replace(state); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]int{path: 2, statefile.Before(path): 1} {
		if got, err := readCheckpoint(name); err != nil || got.Iteration != want {
			t.Errorf("%s is of iteration %+v, want %d (%v)", name, got, want, err)
		}
	}
	if err := os.Remove(statefile.Before(path)); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(statefile.Before(path), "full"), 0o777); err != nil { // nothing can be kept there
		t.Fatal(err)
	}
	if _, err := s.replace(state); err == nil {
		t.Error("the last checkpoint is replaced though it could not be kept")
	}
	if got, err := readCheckpoint(path); err != nil || got.Iteration != 2 {
		t.Errorf("the last checkpoint is of iteration %+v (%v)", got, err)
	}
}
