// Package classify predicts the labels of documents with a model that was trained with labels
// (topoi.PriorLabels), and measures how good the predictions are.
package classify

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/prior"
)

// Result measures the quality of predictions.
type Result struct {
	Docs     int     // documents with labels that the model knows
	Accuracy float64 // share of documents whose first predicted label is one of theirs
	MacroF1  float64 // F1 of the first predicted label, mean over labels
	MeanRank float64 // rank of a document's best label, from 1, mean over documents
}

// Score predicts the labels of documents from their words and compares them with the labels that they have.
// Documents without a label that the model knows do not count.
func Score(ctx context.Context, m *topoi.Model, docs *corpus.Corpus, opts topoi.InferOptions) (Result, error) {
	o := m.Manifest().Options
	n := m.NumTopics() - o.Free
	switch {
	case o.Prior != topoi.PriorLabels:
		return Result{}, errors.New("the model was not trained with labels: train it with Options.Prior = labels")
	case !docs.HasLabels():
		return Result{}, errors.New("the documents have no labels to compare with: name the field that holds them")
	}
	names := map[string]int{}
	for k := range n {
		names[m.Label(k)] = k
	}
	right, predicted, actual := make([]float64, n), make([]float64, n), make([]float64, n)
	var r Result
	var theta []float64
	err := m.Infer(ctx, docs, opts, func(d *topoi.DocTopics) error {
		var own []int
		for _, label := range prior.LabelsOf(docs.Label(d.Doc)) {
			if k, known := names[label]; known {
				own = append(own, k)
				actual[k]++
			}
		}
		if len(own) == 0 {
			return nil
		}
		theta = d.Theta(theta)
		ranked := lists.Upto(n)
		slices.SortStableFunc(ranked, func(a, b int) int { return cmp.Compare(theta[b], theta[a]) })
		r.Docs++
		predicted[ranked[0]]++
		if slices.Contains(own, ranked[0]) {
			r.Accuracy++
			right[ranked[0]]++
		}
		r.MeanRank += 1 + float64(slices.IndexFunc(ranked, func(k int) bool { return slices.Contains(own, k) }))
		return nil
	})
	if err == nil && r.Docs == 0 {
		err = errors.New("no document has a label that the model knows")
	}
	if err != nil {
		return Result{}, err
	}
	r.Accuracy, r.MeanRank = r.Accuracy/float64(r.Docs), r.MeanRank/float64(r.Docs)
	labels := 0.0
	for k := range n {
		if actual[k]+predicted[k] > 0 {
			labels++
			r.MacroF1 += 2 * right[k] / (actual[k] + predicted[k])
		}
	}
	r.MacroF1 /= labels
	return r, nil
}
