package cvb

import (
	"context"
	"math/bits"
	"slices"

	"github.com/topoi-lda/topoi/internal/parallel"
)

// layout cuts documents and words into P groups each, and so the pairs into P × P tiles. In epoch l the tiles
// (m, m + l mod P) share neither a document nor a word, so that they can be updated at the same time with
// counts that are always current (Yan, Xu and Qi 2009, §3.1). Everything follows from the corpus and K.
type layout struct {
	p        int    // groups
	docs     groups // of documents
	words    groups // of words
	pairs    []pair // by tile
	tileEnds []int  // P²: tile (m, n) ends at pairs[tileEnds[m·P+n]]
}

// groups assigns items, documents or words, to rows and groups. The rows of a group are consecutive.
type groups struct {
	of    []uint32 // group of each item
	row   []uint32 // row of each item
	first []int    // P+1: group m has the rows first[m] … first[m+1]-1
}

// newLayout returns the layout of a corpus.
func newLayout(c *Corpus) *layout {
	all, ofDoc, ofWord := c.pairs()
	p := c.Groups
	if p == 0 {
		p = groupCount(all, c.docs(), c.V, padded(c.K))
	}
	l := &layout{
		p: p, docs: deal(ofDoc, p), words: deal(ofWord, p), pairs: make([]pair, all),
		tileEnds: make([]int, p*p),
	}
	l.sort(c)
	_ = parallel.Do(context.Background(), c.Threads, p*p, func(_, i int) { interleave(l.tile(i/p, i%p)) })
	return l
}

// groupCount returns P: 16, or as many as keep the rows of a group of words in a second-level cache, up to 64. It is
// smaller if documents have few pairs, because a document's row is fetched once for every tile, but at least 4.
func groupCount(pairs, docs, v, kpad int) int {
	const rowBytes = 1 << 20
	p := max(16, v*kpad*4/rowBytes)
	p = min(64, p, max(4, pairs/max(1, docs)/4))
	return 1 << (bits.Len(uint(p)) - 1) // a power of two divides evenly among cores
}

// deal divides items into p groups of about equal work and number: items go in the order of work, most first,
// to groups 0 … p-1, then p-1 … 0, and so on. Rows in a group follow the order of items.
func deal(work []int, p int) groups {
	order := make([]uint32, len(work))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortStableFunc(order, func(a, b uint32) int { return work[b] - work[a] })
	g := groups{of: make([]uint32, len(work)), row: make([]uint32, len(work)), first: make([]int, p+1)}
	for i, item := range order {
		m := i % (2 * p)
		g.of[item] = uint32(min(m, 2*p-1-m))
	}
	for _, m := range g.of {
		g.first[m+1]++
	}
	for m := range p {
		g.first[m+1] += g.first[m]
	}
	next := slices.Clone(g.first)
	for item, m := range g.of {
		g.row[item] = uint32(next[m])
		next[m]++
	}
	return g
}

// census counts the pairs of every tile and the tokens of every word in a run of documents. begin then
// replaces each number by the sum before it.
type census struct {
	tiles []int    // P²: pairs
	words []uint32 // V: tokens
}

// sort fills pairs, in each tile by document. It counts every run of documents first, so that all runs know
// the positions of their pairs and can be written in parallel.
func (l *layout) sort(c *Corpus) {
	spans := c.spans()
	counted := make([]census, len(spans))
	each := func(visit func(s *census, d int, tile *int, word uint32, token, count int)) {
		_ = parallel.Do(context.Background(), c.Threads, len(spans), func(_, i int) {
			s := &counted[i]
			for d := spans[i].first; d < spans[i].last; d++ {
				tiles := s.tiles[int(l.docs.of[d])*l.p:]
				c.eachPair(d, func(w uint32, token, count int) { visit(s, d, &tiles[l.words.of[w]], w, token, count) })
			}
		})
	}
	for i := range counted {
		counted[i] = census{make([]int, l.p*l.p), make([]uint32, c.V)}
	}
	each(func(s *census, _ int, tile *int, w uint32, _, count int) {
		*tile++
		s.words[w] += uint32(count)
	})
	l.begin(counted)
	each(func(s *census, d int, tile *int, w uint32, token, count int) {
		l.pairs[*tile] = pair{
			doc: l.docs.row[d], word: l.words.row[w], count: uint32(count), token: uint32(token),
			rank: s.words[w],
		}
		s.words[w] += uint32(count)
		*tile++
	})
}

// begin replaces the numbers of the runs by the positions at which they begin, and sets tileEnds.
func (l *layout) begin(counted []census) {
	sum := 0
	for t := range l.tileEnds {
		for _, s := range counted {
			s.tiles[t], sum = sum, sum+s.tiles[t]
		}
		l.tileEnds[t] = sum
	}
	before := make([]uint32, len(counted[0].words))
	for _, s := range counted {
		for w, n := range s.words {
			s.words[w] = before[w]
			before[w] += n
		}
	}
}

// bytes returns the size of all responsibilities.
func (l *layout) bytes(topics int) int64 { return int64(len(l.pairs)) * int64(topics) }

// span returns where tile (m, n) begins and ends in pairs.
func (l *layout) span(m, n int) (begin, end int) {
	i := m*l.p + n
	if i > 0 {
		begin = l.tileEnds[i-1]
	}
	return begin, l.tileEnds[i]
}

// tile returns the pairs of tile (m, n).
func (l *layout) tile(m, n int) []pair {
	begin, end := l.span(m, n)
	return l.pairs[begin:end]
}

// abreast is the number of documents of a tile that are updated in turn, because an update waits for the one
// before it if both are of one document.
const abreast = 4

// interleave reorders the pairs of a tile, which are sorted by document: it takes a pair from each of four
// documents in turn, and replaces a document that is done by the next.
func interleave(pairs []pair) {
	sorted := slices.Clone(pairs)
	var runs [abreast][]pair
	rest := sorted
	for i := 0; i < len(pairs); {
		for s := range runs {
			if len(runs[s]) == 0 {
				n := 0
				for n < len(rest) && rest[n].doc == rest[0].doc {
					n++
				}
				runs[s], rest = rest[:n], rest[n:]
			}
			if len(runs[s]) > 0 {
				pairs[i] = runs[s][0]
				runs[s] = runs[s][1:]
				i++
			}
		}
	}
}
