package train

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/eval"
	"github.com/topoi-lda/topoi/corpus"
)

// petCorpus returns a corpus file with two kinds of texts, mapped.
func petCorpus(t *testing.T) *corpus.Corpus {
	t.Helper()
	texts := slices.Repeat([]string{"cats and kittens purr", "dogs and puppies bark"}, 20)
	c, err := corpus.FromTexts(texts, corpus.ImportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "pets.topoi")
	if err := c.Save(path); err != nil {
		t.Fatal(err)
	}
	mapped, err := corpus.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return mapped
}

func trainPets(t *testing.T, c *corpus.Corpus, o topoi.Options) *topoi.Model {
	t.Helper()
	o.Topics, o.Iterations = 2, 20
	m, err := Run(t.Context(), c, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// askClosed asks a model whose documents cannot be had: all methods that return an error return ErrClosed.
func askClosed(t *testing.T, m *topoi.Model) {
	t.Helper()
	nobody := func(*topoi.DocTopics) error { return nil }
	_, docs := m.Docs()
	_, theta := m.Theta(nil, 0)
	_, _, trained := m.Trained()
	_, where := m.Where(t.Context(), "x = 1")
	faults := map[string]error{
		"Docs": docs, "Theta": theta, "Trained": trained, "Where": where,
		"Save": m.Save(filepath.Join(t.TempDir(), "saved"), topoi.SaveOptions{}),
	}
	if m.NumTopics() == 0 { // the model itself is closed
		_, text := m.InferText(t.Context(), "cats purr", topoi.InferOptions{})
		_, options := m.ImportOptions()
		faults["InferText"], faults["ImportOptions"], faults["Verify"] = text, options, m.Verify()
		faults["Infer"] = m.Infer(t.Context(), petCorpus(t), topoi.InferOptions{}, nobody)
		faults["EachPrior"] = m.EachPrior(petCorpus(t), nil)
	}
	for name, err := range faults {
		if !errors.Is(err, topoi.ErrClosed) {
			t.Errorf("%s of a closed model: %v", name, err)
		}
	}
}

// A model outlives the corpus that it was trained on, but for what needs the documents.
func TestCorpusClosed(t *testing.T) {
	c := petCorpus(t)
	m := trainPets(t, c, topoi.Options{})
	want := slices.Collect(m.Summary(nil, 3))
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if got := slices.Collect(m.Summary(nil, 3)); len(got) != 2 || got[0].Words[0] != want[0].Words[0] {
		t.Errorf("%v, want %v", got, want)
	}
	if len(m.TopWords(0, 3)) != 3 {
		t.Error(m.TopWords(0, 3))
	}
	if _, err := m.InferText(t.Context(), "cats purr", topoi.InferOptions{}); err != nil {
		t.Error(err)
	}
	askClosed(t, m)
}

// A closed model has nothing, and refuses what it can refuse, whether it was opened or trained.
func TestModelClosed(t *testing.T) {
	c := petCorpus(t)
	dir := filepath.Join(t.TempDir(), "m")
	trained := trainPets(t, c, topoi.Options{})
	if err := trained.Save(dir, topoi.SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	opened, err := topoi.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	view, err := opened.Where(t.Context(), "doc >= 0")
	if err != nil {
		view = opened.LastDraw()
	}
	for _, m := range []*topoi.Model{trained, opened, view} {
		for range 2 {
			if err := m.Close(); err != nil {
				t.Fatal(err)
			}
		}
		askClosed(t, m)
		if len(m.TopWords(0, 3)) > 0 || m.Row(0) != nil || m.Words().Len() != 0 || m.AppendTopics(nil, 0, 5) != nil {
			t.Error("a closed model has words")
		}
		for range m.Summary([]int{0}, 3) {
			t.Error("a closed model has a summary")
		}
		for range m.Phi(nil) {
			t.Error("a closed model has φ")
		}
		if _, err := Run(t.Context(), petCorpus(t), topoi.Options{Topics: 2, Start: m.Start()}); err == nil {
			t.Error("training goes on from a closed model")
		}
	}
}

// Numbers that a model does not have give nothing, or an error where there is one.
func TestUnknownNumbers(t *testing.T) {
	m := trainPets(t, petCorpus(t), topoi.Options{})
	for _, k := range []int{-1, 2, 99} {
		if len(m.TopWords(k, 3)) > 0 {
			t.Errorf("topic %d has top words", k)
		}
		if s := slices.Collect(m.Summary([]int{k, 1}, 3)); len(s) != 1 || s[0].Topic != 1 {
			t.Errorf("topic %d: %v", k, s)
		}
		for of := range m.Phi([]int{k}) {
			t.Errorf("topic %d has φ", of)
		}
	}
	if s := slices.Collect(m.Summary([]int{1, 1, 0}, 3)); len(s) != 3 || !slices.Equal(s[0].Words, s[1].Words) {
		t.Errorf("a topic twice: %v", s)
	}
	for _, w := range []int{-1, 1000} {
		if m.Row(w) != nil {
			t.Errorf("word %d has a row", w)
		}
	}
	for _, d := range []int{-1, 1_000_000} {
		if _, err := m.Theta(nil, d); err == nil {
			t.Errorf("document %d has θ", d)
		}
	}
}

// Documents with as many words as the model, but other ones, are refused.
func TestOtherVocabulary(t *testing.T) {
	m := trainPets(t, petCorpus(t), topoi.Options{})
	texts := slices.Repeat([]string{"oil and barrels flow", "votes and ballots count"}, 20)
	other, err := corpus.FromTexts(texts, corpus.ImportOptions{})
	if err != nil || other.NumWords() != m.NumWords() {
		t.Fatalf("%v, %d words and %d", err, other.NumWords(), m.NumWords())
	}
	infer := m.Infer(t.Context(), other, topoi.InferOptions{}, func(*topoi.DocTopics) error { return nil })
	_, completion := eval.Completion(t.Context(), m, other, eval.Options{Threads: 1})
	for name, err := range map[string]error{"Infer": infer, "eval": completion} {
		if err == nil || !strings.Contains(err.Error(), "other words than the model") {
			t.Errorf("%s: %v", name, err)
		}
	}
	same := petCorpus(t) // the same words in another place
	if err := m.Infer(t.Context(), same, topoi.InferOptions{}, func(*topoi.DocTopics) error { return nil }); err != nil {
		t.Error(err)
	}
	if err := same.Close(); err != nil {
		t.Fatal(err)
	}
	err = m.Infer(t.Context(), same, topoi.InferOptions{}, func(*topoi.DocTopics) error { return nil })
	if !errors.Is(err, topoi.ErrClosed) {
		t.Errorf("closed documents: %v", err)
	}
}

// Counts of words, rows, totals and β are on one scale, by which φ is defined, also where a model adds up draws.
func TestOneScale(t *testing.T) {
	m := trainPets(t, petCorpus(t), topoi.Options{Sampler: "warp", Draws: 4})
	if m.Manifest().Draws != 4 {
		t.Fatalf("%d draws", m.Manifest().Draws)
	}
	for k := range m.NumTopics() {
		for _, w := range m.TopWords(k, 10) {
			var count uint32
			for _, e := range m.Row(w.Word) {
				if int(e.Topic) == k {
					count = e.Count
				}
			}
			phi := (float64(w.Count) + m.Beta()) / (float64(m.TopicTotals()[k]) + float64(m.NumWords())*m.Beta())
			if w.Count != count || max(phi-w.Phi, w.Phi-phi) > 1e-12 {
				t.Errorf("%s in topic %d: count %d, in the row %d, φ %v, of counts %v", w.Term, k, w.Count, count, w.Phi, phi)
			}
		}
	}
	words := m.Manifest().MeanCounts(m.TopWords(0, 1))
	if mean := words[0].Count; 4*mean < m.TopWords(0, 1)[0].Count-4 || 4*mean > m.TopWords(0, 1)[0].Count+4 {
		t.Errorf("the mean is %d", mean)
	}
}

// The error of a training that was cancelled tells by errors.Is why.
func TestInterruptedCause(t *testing.T) {
	reason := errors.New("the budget is spent")
	late, cancelLate := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancelLate()
	plain, cancel := context.WithCancel(t.Context())
	cancel()
	caused, cancelCause := context.WithCancelCause(t.Context())
	cancelCause(reason)
	for ctx, want := range map[context.Context]error{
		late: context.DeadlineExceeded, plain: context.Canceled, caused: reason,
	} {
		_, err := Run(ctx, petCorpus(t), topoi.Options{Topics: 2})
		if !errors.Is(err, want) || !errors.Is(err, ErrInterrupted) || !errors.Is(err, ctx.Err()) {
			t.Errorf("%v, want %v", err, want)
		}
		if !strings.HasPrefix(err.Error(), "interrupted after iteration 0") {
			t.Error(err)
		}
	}
}
