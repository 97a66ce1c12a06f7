package train

import (
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
)

// million is a corpus of few tokens, many documents and a million words: a table of
// its documents by a million topics would have 4 billion elements, one of words by
// topics a million times a million.
func million(t *testing.T) *corpus.Corpus {
	t.Helper()
	path := filepath.Join(t.TempDir(), "million.topoi")
	if _, err := corpus.Generate(t.Context(), path, corpus.GenerateOptions{Docs: 4000, Words: 1_000_000, MeanLength: 3, Topics: 10}); err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// allocated returns the bytes that f allocates in all, an upper bound of what it
// holds at any time.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A million topics by a million words: training with scores and priors, checkpoint,
// saving, opening, top words and inference. Each step may allocate what some dozen
// arrays of K or V numbers take, which is far from any product of the two.
func TestMillionTopics(t *testing.T) {
	const k = 1_000_000
	c := million(t)
	for _, name := range []string{"warp", "light"} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "model")
			opts := topoi.Options{
				Topics: k, Sampler: name, Iterations: 3, EvaluateEvery: 3, Holdout: 0.02, BurnIn: -1, OptimizeInterval: 2,
				Threads: 2, Checkpoint: filepath.Join(t.TempDir(), "checkpoint"), CheckpointEvery: 2,
			}
			var m *topoi.Model
			var err error
			within(t, "training", 1500, func() { m, err = Run(t.Context(), c, opts) })
			if err != nil {
				t.Fatal(err)
			}
			if score := m.Manifest().History[0]; score.Heldout == nil || !(*score.Heldout < -8 && *score.Heldout > -20) || !(score.LogLikelihood < -8 && score.LogLikelihood > -40) {
				t.Errorf("score %+v", score)
			}
			within(t, "saving", 100, func() { err = m.Save(dir, topoi.SaveOptions{}) })
			if err != nil {
				t.Fatal(err)
			}
			var opened *topoi.Model
			begin := time.Now()
			within(t, "opening", 100, func() { opened, err = topoi.Open(dir) })
			if err != nil {
				t.Fatal(err)
			}
			defer opened.Close()
			if took := time.Since(begin); took > 30*time.Second { // reading all of it takes more memory, too
				t.Errorf("opening took %v", took)
			}
			if opened.Fingerprint() != m.Fingerprint() {
				t.Error("another model was opened")
			}
			within(t, "looking", 100, func() { lookAtTopics(t, opened) })
			within(t, "inferring", 250, func() { inferMany(t, opened, c.Docs(0, 500)) })
			if err := restart(t, c, opts).Verify(); err != nil {
				t.Error(err)
			}
		})
	}
}

// within checks that f allocates at most the given number of megabytes.
func within(t *testing.T, what string, megabytes uint64, f func()) {
	t.Helper()
	if n := allocated(f); n > megabytes<<20 {
		t.Errorf("%s allocated %d MB, more than %d", what, n>>20, megabytes)
	} else {
		t.Logf("%s allocated %d MB", what, n>>20)
	}
}

// lookAtTopics shows the largest topics and checks them.
func lookAtTopics(t *testing.T, m *topoi.Model) {
	largest := m.LargestTopics(20)
	i := 0
	for s := range m.Summary(largest, 5) {
		if s.Topic != largest[i] || s.Tokens != m.TopicTotals()[s.Topic] || !slices.Equal(s.Words, m.TopWords(s.Topic, 5)) {
			t.Errorf("summary %d is %+v", i, s)
		}
		i++
	}
}

// inferMany folds documents in; each must get as many tokens as it has.
func inferMany(t *testing.T, m *topoi.Model, docs *corpus.Corpus) {
	err := m.Infer(t.Context(), docs, topoi.InferOptions{Iterations: 5, Threads: 2}, func(d *topoi.DocTopics) error {
		if d.Tokens != len(docs.Doc(d.Doc)) || d.Tokens > 0 && len(d.Topics) == 0 {
			t.Errorf("document %d: %d tokens, %d topics", d.Doc, d.Tokens, len(d.Topics))
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// restart resumes from the last checkpoint, which is that of the end.
func restart(t *testing.T, c *corpus.Corpus, opts topoi.Options) *topoi.Model {
	opts.Resume, opts.Threads = true, 1
	m, err := Run(t.Context(), c, opts)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
