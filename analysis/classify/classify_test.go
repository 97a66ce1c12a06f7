package classify

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
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

func about(d int) string { return []string{"x", "y", "z"}[d%3] }

func TestScore(t *testing.T) {
	m, err := train.Run(t.Context(), docs(90, about), topoi.Options{Prior: topoi.PriorLabels, Iterations: 10})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Score(t.Context(), m, docs(90, about), topoi.InferOptions{})
	if err != nil || got != (Result{90, 1, 1, 1}) {
		t.Errorf("%+v, %v", got, err)
	}
	// Thirty documents about z are said to be x, and thirty have a label that is not known: x is right for 30 of 30 predictions and of
	// 60 documents, F1 = 2/3 and so on.
	got, err = Score(t.Context(), m, docs(90, func(d int) string { return []string{"x", "unknown", "x"}[d%3] }), topoi.InferOptions{})
	if err != nil || got.Docs != 60 || got.Accuracy != 0.5 || math.Abs(got.MacroF1-(2.0/3+0)/2) > 1e-12 || got.MeanRank <= 1 {
		t.Errorf("%+v, %v", got, err)
	}
	for want, c := range map[string]*corpus.Corpus{
		"no labels to compare with": corpus.FromTokens([][]string{{"a0"}}),
	} {
		if _, err := Score(t.Context(), m, c, topoi.InferOptions{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	plain, err := train.Run(t.Context(), docs(9, about), topoi.Options{Topics: 2, Iterations: 2})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Score(t.Context(), plain, docs(9, about), topoi.InferOptions{}); err == nil {
		t.Error("a model without labels predicts labels")
	}
}
