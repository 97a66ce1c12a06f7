package labelscore_test

import (
	"math"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/labelscore"
	"github.com/topoi-lda/topoi/train"
)

// Scores are counted again from the shares of documents, which have none, one or several labels; the model has a topic
// without a label too.
func TestLabelsAreTheDefinition(t *testing.T) {
	m, err := train.Run(t.Context(), docs(63, about), topoi.Options{Prior: "labels", Free: 1, Iterations: 10})
	if err != nil {
		t.Fatal(err)
	}
	labels := []string{"x", "y; z", "unknown|z", "", "unknown", "z", "x|x", "y", "x;y"}
	tests := docs(189, func(d int) string { return labels[d%len(labels)] })
	o := topoi.InferOptions{Seed: 3}
	right, actual, said := map[string]float64{}, map[string]float64{}, map[string]float64{}
	n, hits, ranks := 0, 0, 0
	if err := m.Infer(t.Context(), tests, o, func(d *topoi.DocTopics) error {
		own := map[string]bool{}
		for _, l := range strings.FieldsFunc(tests.Label(d.Doc),
			func(r rune) bool { return r == ';' || r == '|' || r == ' ' }) {
			if l != "unknown" {
				own[l] = true
			}
		}
		if len(own) == 0 {
			return nil
		}
		n++
		theta := d.Theta(nil)
		first, best := 0, 3
		for k := range 3 {
			if theta[k] > theta[first] {
				first = k
			}
			if !own[m.Label(k)] {
				continue
			}
			actual[m.Label(k)]++
			rank := 1
			for j := range 3 {
				if theta[j] > theta[k] || theta[j] == theta[k] && j < k {
					rank++
				}
			}
			best = min(best, rank)
		}
		ranks += best
		said[m.Label(first)]++
		if own[m.Label(first)] {
			hits++
			right[m.Label(first)]++
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	f1 := 0.0
	for _, l := range []string{"x", "y", "z"} {
		f1 += 2 * right[l] / (actual[l] + said[l]) / 3
	}
	got, err := predicted(t, m, tests, o)
	if err != nil {
		t.Fatal(err)
	}
	if n != 147 || got.Docs != n || got.Accuracy != float64(hits)/float64(n) || got.MeanRank != float64(ranks)/float64(n) {
		t.Errorf("%+v; want %d documents, %d right, ranks %d", got, n, hits, ranks)
	}
	if math.Abs(got.MacroF1-f1) > 1e-12 || hits < 30 || hits > 130 {
		t.Errorf("F1 is %v, want %v of %d hits", got.MacroF1, f1, hits)
	}
}

// A label counts for F1 if one document has it or is said to have it, and not if it is only known to the model.
func TestLabelsOfF1(t *testing.T) {
	m, err := train.Run(t.Context(), docs(63, about), topoi.Options{Prior: "labels", Iterations: 10})
	if err != nil {
		t.Fatal(err)
	}
	for labels, want := range map[string]float64{
		"x  ":   1,       // the others are left out
		"xy ":   1,       // and are found
		"z  ":   0,       // z is missed, and x, which is found, is wrong
		"xz ":   1.0 / 3, // x, y and z have F1 1, 0 and 0
		"xyzxy": (1 + 1 + 1.0) / 3,
	} {
		tests := docs(63, func(d int) string { return strings.TrimSpace((labels + strings.Repeat(" ", 63))[d : d+1]) })
		got, err := predicted(t, m, tests, topoi.InferOptions{})
		if err != nil || math.Abs(got.MacroF1-want) > 1e-15 {
			t.Errorf("%q: %+v, %v; want F1 %v", labels, got, err, want)
		}
	}
}

// Documents without known labels have no score.
func TestFaultsOfLabels(t *testing.T) {
	c := labelscore.New([]string{"x", "y"})
	c.Add("", []float64{1, 0})
	c.Add("other", []float64{1, 0})
	got, err := c.Score()
	if err == nil || !strings.Contains(err.Error(), "no document has a label that the model knows") || got != (labelscore.Score{}) {
		t.Errorf("%+v, %v", got, err)
	}
}
