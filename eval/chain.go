package eval

import (
	"math"

	"github.com/topoi-lda/topoi/internal/rng"
)

// chain is a Gibbs sampler over the topics of one document with φ fixed:
//
//	p(z_i = k | others) ∝ (n_dk + α_k) φ_wk,   own count left out of n_dk.
//
// It serves one document after the other; it is one thread's scratch space.
type chain struct {
	rows    *rows
	key     rng.Key
	purpose rng.Purpose

	first  uint64    // number of the document's first token in its corpus: part of every random counter
	rowOf  []int     // row in phi of the word at each place
	phi    []float64 // φ of the distinct words, K values each
	z      []int     // topic of each place filled so far
	counts []float64 // K: n_dk
	sums   []float64 // K: cumulative weights of a draw
}

func newChain(r *rows, seed uint64, purpose rng.Purpose) *chain {
	return &chain{rows: r, key: rng.NewKey(seed), purpose: purpose, counts: make([]float64, r.k), sums: make([]float64, r.k)}
}

// Purposes separate the random numbers of the estimators.
const (
	purposeTest        rng.Purpose = 0x7e570001
	purposeLeftToRight rng.Purpose = 0x7e570002
)

// load begins a document. Its words are sorted.
func (c *chain) load(doc []uint32, first uint64) {
	c.first, c.rowOf, c.phi = first, c.rowOf[:0], c.phi[:0]
	distinct := 0
	for i, w := range doc {
		if i == 0 || doc[i-1] != w {
			distinct++
			c.phi = append(c.phi, c.rows.background...)
			row := c.phi[len(c.phi)-c.rows.k:]
			for _, e := range c.rows.row(w) {
				row[e.Topic] += float64(e.Count) * c.rows.inverse[e.Topic]
			}
		}
		c.rowOf = append(c.rowOf, distinct-1)
	}
	c.restart()
}

// restart takes all topics away.
func (c *chain) restart() {
	c.z = c.z[:0]
	clear(c.counts)
}

// row returns φ of the word at place i.
func (c *chain) row(i int) []float64 { return c.phi[c.rowOf[i]*c.rows.k:][:c.rows.k] }

// extend draws a topic for the next place given those before it.
func (c *chain) extend(round uint32) {
	i := len(c.z)
	c.z = append(c.z, 0)
	c.draw(i, round)
}

// resample draws the topic of place i anew given all others.
func (c *chain) resample(i int, round uint32) {
	c.counts[c.z[i]]--
	c.draw(i, round)
}

// draw sets the topic of place i. Place and round make up the random counter.
func (c *chain) draw(i int, round uint32) {
	sum := 0.0
	for k, phi := range c.row(i) {
		sum += (c.counts[k] + c.rows.alpha[k]) * phi
		c.sums[k] = sum
	}
	token := c.first + uint64(i)
	x := c.key.Block(uint32(token), uint32(token>>32), round, uint32(c.purpose))
	u := rng.Float64(x[0], x[1]) * sum
	k := 0
	for k < len(c.sums)-1 && c.sums[k] <= u {
		k++
	}
	c.z[i] = k
	c.counts[k]++
}

// predict returns Σ_k φ_wk (n_dk + α_k)/(n_d + Σα) for the word at place i,
// where n_d is the number of places filled.
func (c *chain) predict(i int) float64 {
	sum := 0.0
	for k, phi := range c.row(i) {
		sum += (c.counts[k] + c.rows.alpha[k]) * phi
	}
	return sum / (float64(len(c.z)) + c.rows.alphaSum)
}

// logPredictAll returns Σ_i log predict(i).
func (c *chain) logPredictAll() float64 {
	sum := 0.0
	for i := range c.z {
		sum += math.Log(c.predict(i))
	}
	return sum
}
