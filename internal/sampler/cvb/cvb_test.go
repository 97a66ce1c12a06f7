package cvb

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/sampler"
)

// corpusOf makes a corpus of documents that mix two of k0 topics, with some empty
// documents and repeated words.
func corpusOf(seed uint64, docs, v, k, k0, length int) *Corpus {
	r := rand.New(rand.NewPCG(seed, 1))
	c := &Corpus{Offsets: []uint64{0}, V: v, K: k, Seed: seed, Threads: 2}
	for range docs {
		topics := [2]int{r.IntN(k0), r.IntN(k0)}
		var doc []uint32
		for range r.IntN(2 * length) {
			doc = append(doc, uint32(topics[r.IntN(2)]+k0*r.IntN(v/k0)))
		}
		slices.Sort(doc)
		c.Words = append(c.Words, doc...)
		c.Offsets = append(c.Offsets, uint64(len(c.Words)))
	}
	return c
}

func alphaOf(k int) []float64 {
	alpha := make([]float64, k)
	for i := range alpha {
		alpha[i] = 0.1 + 0.3*float64(i%3)
	}
	return alpha
}

func started(t testing.TB, c *Corpus, sweeps int) *State {
	t.Helper()
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	s.Start(nil)
	for i := range sweeps {
		if err := s.Sweep(context.Background(), i+1, alphaOf(c.K), 0.05); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// naive is the definition in float64, with every count summed anew for every
// update: no running sums, no tiles, no units but those of the bytes.
type naive struct {
	s     *State
	gamma [][]float64 // by pair
	nk    []float64   // as of the beginning of the epoch
}

func newNaive(s *State) *naive {
	n := &naive{s: s, gamma: make([][]float64, len(s.l.pairs)), nk: make([]float64, s.c.K)}
	for i := range n.gamma {
		n.gamma[i] = make([]float64, s.c.K)
		for k := range n.gamma[i] {
			n.gamma[i][k] = float64(units[s.row(i)[k]]) / One
		}
	}
	return n
}

// epoch begins an epoch.
func (n *naive) epoch() {
	clear(n.nk)
	for i, p := range n.s.l.pairs {
		for k, g := range n.gamma[i] {
			n.nk[k] += float64(p.count) * g
		}
	}
}

// update returns γ of pair i by the formula.
func (n *naive) update(i int, alpha []float64, beta float64) []float64 {
	own := n.s.l.pairs[i]
	next := make([]float64, n.s.c.K)
	sum := 0.0
	for k := range next {
		doc, word := -n.gamma[i][k], -n.gamma[i][k]
		for j, p := range n.s.l.pairs {
			if p.doc == own.doc {
				doc += float64(p.count) * n.gamma[j][k]
			}
			if p.word == own.word {
				word += float64(p.count) * n.gamma[j][k]
			}
		}
		next[k] = (doc + alpha[k]) * (word + beta) / (n.nk[k] + float64(n.s.c.V)*beta)
		sum += next[k]
	}
	for k := range next {
		next[k] /= sum
	}
	return next
}

// Every single update of a sweep is that of the formula, rounded: its byte is the
// nearest one, or the next where the value lies on the border between two. The
// naive form then goes on with that byte, so that errors cannot add up unseen.
func TestSweepAgainstFloat64(t *testing.T) {
	for _, k := range []int{1, 3, 20} {
		c := corpusOf(uint64(k), 25, 12, k, 3, 6)
		alpha, beta := alphaOf(k), 0.05
		s := started(t, c, 0)
		for sweep := range 3 {
			n := newNaive(s)
			if err := s.Sweep(context.Background(), easedSweeps+1+sweep, alpha, beta); err != nil {
				t.Fatal(err)
			}
			for epoch := range s.l.p {
				n.epoch()
				for m := range s.l.p {
					begin, end := s.l.span(m, (m+epoch)%s.l.p)
					for i := begin; i < end; i++ {
						want := n.update(i, alpha, beta)
						for k, g := range want {
							code := s.row(i)[k]
							if !near(code, One*g) {
								t.Fatalf("K = %d, sweep %d, pair %d, topic %d: %d units, the formula gives %v", c.K, sweep+1, i, k, units[code], One*g)
							}
							n.gamma[i][k] = float64(units[code]) / One
						}
					}
				}
			}
		}
	}
}

// near tells whether y, give or take what float32 makes of it, rounds to the byte.
func near(code uint8, y float64) bool {
	lo, _ := encode(float32(y * (1 - 1e-5)))
	hi, _ := encode(float32(y*(1+1e-5) + 1e-4))
	return code == lo || code == hi
}

// Counts are those of the responsibilities after any number of sweeps, and every
// pair's responsibilities sum to about 1.
func TestCountsDoNotDrift(t *testing.T) {
	c := corpusOf(3, 200, 40, 33, 4, 20)
	s := started(t, c, 7)
	docs, words, totals := slices.Clone(s.docs), slices.Clone(s.words), slices.Clone(s.totals)
	s.recount()
	if !slices.Equal(docs, s.docs) || !slices.Equal(words, s.words) || !slices.Equal(totals, s.totals) {
		t.Error("counts are not the sums of responsibilities")
	}
	for i := range s.l.pairs {
		sum := int32(0)
		for k, code := range s.row(i) {
			sum += units[code]
			if k >= c.K && code != none {
				t.Fatalf("pair %d has tokens of topic %d of %d", i, k, c.K)
			}
		}
		if math.Abs(float64(sum)/One-1) > 1.0/64+float64(c.K)/One {
			t.Fatalf("responsibilities of pair %d sum to %v", i, float64(sum)/One)
		}
	}
}

// The corpus was drawn from three topics of words w ≡ k modulo 3: after some
// sweeps each word has one topic.
func TestFindsTopics(t *testing.T) {
	c := corpusOf(5, 200, 30, 3, 3, 30)
	s := started(t, c, 30)
	row := make([]float64, 3)
	var of [3]int
	for w := range c.V {
		s.WordCounts(row, w)
		best := 0
		for k := range row {
			if row[k] > row[best] {
				best = k
			}
		}
		if w < 3 {
			of[w] = best
		}
		if sum := row[0] + row[1] + row[2]; row[best] < 0.9*sum || best != of[w%3] {
			t.Errorf("word %d has the topics %.1f, and word %d has topic %d", w, row, w%3, of[w%3])
		}
	}
}

func TestThreadsDoNotMatter(t *testing.T) {
	var want *State
	for _, threads := range []int{1, 2, 3, 8} {
		c := corpusOf(4, 300, 40, 20, 4, 20)
		c.Threads = threads
		s := started(t, c, 3)
		if want == nil {
			want = s
		}
		if !slices.Equal(s.gamma, want.gamma) || !slices.Equal(topics(s), topics(want)) {
			t.Errorf("%d threads give another result than 1", threads)
		}
	}
}

// With a large Σα the first sweeps have a smaller one.
func TestEased(t *testing.T) {
	for _, c := range []struct {
		alpha     []float64
		iteration int
		want      float64
	}{
		{[]float64{10, 40}, 1, 0.1},
		{[]float64{10, 40}, easedSweeps, 0.1},
		{[]float64{10, 40}, easedSweeps + 1, 1},
		{[]float64{1, 4}, 1, 1},
	} {
		if got := eased(c.alpha, c.iteration); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestRefusals(t *testing.T) {
	long := &Corpus{Offsets: []uint64{0, mostTokens + 1}, Words: make([]uint32, mostTokens+1), V: 1, K: 2}
	frequent := &Corpus{Offsets: []uint64{0, mostTokens, mostTokens + 1}, Words: make([]uint32, mostTokens+1), V: 1, K: 2}
	for want, c := range map[string]*Corpus{
		"takes at most 2048 topics, not 2049": {Offsets: []uint64{0}, K: 2049},
		"document 0 has":                      long,
		"word 0 occurs more often":            frequent,
	} {
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		// Nobody waits for the exact sweeps before that is said.
		p := &sampler.Problem{Offsets: c.Offsets, Words: c.Words, V: c.V, K: c.K, Tuning: sampler.Tuning{CVB: "zero", ExactSweeps: 40}}
		if _, err := newZeroCVB(p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("with exact sweeps: %v, want %q", err, want)
		}
	}
}

// Bytes returns the size of the large tables, within the padding of alignment.
func TestBytes(t *testing.T) {
	c := corpusOf(4, 300, 40, 20, 4, 20)
	s := started(t, c, 0)
	tables := len(s.gamma) + 4*len(s.docs) + 4*len(s.words) + 20*len(s.l.pairs)
	if got := Bytes(c); got < uint64(tables) || got > uint64(tables)*3/2 {
		t.Errorf("predicted %d bytes, the tables have %d", got, tables)
	}
}
