package topoi

import (
	"cmp"
	"iter"
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/topic"
)

// WordWeight is a word seen from a topic.
type WordWeight struct {
	Word  int     `json:"word"`  // id in the vocabulary
	Term  string  `json:"term"`  // the word itself
	Count uint32  `json:"count"` // n_wk
	Phi   float64 `json:"phi"`   // φ_wk = (n_wk + β)/(n_k + Vβ)
}

// TopWords returns the n words with the highest n_wk in topic k, highest first,
// equal ones by word id. Words that never occur in the topic are left out, so
// there may be fewer. It costs a search in every row; [Model.EachTopWords]
// serves many topics at once.
func (m *Model) TopWords(k, n int) []WordWeight {
	var column []topic.WordCount
	for w := range m.NumWords() {
		if c := counts.CountIn(m.Row(w), uint32(k)); c > 0 {
			column = append(column, topic.WordCount{Word: uint32(w), Count: c})
		}
	}
	return m.wordWeights(k, topOf(nil, column, n))
}

// EachTopWords yields TopWords of the given topics in the given order, or of all
// topics if topics is nil. It costs and takes what [Model.Columns] does.
func (m *Model) EachTopWords(topics []int, n int) iter.Seq2[int, []WordWeight] {
	return func(yield func(int, []WordWeight) bool) {
		var best []topic.WordCount
		for k, column := range m.Columns(topics) {
			best = topOf(best[:0], column, n)
			if !yield(k, m.wordWeights(k, best)) {
				return
			}
		}
	}
}

// AllTopWords returns TopWords of every topic. With very many topics prefer
// [Model.EachTopWords], which does not hold them all.
func (m *Model) AllTopWords(n int) [][]WordWeight {
	all := make([][]WordWeight, m.NumTopics())
	for k, words := range m.EachTopWords(nil, n) {
		all[k] = words
	}
	return all
}

func (m *Model) wordWeights(k int, best []topic.WordCount) []WordWeight {
	list := make([]WordWeight, len(best))
	for i, e := range best {
		list[i] = WordWeight{
			Word:  int(e.Word),
			Term:  m.has.Words.At(int(e.Word)),
			Count: e.Count,
			Phi:   m.phi(e.Count, k),
		}
	}
	return list
}

// phi returns φ_wk for n_wk = count. The outer conversion forbids fused
// multiply-add, so that all machines give the same bits.
func (m *Model) phi(count uint32, k int) float64 {
	return (float64(count) + m.Beta()) / (float64(m.has.Totals[k]) + float64(float64(m.NumWords())*m.Beta()))
}

// topOf appends the n highest counts of a column, highest first, equal ones by
// word. It gathers up to twice as many, then throws the lesser half away: O(log n)
// for a word that is kept, and next to nothing for one that is not.
func topOf(dst, column []topic.WordCount, n int) []topic.WordCount {
	if n <= 0 {
		return dst
	}
	first := len(dst)
	least := uint32(0) // what does not exceed it has n better ones
	for _, e := range column {
		if e.Count <= least {
			continue
		}
		dst = append(dst, e)
		if len(dst) == first+2*n {
			slices.SortFunc(dst[first:], byCount)
			dst = dst[:first+n]
			least = dst[len(dst)-1].Count
		}
	}
	slices.SortFunc(dst[first:], byCount)
	return dst[:min(len(dst), first+n)]
}

// byCount orders by falling count, then by word.
func byCount(a, b topic.WordCount) int {
	return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Word, b.Word))
}
