package batch

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// idle is a device that computes nothing.
type idle struct{}

func (idle) Launch(string, string, device.Shape, ...any) error { return nil }
func (idle) Close() error                                      { return nil }

// BenchmarkReady times what the host does before the first sweep on a GPU, with one thread and a
// device that computes nothing.
func BenchmarkReady(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	docs := make([][]uint32, 3000)
	for i := range docs {
		docs[i] = make([]uint32, 3000)
		for j := range docs[i] {
			docs[i][j] = uint32(math.Pow(220_000, r.Float64())) - 1
		}
	}
	p := samplertest.ProblemOf(220_000, 50, docs...)
	d := device.Hosted(idle{})
	for b.Loop() {
		s, err := newBatchOn(p, d)
		samplertest.MustDo(b, err)
		samplertest.MustDo(b, s.Start(nil, samplertest.SymmetricPriors(p.K)))
		samplertest.MustDo(b, s.Close())
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(p.N()), "ns/token")
}
