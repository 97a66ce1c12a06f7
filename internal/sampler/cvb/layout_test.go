package cvb

import (
	"reflect"
	"slices"
	"testing"
)

// Every pair of the corpus is in the tile of its document and word, once.
func TestLayoutHoldsEveryPair(t *testing.T) {
	for _, c := range []*Corpus{
		corpusOf(1, 500, 60, 20, 4, 60),
		corpusOf(2, 500, 60, 20, 4, 3),
		{Offsets: []uint64{0}, V: 3, K: 4},
		{Offsets: []uint64{0, 0, 0}, V: 0, K: 4},
		{Offsets: []uint64{0, 3}, Words: []uint32{1, 1, 2}, V: 3, K: 4},
	} {
		l := newLayout(c)
		seen := make([]bool, c.tokens())
		for m := range l.p {
			for n := range l.p {
				for _, p := range l.tile(m, n) {
					w := c.Words[p.token]
					d := slices.IndexFunc(c.Offsets, func(o uint64) bool { return o > uint64(p.token) }) - 1
					if l.docs.of[d] != uint32(m) || l.words.of[w] != uint32(n) || l.docs.row[d] != p.doc || l.words.row[w] != p.word {
						t.Fatalf("document %d, word %d is not of tile %d, %d", d, w, m, n)
					}
					for i := p.token; i < p.token+p.count; i++ {
						if seen[i] || c.Words[i] != w {
							t.Fatalf("token %d belongs to another pair", i)
						}
						seen[i] = true
					}
				}
			}
		}
		if slices.Contains(seen, false) {
			t.Error("a token is in no pair")
		}
	}
}

// Rows of a group lie together, and groups have about equal work.
func TestDeal(t *testing.T) {
	work := make([]int, 1000)
	for i := range work {
		work[i] = 10000 / (i + 1)
	}
	work[0] = 1000
	g := deal(work, 8)
	sums := make([]int, 8)
	rows := make([]bool, len(work))
	for i, m := range g.of {
		sums[m] += work[i]
		if row := int(g.row[i]); row < g.first[m] || row >= g.first[m+1] || rows[row] {
			t.Fatalf("item %d of group %d has row %d", i, m, row)
		}
		rows[g.row[i]] = true
	}
	if lo, hi := slices.Min(sums), slices.Max(sums); hi > 2*lo {
		t.Errorf("work of the groups: %v", sums)
	}
}

// Interleaving keeps all pairs, those of a document in order, and neighbours are
// of different documents as long as there are four.
func TestInterleave(t *testing.T) {
	var pairs []pair
	for d := range uint32(9) {
		for w := range 5 + d%3 {
			pairs = append(pairs, pair{doc: d, word: w})
		}
	}
	sorted := slices.Clone(pairs)
	interleave(pairs)
	for i := 1; i < len(pairs)-8; i++ {
		if pairs[i].doc == pairs[i-1].doc {
			t.Errorf("pairs %d and %d are of one document", i-1, i)
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return int(a.doc) - int(b.doc) })
	if !slices.Equal(pairs, sorted) {
		t.Error("pairs are lost, or a document's are out of order")
	}
}

func TestGroupCount(t *testing.T) {
	for _, c := range []struct{ pairs, docs, v, kpad, want int }{
		{320_000, 3_100, 6_906, 112, 16},
		{270_000, 50_000, 1_513, 112, 4},      // short documents
		{9_000_000, 60_000, 74_165, 112, 16},  // 31, made a power of two
		{9_000_000, 6_000, 740_165, 1024, 64}, // long documents, many words
		{0, 0, 0, 16, 4},
	} {
		if got := groupCount(c.pairs, c.docs, c.v, c.kpad); got != c.want {
			t.Errorf("%+v: %d groups", c, got)
		}
	}
}

// Any number of threads lays a corpus out alike.
func TestLayoutByThreads(t *testing.T) {
	many := corpusOf(1, 500, 60, 20, 4, 60)
	few := &Corpus{Offsets: []uint64{0, 0, 0, 9, 9, 16}, Words: []uint32{0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1}, V: 2, K: 4, Groups: 2}
	for _, c := range []*Corpus{many, few} {
		c.Threads = 1
		want := newLayout(c)
		for _, threads := range []int{2, 3, 16} {
			c.Threads = threads
			if got := newLayout(c); !reflect.DeepEqual(got, want) {
				t.Errorf("%d threads lay %d documents out otherwise than one does", threads, c.docs())
			}
		}
		if len(c.spans()) < 2 {
			t.Errorf("%d documents are not cut", c.docs())
		}
	}
}
