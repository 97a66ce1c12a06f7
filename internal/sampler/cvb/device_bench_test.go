package cvb

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// BenchmarkZeroOnGPU times sweeps on a GPU and by all cores, on generated corpora of the sizes of KOS, of 20 Newsgroups and of
// some sixty thousand long articles, and on the file that TOPOI_BENCH_CORPUS names: milliseconds of a sweep, of drawing and counting topics, and of what
// comes before the first sweep. TOPOI_BENCH_THREADS is how many threads a tile has at most. It needs a GPU:
//
//	go test ./internal/sampler/cvb -run '^$' -bench ZeroOnGPU -benchtime 1x
func BenchmarkZeroOnGPU(b *testing.B) {
	d := samplertest.Gpu(b)
	if n, err := strconv.Atoi(os.Getenv("TOPOI_BENCH_THREADS")); err == nil {
		defer func(before int) { threadsAtMost = before }(threadsAtMost)
		threadsAtMost = n
	}
	for _, size := range []struct {
		name        string
		docs, words int
		length      float64
	}{{"KOS", 3430, 6906, 136}, {"20news", 18_774, 25_232, 100}, {"articles8M", 25_000, 40_000, 320}, {"articles20M", 65_000, 66_000, 320}} {
		b.Run(size.name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "corpus")
			_, err := corpus.Generate(b.Context(), path, corpus.GenerateOptions{Docs: size.docs, Words: size.words, MeanLength: size.length, Topics: 100, Seed: 1})
			samplertest.MustDo(b, err)
			timeZero(b, d, path)
		})
	}
	if path := os.Getenv("TOPOI_BENCH_CORPUS"); path != "" {
		b.Run("file", func(b *testing.B) { timeZero(b, d, path) })
	}
}

// timeZero times both forms for several numbers of topics.
func timeZero(b *testing.B, d *device.Device, path string) {
	c, err := corpus.Open(path)
	samplertest.MustDo(b, err)
	defer c.Close()
	for _, k := range []int{50, 100, 200, 500, 1000} {
		b.Run(fmt.Sprintf("K=%d", k), func(b *testing.B) {
			p := &sampler.Problem{Offsets: c.Offsets(), Words: c.Tokens(), V: c.NumWords(), K: k, Seed: 1, Threads: runtime.GOMAXPROCS(0)}
			p.Tuning.CVB = "zero"
			for range b.N {
				b.ReportMetric(0, "ns/op")
				there, err := info.On(p, d)
				samplertest.MustDo(b, err)
				timeSweeps(b, "gpu", p, there, 20)
				samplertest.MustDo(b, there.Close())
				if k*p.N() <= 1_000_000_000 { // the CPU would take long
					here, err := info.New(p)
					samplertest.MustDo(b, err)
					timeSweeps(b, "cpu", p, here, 8)
				}
			}
		})
	}
}

// timeSweeps reports the medians of single sweeps, and of drawing topics after them.
func timeSweeps(b *testing.B, name string, p *sampler.Problem, s sampler.Sampler, sweeps int) {
	priors := samplertest.SymmetricPriors(p.K)
	timed := func(f func() error) float64 {
		begun := time.Now()
		samplertest.MustDo(b, f())
		return time.Since(begun).Seconds() * 1000
	}
	b.ReportMetric(timed(func() error { return s.Start(nil, priors) }), name+"-start-ms")
	var swept, drawn []float64
	for i := range sweeps {
		swept = append(swept, timed(func() error {
			err := s.Sweep(b.Context(), i+1, priors)
			if settle := s.Capabilities().Settle; settle != nil {
				err = device.FirstError(err, settle())
			}
			return err
		}))
		if i%4 == 3 {
			drawn = append(drawn, timed(func() error {
				if counting := s.Capabilities(); counting.Statistics != nil {
					_, err := counting.Statistics()
					return err
				}
				s.Histograms()
				return nil
			}))
		}
	}
	slices.Sort(swept)
	slices.Sort(drawn)
	b.ReportMetric(swept[len(swept)/2], name+"-ms")
	b.ReportMetric(drawn[len(drawn)/2], name+"-statistics-ms")
}
