package cvb

import (
	"context"

	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/rng"
)

// golden is 2^32 over the golden ratio: its multiples, modulo 2^32, fill the unit
// interval more evenly than random numbers do.
const golden = 0x9e3779b9

// Topics draws a topic for every token (z, corpus order) from its
// responsibilities. Token i of a word, counted in corpus order, has the number
//
//	u = (x_w + i·golden mod 2^32) / 2^32
//
// with x_w random for each word. So z is a function of γ and the seed, each token has each topic with probability γ_k,
// and the counts of a word come nearer to their expectations than those of independent draws would.
//
// The tokens of each word with each topic are added to counts (V × K).
func (s *State) Topics(z []uint32, counts []int32) {
	words := drawnWords(s.c, s.l)
	_ = parallel.Do(context.Background(), s.c.Threads, s.l.p, func(_, n int) { // groups have no word in common
		sums := make([]int32, s.kpad)
		for m := range s.l.p {
			begin, end := s.l.span(m, n)
			for ; begin < end; begin += drawnAtOnce {
				s.drawPairs(z, counts, words, begin, min(begin+drawnAtOnce, end), sums)
			}
		}
	})
}

// drawPairs draws the topics of some pairs and then counts them. Counting them together lets the processor
// fetch all of their rows at once.
func (s *State) drawPairs(z []uint32, counts []int32, words []drawnWord, begin, end int, sums []int32) {
	pairs := s.l.pairs[begin:end]
	for i, p := range pairs {
		draw(z[p.token:p.token+p.count], s.row(begin+i), sums, words[p.word].random+p.rank*golden)
	}
	for _, p := range pairs {
		row := counts[int(words[p.word].id)*s.c.K:]
		for _, k := range z[p.token : p.token+p.count] {
			row[k]++
		}
	}
}

// drawnAtOnce is the number of pairs whose topics are drawn before they are counted.
const drawnAtOnce = 32

// totalOf sets sums to the sums of the lanes, and returns their total.
func totalOf(sums *[lanes]int32, gamma []uint8) uint32 {
	laneSums(sums, gamma)
	total := int32(0)
	for _, n := range sums {
		total += n
	}
	return uint32(total)
}

// drawnWord holds what is needed to draw the topics of a word.
type drawnWord struct {
	id     uint32 // in the vocabulary
	random uint32 // x_w
}

// drawnWords lists all words by row. Looking a word up among the tokens instead would double the cost of drawing.
func drawnWords(c *Corpus, l *layout) []drawnWord {
	random := make([]uint32, (c.V+3)&^3)
	rng.NewKey(c.Seed).Fill(random, 0, 0, forTopics)
	words := make([]drawnWord, c.V)
	for w, row := range l.words.row {
		words[row] = drawnWord{uint32(w), random[row]}
	}
	return words
}

// inverse returns the topic at which the running sum of γ, in units, exceeds u. The order is lane after lane,
// and by increasing topic in a lane. sums are those of the lanes.
func inverse(gamma []uint8, sums *[lanes]int32, u int32) uint32 {
	l := 0
	for u >= sums[l] {
		u -= sums[l]
		l++
	}
	k := l
	for u >= units[gamma[k]] {
		u -= units[gamma[k]]
		k += lanes
	}
	return uint32(k)
}

// WordCounts sets dst (K values) to n_wk, the expected number of tokens of word w with each topic.
func (s *State) WordCounts(dst []float64, w int) { tokens(dst, s.words[int(s.l.words.row[w])*s.kpad:]) }

// DocCounts sets dst (K values) to n_dk, the expected number of tokens of document d with each topic.
func (s *State) DocCounts(dst []float64, d int) { tokens(dst, s.docs[int(s.l.docs.row[d])*s.kpad:]) }

func tokens(dst []float64, row []int32) {
	for k := range dst {
		dst[k] = float64(row[k]) / One
	}
}
