package warp

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// BenchmarkWarpForms times sweeps of warp's resident and packed forms on the same corpora,
// in turns, and tells the ratio. Corpora are generated, of 10 and of 100 million tokens, and
// the file that TOPOI_BENCH_CORPUS names. It needs a GPU:
//
//	go test ./internal/sampler -run '^$' -bench WarpForms -benchtime 1x
func BenchmarkWarpForms(b *testing.B) {
	d := samplertest.Gpu(b)
	for _, tokens := range []int{10_000_000, 100_000_000} {
		b.Run(fmt.Sprintf("%dM", tokens/1_000_000), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "corpus")
			_, err := corpus.Generate(b.Context(), path, corpus.GenerateOptions{
				Docs: tokens / 300, Words: min(100_000, tokens/100), MeanLength: 300, Topics: 500, Seed: 1,
			})
			samplertest.MustDo(b, err)
			timeWarpForms(b, d, path)
		})
	}
	if path := os.Getenv("TOPOI_BENCH_CORPUS"); path != "" {
		b.Run("file", func(b *testing.B) { timeWarpForms(b, d, path) })
	}
}

// timeWarpForms times both forms for several numbers of topics.
func timeWarpForms(b *testing.B, d *device.Device, path string) {
	c, err := corpus.Open(path)
	samplertest.MustDo(b, err)
	defer c.Close()
	for _, k := range []int{128, 1024, 4096, 16384} {
		b.Run(fmt.Sprintf("K=%d", k), func(b *testing.B) {
			p := &sampler.Problem{Offsets: c.Offsets(), Words: c.Tokens(), V: c.NumWords(), K: k, Seed: 1, Threads: runtime.GOMAXPROCS(0)}
			limits, priors := defaultWarpLimits(k, d), samplertest.SymmetricPriors(k)
			var forms [2]sampler.Remote
			makers := [2]func() (sampler.Remote, error){
				func() (sampler.Remote, error) { return newWarpWithin(p, d, limits) },
				func() (sampler.Remote, error) { return newWarpPacked(p, d, limits) },
			}
			for i, form := range []string{"resident", "packed"} {
				begun := time.Now()
				forms[i], err = makers[i]()
				if errors.Is(err, sampler.ErrNotOnDevice) {
					b.Skipf("there is no %s form", form)
				}
				samplertest.MustDo(b, err)
				defer forms[i].Close()
				b.ReportMetric(time.Since(begun).Seconds(), form+"-ready-s")
			}
			for range b.N {
				tellForms(b, forms, priors)
			}
		})
	}
}

// tellForms reports milliseconds of a sweep, the medians of nine turns of five sweeps each
// after thirty sweeps that do not count.
func tellForms(b *testing.B, forms [2]sampler.Remote, priors *sampler.Priors) {
	var times [2][]float64
	const before, turns, each = 6, 9, 5
	for i, s := range forms {
		samplertest.MustDo(b, s.Start(nil, priors))
		times[i] = nil
	}
	for turn := range before + turns {
		for i, s := range forms {
			begun := time.Now()
			for sweep := range each {
				samplertest.MustDo(b, s.Sweep(b.Context(), turn*each+sweep+1, priors))
			}
			samplertest.MustDo(b, s.Capabilities().Settle())
			if turn >= before {
				times[i] = append(times[i], time.Since(begun).Seconds()*1000/each)
			}
		}
	}
	for i := range times {
		slices.Sort(times[i])
	}
	resident, packed := times[0][turns/2], times[1][turns/2]
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(resident, "resident-ms")
	b.ReportMetric(packed, "packed-ms")
	b.ReportMetric(packed/resident, "packed/resident")
}
