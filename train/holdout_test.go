package train

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/eval"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/holdout"
	"github.com/topoi-lda/topoi/internal/plateau"
	"github.com/topoi-lda/topoi/internal/training"
)

// sorted makes themed documents sorted by their theme, which is their label.
func sorted(docs int) *corpus.Corpus {
	var b corpus.Builder
	for theme := range 3 {
		for d := range docs / 3 {
			var words []string
			for i := range 3 + d%9 {
				words = append(words, fmt.Sprintf("%c%d", 'a'+rune(theme), (d*d+i*i)%7))
			}
			b.Add(corpus.Document{Tokens: words, ID: fmt.Sprint("id", theme, "-", d), Label: fmt.Sprint(theme)})
		}
	}
	return b.Corpus()
}

// A run with held-out documents is the run on the others alone, with every sampler.
func TestHoldoutTrainsOnTheRest(t *testing.T) {
	c := sorted(90)
	rest, drawn := holdout.Sample(90, 18, 0)
	for _, name := range samplers() {
		opts := topoi.Options{Topics: 3, Sampler: name, Iterations: 12, BurnIn: 3, OptimizeInterval: 3, EvaluateEvery: 4, Seed: 5, Holdout: 0.2, Threads: 2}
		m := mustTrain(t, c, opts)
		alone := opts
		alone.Holdout = 0
		if mustTrain(t, c.Select(rest), alone).Fingerprint() != m.Fingerprint() {
			t.Errorf("%s: another model than of the training documents alone", name)
		}
		score, err := eval.Completion(t.Context(), m, c.Select(drawn), eval.Options{Threads: 1})
		if history := m.Manifest().History; err != nil || *history[len(history)-1].Heldout != score.PerToken {
			t.Errorf("%s: held-out %v, want %v (%v)", name, *history[len(history)-1].Heldout, score.PerToken, err)
		}
	}
}

// heldNumbers returns the numbers of the held-out documents.
func heldNumbers(t *testing.T, m *topoi.Model) []int {
	t.Helper()
	held, err := m.Heldout()
	if err != nil {
		t.Fatal(err)
	}
	var list []int
	for d := range held.NumDocs() {
		list = append(list, held.Number(d))
	}
	return list
}

// A sample has documents of all themes of a sorted corpus; it depends on neither
// seed, sampler, topics nor threads. The last documents are one theme.
func TestWhichDocumentsAreHeldOut(t *testing.T) {
	c := sorted(90)
	base := topoi.Options{Topics: 3, Sampler: "gibbs", Iterations: 2, Holdout: 0.2}
	want := heldNumbers(t, mustTrain(t, c, base))
	themes := map[string]int{}
	for _, d := range want {
		themes[c.Label(d)]++
	}
	if len(want) != 18 || len(themes) != 3 {
		t.Errorf("held out are %v, of themes %v", want, themes)
	}
	for _, o := range []topoi.Options{
		{Topics: 7, Sampler: "warp", Seed: 99, Iterations: 2, Holdout: 0.2, Threads: 3},
		{Topics: 3, Sampler: "light", Iterations: 1, Holdout: 0.2, Threads: 1},
	} {
		if got := heldNumbers(t, mustTrain(t, c, o)); !slices.Equal(got, want) {
			t.Errorf("%+v: %v, want %v", o, got, want)
		}
	}
	other, last := base, base
	other.HoldoutSeed, last.HoldoutLast = 4, true
	if got := heldNumbers(t, mustTrain(t, c, other)); slices.Equal(got, want) || len(got) != 18 {
		t.Errorf("another seed held out %v", got)
	}
	if got := heldNumbers(t, mustTrain(t, c, last)); len(got) != 18 || got[0] != 72 || got[17] != 89 {
		t.Errorf("the last documents are %v", got)
	}
	none := base
	none.Holdout = 0
	if held, err := mustTrain(t, c, none).Heldout(); held != nil || err != nil {
		t.Errorf("held out are %v, %v", held, err)
	}
}

// A model that was saved knows its documents, and those held out, by their numbers
// and ids in the corpus.
func TestSavedModelKnowsItsDocuments(t *testing.T) {
	c := sorted(60)
	views := c.Docs(10, 50)
	for _, test := range []struct {
		name    string
		from    *corpus.Corpus
		opts    topoi.Options
		version int
	}{
		{"sample", c, topoi.Options{Holdout: 0.25, HoldoutSeed: 3}, 2},
		{"last", c, topoi.Options{Holdout: 0.25, HoldoutLast: true}, 1},
		{"none", c, topoi.Options{}, 1},
		{"sample of a view", views, topoi.Options{Holdout: 0.25}, 2},
		{"view", views, topoi.Options{}, 1},
	} {
		test.opts.Topics, test.opts.Sampler, test.opts.Iterations = 3, "gibbs", 3
		want := mustTrain(t, test.from, test.opts)
		dir := filepath.Join(t.TempDir(), "model")
		if err := want.Save(dir, topoi.SaveOptions{}); err != nil {
			t.Fatal(err)
		}
		got, err := topoi.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if got.Manifest().FormatVersion != test.version || got.Fingerprint() != want.Fingerprint() {
			t.Errorf("%s: version %d", test.name, got.Manifest().FormatVersion)
		}
		if err := got.Verify(); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		docs, heldout := parts(t, got, 0)
		wantDocs, wantHeldout := parts(t, want, test.from.Number(0))
		if docs != wantDocs || heldout != wantHeldout || (wantHeldout == "") != (test.opts.Holdout == 0) {
			t.Errorf("%s: documents %s\nwant %s\nheld out %s\nwant %s", test.name, docs, wantDocs, heldout, wantHeldout)
		}
		again := filepath.Join(t.TempDir(), "again")
		if err := got.Save(again, topoi.SaveOptions{}); err != nil {
			t.Fatal(err)
		}
		sameFiles(t, dir, again)
		if err := got.Close(); err != nil {
			t.Error(err)
		}
	}
}

// parts describes the documents of a model. Numbers are counted from first.
func parts(t *testing.T, m *topoi.Model, first int) (docs, heldout string) {
	t.Helper()
	training, err := m.Docs()
	if err != nil {
		t.Fatal(err)
	}
	held, err := m.Heldout()
	if err != nil {
		t.Fatal(err)
	}
	describe := func(c *corpus.Corpus) string {
		var b strings.Builder
		for d := range c.NumDocs() {
			fmt.Fprint(&b, c.Number(d)-first, " ", c.ID(d), " ", c.Doc(d), "; ")
		}
		return b.String()
	}
	if held != nil {
		heldout = describe(held)
	}
	return describe(training), heldout
}

func TestResumeRefusesAnotherSplit(t *testing.T) {
	c := sorted(60)
	opts := topoi.Options{Topics: 3, Sampler: "gibbs", Iterations: 3, Holdout: 0.2, Checkpoint: filepath.Join(t.TempDir(), "ckpt"), Resume: true}
	mustTrain(t, c, opts)
	last, other := opts, opts
	last.HoldoutLast, other.HoldoutSeed = true, 1
	for want, o := range map[string]topoi.Options{"Options.HoldoutLast = false, not true": last, "Options.HoldoutSeed = 0, not 1": other} {
		if _, err := Run(t.Context(), c, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestHoldoutOptions(t *testing.T) {
	for want, o := range map[string]topoi.Options{
		"Options.Holdout is missing":     {Topics: 2, HoldoutLast: true},
		"Options.Holdout is missing: it": {Topics: 2, HoldoutSeed: 1},
		"choose one of the two":          {Topics: 2, Holdout: 0.1, HoldoutLast: true, HoldoutSeed: 1},
	} {
		if err := Validate(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", o, err, want)
		}
	}
}

// Where many tokens are held out, a sample of them is scored on the way, always the same
// one, and all in the end. It changes nothing about the model.
func TestHeldoutSample(t *testing.T) {
	c := sorted(300)
	opts := topoi.Options{Topics: 3, Iterations: 12, EvaluateEvery: 3, Tolerance: -1, Holdout: 0.5, HoldoutTokens: 200, Threads: 2}
	m := mustTrain(t, c, opts)
	all := opts
	all.HoldoutTokens = -1
	want := mustTrain(t, c, all)
	if m.Fingerprint() != want.Fingerprint() {
		t.Error("what is scored has changed the model")
	}
	history, full := m.Manifest().History, want.Manifest().History
	for i, s := range history {
		if s.HeldoutSample == nil || (s.Heldout != nil) != (i == len(history)-1) || full[i].HeldoutSample != nil {
			t.Errorf("iteration %d: %+v and %+v", s.Iteration, s, full[i])
		}
	}
	last := len(history) - 1
	if *history[last].Heldout != *full[last].Heldout || *history[last].HeldoutSample == *history[last].Heldout {
		t.Errorf("%v of all and %v of a sample in the end, want %v of all", *history[last].Heldout, *history[last].HeldoutSample, *full[last].Heldout)
	}
	d := training.Documents{Heldout: c}
	if n := d.HeldoutSample(opts.HoldoutTokens).NumTokens(); n < 150 || n > 250 {
		t.Errorf("%d tokens in the sample, want about 200", n)
	}
	opts.UntilHeldout = -100
	if s := mustTrain(t, c, opts).Manifest().History[0]; s.HeldoutSample != nil || s.Heldout == nil || s.Iteration != 3 {
		t.Errorf("a target was not compared with all: %+v", s)
	}
}

// A run that was resumed with another sample is not judged by scores of both.
func TestPlateauOfOneSample(t *testing.T) {
	score := -7.0
	history := make([]topoi.Score, 20)
	for i := range history {
		history[i].Iteration, history[i].HeldoutSample = 10*(i+1), &score
	}
	if !plateaued(history, 10, 0.0005, plateau.Drawn) {
		t.Fatal("no plateau")
	}
	history[12].HeldoutSample, history[12].Heldout = nil, &score
	if plateaued(history, 10, 0.0005, plateau.Drawn) {
		t.Error("scores of other documents were compared")
	}
}
