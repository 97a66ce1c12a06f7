package discrete

import (
	"fmt"
	"testing"
)

var benchmarkSink int

// BenchmarkBuildDraw builds 32 distributions and draws once from each, as a warp
// does; ns/draw is the cost of one of the 32.
func BenchmarkBuildDraw(b *testing.B) {
	b.Run("float32", benchmarkBuildDraw[float32])
	b.Run("float64", benchmarkBuildDraw[float64])
}

func benchmarkBuildDraw[F Float](b *testing.B) {
	for _, m := range methods[F]() {
		for k := 4; k <= 4096; k *= 4 {
			b.Run(fmt.Sprintf("method=%s/K=%d", m.name, k), func(b *testing.B) {
				weights, u := benchmarkWeights[F](k)
				many, dst := m.many(), make([]int, maxLanes)
				for b.Loop() {
					many.Build(weights)
					many.Draw(dst, u)
				}
				benchmarkSink = dst[0]
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/maxLanes, "ns/draw")
			})
		}
	}
}

// BenchmarkDraw draws from tables built once.
func BenchmarkDraw(b *testing.B) {
	for _, m := range methods[float32]() {
		for k := 4; k <= 4096; k *= 4 {
			b.Run(fmt.Sprintf("method=%s/K=%d", m.name, k), func(b *testing.B) {
				weights, u := benchmarkWeights[float32](k)
				many, dst := m.many(), make([]int, maxLanes)
				many.Build(weights)
				for b.Loop() {
					many.Draw(dst, u)
				}
				benchmarkSink = dst[0]
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/maxLanes, "ns/draw")
			})
		}
	}
}

func benchmarkWeights[F Float](k int) (weights [][]F, u []F) {
	weights, u = make([][]F, maxLanes), make([]F, maxLanes)
	for r := range weights {
		weights[r] = make([]F, k)
		for i := range weights[r] {
			weights[r][i] = uniform[F](7, r*k+i)
		}
		u[r] = uniform[F](8, r)
	}
	return weights, u
}
