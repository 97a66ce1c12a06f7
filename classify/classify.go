// Package classify predicts labels of documents by a model that was trained with them (topoi.PriorLabels),
// and measures how good the predictions are.
package classify

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/prior"
)

// Labels returns how many of the first topics of a model have labels; 0: it was not trained with labels.
func Labels(m *topoi.Model) int {
	o := m.Manifest().Options
	if o.Prior != topoi.PriorLabels {
		return 0
	}
	return m.NumTopics() - o.Free
}

// Rank returns the labels of a document, those of the largest shares first, given the shares θ of all topics.
func Rank(m *topoi.Model, theta []float64) []topoi.TopicShare {
	list := make([]topoi.TopicShare, Labels(m))
	for k := range list {
		list[k] = topoi.TopicShare{Topic: k, Share: theta[k]}
	}
	slices.SortStableFunc(list, func(a, b topoi.TopicShare) int { return cmp.Compare(b.Share, a.Share) })
	return list
}

// Result says how good predictions are.
type Result struct {
	Docs     int     // documents with labels that the model knows
	Accuracy float64 // share of documents whose first predicted label is one of theirs
	MacroF1  float64 // F1 of the first predicted label, mean over labels
	MeanRank float64 // rank of a document's best label, from 1, mean over documents
}

// Score predicts the labels of documents from their words, and compares them with those that they have.
// Documents without a label that the model knows do not count.
func Score(ctx context.Context, m *topoi.Model, docs *corpus.Corpus, opts topoi.InferOptions) (Result, error) {
	n := Labels(m)
	switch {
	case n == 0:
		return Result{}, errors.New("the model was not trained with labels: train it with Options.Prior = labels")
	case !docs.HasLabels():
		return Result{}, errors.New("the documents have no labels to compare with: say which field holds them")
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
		ranked := Rank(m, theta)
		r.Docs++
		predicted[ranked[0].Topic]++
		if slices.Contains(own, ranked[0].Topic) {
			r.Accuracy++
			right[ranked[0].Topic]++
		}
		r.MeanRank += 1 + float64(slices.IndexFunc(ranked, func(s topoi.TopicShare) bool { return slices.Contains(own, s.Topic) }))
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
