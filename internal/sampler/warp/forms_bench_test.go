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

// form is a way of holding a corpus on a device.
type form struct {
	name string
	make func(p *sampler.Problem, d *device.Device, limits warpLimits) (sampler.Remote, error)
}

// BenchmarkWarpForms times sweeps of warp's resident and packed forms on the same corpora,
// in turns, and tells the ratio. Corpora are generated, of 10 and of 100 million tokens, and
// the file that TOPOI_BENCH_CORPUS names. It needs a GPU:
//
//	go test ./internal/sampler/warp -run '^$' -bench WarpForms -benchtime 1x
func BenchmarkWarpForms(b *testing.B) {
	benchmarkForms(b, []int{128, 1024, 4096, 16384}, [2]form{{"resident", newWarpWithin}, {"packed", newWarpPacked}})
}

// BenchmarkWordGroups does so with groups of words whose rows have K numbers and groups of sorted topics (see
// planGroups, which chooses between them).
func BenchmarkWordGroups(b *testing.B) {
	sorted := func(p *sampler.Problem, d *device.Device, limits warpLimits) (sampler.Remote, error) {
		limits.wordRows = 0
		return newWarpWithin(p, d, limits)
	}
	rows := func(p *sampler.Problem, d *device.Device, limits warpLimits) (sampler.Remote, error) {
		limits.leastRows = 1
		return newWarpWithin(p, d, limits)
	}
	benchmarkForms(b, []int{256, 1024, 2048, 4096, 8192, 16384}, [2]form{{"rows", rows}, {"sorted", sorted}})
}

// BenchmarkSortedGroups times groups of 4,096 tokens beside groups of other sizes.
func BenchmarkSortedGroups(b *testing.B) {
	for _, most := range []int{1024, 2048, 8192} {
		b.Run(fmt.Sprint(most), func(b *testing.B) {
			other := func(p *sampler.Problem, d *device.Device, limits warpLimits) (sampler.Remote, error) {
				limits.sorted = most
				return newWarpWithin(p, d, limits)
			}
			benchmarkForms(b, []int{10_000, 100_000}, [2]form{{"4096", newWarpWithin}, {fmt.Sprint(most), other}})
		})
	}
}

// benchmarkForms times two forms.
func benchmarkForms(b *testing.B, topics []int, forms [2]form) {
	d := samplertest.Gpu(b)
	for _, tokens := range []int{10_000_000, 100_000_000} {
		b.Run(fmt.Sprintf("%dM", tokens/1_000_000), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "corpus")
			_, err := corpus.Generate(b.Context(), path, corpus.GenerateOptions{
				Docs: tokens / 300, Words: min(100_000, tokens/100), MeanLength: 300, Topics: 500, Seed: 1,
			})
			samplertest.MustDo(b, err)
			timeForms(b, d, path, topics, forms)
		})
	}
	if path := os.Getenv("TOPOI_BENCH_CORPUS"); path != "" {
		b.Run("file", func(b *testing.B) { timeForms(b, d, path, topics, forms) })
	}
}

// timeForms times both forms for several numbers of topics.
func timeForms(b *testing.B, d *device.Device, path string, topics []int, forms [2]form) {
	c, err := corpus.Open(path)
	samplertest.MustDo(b, err)
	defer c.Close()
	for _, k := range topics {
		b.Run(fmt.Sprintf("K=%d", k), func(b *testing.B) {
			p := &sampler.Problem{
				Offsets: c.Offsets(), Words: c.Tokens(), V: c.NumWords(), K: k, Seed: 1, Threads: runtime.GOMAXPROCS(0),
			}
			limits, priors := defaultWarpLimits(k, d), samplertest.SymmetricPriors(k)
			var made [2]sampler.Remote
			for i, form := range forms {
				begun := time.Now()
				made[i], err = form.make(p, d, limits)
				if errors.Is(err, sampler.ErrNotOnDevice) {
					b.Skipf("there is no %s form", form.name)
				}
				samplertest.MustDo(b, err)
				defer made[i].Close()
				b.ReportMetric(time.Since(begun).Seconds(), form.name+"-ready-s")
			}
			for range b.N {
				tellForms(b, made, forms, priors)
			}
		})
	}
}

// tellForms reports milliseconds of a sweep, the medians of nine turns of five sweeps each
// after thirty sweeps that do not count.
func tellForms(b *testing.B, made [2]sampler.Remote, forms [2]form, priors *sampler.Priors) {
	var times [2][]float64
	const before, turns, each = 6, 9, 5
	for i, s := range made {
		samplertest.MustDo(b, s.Start(nil, priors))
		times[i] = nil
	}
	for turn := range before + turns {
		for i, s := range made {
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
	b.ReportMetric(0, "ns/op")
	for i := range times {
		slices.Sort(times[i])
		b.ReportMetric(times[i][turns/2], forms[i].name+"-ms")
	}
	b.ReportMetric(times[1][turns/2]/times[0][turns/2], forms[1].name+"/"+forms[0].name)
}
