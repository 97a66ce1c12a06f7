package registry

import (
	"fmt"
	"testing"

	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// BenchmarkSweep measures sweeps after a short burn-in, for every sampler.
func BenchmarkSweep(b *testing.B) {
	for _, info := range List() {
		for _, k := range []int{100, 1000} {
			b.Run(fmt.Sprintf("%s/K=%d", info.Name, k), func(b *testing.B) {
				p := samplertest.TopicalProblem(1, 500, 3000, k, 100, 100)
				priors := &sampler.Priors{Alpha: make([]float64, k), Beta: 0.01}
				for i := range priors.Alpha {
					priors.Alpha[i] = 50 / float64(k)
				}
				s := samplertest.Start(b, info.Name, p, nil, priors)
				samplertest.Sweep(b, s, 1, 10, priors)
				b.ResetTimer()
				for i := range b.N {
					samplertest.Sweep(b, s, 11+i, 11+i, priors)
				}
				b.ReportMetric(float64(b.N)*float64(p.N())/b.Elapsed().Seconds()/1e6, "Mtokens/s")
			})
		}
	}
}
