package topoi

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A model that does not add up is never returned: its checkpoint is still there to go on from.
func TestModelsThatDoNotAddUp(t *testing.T) {
	m := mustTrain(t, zipf(50), Options{Topics: 4, Sampler: "gibbs", Iterations: 2, Seed: 1})
	if err := checkModel(m); err != nil {
		t.Fatal(err)
	}
	spoiled := func() *Model {
		has := *m.has
		has.Entries, has.Totals = slices.Clone(has.Entries), slices.Clone(has.Totals)
		return newModel(m.manifest, &has, m.docs, nil)
	}
	for name, spoil := range map[string]func(m *Model){
		"a total": func(m *Model) { m.has.Totals[1]++ },
		"a row":   func(m *Model) { m.has.Entries[0].Count++ },
		"a topic": func(m *Model) {
			m.has.Topics.Wide = m.has.Topics.Append(nil, 0, m.has.Topics.Len())
			m.has.Topics.Narrow, m.has.Topics.Wide[5] = nil, (m.has.Topics.Wide[5]+1)%4
		},
		"a topic beyond K": func(m *Model) {
			m.has.Topics.Wide = m.has.Topics.Append(nil, 0, m.has.Topics.Len())
			m.has.Topics.Narrow, m.has.Topics.Wide[5] = nil, 4
		},
	} {
		bad := spoiled()
		spoil(bad)
		if err := checkModel(bad); !errors.Is(err, ErrInconsistent) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Rows that add up by topic, but not by word, are found with the documents.
	bad := spoiled()
	other := slices.IndexFunc(bad.has.Entries[1:], func(e TopicCount) bool { return e.Topic == bad.has.Entries[0].Topic && e.Count > 1 }) + 1
	bad.has.Entries[0].Count++
	bad.has.Entries[other].Count--
	if err := bad.has.Check(); err != nil {
		t.Error(err)
	}
	if err := bad.has.CheckWords(bad.docs.Train); err == nil || m.has.CheckWords(m.docs.Train) != nil {
		t.Error("rows that do not fit the documents were not noticed")
	}
}

// Checkpoints that were put together by hand are refused before they are used.
func TestForgedCheckpoints(t *testing.T) {
	c := zipf(50)
	opts := Options{Topics: 4, Sampler: "gibbs", Iterations: 3, Seed: 1, Checkpoint: filepath.Join(t.TempDir(), "checkpoint")}
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
		if _, err := Train(t.Context(), c, opts); !errors.Is(err, ErrCheckpoint) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
