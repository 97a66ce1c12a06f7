package train

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/machine"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
)

// themed makes a corpus of documents about one of three themes each, with five
// words of their own and a few shared ones.
func themed(docs int) *corpus.Corpus {
	key := rng.NewKey(5)
	list := make([][]string, docs)
	for d := range list {
		for i := range 20 {
			b := key.Block(uint32(d), uint32(i), 0, 0)
			word := fmt.Sprintf("%c%d", 'a'+rune(d%3), rng.Below(b[0], 5))
			if rng.Below(b[1], 5) == 0 {
				word = fmt.Sprintf("common%d", rng.Below(b[0], 3))
			}
			list[d] = append(list[d], word)
		}
	}
	return corpus.FromTokens(list)
}

func TestTrainFindsThemes(t *testing.T) {
	for _, name := range samplers() {
		t.Run(name, func(t *testing.T) {
			m, err := Run(t.Context(), themed(90), topoi.Options{Topics: 3, Sampler: name, Iterations: 200, Seed: 3})
			if err != nil {
				t.Fatal(err)
			}
			found := map[string]bool{}
			for k := range 3 {
				letter := ""
				for _, w := range m.TopWords(k, 4) {
					letter += m.Words().At(w.Word)[:1]
				}
				for _, l := range []string{"aaaa", "bbbb", "cccc"} {
					found[l] = found[l] || l == letter
				}
			}
			if len(found) != 3 || !found["aaaa"] || !found["bbbb"] || !found["cccc"] {
				for k := range 3 {
					t.Log(m.TopWords(k, 6))
				}
				t.Error("the three themes were not found")
			}
		})
	}
}

// A run that is cut into pieces ends with the model of one that was not, for
// every sampler.
func TestResumeGivesTheSameModel(t *testing.T) {
	c := themed(60)
	for _, name := range samplers() {
		t.Run(name, func(t *testing.T) {
			opts := topoi.Options{Topics: 4, Sampler: name, Iterations: 30, Seed: 9, BurnIn: 5, OptimizeInterval: 4, EvaluateEvery: 5, Holdout: 0.1, Threads: 2}
			whole, err := Run(t.Context(), c, opts)
			if err != nil {
				t.Fatal(err)
			}
			opts.Checkpoint, opts.Resume, opts.Threads = filepath.Join(t.TempDir(), "ckpt"), true, 1
			var pieces *topoi.Model
			for _, n := range []int{1, 2, 11, 30} {
				opts.Iterations = n
				if pieces, err = Run(t.Context(), c, opts); err != nil {
					t.Fatal(err)
				}
			}
			if whole.Fingerprint() != pieces.Fingerprint() {
				t.Error("the resumed run ended with another model")
			}
		})
	}
}

func TestInterruptSavesAndResumes(t *testing.T) {
	c := themed(60)
	opts := topoi.Options{Topics: 4, Sampler: "gibbs", Iterations: 25, Seed: 2}
	whole, err := Run(t.Context(), c, opts)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	opts.Checkpoint, opts.Resume = filepath.Join(t.TempDir(), "ckpt"), true
	opts.Events.Iteration = func(info topoi.IterationInfo) {
		if info.Iteration == 7 {
			cancel()
		}
	}
	if _, err := Run(ctx, c, opts); !errors.Is(err, ErrInterrupted) || !strings.Contains(err.Error(), "iteration 7") {
		t.Fatalf("got %v", err)
	}
	var start topoi.StartInfo
	opts.Events = topoi.Events{Start: func(info topoi.StartInfo) { start = info }}
	resumed, err := Run(t.Context(), c, opts)
	if err != nil {
		t.Fatal(err)
	}
	if start.Iteration != 7 {
		t.Errorf("resumed after iteration %d, want 7", start.Iteration)
	}
	if whole.Fingerprint() != resumed.Fingerprint() {
		t.Error("the resumed run ended with another model")
	}
}

func TestResumeRefusesOtherRuns(t *testing.T) {
	opts := topoi.Options{Topics: 4, Sampler: "gibbs", Iterations: 3, Checkpoint: filepath.Join(t.TempDir(), "ckpt"), Resume: true}
	if _, err := Run(t.Context(), themed(30), opts); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), themed(33), opts); err == nil || !strings.Contains(err.Error(), "another corpus") {
		t.Errorf("other corpus: got %v", err)
	}
	opts.Topics = 5
	if _, err := Run(t.Context(), themed(30), opts); err == nil || !strings.Contains(err.Error(), "Options.Topics = 4, not 5") {
		t.Errorf("other K: got %v", err)
	}
}

func TestStopReasons(t *testing.T) {
	c := themed(60)
	for _, x := range []struct {
		want topoi.StopReason
		opts topoi.Options
	}{
		{topoi.StopIterations, topoi.Options{Iterations: 3}},
		{topoi.StopPlateau, topoi.Options{Iterations: 5000, EvaluateEvery: 2}},
		{topoi.StopTarget, topoi.Options{UntilLL: -100, EvaluateEvery: 1, Iterations: 5}},
		{topoi.StopTarget, topoi.Options{UntilHeldout: -100, Holdout: 0.2, EvaluateEvery: 1, Iterations: 5}},
		{topoi.StopTimeLimit, topoi.Options{TimeLimit: time.Nanosecond, Iterations: 5}},
	} {
		x.opts.Topics, x.opts.Sampler = 3, "gibbs"
		var done topoi.DoneInfo
		x.opts.Events.Done = func(info topoi.DoneInfo) { done = info }
		m, err := Run(t.Context(), c, x.opts)
		if err != nil {
			t.Fatal(err)
		}
		if done.Reason != x.want || m.Manifest().Stopped != x.want {
			t.Errorf("stopped by %q and recorded %q, want %q", done.Reason, m.Manifest().Stopped, x.want)
		}
		if done.Score == nil || done.Score.Iteration != done.Iteration {
			t.Errorf("stopped by %q with the score %+v of another sweep than the last, %d", done.Reason, done.Score, done.Iteration)
		}
	}
}

func TestTrainRefusesEmptyInput(t *testing.T) {
	if _, err := Run(t.Context(), corpus.FromTokens([][]string{{}, {}}), topoi.Options{Topics: 2}); err == nil || !strings.Contains(err.Error(), "nothing to train on") {
		t.Errorf("got %v", err)
	}
}

func TestTrainRefusesWhatCannotFit(t *testing.T) {
	topics := int(machine.Memory()/4/60000) + 1
	if topics == 1 || topics > 1<<20 {
		t.Skip("the machine's memory is not known, or too much to be exceeded")
	}
	docs := make([][]string, 60000) // as many words as documents
	for d := range docs {
		docs[d] = []string{fmt.Sprint("w", d)}
	}
	_, err := Run(t.Context(), corpus.FromTokens(docs), topoi.Options{Topics: topics, Sampler: "gibbs"})
	if err == nil || !strings.Contains(err.Error(), "this machine has") {
		t.Errorf("got %v", err)
	}
}

func TestValidateListsAllFaults(t *testing.T) {
	err := Validate(topoi.Options{Topics: 0, Sampler: "gibs", AlphaSum: -1, Beta: -2, Iterations: -1, Threads: -1, Holdout: 1.5})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{`did you mean "gibbs"?`, "Options.Topics is 0", "Options.AlphaSum is -1", "Options.Beta is -2", "Options.Iterations is -1", "Options.Threads is -1", "Options.Holdout is 1.5"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in:\n%v", want, err)
		}
	}
	if err := Validate(topoi.Options{Topics: registry.List()[0].MaxK + 1, Sampler: "gibbs"}); err == nil || !strings.Contains(err.Error(), "takes at most") {
		t.Errorf("K above the limit: got %v", err)
	}
}

// Whoever cancels after the last sweep gets the model, and nobody gets a model and an
// error.
func TestTrainReturnsModelOrError(t *testing.T) {
	for last, want := range map[int]bool{4: true, 2: false} {
		ctx, cancel := context.WithCancel(t.Context())
		opts := topoi.Options{Topics: 3, Sampler: "gibbs", Iterations: 4}
		opts.Events.Iteration = func(i topoi.IterationInfo) {
			if i.Iteration == last {
				cancel()
			}
		}
		m, err := Run(ctx, themed(20), opts)
		if (m != nil) != want || (err == nil) != want || !want && !errors.Is(err, ErrInterrupted) {
			t.Errorf("cancelled after iteration %d: model %v, error %v", last, m != nil, err)
		}
	}
}
