package eval

import (
	"context"
	"math"

	"github.com/topoi-lda/topoi/corpus"
)

// EstimatorPrior names the measure of [PriorOnly].
const EstimatorPrior = "prior only: no word of a document chooses its topics"

// PriorOnly scores the tokens that [Completion] scores by θ = α/Σα: what a model expects of a document before it sees
// a word of it. It is for models whose α depends on the document.
func PriorOnly(ctx context.Context, m Model, docs *corpus.Corpus, threads int) (CompletionResult, error) {
	r, err := newRows(m, docs, threads)
	if err != nil {
		return CompletionResult{}, err
	}
	theta, sum := make([]float64, m.NumTopics()), 0.0
	for _, a := range m.Alpha() {
		sum += a
	}
	for k, a := range m.Alpha() {
		theta[k] = a / sum
	}
	background := r.backgroundOf(theta)
	sums, scored := make([]float64, docs.NumDocs()), 0
	err = eachDoc(ctx, docs.NumDocs(), threads, func() func(int) {
		var words []wordCount
		return func(d int) {
			if doc := docs.Doc(d); len(doc) > 1 {
				words = countEveryOther(words[:0], doc[1:])
				for _, w := range words {
					sums[d] += float64(w.count) * math.Log(r.probability(w.id, theta, background))
				}
			}
		}
	})
	total := 0.0
	for d, s := range sums {
		total += s
		scored += len(docs.Doc(d)) / 2
	}
	return CompletionResult{PerToken: total / float64(max(1, scored)), Scored: scored}, err
}
