package cvb

import (
	"context"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/portable"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// moments holds means and variances of sums of independent indicators.
type moments struct {
	mean     []float64
	variance []float64 // nil in the zero-order form
}

func newMoments(n int, second bool) moments {
	m := moments{mean: make([]float64, n)}
	if second {
		m.variance = make([]float64, n)
	}
	return m
}

// row returns row i of rows with k values each.
func (m moments) row(i, k int) moments {
	r := moments{mean: m.mean[i*k : (i+1)*k]}
	if m.variance != nil {
		r.variance = m.variance[i*k : (i+1)*k]
	}
	return r
}

func (m moments) clear() {
	clear(m.mean)
	clear(m.variance)
}

func (m moments) Set(from moments) {
	copy(m.mean, from.mean)
	copy(m.variance, from.variance)
}

// add adds n tokens with the probabilities gamma.
func (m moments) add(gamma []float32, n float64) {
	for k, g := range gamma {
		m.mean[k] += float64(n * float64(g))
	}
	for k := range m.variance {
		g := float64(gamma[k])
		m.variance[k] += float64(n * float64(g*(1-g)))
	}
}

// merge adds to m the changes of each of locals, which began as copies of m.
func (m moments) merge(locals []moments) {
	for k, before := range m.mean {
		sum := before
		for _, local := range locals {
			sum += local.mean[k] - before
		}
		m.mean[k] = sum
	}
	for k, before := range m.variance {
		sum := before
		for _, local := range locals {
			sum += local.variance[k] - before
		}
		m.variance[k] = sum
	}
}

// sumMoments computes all moments from γ. The order of each sum depends on the corpus and the partition only.
func (c *cvb) sumMoments() {
	c.docs.clear()
	c.words.clear()
	c.topics.clear()
	ctx := context.Background()
	_ = parallel.Do(ctx, c.P.Threads, c.part.P, func(_, m int) {
		for n := range c.part.P {
			c.eachPair(m, n, func(doc, _ moments, gamma []float32, count float64) { doc.add(gamma, count) })
		}
	})
	_ = parallel.Do(ctx, c.P.Threads, c.part.P, func(_, n int) {
		for m := range c.part.P {
			c.eachPair(m, n, func(_, word moments, gamma []float32, count float64) { word.add(gamma, count) })
		}
	})
	for w := range c.P.V {
		word := c.words.row(w, c.P.K)
		counts.Add(c.topics.mean, word.mean)
		counts.Add(c.topics.variance, word.variance)
	}
}

// eachPair calls f for every pair of tile (m, n) with the moments of its
// document and word, its γ and the number of its tokens.
func (c *cvb) eachPair(m, n int, f func(doc, word moments, gamma []float32, count float64)) {
	for _, part := range c.tiles.Tile(m, n) {
		doc := c.docs.row(int(part.Doc), c.P.K)
		for _, i := range c.tiles.Of(part) {
			pair := int(c.pairs.offsets[part.Doc]) + int(i)
			word := c.words.row(int(c.pairs.words[pair]), c.P.K)
			f(doc, word, c.gamma[pair*c.P.K:(pair+1)*c.P.K], float64(c.pairs.counts[pair]))
		}
	}
}

// updateTile computes new γ for every pair of tile (m, n) and changes the
// moments accordingly, those of topics in the tile's own copy.
func (c *cvb) updateTile(m, n int, next []float64, priors *sampler.Priors) {
	topics := c.local[m]
	vbeta := float64(c.P.V) * priors.Beta
	c.eachPair(m, n, func(doc, word moments, gamma []float32, count float64) {
		var sum float64
		if c.second {
			sum = secondOrder(next, gamma, doc, word, topics, vbeta, priors)
		} else {
			sum = zeroOrder(next, gamma, doc, word, topics, vbeta, priors)
		}
		c.replace(gamma, next, sum, count, doc, word, topics)
	})
}

// replace sets γ to next/sum and moves its tokens in all moments.
func (c *cvb) replace(gamma []float32, next []float64, sum, count float64, doc, word, topics moments) {
	if !(sum > 0) {
		return // every weight has underflowed: keep the old γ
	}
	for k, x := range next {
		old := float64(gamma[k])
		gamma[k] = float32(x / sum)
		now := float64(gamma[k])
		change := float64(count * (now - old))
		doc.mean[k] += change
		word.mean[k] += change
		topics.mean[k] += change
		if c.second {
			change = float64(count * (float64(now*(1-now)) - float64(old*(1-old))))
			doc.variance[k] += change
			word.variance[k] += change
			topics.variance[k] += change
		}
	}
}

// zeroOrder fills next with the weights of the zero-order form and returns their sum.
func zeroOrder(next []float64, gamma []float32, doc, word, topics moments, vbeta float64,
	priors *sampler.Priors,
) float64 {
	sum := 0.0
	for k, g32 := range gamma {
		g := float64(g32)
		a := priors.Alpha[k] + max(0, doc.mean[k]-g)
		b := priors.Beta + max(0, word.mean[k]-g)
		next[k] = a * b / (vbeta + max(0, topics.mean[k]-g))
		sum += next[k]
	}
	return sum
}

// secondOrder fills next with the weights of the form with variances and returns their sum.
func secondOrder(next []float64, gamma []float32, doc, word, topics moments, vbeta float64,
	priors *sampler.Priors,
) float64 {
	sum := 0.0
	for k, g32 := range gamma {
		g := float64(g32)
		v := float64(g * (1 - g))
		a := priors.Alpha[k] + max(0, doc.mean[k]-g)
		b := priors.Beta + max(0, word.mean[k]-g)
		t := vbeta + max(0, topics.mean[k]-g)
		exponent := max(0, topics.variance[k]-v)/float64(2*t*t) -
			max(0, doc.variance[k]-v)/float64(2*a*a) -
			max(0, word.variance[k]-v)/float64(2*b*b)
		next[k] = float64(a * b / t * portable.Exp(exponent))
		sum += next[k]
	}
	return sum
}

// keepOld saves the γ of tile (m, n) for combineTile.
func (c *cvb) keepOld(m, n int) {
	if c.step == 1 {
		return
	}
	c.old[m] = c.old[m][:0]
	c.eachPair(m, n, func(_, _ moments, gamma []float32, _ float64) { c.old[m] = append(c.old[m], gamma...) })
}

// combineTile is the synchronisation step: it moves the natural parameters of every pair of tile (m, n) from
// the old values towards the new ones, by the fraction μ.
func (c *cvb) combineTile(m, n int, next []float64) {
	if c.step == 1 {
		return
	}
	const floor = 1e-30 // float32 may have underflowed, and a γ of 0 would stay 0
	rest := c.old[m]
	c.eachPair(m, n, func(doc, word moments, gamma []float32, count float64) {
		old := rest[:c.P.K]
		rest = rest[c.P.K:]
		sum := 0.0
		for k, g := range gamma {
			from, to := portable.Log(max(float64(old[k]), floor)), portable.Log(max(float64(g), floor))
			next[k] = portable.Exp(float64((1-c.step)*from) + float64(c.step*to))
			sum += next[k]
		}
		c.replace(gamma, next, sum, count, doc, word, c.local[m])
	})
}
