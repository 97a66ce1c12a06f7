package sampler

import (
	"context"

	"github.com/topoi-lda/topoi/internal/counts"
)

// DocCounter counts the documents of a corpus for histograms, some documents at a
// time, with several goroutines.
type DocCounter struct {
	threads int
	sums    []*histograms
}

// NewDocCounter makes a counter for k topics.
func NewDocCounter(threads, k int) *DocCounter {
	c := &DocCounter{threads: threads, sums: make([]*histograms, max(1, threads))}
	for i := range c.sums {
		c.sums[i] = newHistograms(k)
	}
	return c
}

// Add counts documents: offsets are their positions in the corpus, and z holds the
// topics of the tokens from the first position to the last.
func (c *DocCounter) Add(offsets []uint64, z []uint32) {
	docs := len(offsets) - 1
	_ = parallel(context.Background(), c.threads, (docs+docChunk-1)/docChunk, func(thread, i int) {
		for d := i * docChunk; d < min(docs, (i+1)*docChunk); d++ {
			c.sums[thread].addDoc(z[offsets[d]-offsets[0] : offsets[d+1]-offsets[0]])
		}
	})
}

// Histograms returns DocLengths and Topic of all documents counted. The counter is
// not to be used afterwards.
func (c *DocCounter) Histograms() *counts.Histograms {
	for _, h := range c.sums[1:] {
		c.sums[0].Add(&h.Histograms)
	}
	return &c.sums[0].Histograms
}
