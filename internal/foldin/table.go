// Package foldin draws topics for documents with a model's counts fixed, in time
// and memory that do not grow with K times anything:
//
//	p(z = k) ∝ (n_dk + α_k) · φ_wk     φ_wk = (n_wk + β)/(n_k + Vβ)
//
// Letters are those of package sampler. With b_k = β/(n_k + Vβ), what a word has in a topic in which it never occurs,
// and s_wk = n_wk/(n_k + Vβ), the weights of all topics fall into three parts, as SparseLDA's do (Yao, Mimno and
// McCallum, "Efficient methods for topic model inference on streaming document collections", KDD 2009, section 3.4):
//
//	Σ_{k in d} n_dk (b_k + s_wk)     the document's topics, of which there are few
//	Σ_{k in w} α_k s_wk              the word's topics: fixed, so summed beforehand
//	Σ_k α_k b_k                      all topics: fixed, so an alias table
//
// A draw costs O(K_d + log K_w), and is exact.
package foldin

import (
	"sort"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/discrete"
)

// Model holds the fixed counts and priors.
type Model struct {
	Rows   counts.Rows // n_wk
	Totals []uint64    // K: n_k
	Alpha  []float64   // K: α_k
	Beta   float64     // β
	V      int         // words in the vocabulary
}

// Table is a model prepared for the words of some documents. It does not change, so any number of chains may
// use it at the same time. Besides the model it takes 48 bytes a topic, 9 bytes a word of the vocabulary, and
// a byte for every non-zero n_wk of the words that occur; 8 more if the model's rows cannot be read in place.
type Table struct {
	alpha    []float64 // K: α_k
	alphaSum float64   // Σα
	beta     float64
	inverse  []float64 // K: 1/(n_k + Vβ)
	scale    []float64 // K: α_k/(n_k + Vβ)

	rows   counts.InPlace // n_wk of the words that occur
	first  []uint64       // V+1: the sums of word w are sums[first[w]:first[w+1]]
	sums   []float64      // Σ α_k s_wk over the first sumEvery, 2 sumEvery, … and over all topics of the word
	smooth discrete.Alias[float64]
	all    float64 // Σ_k α_k b_k
}

// sumEvery is the number of topics between two sums of a word. The data of a topic is in no cache, so a draw
// should read few.
const sumEvery = 8

// NewTable prepares m for documents of the given words.
func NewTable(m Model, words []uint32) *Table {
	t := &Table{
		alpha: m.Alpha, beta: m.Beta, inverse: make([]float64, len(m.Alpha)),
		scale: make([]float64, len(m.Alpha)), first: make([]uint64, m.V+1),
	}
	vbeta := float64(float64(m.V) * m.Beta)
	weights := make([]float64, len(m.Alpha))
	for k, n := range m.Totals {
		t.inverse[k] = 1 / (float64(n) + vbeta)
		t.scale[k] = t.alpha[k] * t.inverse[k]
		weights[k] = float64(t.beta * t.scale[k])
		t.all += weights[k]
		t.alphaSum += t.alpha[k]
	}
	t.smooth.Build(weights)
	occurs := make([]bool, m.V)
	for _, w := range words {
		occurs[w] = true
	}
	t.rows = counts.InPlaceOf(m.Rows, occurs, 1)
	for w, yes := range occurs {
		if yes {
			t.sum(t.rows.Row(w))
		}
		t.first[w+1] = uint64(len(t.sums))
	}
	return t
}

// background returns b_k.
func (t *Table) background(k uint32) float64 { return t.beta * t.inverse[k] }

// sum appends the sums of a row.
func (t *Table) sum(row []counts.Entry) {
	sum := 0.0
	for i, e := range row {
		sum += t.prior(e)
		if i%sumEvery == sumEvery-1 || i == len(row)-1 {
			t.sums = append(t.sums, sum)
		}
	}
}

// prior returns α_k s_wk. The conversion keeps it from being fused with a sum.
func (t *Table) prior(e counts.Entry) float64 { return float64(float64(e.Count) * t.scale[e.Topic]) }

// lookUp returns s_wk of topic k from the word's row.
func (t *Table) lookUp(row []counts.Entry, k uint32) float64 {
	return float64(counts.CountIn(row, k)) * t.inverse[k]
}

// draw returns the topic of a row at which Σ α_k s_wk exceeds x, from the row and its sums.
func (t *Table) draw(row []counts.Entry, sums []float64, x float64) uint32 {
	group := min(sort.Search(len(sums), func(i int) bool { return sums[i] > x }), len(sums)-1)
	sum := 0.0
	if group > 0 {
		sum = sums[group-1]
	}
	part := row[group*sumEvery : min((group+1)*sumEvery, len(row))]
	for _, e := range part {
		if sum += t.prior(e); sum > x {
			return e.Topic
		}
	}
	return part[len(part)-1].Topic
}
