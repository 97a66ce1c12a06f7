// Package labelscore compares the labels of documents with those that a model predicts for them.
package labelscore

import (
	"cmp"
	"errors"
	"slices"

	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/prior"
)

// Score measures how well labels are predicted.
type Score struct {
	Docs     int     // documents with labels that the model knows
	Accuracy float64 // share of documents whose first predicted label is one of theirs
	MacroF1  float64 // F1 of the first predicted label, mean over labels
	MeanRank float64 // rank of a document's best label, from 1, mean over documents
}

// Counter compares the labels of documents with those that a model predicts from their words. The model has to be
// trained with the prior "labels", so that each of its first topics stands for one: a document's labels are predicted
// in falling order of these topics' shares. It belongs to one goroutine.
type Counter struct {
	names                    map[string]int // topic by label
	right, predicted, actual []float64      // documents by label
	score                    Score          // sums, until Counter.Score divides them
}

// New makes a counter for labels, given in the order of the topics that stand for them.
func New(labels []string) *Counter {
	c := &Counter{names: map[string]int{}}
	for k, label := range labels {
		c.names[label] = k
	}
	c.right, c.predicted, c.actual = make([]float64, len(labels)), make([]float64, len(labels)), make([]float64, len(labels))
	return c
}

// Add counts a document by the text of its labels, several separated by ";" or "|", and its shares θ of the topics.
// Topics beyond the labels are ignored. A document without a label that the model knows does not count.
func (c *Counter) Add(labels string, theta []float64) {
	var own []int
	for _, label := range prior.LabelsOf(labels) {
		if k, known := c.names[label]; known {
			own = append(own, k)
			c.actual[k]++
		}
	}
	if len(own) == 0 {
		return
	}
	ranked := lists.Upto(len(c.actual))
	slices.SortStableFunc(ranked, func(a, b int) int { return cmp.Compare(theta[b], theta[a]) })
	c.score.Docs++
	c.predicted[ranked[0]]++
	if slices.Contains(own, ranked[0]) {
		c.score.Accuracy++
		c.right[ranked[0]]++
	}
	isOwn := func(k int) bool { return slices.Contains(own, k) }
	c.score.MeanRank += 1 + float64(slices.IndexFunc(ranked, isOwn))
}

// Score returns the measures of all documents that were counted, or an error if there are none.
func (c *Counter) Score() (Score, error) {
	r := c.score
	if r.Docs == 0 {
		return Score{}, errors.New("no document has a label that the model knows")
	}
	r.Accuracy, r.MeanRank = r.Accuracy/float64(r.Docs), r.MeanRank/float64(r.Docs)
	labels := 0.0
	for k := range c.actual {
		if c.actual[k]+c.predicted[k] > 0 {
			labels++
			r.MacroF1 += 2 * c.right[k] / (c.actual[k] + c.predicted[k])
		}
	}
	r.MacroF1 /= labels
	return r, nil
}
