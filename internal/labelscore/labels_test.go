package labelscore_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/labelscore"
	"github.com/topoi-lda/topoi/train"
)

// docs makes documents about one of three labels each, whose words are their own but for a few of the next label.
func docs(n int, label func(d int) string) *corpus.Corpus {
	var b corpus.Builder
	for d := range n {
		doc := corpus.Document{Label: label(d)}
		for i := range 12 {
			doc.Tokens = append(doc.Tokens, fmt.Sprint("abc"[(d+i/9)%3:][:1], (d+i)%7))
		}
		b.Add(doc)
	}
	return b.Corpus()
}

// predicted scores the labels that a model predicts.
func predicted(t *testing.T, m *topoi.Model, docs *corpus.Corpus, o topoi.InferOptions) (labelscore.Score, error) {
	t.Helper()
	var labels []string
	for k := range m.NumTopics() - m.Manifest().Options.Free {
		labels = append(labels, m.Label(k))
	}
	c := labelscore.New(labels)
	err := m.Infer(t.Context(), docs, o, func(d *topoi.DocTopics) error {
		c.Add(docs.Label(d.Doc), d.Theta(nil))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return c.Score()
}

func about(d int) string { return []string{"x", "y", "z"}[d%3] }

func TestLabels(t *testing.T) {
	m, err := train.Run(t.Context(), docs(90, about), topoi.Options{Prior: "labels", Iterations: 10})
	if err != nil {
		t.Fatal(err)
	}
	got, err := predicted(t, m, docs(90, about), topoi.InferOptions{})
	if err != nil || got != (labelscore.Score{Docs: 90, Accuracy: 1, MacroF1: 1, MeanRank: 1}) {
		t.Errorf("%+v, %v", got, err)
	}
	// Thirty documents about z are said to be x, and thirty have a label that is not known: x is right for 30 of 30 predictions and of
	// 60 documents, F1 = 2/3 and so on.
	got, err = predicted(t, m, docs(90, func(d int) string { return []string{"x", "unknown", "x"}[d%3] }), topoi.InferOptions{})
	if err != nil || got.Docs != 60 || got.Accuracy != 0.5 || math.Abs(got.MacroF1-(2.0/3+0)/2) > 1e-12 || got.MeanRank <= 1 {
		t.Errorf("%+v, %v", got, err)
	}
}
