package cvb

import (
	"slices"
	"testing"
)

// In every tile all pairs are in levels once, a pair in a later one than those before it of its document or word, so
// that no two of a level share either, and no level has more than it may.
func TestLevels(t *testing.T) {
	for seed := range uint64(12) {
		c := corpusOf(seed, 1+int(seed)*40, 4+int(seed)*5, 20, 4, 1+int(seed)*4)
		c.Groups = []int{0, 1, 3, 64}[seed%4]
		l := newLayout(c)
		for _, most := range []int{1, 3, 32, 1 << 20} {
			checkLevels(t, l, newLevels(l, most, 2), most)
		}
	}
	for _, c := range []*Corpus{{Offsets: []uint64{0}, V: 3, K: 4}, {Offsets: []uint64{0, 0, 0}, V: 0, K: 4}} {
		l := newLayout(c)
		checkLevels(t, l, newLevels(l, 4, 2), 4)
	}
}

func checkLevels(t *testing.T, l *layout, v *levels, most int) {
	t.Helper()
	widest := 0
	for i := range l.p * l.p {
		begin, end := l.span(i/l.p, i%l.p)
		level := make([]int, end-begin) // of each pair
		for n := v.first[i]; n < v.first[i+1]; n++ {
			for _, s := range v.steps[v.begins[n]:v.begins[n+1]] {
				p := l.pairs[s.Pair]
				if int(s.Pair) < begin || int(s.Pair) >= end || s.Doc != p.doc || s.Word != p.word || s.Count != p.count || level[int(s.Pair)-begin] != 0 {
					t.Fatalf("step %+v of tile %d is not pair %+v, or is there twice", s, i, p)
				}
				level[int(s.Pair)-begin] = int(n-v.first[i]) + 1
			}
			widest = max(widest, int(v.begins[n+1]-v.begins[n]))
		}
		if slices.Contains(level, 0) {
			t.Fatalf("a pair of tile %d is in no level", i)
		}
		checkOrder(t, l.pairs[begin:end], level)
		if chain := longestChain(l.pairs[begin:end]); most > end-begin && int(v.first[i+1]-v.first[i]) != chain {
			t.Fatalf("tile %d has %d levels, and its longest chain %d pairs", i, v.first[i+1]-v.first[i], chain)
		}
	}
	if widest > most || widest != v.widest || int(v.begins[len(v.begins)-1]) != len(l.pairs) {
		t.Fatalf("the largest level has %d pairs, not %d; there may be %d", widest, v.widest, most)
	}
}

// checkOrder sees that pairs that share a document or a word are in levels of their order.
func checkOrder(t *testing.T, pairs []pair, level []int) {
	t.Helper()
	docs, words := map[uint32]int{}, map[uint32]int{}
	for i, p := range pairs {
		if level[i] <= docs[p.doc] || level[i] <= words[p.word] {
			t.Fatalf("pair %d is in level %d, one before it in level %d or %d", i, level[i], docs[p.doc], words[p.word])
		}
		docs[p.doc], words[p.word] = level[i], level[i]
	}
}

func longestChain(pairs []pair) (longest int) {
	docs, words := map[uint32]int{}, map[uint32]int{}
	for _, p := range pairs {
		n := 1 + max(docs[p.doc], words[p.word])
		docs[p.doc], words[p.word] = n, n
		longest = max(longest, n)
	}
	return longest
}
