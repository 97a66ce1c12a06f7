package warp

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
	"github.com/topoi-lda/topoi/internal/sampler/warp/grouping"
)

// packedWarp makes packed warp with room for a share of the lists to stay; all the others pass through.
func packedWarp(d *device.Device, limits warpLimits, share float64) samplertest.OnDevice {
	return func(p *sampler.Problem) (sampler.Remote, error) {
		s := makeWarpPacked(p, d, limits)
		words, hot := s.dealWords()
		docs, long := s.dealDocs()
		plan := new(warpPackedPlan)
		s.planHot(plan, hot)
		plan.long.byDoc, plan.long.ends, plan.long.list = s.longLists(long)
		lists, largest := s.listBytes(words, docs), 0
		for _, load := range append(cutPacked(words, warpPackedLoads, s.wordLoad), cutPacked(docs, warpPackedLoads, s.docLoad)...) {
			largest = max(largest, len(load.numbers))
		}
		d.Limit(s.fixedBytes(plan) + 4*warpSlots*int64(largest) + int64(share*float64(lists)))
		defer d.Limit(0)
		return newWarpPacked(p, d, limits)
	}
}

// packedLimits are random limits with groups.
func packedLimits(r *rand.Rand) warpLimits {
	return warpLimits{
		shared: 200 << 10, dense: []int{0, 2048, 2048}[r.IntN(3)], hot: []int{1, 10, 1 << 14}[r.IntN(3)], part: 1 + r.IntN(50), short: []int{10, 100, 10 << 10}[r.IntN(3)],
		docRows: []int{1, 3, grouping.Members}[r.IntN(3)], wordRows: []int{1, 3, grouping.Members}[r.IntN(3)], wide: r.IntN(2) == 0,
	}
}

// packedCase is a random case that packed warp takes.
func packedCase(seed uint64) samplertest.DeviceCase {
	c := warpCase(seed)
	c.Problem.Tuning.MHSteps = int(1 + seed%2)
	return c
}

func TestEmulatedPackedWarpEqualsGo(t *testing.T) {
	d := samplertest.Emulation(t)
	for seed := range uint64(6) {
		c, r := packedCase(seed), rand.New(rand.NewPCG(seed, 5))
		samplertest.MustDo(t, c.Compare(t, packedWarp(d, packedLimits(r), []float64{0, 0.5, 1}[seed%3])))
	}
	c := samplertest.DeviceCase{Name: "warp", Problem: sparseProblem(1, 260_000, 25, 20), Iterations: 2, Priors: samplertest.PriorsFor(20)} // several blocks
	samplertest.MustDo(t, c.Compare(t, packedWarp(d, defaultWarpLimits(20, d), 0.5)))
	// Numbers of topics from which on tokens, rows of documents and rows of hot words are others.
	for k, m := range map[int]int{1024: 2, 1025: 2, 2048: 1, 2049: 1, 9000: 2} {
		p := samplertest.RandomProblem(uint64(k), 8, 10, k, 40)
		p.Tuning.MHSteps = m
		c, limits := samplertest.DeviceCase{Name: "warp", Problem: p, Iterations: 2, Given: true, Priors: samplertest.PriorsFor(k)}, defaultWarpLimits(k, d)
		limits.hot = 30
		samplertest.MustDo(t, c.Compare(t, packedWarp(d, limits, 0.5)))
	}
}

// warp takes the form that fits, down to a quarter of the memory without a token or a list on the bus.
func TestWarpTakesTheFormThatFits(t *testing.T) {
	d, p := samplertest.Emulation(t), samplertest.RandomProblem(1, 3000, 200, 40, 600)
	p.Tuning.MHSteps = 2
	need := int64(p.N())*warpTokenBytes(p) + sampler.HistogramBytes(p)
	for _, c := range []struct {
		room int64
		want string
	}{{need + 1<<20, "all there"}, {need / 4, "packed"}, {need / 4 * 3 / 4, "packed, some lists pass"}} {
		d.Limit(c.room)
		s, err := samplertest.InfoOf("warp").On(p, d)
		samplertest.MustDo(t, err)
		var got string
		switch s := s.(type) {
		case *warpOn[uint16]:
			got = "all there"
		case *warpPacked:
			got = "packed"
			if len(s.conveyor.Rooms()) > 0 {
				got = "packed, some lists pass"
			}
		}
		if got != c.want {
			t.Errorf("with %d bytes of %d: %s, want %s", c.room, need, got, c.want)
		}
		samplertest.MustDo(t, s.Close())
	}
	d.Limit(need / 4)
	p.K = grouping.Topics + 1
	if _, err := newWarpPacked(p, d, defaultWarpLimits(p.K, d)); !errors.Is(err, sampler.ErrNotOnDevice) {
		t.Errorf("%d topics are packed (%v)", p.K, err)
	}
}

func TestPackedWarpOnGPUEqualsGo(t *testing.T) {
	d := samplertest.Gpu(t)
	for seed := range samplertest.DeviceCases() {
		c, r := packedCase(seed), rand.New(rand.NewPCG(seed, 5))
		samplertest.MustDo(t, c.Compare(t, packedWarp(d, packedLimits(r), []float64{0, 0.5, 1}[seed%3])))
	}
	if testing.Short() {
		return
	}
	for _, k := range []int{1, 31, 33, 1000, 1024, 1025, 2048, 2049, 16384} {
		for _, length := range []int{600, 3000} {
			p := samplertest.RandomProblem(uint64(k), 1000, 500, k, length)
			p.Threads = 8
			p.Tuning.MHSteps = 1 + k%2
			if length == 600 {
				p.Tuning.MHSteps = 2
			}
			c := samplertest.DeviceCase{Name: "warp", Problem: p, Iterations: 3, Priors: samplertest.SymmetricPriors(k), Later: samplertest.PriorsFor(k)}
			samplertest.MustDo(t, c.Compare(t, packedWarp(d, defaultWarpLimits(k, d), []float64{0, 0.5, 1}[k%3])))
		}
	}
}
