package eval

import (
	"context"
	"fmt"

	"github.com/topoi-lda/topoi/corpus"
)

// EstimatorPrior names the measure of [PriorOnly].
const EstimatorPrior = "prior only: no word of a document chooses its topics"

// PriorOnly scores the tokens that [Completion] scores by θ = α/Σα: what a model expects of a document before it sees
// a word of it. It is for models whose α depends on the document.
func PriorOnly(ctx context.Context, m Model, docs *corpus.Corpus, threads int) (CompletionResult, error) {
	if m.NumTopics() > denseTopics {
		return CompletionResult{}, fmt.Errorf("scores by the prior alone are for at most %d topics", denseTopics)
	}
	theta, sum := make([]float64, m.NumTopics()), 0.0
	for _, a := range m.Alpha() {
		sum += a
	}
	for k, a := range m.Alpha() {
		theta[k] = a / sum
	}
	return completion(ctx, m, docs, threads, func(f *folder, doc []uint32) float64 {
		if len(doc) < 2 {
			return 0
		}
		return f.scoreRest(doc, theta)
	}, nil)
}
