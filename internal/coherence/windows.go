// Package coherence measures how well the words of topics belong together, by the windows of a text in which they
// meet. Package eval measures it by documents, with the same formula for C_V.
package coherence

import (
	"math"
	"slices"

	"github.com/topoi-lda/topoi/internal/portable"
)

// Sizes of the windows, in words, that the measures were published with.
const (
	windowCV  = 110
	windowPMI = 10
)

// Result holds measures of how well the words of each topic belong together, one value per topic. A topic of fewer than
// two words that occur in the text has NaN. Higher is better for all of them.
type Result struct {
	UCI  []float64 // mean PMI, in nats
	NPMI []float64 // between -1 and 1
	CV   []float64 // between -1 and 1
}

// Windows counts in how many windows of text the top words of topics stand together. A window is a run of s
// words; a text of L ≥ s words has L-s+1 of them, a shorter one is a window as a whole, an empty one has none. With
// c(u) the number of windows that hold u, c(u, v) of those that hold both, and p the same divided by the number of all,
//
//	PMI(u, v)  = log (p(u, v) + ε)/(p(u) p(v)),  ε = 10⁻¹²
//	NPMI(u, v) = PMI(u, v) / −log (p(u, v) + ε), 1 where p(u, v) = 1
//
// and for a topic of the words w_1, …, w_n
//
//	UCI  = mean over pairs of PMI(w_i, w_j),  s = 10
//	NPMI = mean over pairs of NPMI(w_i, w_j), s = 10
//	CV   = mean over i of cos(v_i, Σ_j v_j),  v_ij = NPMI(w_i, w_j), s = 110
//
// (Newman et al. 2010; Lau, Newman and Baldwin 2014; Röder, Both and Hinneburg 2015, with the settings of gensim's
// c_uci, c_npmi and c_v). Words that occur nowhere are left out.
//
// It keeps 8 n (n+1) bytes for a topic of n words. Counters that were made from the same topics may count different
// texts at once; see [Windows.Merge].
type Windows struct {
	topics [][]int
	uses   map[uint32][]wordUse
	sizes  [2]windowSize

	// Of one text.
	places []uint64 // of wanted words: word << 32 | place in the text, sorted
	spans  []span   // windows that hold a word, of all words one after the other
	held   [][]heldWord
	met    []int // topics whose words were met
}

// wordUse is a place among the top words of a topic.
type wordUse struct{ topic, place int }

// windowSize counts windows of one size.
type windowSize struct {
	words int        // in a window
	all   uint64     // windows
	both  [][]uint64 // for each topic: c(w_i, w_j), j ≤ i, at i(i+1)/2 + j
}

// span is a run of windows, by the place of their first words.
type span struct{ begin, end int }

// heldWord is a word of a topic and the windows of the text that hold it.
type heldWord struct {
	place int
	spans []span
}

// NewWindows returns a counter for topics given by their top words.
func NewWindows(topics [][]int) *Windows {
	c := &Windows{topics: topics, uses: make(map[uint32][]wordUse), held: make([][]heldWord, len(topics))}
	for i, words := range [...]int{windowCV, windowPMI} {
		c.sizes[i] = windowSize{words: words, both: make([][]uint64, len(topics))}
	}
	for k, words := range topics {
		for i, w := range words {
			c.uses[uint32(w)] = append(c.uses[uint32(w)], wordUse{k, i})
		}
		for i := range c.sizes {
			c.sizes[i].both[k] = make([]uint64, len(words)*(len(words)+1)/2)
		}
	}
	return c
}

// Add counts the windows of a text, given as word ids. Words that belong to no topic take a place but are not counted.
func (c *Windows) Add(text []uint32) {
	if len(text) == 0 {
		return
	}
	c.places = c.places[:0]
	for i, w := range text {
		if _, wanted := c.uses[w]; wanted {
			c.places = append(c.places, uint64(w)<<32|uint64(i))
		}
	}
	slices.Sort(c.places)
	for i := range c.sizes {
		c.count(&c.sizes[i], len(text))
	}
}

// count counts the windows of a text of the given length.
func (c *Windows) count(s *windowSize, length int) {
	windows := max(1, length-s.words+1)
	s.all += uint64(windows)
	c.spans = slices.Grow(c.spans[:0], len(c.places)) // so that they stay where they are
	for begin := 0; begin < len(c.places); {
		word := c.places[begin] >> 32
		first := len(c.spans)
		for ; begin < len(c.places) && c.places[begin]>>32 == word; begin++ {
			at := int(uint32(c.places[begin]))
			c.hold(first, span{max(0, at-s.words+1), min(at+1, windows)})
		}
		for _, u := range c.uses[uint32(word)] {
			if len(c.held[u.topic]) == 0 {
				c.met = append(c.met, u.topic)
			}
			c.held[u.topic] = append(c.held[u.topic], heldWord{u.place, c.spans[first:]})
		}
	}
	for _, k := range c.met {
		addPairs(s.both[k], c.held[k])
		c.held[k] = c.held[k][:0]
	}
	c.met = c.met[:0]
}

// hold appends a span to those of a word from first on, or joins it to the last.
func (c *Windows) hold(first int, next span) {
	if last := len(c.spans) - 1; last >= first && next.begin <= c.spans[last].end {
		c.spans[last].end = next.end
		return
	}
	c.spans = append(c.spans, next)
}

// addPairs adds the windows that each two of the held words share, and those of each word itself.
func addPairs(both []uint64, held []heldWord) {
	for a, x := range held {
		for _, y := range held[:a+1] {
			i, j := max(x.place, y.place), min(x.place, y.place)
			both[i*(i+1)/2+j] += shared(x.spans, y.spans)
		}
	}
}

// shared returns the number of windows that are in both lists.
func shared(x, y []span) uint64 {
	n := 0
	for len(x) > 0 && len(y) > 0 {
		n += max(0, min(x[0].end, y[0].end)-max(x[0].begin, y[0].begin))
		if x[0].end < y[0].end {
			x = x[1:]
		} else {
			y = y[1:]
		}
	}
	return uint64(n)
}

// Merge adds what another counter for the same topics has counted.
func (c *Windows) Merge(other *Windows) {
	for i := range c.sizes {
		c.sizes[i].all += other.sizes[i].all
		for k, both := range other.sizes[i].both {
			for j, n := range both {
				c.sizes[i].both[k][j] += n
			}
		}
	}
}

// Measure returns CV, UCI and NPMI of all that was counted.
func (c *Windows) Measure() Result {
	var r Result
	for k := range c.topics {
		cv, pmi := c.sizes[0].table(k), c.sizes[1].table(k)
		uci, npmi := pmi.means()
		r.CV, r.UCI, r.NPMI = append(r.CV, cv.Cosine()), append(r.UCI, uci), append(r.NPMI, npmi)
	}
	return r
}

// Pairs holds p(w_i, w_j) of the words of a topic that occur at all.
type Pairs [][]float64 // n × n

// table returns the pairs of topic k.
func (s *windowSize) table(k int) Pairs {
	both := s.both[k]
	var occurring []int
	for i := 0; i*(i+1)/2 < len(both); i++ {
		if both[i*(i+1)/2+i] > 0 {
			occurring = append(occurring, i)
		}
	}
	t := make(Pairs, len(occurring))
	for a, i := range occurring {
		for _, j := range occurring {
			at := max(i, j)*(max(i, j)+1)/2 + min(i, j)
			t[a] = append(t[a], float64(both[at])/float64(s.all))
		}
	}
	return t
}

// pmiEpsilon keeps the logarithm of pairs that never meet finite.
const pmiEpsilon = 1e-12

func (t Pairs) pmi(i, j int) float64 {
	return portable.Log((t[i][j] + pmiEpsilon) / (t[i][i] * t[j][j]))
}

func (t Pairs) npmi(i, j int) float64 {
	if t[i][j] == 1 {
		return 1
	}
	return t.pmi(i, j) / -portable.Log(t[i][j]+pmiEpsilon)
}

// means returns the means over pairs of PMI and NPMI, NaN when there are none.
func (t Pairs) means() (uci, npmi float64) {
	pairs := 0
	for i := range t {
		for j := range i {
			uci += t.pmi(i, j)
			npmi += t.npmi(i, j)
			pairs++
		}
	}
	return uci / float64(pairs), npmi / float64(pairs)
}

// Cosine returns the mean cosine between the NPMI of each word with all and the sum of these over words, NaN when
// there are fewer than two words.
func (t Pairs) Cosine() float64 {
	if len(t) < 2 {
		return math.NaN()
	}
	sum := make([]float64, len(t))
	for i := range t {
		for j := range t {
			sum[j] += t.npmi(i, j)
		}
	}
	total := 0.0
	for i := range t {
		dot, own, all := 0.0, 0.0, 0.0
		for j, s := range sum {
			v := t.npmi(i, j)
			dot, own, all = dot+float64(v*s), own+float64(v*v), all+float64(s*s)
		}
		total += dot / math.Sqrt(own*all)
	}
	return total / float64(len(t))
}
