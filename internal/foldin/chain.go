package foldin

import (
	"cmp"
	"math"
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
)

// Chain is a Gibbs sampler for the topics of documents, one document at a time. It belongs to one goroutine.
type Chain struct {
	t      *Table
	words  []word   // the document's distinct words
	wordAt []uint32 // N_d: which of them each place has
	z      []uint32 // the slot of each place filled so far
	slotOf []uint32 // K: 1 + the slot of a topic that has one; zero between documents

	// A slot holds a topic of the document. A topic that the document no longer has leaves an empty slot,
	// which the next new topic takes.
	slots []slot
	empty []uint32  // empty slots
	sums  []float64 // per slot: the sum of the weights up to it

	// above holds s_wk of slot i and word j at [i·len(words) + j], NaN where it
	// has not been looked up; nil for a document too large for it.
	above []float64

	retired []counts.Entry // sums of slots that were given to other topics
}

// word is a distinct word of the document.
type word struct {
	row  []counts.Entry
	sums []float64 // of the table
	own  float64   // Σ_{k in w} α_k s_wk
}

// slot is a topic of the document.
type slot struct {
	topic uint32
	n     uint32  // n_dk
	total uint32  // n_dk summed by Tally
	b     float64 // b_k
}

// aboveMost is the largest number of elements of Chain.above: 16 MB, enough for documents of some thousand tokens.
const aboveMost = 1 << 21

// NewChain returns a chain. It takes 4 bytes a topic.
func NewChain(t *Table) *Chain { return &Chain{t: t, slotOf: make([]uint32, len(t.alpha))} }

// Load begins a document, whose words must be sorted and among those of the table. No place has a topic yet.
func (c *Chain) Load(doc []uint32) {
	c.Restart()
	c.words, c.wordAt = c.words[:0], c.wordAt[:0]
	for i, w := range doc {
		if i == 0 || doc[i-1] != w {
			sums := c.t.sums[c.t.first[w]:c.t.first[w+1]]
			next := word{row: c.t.rows.Row(int(w)), sums: sums}
			if len(sums) > 0 {
				next.own = sums[len(sums)-1]
			}
			c.words = append(c.words, next)
		}
		c.wordAt = append(c.wordAt, uint32(len(c.words)-1))
	}
	if n := len(c.words) * len(doc); n <= aboveMost {
		c.above = slices.Grow(c.above[:0], n)[:n]
	} else {
		c.above = nil
	}
}

// Restart removes all topics.
func (c *Chain) Restart() {
	for _, s := range c.slots {
		c.slotOf[s.topic] = 0
	}
	c.slots, c.empty, c.z, c.retired = c.slots[:0], c.empty[:0], c.z[:0], c.retired[:0]
}

// Extend draws a topic for the next place given those before it, for u in [0, 1).
func (c *Chain) Extend(u float64) { c.z = append(c.z, c.take(c.draw(int(c.wordAt[len(c.z)]), u))) }

// Resample draws the topic of place i again, given all others.
func (c *Chain) Resample(i int, u float64) {
	old := c.z[i]
	s := &c.slots[old]
	s.n--
	k := c.draw(int(c.wordAt[i]), u)
	if s.n == 0 && k != s.topic { // its slot may go to k
		c.slotOf[s.topic] = 0
		c.empty = append(c.empty, old)
	}
	c.z[i] = c.take(k)
}

// Predict returns Σ_k φ_wk (n_dk + α_k)/(n + Σα) for the word at place i, where n is the number of places filled.
func (c *Chain) Predict(i int) float64 {
	j := int(c.wordAt[i])
	return (c.weigh(j) + c.words[j].own + c.t.all) / (float64(len(c.z)) + c.t.alphaSum)
}

// Len returns the number of places filled.
func (c *Chain) Len() int { return len(c.z) }

// Tally adds n_dk to sums that Totals returns.
func (c *Chain) Tally() {
	for i := range c.slots {
		c.slots[i].total += c.slots[i].n
	}
}

// Totals appends the sums of Tally for every topic, in increasing order.
func (c *Chain) Totals(dst []counts.Entry) []counts.Entry {
	for i := range c.slots {
		c.retire(uint32(i))
	}
	slices.SortFunc(c.retired, func(a, b counts.Entry) int { return cmp.Compare(a.Topic, b.Topic) })
	first := len(dst)
	for _, e := range c.retired {
		if n := len(dst); n > first && dst[n-1].Topic == e.Topic {
			dst[n-1].Count += e.Count
		} else {
			dst = append(dst, e)
		}
	}
	c.retired = c.retired[:0]
	return dst
}

// retire saves a slot's sum.
func (c *Chain) retire(i uint32) {
	if s := &c.slots[i]; s.total > 0 {
		c.retired = append(c.retired, counts.Entry{Topic: s.topic, Count: s.total})
		s.total = 0
	}
}

// take counts a token of topic k and returns the topic's slot.
func (c *Chain) take(k uint32) uint32 {
	if i := c.slotOf[k]; i > 0 {
		c.slots[i-1].n++
		return i - 1
	}
	var i uint32
	if n := len(c.empty); n > 0 {
		i, c.empty = c.empty[n-1], c.empty[:n-1]
		c.retire(i)
	} else {
		i = uint32(len(c.slots))
		c.slots = append(c.slots, slot{})
	}
	c.slots[i] = slot{topic: k, n: 1, b: c.t.background(k)}
	c.slotOf[k] = i + 1
	if c.above != nil {
		for j := range c.aboveOf(int(i)) {
			c.aboveOf(int(i))[j] = math.NaN()
		}
	}
	return i
}

func (c *Chain) aboveOf(slot int) []float64 {
	return c.above[slot*len(c.words) : (slot+1)*len(c.words)]
}

// weigh returns the weight of the document's topics for word j and stores the partial sums.
func (c *Chain) weigh(j int) float64 {
	c.sums = slices.Grow(c.sums[:0], len(c.slots))[:len(c.slots)]
	sum := 0.0
	for i := range c.slots {
		if s := &c.slots[i]; s.n > 0 {
			sum += float64(float64(s.n) * (s.b + c.lookUp(i, j)))
		}
		c.sums[i] = sum
	}
	return sum
}

// lookUp returns s_wk of slot i for word j.
func (c *Chain) lookUp(i, j int) float64 {
	if c.above == nil {
		return c.t.lookUp(c.words[j].row, c.slots[i].topic)
	}
	p := &c.above[i*len(c.words)+j]
	if math.IsNaN(*p) {
		*p = c.t.lookUp(c.words[j].row, c.slots[i].topic)
	}
	return *p
}

// draw returns a topic for word j.
func (c *Chain) draw(j int, u float64) uint32 {
	doc, w := c.weigh(j), &c.words[j]
	x := float64(u * (doc + w.own + c.t.all))
	if x < doc {
		i, _ := slices.BinarySearchFunc(c.sums, x, func(sum, x float64) int {
			if sum <= x {
				return -1
			}
			return 1
		})
		return c.slots[i].topic
	}
	x -= doc
	if x < w.own {
		return c.t.draw(w.row, w.sums, x)
	}
	return uint32(c.t.smooth.Draw(min(max(0, (x-w.own)/c.t.all), 1-1.0/(1<<53))))
}
