package topoi

import "container/heap"

// WordWeight is a word seen from a topic.
type WordWeight struct {
	Word  int     `json:"word"`  // id in the vocabulary
	Term  string  `json:"term"`  // the word itself
	Count uint32  `json:"count"` // n_wk
	Phi   float64 `json:"phi"`   // φ_wk = (n_wk + β)/(n_k + Vβ)
}

// TopWords returns the n words with the highest n_wk in topic k, highest first,
// equal ones by word id. Words that never occur in the topic are left out, so
// there may be fewer. It costs a search in every row; [Model.AllTopWords]
// serves all topics at once.
func (m *Model) TopWords(k, n int) []WordWeight {
	h := newTop(n)
	for w := range m.NumWords() {
		if c := countIn(m.Row(w), uint32(k)); c > 0 {
			h.offer(uint32(w), c)
		}
	}
	return m.wordWeights(k, h.sorted())
}

// AllTopWords returns TopWords of every topic in one pass over the non-zero n_wk.
func (m *Model) AllTopWords(n int) [][]WordWeight {
	heaps := make([]top, m.NumTopics())
	for k := range heaps {
		heaps[k] = newTop(n)
	}
	for w := range m.NumWords() {
		for _, e := range m.Row(w) {
			heaps[e.Topic].offer(uint32(w), e.Count)
		}
	}
	all := make([][]WordWeight, len(heaps))
	for k := range heaps {
		all[k] = m.wordWeights(k, heaps[k].sorted())
	}
	return all
}

func (m *Model) wordWeights(k int, best []ranked) []WordWeight {
	list := make([]WordWeight, len(best))
	for i, r := range best {
		list[i] = WordWeight{
			Word:  int(r.id),
			Term:  m.words.At(int(r.id)),
			Count: r.count,
			Phi:   m.phi(r.count, k),
		}
	}
	return list
}

// phi returns φ_wk for n_wk = count. The outer conversion forbids fused
// multiply-add, so that all machines give the same bits.
func (m *Model) phi(count uint32, k int) float64 {
	return (float64(count) + m.Beta()) / (float64(m.totals[k]) + float64(float64(m.NumWords())*m.Beta()))
}

// countIn returns n_wk of topic k from a row in topic order.
func countIn(row []TopicCount, k uint32) uint32 {
	lo, hi := 0, len(row)
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); row[mid].Topic < k {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(row) && row[lo].Topic == k {
		return row[lo].Count
	}
	return 0
}

// top keeps the n best of what it is offered: highest count, then lowest id.
type top struct {
	limit int
	heap  rankedHeap // the worst of the kept ones at the root
}

type ranked struct{ id, count uint32 }

// worse says whether a ranks behind b.
func (a ranked) worse(b ranked) bool {
	return a.count < b.count || a.count == b.count && a.id > b.id
}

func newTop(n int) top { return top{limit: max(n, 0)} }

func (t *top) offer(id, count uint32) {
	r := ranked{id, count}
	if len(t.heap) < t.limit {
		heap.Push(&t.heap, r)
	} else if t.limit > 0 && t.heap[0].worse(r) {
		t.heap[0] = r
		heap.Fix(&t.heap, 0)
	}
}

// sorted empties t and returns what it kept, best first.
func (t *top) sorted() []ranked {
	list := make([]ranked, len(t.heap))
	for i := len(list) - 1; i >= 0; i-- {
		list[i] = heap.Pop(&t.heap).(ranked)
	}
	return list
}

type rankedHeap []ranked

func (h rankedHeap) Len() int           { return len(h) }
func (h rankedHeap) Less(i, j int) bool { return h[i].worse(h[j]) }
func (h rankedHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *rankedHeap) Push(x any)        { *h = append(*h, x.(ranked)) }
func (h *rankedHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}
