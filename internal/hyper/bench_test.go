package hyper

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/counts"
)

var benchmarkSink float64

// benchmarkHistograms is of the size that 100,000 documents of up to 1,000
// tokens, 1,000 topics and words of up to 100,000 tokens give.
func benchmarkHistograms() (h *counts.Histograms, alpha []float64) {
	const topics = 1000
	r := rand.New(rand.NewPCG(1, 1))
	h = &counts.Histograms{
		DocLengths:  make([]uint64, 1001),
		Topic:       make([][]uint32, topics),
		WordTopic:   make([]uint64, 100_001),
		TopicTotals: slices.Repeat([]uint64{50_000}, topics),
	}
	for range 100_000 {
		h.DocLengths[1+r.IntN(1000)]++
		h.WordTopic[1+int(100_000*r.Float64()*r.Float64()*r.Float64())]++
	}
	for k := range h.Topic {
		h.Topic[k] = make([]uint32, 301)
		for range 2000 {
			h.Topic[k][1+int(300*r.Float64()*r.Float64())]++
		}
	}
	return h, slices.Repeat([]float64{0.05}, topics)
}

func BenchmarkAlpha(b *testing.B) {
	h, alpha := benchmarkHistograms()
	for b.Loop() {
		benchmarkSink = Alpha(alpha, h, 2)[0]
	}
}

func BenchmarkBeta(b *testing.B) {
	h, _ := benchmarkHistograms()
	for b.Loop() {
		benchmarkSink = Beta(0.01, h, 50_000)
	}
}

func BenchmarkJointLogLikelihood(b *testing.B) {
	h, alpha := benchmarkHistograms()
	for b.Loop() {
		benchmarkSink = JointLogLikelihood(h, alpha, 0.01, 50_000)
	}
}
