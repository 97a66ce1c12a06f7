package foldin

import (
	"math"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/counts"
)

// same reports whether numbers agree but for rounding.
func same(a, b float64) bool { return math.Abs(a-b) <= 1e-14*max(1, math.Abs(b)) }

// handModel has two words that occur and three topics, with V β = 2 and round numbers: 1 / (n_k + V β) is 1/10, 1/4
// and 1/2.
func handModel() Model {
	return Model{
		Rows: rows{
			{{Topic: 0, Count: 5}, {Topic: 1, Count: 2}},
			nil,
			{{Topic: 0, Count: 3}},
			{{Topic: 2, Count: 9}}, // does not occur
		},
		Totals: []uint64{8, 2, 0}, Alpha: []float64{1, 0.5, 0.25}, Beta: 0.5, V: 4,
	}
}

// A table has 1/(n_k + Vβ), and the sums of what does not change from draw to draw.
func TestTableByHand(t *testing.T) {
	table := NewTable(handModel(), []uint32{2, 0, 1, 0})
	for k, want := range []float64{0.1, 0.25, 0.5} {
		if !same(table.inverse[k], want) || !same(table.background(uint32(k)), want/2) {
			t.Errorf("topic %d: %v and %v", k, table.inverse[k], table.background(uint32(k)))
		}
	}
	// Σ α_k b_k = 0.5 (1 · 0.1 + 0.5 · 0.25 + 0.25 · 0.5)
	if !same(table.all, 0.175) || !same(table.alphaSum, 1.75) {
		t.Errorf("all topics weigh %v, Σα is %v", table.all, table.alphaSum)
	}
	// Word 0 has 1 · 5 · 0.1 + 0.5 · 2 · 0.25, word 1 nothing, word 2 1 · 3 · 0.1.
	if !slices.Equal(table.first, []uint64{0, 1, 1, 2, 2}) || len(table.sums) != 2 ||
		!same(table.sums[0], 0.75) || !same(table.sums[1], 0.3) {
		t.Errorf("sums %v of words %v", table.sums, table.first)
	}
	row := table.rows.Row(0)
	for k, want := range []float64{0.5, 0.5, 0} {
		if got := table.lookUp(row, uint32(k)); !same(got, want) {
			t.Errorf("s of topic %d is %v, want %v", k, got, want)
		}
	}
	// Before any topic is drawn, a word has Σ α_k φ_wk / Σα, with φ_0k = 0.55, 0.625 and 0.25, and φ_1k = 0.05, 0.125
	// and 0.25.
	c := NewChain(table)
	c.Load([]uint32{0, 1})
	for i, want := range []float64{(0.55 + 0.5*0.625 + 0.25*0.25) / 1.75, (0.05 + 0.5*0.125 + 0.25*0.25) / 1.75} {
		if got := c.Predict(i); !same(got, want) {
			t.Errorf("place %d is predicted with %v, want %v", i, got, want)
		}
	}
	c.z = append(c.z, c.take(1)) // a topic with one token: it weighs 0.625 for word 0 and 0.125 for word 1
	for i, want := range []float64{(0.925 + 0.625) / 2.75, (0.175 + 0.125) / 2.75} {
		if got := c.Predict(i); !same(got, want) || c.Len() != 1 {
			t.Errorf("after a token of topic 1 place %d is predicted with %v, want %v", i, got, want)
		}
	}
}

// A row has a sum after every eighth topic and after the last one, and a draw finds the topic at which they exceed a
// number.
func TestSumsOfLongRows(t *testing.T) {
	for _, n := range []int{1, 7, 8, 9, 16, 17} {
		m := Model{Totals: make([]uint64, n), Alpha: make([]float64, n), Beta: 1, V: 1}
		var row []counts.Entry
		for k := range n { // s_wk α_k = (k + 1) · 1 / 1
			row = append(row, counts.Entry{Topic: uint32(k), Count: uint32(k + 1)})
			m.Alpha[k] = 1
		}
		m.Rows = rows{row}
		table := NewTable(m, []uint32{0})
		var want []float64
		for k := 1; k <= n; k++ {
			if k%8 == 0 || k == n {
				want = append(want, float64(k*(k+1)/2))
			}
		}
		if !slices.Equal(table.sums, want) {
			t.Errorf("%d topics: sums %v, want %v", n, table.sums, want)
		}
		sum := 0.0
		for k := range n {
			for _, x := range []float64{sum, sum + float64(k) + 0.5} {
				if got := table.draw(row, table.sums, x); got != uint32(k) {
					t.Errorf("%d topics: topic %d at %v, want %d", n, got, x, k)
				}
			}
			sum += float64(k + 1)
		}
		if got := table.draw(row, table.sums, sum+1); got != uint32(n-1) { // which only rounding brings about
			t.Errorf("%d topics: topic %d beyond the end", n, got)
		}
	}
}

// A slot goes to the next new topic when its own has left the document, and what it had is in the totals.
func TestSlots(t *testing.T) {
	m := randomModel(5, 3, 20)
	c := NewChain(NewTable(m, []uint32{0, 1, 2}))
	c.Load([]uint32{0, 1, 2})
	leave := func(slot uint32) {
		s := &c.slots[slot]
		if s.n--; s.n == 0 {
			c.slotOf[s.topic] = 0
			c.empty = append(c.empty, slot)
		}
	}
	if a, b, again := c.take(7), c.take(3), c.take(7); a != 0 || b != 1 || again != 0 || c.slots[0].n != 2 {
		t.Errorf("slots %d, %d and %d", a, b, again)
	}
	c.Tally()
	leave(1)
	got := c.take(9)
	if got != 1 || c.slots[1].topic != 9 || c.slots[1].n != 1 || c.slotOf[3] != 0 || c.slotOf[9] != 2 ||
		len(c.empty) != 0 {
		t.Errorf("topic 9 has slot %d: %+v", got, c.slots)
	}
	if c.slots[1].b != c.t.background(9) {
		t.Error("the slot keeps the weight of its old topic")
	}
	c.Tally()
	leave(0)
	c.Tally()
	leave(0)
	if got := c.take(3); got != 0 {
		t.Errorf("topic 3 has slot %d", got)
	}
	c.Tally()
	// Topic 7 had 2, 2 and 1 tokens, 3 had 1, 0, 0 and 1, 9 had 0, 1, 1 and 1.
	want := []counts.Entry{{Topic: 1, Count: 1}, {Topic: 3, Count: 2}, {Topic: 7, Count: 5}, {Topic: 9, Count: 3}}
	if got := c.Totals([]counts.Entry{{Topic: 1, Count: 1}}); !slices.Equal(got, want) {
		t.Errorf("totals %v, want %v", got, want)
	}
	if got := c.Totals(nil); len(got) > 0 {
		t.Errorf("totals once more: %v", got)
	}
	c.Tally()
	c.Restart()
	if c.Len() != 0 || len(c.slots) > 0 || len(c.Totals(nil)) > 0 || slices.Max(c.slotOf) > 0 {
		t.Errorf("a document that begins again has %d topics", len(c.slots))
	}
}

// s_wk is kept for documents up to a size, and looked up each time beyond.
func TestLargeDocuments(t *testing.T) {
	c := NewChain(NewTable(handModel(), []uint32{0, 1}))
	doc := make([]uint32, aboveMost/2+1)
	doc[len(doc)-1] = 1
	if c.Load(doc[1:]); len(c.above) != aboveMost {
		t.Errorf("%d numbers are kept", len(c.above))
	}
	if c.Load(doc); c.above != nil {
		t.Errorf("%d numbers are kept for a document that is too large", len(c.above))
	}
	if c.Load(doc[:3]); len(c.above) != 3 || len(c.words) != 1 {
		t.Errorf("%d numbers are kept of %d words", len(c.above), len(c.words))
	}
}

// Where rounding takes a number beyond all weights, a topic is drawn all the same.
func TestNumbersBeyondAllWeights(t *testing.T) {
	table := NewTable(handModel(), []uint32{1})
	c := NewChain(table)
	c.Load([]uint32{1})
	c.take(0)
	c.slots[0].b, table.all = 1, 1.6*0x1p-52 // 1 + all is 1 + 2 · 2^-52, from which the largest u takes nothing away
	if k := c.draw(0, math.Nextafter(1, 0)); k > 2 {
		t.Errorf("topic %d of 3", k)
	}
}

// The largest u draws a topic too, the last of those that the alias table may give.
func TestLargestNumbers(t *testing.T) {
	m := handModel()
	c := NewChain(NewTable(m, []uint32{0, 1}))
	c.Load([]uint32{0, 0, 1, 1})
	for range 4 {
		c.Extend(math.Nextafter(1, 0))
	}
	for i := range 4 {
		if k := topicAt(c, i); k > 2 {
			t.Errorf("topic %d of 3", k)
		}
	}
	if c.slots[c.z[0]].topic == 0 {
		t.Error("the largest number draws the first topic")
	}
}
