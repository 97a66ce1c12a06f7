package explore

import (
	"cmp"
	"maps"
	"slices"

	"github.com/topoi-lda/topoi/internal/doctopics"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/internal/webpage"
	"github.com/topoi-lda/topoi/topic"
)

// spreadBins counts documents by θ from 0.1, 0.2, … 0.9.
const spreadBins = 9

// chooseDocs chooses the documents of the page: all, or those in which a topic has the
// largest share, also within a group and within a period.
func (b *builder) chooseDocs() error {
	k := b.model.NumTopics()
	selections := b.selections()
	spread := make([]uint32, spreadBins*k)
	alpha, alphaSum, offsets := b.model.Alpha(), prior.Sum(b.model.Alpha()), b.docs.Offsets()
	err := doctopics.Runs(b.ctx, b.model, b.docs, func(first int, topics [][]topic.Count) {
		for i, counts := range topics {
			d := first + i
			scale := 1 / (float64(offsets[d+1]-offsets[d]) + alphaSum)
			for _, e := range counts {
				theta := (float64(e.Count) + alpha[e.Topic]) * scale
				if bin := min(int(10*theta), spreadBins); bin > 0 {
					spread[spreadBins*int(e.Topic)+bin-1]++
				}
				for _, s := range selections {
					s.add(d, int(e.Topic), theta)
				}
			}
		}
	})
	if err != nil {
		return err
	}
	webpage.Varint(b.pack, "spread", spread)
	b.chosen = take(selections, b.options.Docs)
	if len(selections) == 0 {
		b.chosen = lists.Upto(b.docs.NumDocs())
	}
	return nil
}

// cellsMost bounds the cells of a selection, so that it takes some 40 MB at most.
const cellsMost = 200_000

// selections returns the ways in which documents are chosen; none if all fit.
func (b *builder) selections() []*selection {
	k := b.model.NumTopics()
	if b.docs.NumDocs() <= b.options.Docs {
		return nil
	}
	list := []*selection{newSelection(k, 1, max(1, min(400, 2*b.options.Docs/k)), nil)}
	for _, of := range b.groups.places() {
		if n := int(slices.Max(of)) + 1; n > 0 && k*n <= cellsMost {
			list = append(list, newSelection(k, n, 10, of))
		}
	}
	return list
}

// selection keeps for every cell, a topic in a group or period, the documents with the largest θ.
type selection struct {
	of    []int32 // D: the group or period of each document, −1 for none; nil: one for all
	cells int     // groups or periods
	most  int
	best  []*lists.First[candidate] // topics × cells
}

type candidate struct {
	doc   int
	theta float64
}

func newSelection(topics, cells, most int, of []int32) *selection {
	s := &selection{of: of, cells: cells, most: most}
	for range topics * cells {
		s.best = append(s.best, lists.NewFirst(most, func(x, y candidate) int {
			return cmp.Or(cmp.Compare(y.theta, x.theta), cmp.Compare(x.doc, y.doc))
		}))
	}
	return s
}

func (s *selection) add(d, topic int, theta float64) {
	cell := 0
	if s.of != nil {
		cell = int(s.of[d])
	}
	if cell >= 0 {
		s.best[topic*s.cells+cell].Add(candidate{d, theta})
	}
}

// take returns at most n documents in rising order: first the best of every cell of every
// selection, then the second best, and so on.
func take(selections []*selection, n int) []int {
	taken := map[int]bool{}
	var best [][]candidate
	most := 0
	for _, s := range selections {
		most = max(most, s.most)
		best = append(best, lists.Of(s.best, (*lists.First[candidate]).List)...)
	}
	for r := 0; r < most && len(taken) < n; r++ {
		for _, list := range best {
			if r < len(list) && len(taken) < n {
				taken[list[r].doc] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(taken))
}

// limit returns the largest c for which Σ min(size, c) is within the budget: lists are
// cut to c elements, so the longest ones lose first. It is at least 1.
func limit(sizes []int, budget int) int {
	sorted := slices.Clone(sizes)
	slices.Sort(sorted)
	for i, size := range sorted {
		if rest := len(sorted) - i; size*rest > budget {
			return max(1, budget/rest)
		}
		budget -= size
	}
	if len(sorted) == 0 {
		return 1
	}
	return max(1, sorted[len(sorted)-1])
}
