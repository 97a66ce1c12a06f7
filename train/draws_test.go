package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
)

// drawsCorpus has 6,000 tokens of five topics, each with 40 words of its own.
func drawsCorpus() *corpus.Corpus {
	r := rand.New(rand.NewPCG(3, 1))
	words, docs := make([]string, 200), make([][]uint32, 300)
	for w := range words {
		words[w] = fmt.Sprintf("w%03d", w)
	}
	for d := range docs {
		for i := range 20 {
			k := (d + i%3) % 5 // three topics a document
			docs[d] = append(docs[d], uint32(40*k+int(40*r.Float64()*r.Float64())))
		}
		slices.Sort(docs[d])
	}
	return corpus.FromIDs(words, docs)
}

// A model of several draws has the sums of the counts that the same chain has after the sweeps of the draws, and of β.
func TestDrawsAddUp(t *testing.T) {
	c := drawsCorpus()
	o := topoi.Options{Topics: 5, Sampler: "batch", Iterations: 60, Tolerance: -1, Seed: 7}
	train := func(change func(*topoi.Options)) *topoi.Model {
		o := o
		change(&o)
		m, err := Run(context.Background(), c, o)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	sum := train(func(o *topoi.Options) { o.Draws = 3 })
	if got := sum.Manifest(); got.Draws != 3 || got.Iterations != 60 || got.PseudoTokens != 2*uint64(c.NumTokens()) {
		t.Fatalf("manifest: %d draws, %d iterations, %d pseudo-counts", got.Draws, got.Iterations, got.PseudoTokens)
	}
	beta, want := 0.0, make([]map[uint32]uint32, c.NumWords())
	for w := range want {
		want[w] = map[uint32]uint32{}
	}
	for _, n := range []int{50, 55, 60} {
		m := train(func(o *topoi.Options) { o.Iterations = n })
		beta += m.Beta()
		for w := range want {
			for _, e := range m.Row(w) {
				want[w][e.Topic] += e.Count
			}
		}
	}
	for w := range want {
		row := sum.Row(w)
		if len(row) != len(want[w]) {
			t.Fatalf("word %d has %d topics, want %d", w, len(row), len(want[w]))
		}
		for _, e := range row {
			if want[w][e.Topic] != e.Count {
				t.Fatalf("word %d, topic %d: %d, want %d", w, e.Topic, e.Count, want[w][e.Topic])
			}
		}
	}
	if math.Abs(sum.Beta()-beta) > 1e-12 {
		t.Errorf("β is %v, want %v", sum.Beta(), beta)
	}
	last := train(func(*topoi.Options) {})
	view := sum.LastDraw()
	for w := range want {
		a, b := view.Row(w), last.Row(w)
		for i := range max(len(a), len(b)) {
			if a[i] != b[i] {
				t.Fatalf("last draw of word %d: %v, want %v", w, a, b)
			}
		}
	}
}

// The draws of "auto" predict better than one draw, by more than the noise of single draws. They are saved with the
// model, and do not depend on threads.
func TestDrawsPredictBetter(t *testing.T) {
	c := drawsCorpus()
	score := func(o topoi.Options) (float64, *topoi.Model) {
		o.Topics, o.Holdout, o.Seed, o.Iterations = 20, 0.2, 5, 200
		m, err := Run(context.Background(), c, o)
		if err != nil {
			t.Fatal(err)
		}
		h := m.Manifest().History
		return *h[len(h)-1].Heldout, m
	}
	one, _ := score(topoi.Options{Draws: 1, Threads: 2})
	many, m := score(topoi.Options{Threads: 2})
	if m.Manifest().Draws != 5 { // a tenth of 200 sweeps
		t.Errorf("%d draws", m.Manifest().Draws)
	}
	if many < one+0.005 { // gains are 0.02 to 0.04 over ten seeds
		t.Errorf("held-out score %v with one draw, %v with several", one, many)
	}
	_, again := score(topoi.Options{Threads: 1})
	if m.Fingerprint() != again.Fingerprint() {
		t.Error("the model depends on threads")
	}
	dir := filepath.Join(t.TempDir(), "m")
	if err := m.Save(dir, topoi.SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	opened, err := topoi.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	if err := opened.Verify(); err != nil || opened.Fingerprint() != m.Fingerprint() || opened.Manifest().Draws != 5 {
		t.Errorf("opened: %v, %d draws", err, opened.Manifest().Draws)
	}
}

// A run that is interrupted while it makes its draws is resumed with the same result.
func TestDrawsInterrupted(t *testing.T) {
	c := drawsCorpus()
	o := topoi.Options{Topics: 5, Iterations: 100, Draws: 4, Tolerance: -1, Checkpoint: filepath.Join(t.TempDir(), "c")}
	whole, err := Run(context.Background(), c, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := RemoveState(o); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	stop := o
	stop.Events.Phase = func(p topoi.PhaseInfo) {
		if p.Name == "average topics" && p.Done == 2 {
			cancel()
		}
	}
	if _, err := Run(ctx, c, stop); !errors.Is(err, ErrInterrupted) {
		t.Fatalf("not interrupted: %v", err)
	}
	o.Resume = true
	resumed, err := Run(context.Background(), c, o)
	if err != nil {
		t.Fatal(err)
	}
	if resumed.Fingerprint() != whole.Fingerprint() {
		t.Error("the resumed run made another model")
	}
}

// What cannot be added up is refused in one sentence.
func TestDrawsFaults(t *testing.T) {
	c := drawsCorpus()
	for name, o := range map[string]topoi.Options{
		"hdp":            {Draws: 2, Prior: "hdp"},
		"few iterations": {Topics: 5, Draws: 30, Iterations: 100},
		"beyond 32 bits": {Topics: 5, Draws: 1 << 20, Iterations: 1 << 24},
	} {
		if _, err := Run(context.Background(), c, o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
