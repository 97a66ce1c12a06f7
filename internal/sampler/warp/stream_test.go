package warp

import (
	"errors"
	"math/rand/v2"
	"sort"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/device/emulated"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// leastWarpMemory is the smallest memory through which warp's tokens can pass.
func leastWarpMemory(p *sampler.Problem, d *device.Device, limits warpLimits) int64 {
	s := makeWarpStream(p, d, limits)
	defer d.Limit(0)
	return int64(sort.Search(1<<40, func(limit int) bool {
		d.Limit(int64(limit) + 1)
		_, err := s.plan()
		return err == nil
	})) + 1
}

// streamedWarp makes warp with the least memory and room for a share of the tokens to
// stay besides.
func streamedWarp(d *device.Device, limits func() warpLimits, share float64) samplertest.OnDevice {
	return func(p *sampler.Problem) (sampler.Remote, error) {
		limits := limits()
		d.Limit(leastWarpMemory(p, d, limits) + int64(share*6*float64(p.N())))
		defer d.Limit(0)
		return newWarpStream(p, d, limits)
	}
}

// sparseProblem has very many documents, nearly all of them empty: many blocks of few
// tokens.
func sparseProblem(seed uint64, docs, v, k int) *sampler.Problem {
	r := rand.New(rand.NewPCG(seed, 12))
	p := &sampler.Problem{Offsets: make([]uint64, 1, docs+1), V: v, K: k, Seed: seed, Threads: 2}
	for range docs {
		if r.IntN(docs/100) == 0 {
			one := samplertest.RandomProblem(r.Uint64(), 1, v, k, 30)
			p.Words = append(p.Words, one.Words...)
		}
		p.Offsets = append(p.Offsets, uint64(len(p.Words)))
	}
	return p
}

func TestEmulatedStreamedWarpEqualsGo(t *testing.T) {
	d := samplertest.Emulation(t)
	for seed := range uint64(8) {
		c, r := warpCase(seed), rand.New(rand.NewPCG(seed, 5))
		samplertest.MustDo(t, c.Compare(t, streamedWarp(d, func() warpLimits { return tinyWarpLimits(r) }, 0)))
	}
	for seed, k := range []int{20, 300} { // several loads
		c := samplertest.DeviceCase{Name: "warp", Problem: sparseProblem(uint64(seed), 260_000, 25, k), Iterations: 2, Priors: samplertest.PriorsFor(k)}
		for _, share := range []float64{0, 0.5} {
			samplertest.MustDo(t, c.Compare(t, streamedWarp(d, func() warpLimits { return defaultWarpLimits(k, d) }, share)))
		}
	}
}

func TestStreamedWarpOnGPUEqualsGo(t *testing.T) {
	d := samplertest.Gpu(t)
	for seed := range samplertest.DeviceCases() {
		c, r := warpCase(seed), rand.New(rand.NewPCG(seed, 5))
		samplertest.MustDo(t, c.Compare(t, streamedWarp(d, func() warpLimits { return tinyWarpLimits(r) }, 0)))
	}
	if testing.Short() {
		return
	}
	for _, k := range []int{1, 31, 33, 1000, 1024, 2049, 16384, 65535, 65536} {
		p := samplertest.RandomProblem(uint64(k), 1000, 500, k, 600)
		p.Threads = 8
		p.Tuning.MHSteps = 1 + k%3
		c := samplertest.DeviceCase{Name: "warp", Problem: p, Iterations: 3, Priors: samplertest.SymmetricPriors(k), Later: samplertest.PriorsFor(k)}
		samplertest.MustDo(t, c.Compare(t, streamedWarp(d, func() warpLimits { return defaultWarpLimits(k, d) }, []float64{0, 0.5}[k%2])))
	}
	long := samplertest.RandomProblem(5, 6, 100, 50, 200_000) // documents larger than a block of the grid
	c := samplertest.DeviceCase{Name: "warp", Problem: long, Iterations: 3, Priors: samplertest.SymmetricPriors(50)}
	samplertest.MustDo(t, c.Compare(t, streamedWarp(d, func() warpLimits { return defaultWarpLimits(50, d) }, 0.3)))
}

func TestWarpRefusesTooLittleMemory(t *testing.T) {
	d, p := emulated.New(""), samplertest.RandomProblem(1, 50, 20, 10, 40)
	limits := defaultWarpLimits(10, d)
	d.Limit(leastWarpMemory(p, d, limits) - 1)
	_, err := newWarpStream(p, d, limits)
	if !errors.Is(err, cuda.ErrOutOfMemory) || strings.Contains(err.Error(), "\n") {
		t.Fatalf("got %v", err)
	}
	for _, part := range []string{"rows of 10 topics", "may be used", "Options.DeviceMemory"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q is not in %q", part, err)
		}
	}
	d.Limit(1000)
	p.K = 1 << 17
	if _, err := samplertest.InfoOf("warp").On(p, d); !errors.Is(err, cuda.ErrOutOfMemory) || !strings.Contains(err.Error(), "more than 65536 topics") {
		t.Errorf("got %v", err)
	}
}
