package train

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
)

// A model that is trained further is the model of a run that was not stopped, by every sampler whose state is
// a topic for every token; cvb, whose is more, begins from the topics.
func TestStart(t *testing.T) {
	c := themed(30)
	for _, sampler := range []string{"batch", "warp", "gibbs", "light", "cvb"} {
		o := topoi.Options{Topics: 4, Sampler: sampler, Iterations: 12, Tolerance: -1, Seed: 3, OptimizeInterval: 4, BurnIn: 2, Device: "cpu"}
		whole := mustTrain(t, c, o)
		o.Iterations = 7
		part := mustTrain(t, c, o)
		o.Iterations, o.Start = 12, part.Start()
		further := mustTrain(t, c, o)
		if same := further.Fingerprint() == whole.Fingerprint(); same == (sampler == "cvb") {
			t.Errorf("%s: the same as a run that was not stopped: %t", sampler, same)
		}
		if m := further.Manifest(); m.Iterations != 12 || m.Started == "" || part.Manifest().Started != "" {
			t.Errorf("%s: %d iterations, started from %q", sampler, m.Iterations, m.Started)
		}
	}
}

// Without a sweep, a model has the topics that were given.
func TestStartAlone(t *testing.T) {
	c := themed(30)
	start := &topoi.Start{Topics: make([]uint32, c.NumTokens()), Alpha: []float64{0.5, 2}, Beta: 0.3, Iteration: 1}
	for i := range start.Topics {
		start.Topics[i] = uint32(i % 2)
	}
	m := mustTrain(t, c, topoi.Options{Topics: 2, Start: start, Iterations: 1, Sampler: "batch"})
	if got := m.AppendTopics(nil, 0, c.NumTokens()); !slices.Equal(got, start.Topics) || m.Alpha()[1] != 2 || m.Beta() != 0.3 {
		t.Errorf("topics %v, α %v, β %v", got, m.Alpha(), m.Beta())
	}
	for name, break_ := range map[string]func(s *topoi.Start){
		"topic 2, and the topics are 0 to 1": func(s *topoi.Start) { s.Topics[3] = 2 },
		"belongs to another corpus":          func(s *topoi.Start) { s.Topics = s.Topics[1:] },
		"α for 1 topics, not 2":              func(s *topoi.Start) { s.Alpha = s.Alpha[:1] },
		"a prior is 0 or negative":           func(s *topoi.Start) { s.Beta = 0 },
	} {
		broken := *start
		broken.Topics = slices.Clone(start.Topics)
		break_(&broken)
		if _, err := Run(t.Context(), c, topoi.Options{Topics: 2, Start: &broken}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %s", err, name)
		}
	}
	m = mustTrain(t, c, topoi.Options{Topics: 2, Start: start, Holdout: 0.4, Iterations: 1, Sampler: "batch"})
	docs, z, err := m.Trained()
	if err != nil || docs.NumDocs() != 18 {
		t.Fatalf("%v, %d documents", err, docs.NumDocs())
	}
	for d := range docs.NumDocs() { // those in training keep their topics
		from := c.Offsets()[docs.Number(d)]
		for i := docs.Offsets()[d]; i < docs.Offsets()[d+1]; i++ {
			if z[i] != start.Topics[from+i-docs.Offsets()[d]] {
				t.Fatalf("token %d of document %d has another topic", i, d)
			}
		}
	}
}

// α stays equal for all topics where that is asked for.
func TestSymmetricAlpha(t *testing.T) {
	o := topoi.Options{Topics: 4, Sampler: "batch", Iterations: 10, OptimizeInterval: 2, BurnIn: -1, SymmetricAlpha: true, AlphaSum: 20}
	alpha := mustTrain(t, themed(30), o).Alpha()
	if slices.Max(alpha) != slices.Min(alpha) || alpha[0] == 5 {
		t.Errorf("α is %v", alpha)
	}
}

// A run from files begins where it is told to, as one in memory does.
func TestStartInFiles(t *testing.T) {
	c := zipf(4000)
	small(t)
	start := &topoi.Start{Topics: make([]uint32, c.NumTokens()), Alpha: slices.Repeat([]float64{0.125}, 40), Beta: 0.01, Iteration: 1}
	for i := range start.Topics {
		start.Topics[i] = uint32(i % 7)
	}
	for _, name := range []string{"warp", "light"} {
		opts := filesOptions(name, t.TempDir())
		opts.Holdout, opts.Start = 0.05, start
		opts.Events.Start = func(s topoi.StartInfo) {
			if s.Iteration != 0 {
				t.Errorf("%s: a run that begins resumes after iteration %d", name, s.Iteration)
			}
		}
		want, got := mustTrain(t, c, inMemory(opts)), mustTrain(t, c, opts)
		parts, _ := filepath.Glob(filepath.Join(opts.Checkpoint+".parts", "*"))
		if want.Fingerprint() != got.Fingerprint() || len(parts) < 2 {
			t.Errorf("%s: another model, or none from files: %v", name, parts)
		}
		opts.Start = nil
		if random := mustTrain(t, c, inMemory(opts)); random.Fingerprint() == got.Fingerprint() {
			t.Errorf("%s: the beginning does not matter", name)
		}
	}
}

// Words with a likelier first topic give one model in memory, from files and after a kill.
func TestStartLift(t *testing.T) {
	c, o := zipf(600), goldenOptions("warp", 40, 3)
	o.Iterations, o.OptimizeInterval = 12, -1
	without := mustTrain(t, c, o)
	o.Tuning.StartTopics = 40 // as many as there are
	if all := mustTrain(t, c, o); all.Fingerprint() != without.Fingerprint() {
		t.Error("to begin with 40 of 40 topics per word is not to begin with all")
	}
	o.Tuning = topoi.Tuning{StartLift: 20}
	m := mustTrain(t, c, o)
	if m.Fingerprint() == without.Fingerprint() {
		t.Error("the beginning does not matter")
	}
	want := goldenModel(m)
	if got := goldenFiles(t, c, o); got != want {
		t.Errorf("from files: %s, want %s", got, want)
	}
	if got := goldenKilled(t, c, o, mustTrain); got != want {
		t.Errorf("after a kill: %s, want %s", got, want)
	}
}
