package warp

import (
	"math/rand/v2"
	"testing"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
	"github.com/topoi-lda/topoi/internal/sampler/warp/grouping"
)

// warpCase is a random case with a random number of proposals.
func warpCase(seed uint64) samplertest.DeviceCase {
	c := samplertest.RandomDeviceCase("warp", seed)
	c.Problem.Tuning.MHSteps = []int{1, 2, 0, 2, 3}[seed%5]
	return c
}

// tinyWarpLimits make every kernel work on small cases.
func tinyWarpLimits(r *rand.Rand) warpLimits {
	return warpLimits{
		shared: []int{512, 20 << 10, 200 << 10}[r.IntN(3)],
		hot:    []int{1, 10, 1 << 14}[r.IntN(3)],
		part:   1 + r.IntN(50),
		short:  []int{10, 100, 10 << 10}[r.IntN(3)],
		dense:  []int{0, 2048, 2048}[r.IntN(3)],
		sorted: []int{0, 20, 300, 1 << 12}[r.IntN(4)],
		rows:   []int{1, 200, 1 << 20}[r.IntN(3)],

		docRows:  []int{0, 1, 3, grouping.Members}[r.IntN(4)],
		wordRows: []int{0, 1, 3, grouping.Members}[r.IntN(4)], leastRows: 1,
	}
}

func tinyWarp(d *device.Device, r *rand.Rand) samplertest.OnDevice {
	return func(p *sampler.Problem) (sampler.Remote, error) { return newWarpWithin(p, d, tinyWarpLimits(r)) }
}

func TestEmulatedWarpEqualsGo(t *testing.T) {
	d := samplertest.Emulation(t)
	for seed := range uint64(14) {
		c, r := warpCase(seed), rand.New(rand.NewPCG(seed, 5))
		samplertest.MustDo(t, c.Compare(t, tinyWarp(d, r)))
	}
}

func TestWarpOnGPUEqualsGo(t *testing.T) {
	d := samplertest.Gpu(t)
	for seed := range samplertest.DeviceCases() {
		c := warpCase(seed)
		make := func(p *sampler.Problem) (sampler.Remote, error) { return samplertest.InfoOf("warp").On(p, d) }
		if seed%2 == 0 {
			make = tinyWarp(d, rand.New(rand.NewPCG(seed, 5)))
		}
		samplertest.MustDo(t, c.Compare(t, make))
	}
}

// Sizes at which the kernels take other ways: several blocks of documents, a hot
// word, long documents, rows beyond shared memory, topics of 32 bits.
func TestLargeWarpOnGPUEqualsGo(t *testing.T) {
	d := samplertest.Gpu(t)
	for _, k := range []int{1, 31, 33, 1000, 1024, 2048, 2049, 16384, 65534, 65535, 65536, 65537, 100_000} {
		for _, length := range []int{600, 3000} {
			p := samplertest.RandomProblem(uint64(k), 300, 500, k, length)
			p.Threads = 8
			p.Tuning.MHSteps = 1 + k%3
			c := samplertest.DeviceCase{Name: "warp", Problem: p, Iterations: 3, Priors: samplertest.SymmetricPriors(k), Later: samplertest.PriorsFor(k)}
			samplertest.MustDo(t, c.Compare(t, func(p *sampler.Problem) (sampler.Remote, error) { return samplertest.InfoOf("warp").On(p, d) }))
		}
	}
	long := samplertest.RandomProblem(5, 3, 100, 50, 200_000) // documents larger than a block of the grid
	c := samplertest.DeviceCase{Name: "warp", Problem: long, Iterations: 3, Priors: samplertest.SymmetricPriors(50)}
	samplertest.MustDo(t, c.Compare(t, func(p *sampler.Problem) (sampler.Remote, error) { return samplertest.InfoOf("warp").On(p, d) }))
}
