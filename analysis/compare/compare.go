// Package compare matches the topics of two models ([Models]): it finds which topics were kept, split, merged or lost,
// and which are new. It also matches those of many runs ([Runs]): it finds which topics come back.
//
// The similarity of a topic of one model and a topic of the other is, from 0 to 1,
//
//	jensen-shannon  1 − JS(φ_a, φ_b)/log 2
//	words           |T_a ∩ T_b| / |T_a ∪ T_b|, T the n most probable words (Jaccard)
//
// where JS is the Jensen-Shannon divergence (Lin 1991) of the two distributions over all words of both vocabularies.
// Words are the same if they are spelled the same; a word has probability 0 in a model that does not contain it.
//
// The Hungarian method gives every topic of the smaller model a partner of its own in the larger one, such
// that the sum of the similarities is greatest. Two other topics are linked if one is the most similar to
// the other. Links and pairs count only if the similarity reaches a threshold. Then
//
//	kept    a topic with one link, to a topic with one link
//	split   a topic of the first model with several links, or a topic of the second whose
//	        only link leads to such a one
//	merged  a topic of the second model with several links, or a topic of the first whose
//	        only link leads to such a one
//	lost    a topic of the first model without links
//	new     a topic of the second model without links
//
// A topic that is cut into two equal halves without a common word has similarity 0.69 to each of them; cut
// into three thirds, 0.54. Two unrelated topics rarely exceed 0.2.
package compare

import (
	"context"

	"github.com/topoi-lda/topoi/topic"
)

// Models compares model a with model b. Comparing all pairs costs O(K_a K_b c) with topics of c words, and
// at most O(K³) for the matching. Memory is K_a K_b numbers and 8 bytes for each non-zero count.
func Models(ctx context.Context, a, b topic.Model, o Options) (*Result, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	j, err := newJob(ctx, a, b, o)
	if err != nil {
		return nil, err
	}
	r := &Result{Measure: o.Measure, Threshold: o.Threshold, Words: o.Words, Vocabulary: j.vocabulary()}
	r.Exact = max(a.NumTopics(), b.NumTopics()) <= allPairs
	find, match := j.candidates, (*similarities).greedy
	if r.Exact {
		find, match = j.all, (*similarities).hungarian
	}
	t, err := find(ctx)
	if err != nil {
		return nil, err
	}
	r.Matches = match(t)
	for i := range r.Matches {
		m := &r.Matches[i]
		m.Shared = j.shared(m.A, m.B)
		r.Mean += m.Similarity / float64(len(r.Matches))
	}
	r.link(t, j)
	return r, nil
}
