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
	topicChain
	key     rng.Key
	purpose rng.Purpose
	first   uint64 // number of the document's first token in its corpus: part of every random counter
}

// topicChain is chain without the random numbers, which it is given as numbers u
// in [0, 1): a denseChain, or one of package foldin where there are very many topics.
type topicChain interface {
	Load(doc []uint32)         // begins a document, whose words are sorted
	Restart()                  // takes all topics away
	Extend(u float64)          // draws a topic for the next place given those before it
	Resample(i int, u float64) // draws the topic of place i anew given all others
	Predict(i int) float64     // Σ_k φ_wk (n_dk + α_k)/(n_d + Σα) for the word at place i; n_d places are filled
	Len() int                  // the number of places filled
}

// Purposes separate the random numbers of the estimators.
const (
	purposeTest        rng.Purpose = 0x7e570001
	purposeLeftToRight rng.Purpose = 0x7e570002
)

// load begins a document. Its words are sorted.
func (c *chain) load(doc []uint32, first uint64) {
	c.first = first
	c.Load(doc)
}

// extend draws a topic for the next place.
func (c *chain) extend(round uint32) { c.Extend(c.random(c.Len(), round)) }

// resample draws the topic of place i anew.
func (c *chain) resample(i int, round uint32) { c.Resample(i, c.random(i, round)) }

// random returns a number in [0, 1). Place and round make up its counter.
func (c *chain) random(i int, round uint32) float64 {
	token := c.first + uint64(i)
	x := c.key.Block(uint32(token), uint32(token>>32), round, uint32(c.purpose))
	return rng.Float64(x[0], x[1])
}

// logPredictAll returns Σ_i log Predict(i).
func (c *chain) logPredictAll() float64 {
	sum := 0.0
	for i := range c.Len() {
		sum += math.Log(c.Predict(i))
	}
	return sum
}

// denseChain weighs all topics for every draw.
type denseChain struct {
	rows   *rows
	rowOf  []int     // row in phi of the word at each place
	phi    []float64 // φ of the distinct words, K values each
	z      []int     // topic of each place filled so far
	counts []float64 // K: n_dk
	sums   []float64 // K: cumulative weights of a draw
}

func newDenseChain(r *rows) *denseChain {
	return &denseChain{rows: r, counts: make([]float64, r.k), sums: make([]float64, r.k)}
}

func (c *denseChain) Load(doc []uint32) {
	c.rowOf, c.phi = c.rowOf[:0], c.phi[:0]
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
	c.Restart()
}

func (c *denseChain) Restart() {
	c.z = c.z[:0]
	clear(c.counts)
}

func (c *denseChain) Len() int { return len(c.z) }

// row returns φ of the word at place i.
func (c *denseChain) row(i int) []float64 { return c.phi[c.rowOf[i]*c.rows.k:][:c.rows.k] }

func (c *denseChain) Extend(u float64) {
	c.z = append(c.z, 0)
	c.draw(len(c.z)-1, u)
}

func (c *denseChain) Resample(i int, u float64) {
	c.counts[c.z[i]]--
	c.draw(i, u)
}

// draw sets the topic of place i.
func (c *denseChain) draw(i int, u float64) {
	sum := 0.0
	for k, phi := range c.row(i) {
		sum += (c.counts[k] + c.rows.alpha[k]) * phi
		c.sums[k] = sum
	}
	x := u * sum
	k := 0
	for k < len(c.sums)-1 && c.sums[k] <= x {
		k++
	}
	c.z[i] = k
	c.counts[k]++
}

func (c *denseChain) Predict(i int) float64 {
	sum := 0.0
	for k, phi := range c.row(i) {
		sum += (c.counts[k] + c.rows.alpha[k]) * phi
	}
	return sum / (float64(len(c.z)) + c.rows.alphaSum)
}
