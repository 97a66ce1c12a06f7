package warp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// zipfProblem makes d documents of the given length over v words with
// frequencies by Zipf's law.
func zipfProblem(seed uint64, d, v, k, length int) *sampler.Problem {
	r := rand.New(rand.NewPCG(seed, 2))
	docs := make([][]uint32, d)
	for i := range docs {
		docs[i] = make([]uint32, length)
		for j := range docs[i] {
			docs[i][j] = uint32(math.Pow(float64(v), r.Float64())) - 1
		}
	}
	return samplertest.ProblemOf(v, k, docs...)
}

func BenchmarkWarp(b *testing.B) {
	for _, k := range []int{1000, 10_000} {
		for _, m := range []int{1, 2, 3} {
			b.Run(fmt.Sprintf("K=%d/M=%d", k, m), func(b *testing.B) {
				p := zipfProblem(1, 3000, 20_000, k, 300)
				p.Tuning.MHSteps = m
				priors := &sampler.Priors{Alpha: slices.Repeat([]float64{50 / float64(k)}, k), Beta: 0.01}
				s := samplertest.Start(b, "warp", p, nil, priors)
				iteration := 0
				for b.Loop() {
					iteration++
					samplertest.Sweep(b, s, iteration, iteration, priors)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(p.N()), "ns/token")
			})
		}
	}
}

// idle is a device that computes nothing.
type idle struct{}

func (idle) Launch(string, string, device.Shape, ...any) error { return nil }
func (idle) Close() error                                      { return nil }

// BenchmarkReady times what the host does before the first sweep on a GPU, with one thread and a
// device that computes nothing.
func BenchmarkReady(b *testing.B) {
	p := zipfProblem(1, 30_000, 100_000, 1024, 346)
	d := device.Hosted(idle{})
	for b.Loop() {
		s, err := newWarpOn(p, d)
		samplertest.MustDo(b, err)
		samplertest.MustDo(b, s.Start(nil, samplertest.SymmetricPriors(p.K)))
		samplertest.MustDo(b, s.Close())
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(p.N()), "ns/token")
}
