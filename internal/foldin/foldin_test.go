package foldin

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/counts"
)

// rows is n_wk as lists.
type rows [][]counts.Entry

func (r rows) AppendRow(dst []counts.Entry, w int) []counts.Entry { return append(dst, r[w]...) }

// direct is rows that can be looked at in place.
type direct struct{ rows }

func (d direct) Row(w int) []counts.Entry { return d.rows[w] }

// randomModel has v words and k topics; word w has about w/v of them, word 0 none.
func randomModel(seed uint64, v, k int) Model {
	r := rand.New(rand.NewPCG(seed, 1))
	m := Model{Totals: make([]uint64, k), Alpha: make([]float64, k), Beta: 0.05 + r.Float64(), V: v}
	list := make(rows, v)
	for w := range list {
		for topic := range k {
			if r.IntN(v) < w {
				n := 1 + r.Uint32N(30)
				list[w] = append(list[w], counts.Entry{Topic: uint32(topic), Count: n})
				m.Totals[topic] += uint64(n)
			}
		}
	}
	for topic := range m.Alpha {
		m.Alpha[topic] = 0.01 + r.Float64()
	}
	m.Rows = list
	return m
}

// phi returns φ_wk by its definition.
func (m Model) phi(w, k int) float64 {
	n := 0.0
	for _, e := range m.Rows.AppendRow(nil, w) {
		if int(e.Topic) == k {
			n = float64(e.Count)
		}
	}
	return (n + m.Beta) / (float64(m.Totals[k]) + float64(m.V)*m.Beta)
}

// A draw must have the probabilities of the definition. A grid of numbers u takes
// the place of randomness: a set of u that is made of n intervals is met by the
// grid as often as its length says, give or take n. A topic has one interval among
// the document's topics, one among the word's, and one or two in each of the
// columns of the alias table.
func TestDrawsHaveTheirProbabilities(t *testing.T) {
	const v, k, grid = 6, 150, 200_000
	m := randomModel(1, v, k)
	doc := []uint32{0, 1, 1, 3, 4, 4, 4, 5}
	for _, large := range []bool{false, true} {
		c := NewChain(NewTable(m, doc))
		c.Load(doc)
		if large {
			c.above = nil // as for a document too large for it
		}
		for _, u := range []float64{0.9, 0.3, 0.5, 0.1, 0.99, 0.02, 0.4, 0.7} {
			c.Extend(u)
		}
		for i, w := range doc {
			ndk := make([]float64, k)
			for place := range doc {
				if place != i {
					ndk[topicAt(c, place)]++
				}
			}
			weights, total := make([]float64, k), 0.0
			for topic := range weights {
				weights[topic] = (ndk[topic] + m.Alpha[topic]) * m.phi(int(w), topic)
				total += weights[topic]
			}
			seen := make([]float64, k)
			for g := range grid {
				c.Resample(i, (float64(g)+0.5)/grid)
				seen[topicAt(c, i)]++
			}
			for topic, n := range seen {
				if want := grid * weights[topic] / total; math.Abs(n-want) > 2+2*k {
					t.Fatalf("place %d, topic %d: drawn %v times, want %.1f", i, topic, n, want)
				}
			}
			if got, want := c.Predict(i)*(float64(len(doc))+c.t.alphaSum), total+m.phi(int(w), int(topicAt(c, i))); math.Abs(got/want-1) > 1e-12 {
				t.Fatalf("place %d: predicted %v, want %v", i, got, want)
			}
		}
	}
}

func topicAt(c *Chain, place int) uint32 { return c.slots[c.z[place]].topic }

// What is tallied is the sum of n_dk over the moments of Tally, also of topics that
// come and go, and the same whether rows are copied or not and whether s_wk is kept
// or looked up each time.
func TestTotals(t *testing.T) {
	const v, k = 8, 300
	m := randomModel(2, v, k)
	copied, inPlace := NewTable(m, []uint32{0, 1, 2, 3, 4, 5, 6, 7}), m
	inPlace.Rows = direct{m.Rows.(rows)}
	chains := []*Chain{NewChain(copied), NewChain(NewTable(inPlace, []uint32{0, 1, 2, 3, 4, 5, 6, 7})), NewChain(copied)}
	r := rand.New(rand.NewPCG(3, 3))
	for d := range 20 {
		doc := make([]uint32, r.IntN(40))
		for i := range doc {
			doc[i] = uint32(r.IntN(v))
		}
		slices.Sort(doc)
		want := make(map[uint32]uint32)
		var first []counts.Entry
		u := make([]float64, 30*len(doc))
		for i := range u {
			u[i] = r.Float64()
		}
		for n, c := range chains {
			c.Load(doc)
			if n == 2 {
				c.above = nil
			}
			next := u
			for range doc {
				c.Extend(next[0])
				next = next[1:]
			}
			for range 29 {
				for i := range doc {
					c.Resample(i, next[0])
					next = next[1:]
				}
				c.Tally()
				if n == 0 {
					for i := range doc {
						want[topicAt(c, i)]++
					}
				}
			}
			got := c.Totals(nil)
			if n == 0 {
				first = got
			}
			if !slices.Equal(got, first) {
				t.Fatalf("document %d: chain %d gives other totals", d, n)
			}
		}
		if len(first) != len(want) || !slices.IsSortedFunc(first, func(a, b counts.Entry) int { return int(a.Topic) - int(b.Topic) }) {
			t.Fatalf("document %d: %d topics, want %d, rising", d, len(first), len(want))
		}
		for _, e := range first {
			if want[e.Topic] != e.Count {
				t.Fatalf("document %d, topic %d: %d, want %d", d, e.Topic, e.Count, want[e.Topic])
			}
		}
	}
}

// Once its memory has grown, a chain allocates nothing.
func TestNoAllocation(t *testing.T) {
	doc := []uint32{1, 1, 2, 3, 5, 5, 5}
	m := randomModel(4, 6, 1000)
	c := NewChain(NewTable(m, doc))
	r := rand.New(rand.NewPCG(1, 1))
	if n := testing.AllocsPerRun(100, func() {
		c.Load(doc)
		for range doc {
			c.Extend(r.Float64())
		}
		for i := range doc {
			c.Resample(i, r.Float64())
		}
	}); n > 0 {
		t.Errorf("%v allocations a document", n)
	}
}

var sink uint32

func BenchmarkResample(b *testing.B) {
	for _, k := range []int{1000, 1_000_000} {
		b.Run(map[int]string{1000: "K=1000", 1_000_000: "K=1000000"}[k], func(b *testing.B) {
			const v, length = 1000, 100
			r := rand.New(rand.NewPCG(1, 1))
			m := Model{Totals: make([]uint64, k), Alpha: slices.Repeat([]float64{5 / float64(k)}, k), Beta: 0.01, V: v}
			list := make(rows, v)
			for w := range list {
				for topic := r.IntN(k/100 + 1); topic < k; topic += 1 + r.IntN(k/100+1) {
					list[w] = append(list[w], counts.Entry{Topic: uint32(topic), Count: 1 + r.Uint32N(9)})
					m.Totals[topic]++
				}
			}
			m.Rows = list
			doc := make([]uint32, length)
			for i := range doc {
				doc[i] = r.Uint32N(v)
			}
			slices.Sort(doc)
			c := NewChain(NewTable(m, doc))
			c.Load(doc)
			for range doc {
				c.Extend(r.Float64())
			}
			i := 0
			for b.Loop() {
				c.Resample(i, r.Float64())
				i = (i + 1) % length
			}
			sink = topicAt(c, 0)
		})
	}
}
