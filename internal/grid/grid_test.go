package grid

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawCorpus makes a small corpus with empty documents and one frequent word.
func drawCorpus(t *rapid.T) (offsets []uint64, words []uint32, v int) {
	v = rapid.IntRange(1, 30).Draw(t, "v")
	offsets = []uint64{0}
	for range rapid.IntRange(0, 40).Draw(t, "docs") {
		doc := rapid.SliceOfN(rapid.Uint32Range(0, uint32(v-1)), 0, 20).Draw(t, "doc")
		for range rapid.IntRange(0, 5).Draw(t, "frequent") {
			doc = append(doc, 0)
		}
		slices.Sort(doc)
		words = append(words, doc...)
		offsets = append(offsets, uint64(len(words)))
	}
	return offsets, words, v
}

// A grid holds every token exactly once, in blocks of whole documents within
// the limits, and the walker finds each token where its word and document are.
func TestGridHoldsEveryToken(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		offsets, words, v := drawCorpus(t)
		limits := Limits{Tokens: rapid.IntRange(1, 100).Draw(t, "tokens"), Docs: rapid.IntRange(1, 20).Draw(t, "limit")}
		g := New(offsets, words, v, limits)
		walker := NewWalker(v)
		doc, token := 0, 0
		for _, b := range g.Blocks {
			if b.FirstDoc != doc || b.Begin != token || b.Docs() < 1 || b.Docs() > limits.Docs {
				t.Fatalf("block %+v does not follow document %d, token %d", b, doc, token)
			}
			if b.Tokens() > limits.Tokens && b.Docs() > 1 {
				t.Fatalf("block %+v is over the limit of %d tokens", b, limits.Tokens)
			}
			doc, token = b.LastDoc, b.End
			checkBlock(t, g, b, offsets, words, walker)
		}
		if doc != len(offsets)-1 || token != len(words) {
			t.Fatalf("blocks end at document %d of %d, token %d of %d", doc, len(offsets)-1, token, len(words))
		}
	})
}

// A block is the same whether its tokens are counted or, being few, sorted.
// In the order of documents tokens have increasing grid positions, and the walker says
// which token of the corpus each is.
func TestByDocument(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		offsets, words, v := drawCorpus(t)
		g := New(offsets, words, v, Limits{Tokens: rapid.IntRange(1, 200).Draw(t, "tokens"), Docs: 20})
		walker := NewWalker(v)
		for _, b := range g.Blocks {
			at, met := walker.Positions(nil, g, b, words), map[int]bool{}
			order := make([]uint32, b.Tokens())
			place := func(corpus, drawn int) {
				if words[corpus] != words[drawn] || met[corpus] {
					t.Fatalf("token %d is drawn in place of token %d", corpus, drawn)
				}
				met[corpus] = true
				order[drawn-b.Begin] = at[corpus-b.Begin]
			}
			walker.ByDocument(g, b, offsets, words, func(first, last int) {
				for i := first; i < last; i++ {
					place(i, i)
				}
			}, place)
			if len(met) != b.Tokens() {
				t.Fatalf("%d of %d tokens have a place", len(met), b.Tokens())
			}
			for d := b.FirstDoc; d < b.LastDoc; d++ {
				if doc := order[int(offsets[d])-b.Begin : int(offsets[d+1])-b.Begin]; !slices.IsSorted(doc) {
					t.Fatalf("document %d is drawn by positions %v", d, doc)
				}
			}
		}
	})
}

func TestFewTokens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		offsets, words, v := drawCorpus(t)
		g := &Grid{Blocks: Cut(offsets, Limits{Tokens: 1 << 20, Docs: 1 << 16}), Docs: make([]uint16, len(words))}
		if len(g.Blocks) == 0 {
			return
		}
		counted := newSorter(v).sort(g, g.Blocks[0], offsets, words)
		docs := slices.Clone(g.Docs)
		sorted := g.sortFew(g.Blocks[0], offsets, words)
		if !slices.Equal(counted, sorted) || !slices.Equal(docs, g.Docs) {
			t.Fatalf("segments %v and %v, documents %v and %v", counted, sorted, docs, g.Docs)
		}
	})
}

func checkBlock(t *rapid.T, g *Grid, b Block, offsets []uint64, words []uint32, walker *Walker) {
	at := walker.Positions(nil, g, b, words)
	seen := slices.Clone(at)
	slices.Sort(seen)
	for i, p := range seen {
		if int(p) != i {
			t.Fatalf("positions %v are not a permutation", at)
		}
	}
	wordAt := make([]uint32, b.Tokens())
	for i := b.FirstSeg; i < b.LastSeg; i++ {
		s := g.Segments[i]
		if s.Begin >= s.End || i > b.FirstSeg && (g.Segments[i-1].Word >= s.Word || g.Segments[i-1].End != s.Begin) {
			t.Fatalf("segments out of order: %v", g.Segments[b.FirstSeg:b.LastSeg])
		}
		for p := s.Begin; p < s.End; p++ {
			wordAt[p] = s.Word
		}
	}
	for d := b.FirstDoc; d < b.LastDoc; d++ {
		for i := int(offsets[d]); i < int(offsets[d+1]); i++ {
			p := at[i-b.Begin]
			if wordAt[p] != words[i] || int(g.Docs[b.Begin+int(p)]) != d-b.FirstDoc {
				t.Fatalf("token %d of document %d is at %d, with word %d and document %d", i, d, p, wordAt[p], g.Docs[b.Begin+int(p)])
			}
		}
	}
}

// Neighbouring ranks are at least a quarter of the segment apart, give or take one.
func TestSpread(t *testing.T) {
	for n := uint32(1); n < 50; n++ {
		seen := make([]bool, n)
		for i := range n {
			seen[spread(i, n)] = true
		}
		if slices.Contains(seen, false) {
			t.Fatalf("n = %d: not a permutation", n)
		}
	}
}
