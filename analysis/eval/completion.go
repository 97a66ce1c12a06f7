package eval

import (
	"context"
	"fmt"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/portable"
)

// Completion scores held-out documents by document completion (estimated θ; Wallach et al. 2009, section 5.1, with EM
// instead of sampling). With φ fixed, the tokens 0, 2, 4, … of a document (in the corpus's order, which is sorted by
// word) fold in θ by 60 EM steps from the uniform distribution,
//
//	r_ik = θ_k φ_{w_i k} / Σ_j θ_j φ_{w_i j},   θ_k ∝ α_k + Σ_i r_ik,
//
// and the tokens 1, 3, 5, … are scored by log Σ_k θ_k φ_wk. The result is the mean over all scored tokens of all
// documents.
//
// It costs O(60 U K) per document of U distinct words, or O(60 (nnz + K)) where the rows of its words are sparse.
// Memory is O(U K) per thread, and the rows of the words that occur. Beyond 65,536 topics it costs O(60 nnz) and
// takes memory for a document's rows only, whatever K.
//
// Options.Variant names other ways: a quicker one, one for training documents, and one that sees no word.
func Completion(ctx context.Context, m Model, docs *corpus.Corpus, o Options) (CompletionResult, error) {
	switch o.Variant {
	case "":
		return completion(ctx, m, docs, o, func(f scorer, doc []uint32) float64 { return f.complete(doc, foldSteps) })
	case "brief":
		return completion(ctx, m, docs, o, func(f scorer, doc []uint32) float64 { return f.complete(doc, briefSteps) })
	case "leave-out":
		return completion(ctx, m, docs, o, scorer.leaveOut)
	case "prior":
		return byPrior(ctx, m, docs, o)
	}
	return CompletionResult{}, fmt.Errorf("unknown variant of completion %q%s", o.Variant,
		human.Hint(o.Variant, []string{"brief", "leave-out", "prior"}))
}

// scorer scores documents of two tokens or more. It belongs to one goroutine.
type scorer interface {
	// complete returns Σ log p over the tokens 1, 3, 5, … of a document.
	complete(doc []uint32, steps int) float64

	// leaveOut does so for a training document.
	leaveOut(doc []uint32) float64
}

// completion scores every document.
func completion(ctx context.Context, m Model, docs *corpus.Corpus, o Options,
	score func(f scorer, doc []uint32) float64,
) (CompletionResult, error) {
	newScorer, err := scorers(m, docs, o.Threads)
	if err != nil {
		return CompletionResult{}, err
	}
	sums := make([]float64, docs.NumDocs())
	scored := 0
	for d := range sums {
		scored += len(docs.Doc(d)) / 2
	}
	err = eachDoc(ctx, docs.NumDocs(), o.Threads, func() func(int) {
		f := newScorer()
		return func(d int) {
			if doc := docs.Doc(d); len(doc) >= 2 {
				sums[d] = score(f, doc)
			}
		}
	})
	if err != nil || scored == 0 {
		return CompletionResult{}, err
	}
	total := 0.0
	for d, s := range sums { // document order: the same bits for any thread count
		total += s
		if o.EachDoc != nil {
			o.EachDoc(d, s)
		}
	}
	return CompletionResult{PerToken: total / float64(scored), Scored: scored}, nil
}

// scorers returns a function that makes a scorer for a goroutine.
func scorers(m Model, docs *corpus.Corpus, threads int) (func() scorer, error) {
	if err := sameVocabulary(m, docs); err != nil {
		return nil, err
	}
	if m.NumTopics() > denseTopics {
		s := newMoments(m, docs, threads)
		return func() scorer { return newSparseFolder(s) }, nil
	}
	r := newRows(m, docs, threads)
	return func() scorer { return newFolder(r) }, nil
}

func (f *folder) complete(doc []uint32, steps int) float64 {
	f.words = countEveryOther(f.words[:0], doc)
	return f.scoreRest(doc, f.fold(f.words, steps))
}

// scoreRest returns Σ log p over the tokens 1, 3, 5, … of a document, given θ.
func (f *folder) scoreRest(doc []uint32, theta []float64) float64 {
	background := f.rows.backgroundOf(theta)
	f.words = countEveryOther(f.words[:0], doc[1:])
	sum := 0.0
	for _, w := range f.words {
		sum += float64(float64(w.count) * portable.Log(f.rows.probability(w.id, theta, background)))
	}
	return sum
}

// byPrior scores with θ = α/Σα.
func byPrior(ctx context.Context, m Model, docs *corpus.Corpus, o Options) (CompletionResult, error) {
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
	return completion(ctx, m, docs, o, func(f scorer, doc []uint32) float64 {
		return f.(*folder).scoreRest(doc, theta)
	})
}
