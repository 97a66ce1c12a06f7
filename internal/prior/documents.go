package prior

import (
	"github.com/topoi-lda/topoi/internal/hyper"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/topics"
	"github.com/topoi-lda/topoi/topic"
)

// CountDocs returns the group of every document and the topics of its tokens, of which there are k.
func CountDocs(z topics.List, offsets []uint64, groups []uint32, k int) []hyper.DocCounts {
	docs, ndk := make([]hyper.DocCounts, len(groups)), make([]uint32, k)
	for d, group := range groups {
		doc := z.Append(nil, int(offsets[d]-offsets[0]), int(offsets[d+1]-offsets[0]))
		docs[d] = hyper.DocCounts{Group: int(group), Length: len(doc)}
		for _, k := range doc {
			ndk[k]++
		}
		for _, k := range doc {
			if ndk[k] > 0 {
				docs[d].Topics = append(docs[d].Topics, topic.Count{Topic: k, Count: ndk[k]})
				ndk[k] = 0
			}
		}
	}
	return docs
}

// DocTerms returns log p(z | α), where groups of documents have priors of their own. all is α of every topic where a
// group has it only of the topics that it may have, as groups of labels do; else nil.
func DocTerms(docs []hyper.DocCounts, groups []sampler.Group, all []float64) float64 {
	sums := make([]float64, len(groups))
	for g, group := range groups {
		sums[g] = Sum(group.Alpha)
	}
	return hyper.DocTerms(docs, sums, func(g int, k uint32) float64 {
		if all != nil {
			return all[k]
		}
		return groups[g].Alpha[k]
	})
}
