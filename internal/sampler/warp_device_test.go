package sampler

import (
	"math/rand/v2"
	"testing"

	"github.com/topoi-lda/topoi/internal/device"
)

// warpCase is a random case with a random number of proposals.
func warpCase(seed uint64) deviceCase {
	c := randomDeviceCase("warp", seed)
	c.problem.Tuning.MHSteps = []int{1, 2, 0, 2, 3}[seed%5]
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

		docRows:  []int{0, 1, 3, warpMembers}[r.IntN(4)],
		wordRows: []int{0, 1, 3, warpMembers}[r.IntN(4)],
	}
}

func tinyWarp(d *device.Device, r *rand.Rand) onDevice {
	return func(p *Problem) (Remote, error) { return newWarpWithin(p, d, tinyWarpLimits(r)) }
}

func TestEmulatedWarpEqualsGo(t *testing.T) {
	d := emulation(t)
	for seed := range uint64(14) {
		c, r := warpCase(seed), rand.New(rand.NewPCG(seed, 5))
		mustDo(t, c.compare(t, tinyWarp(d, r)))
	}
}

func TestWarpOnGPUEqualsGo(t *testing.T) {
	d := gpu(t)
	for seed := range deviceCases() {
		c := warpCase(seed)
		make := func(p *Problem) (Remote, error) { return NewOn("warp", p, d) }
		if seed%2 == 0 {
			make = tinyWarp(d, rand.New(rand.NewPCG(seed, 5)))
		}
		mustDo(t, c.compare(t, make))
	}
}

// Sizes at which the kernels take other ways: several blocks of documents, a hot
// word, long documents, rows beyond shared memory, topics of 32 bits.
func TestLargeWarpOnGPUEqualsGo(t *testing.T) {
	d := gpu(t)
	for _, k := range []int{1, 31, 33, 1000, 1024, 2048, 2049, 16384, 65534, 65535, 65536, 65537, 100_000} {
		for _, length := range []int{600, 3000} {
			p := randomProblem(uint64(k), 300, 500, k, length)
			p.Threads = 8
			p.Tuning.MHSteps = 1 + k%3
			c := deviceCase{name: "warp", problem: p, iterations: 3, priors: symmetricPriors(k), later: priorsFor(k)}
			mustDo(t, c.compare(t, func(p *Problem) (Remote, error) { return NewOn("warp", p, d) }))
		}
	}
	long := randomProblem(5, 3, 100, 50, 200_000) // documents larger than a block of the grid
	c := deviceCase{name: "warp", problem: long, iterations: 3, priors: symmetricPriors(50)}
	mustDo(t, c.compare(t, func(p *Problem) (Remote, error) { return NewOn("warp", p, d) }))
}
