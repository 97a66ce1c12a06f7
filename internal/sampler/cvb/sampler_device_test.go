package cvb

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

var info = Info

func init() { samplertest.Use(info) }

func onDevice(d *device.Device) samplertest.OnDevice {
	return func(p *sampler.Problem) (sampler.Remote, error) { return info.On(p, d) }
}

// randomCase is a small case with one of several numbers of groups and exact sweeps.
func randomCase(seed uint64) samplertest.DeviceCase {
	c := samplertest.RandomDeviceCase("cvb", seed)
	r := rand.New(rand.NewPCG(seed, 9))
	if r.IntN(2) == 0 {
		c.Problem.K = []int{15, 16, 17, 63, 64, 65, 128, 129, 192, 193, 256, 257, 2048, 1 + r.IntN(2048)}[r.IntN(14)]
		c.Priors, c.Later = samplertest.SymmetricPriors(c.Problem.K), samplertest.PriorsFor(c.Problem.K)
	}
	c.Problem.Tuning = sampler.Tuning{CVB: "zero", Partitions: []int{0, 1, 2, 5, 16, 64}[r.IntN(6)], ExactSweeps: []int{0, 0, 0, 2}[r.IntN(4)]}
	if seed%3 == 2 {
		c.Problem = samplertest.Guide(c.Problem, seed)
	}
	return c
}

// compare compares topics, counts and saved bytes with the CPU's, and both after they were loaded.
func compare(t *testing.T, d *device.Device, c samplertest.DeviceCase) {
	t.Helper()
	samplertest.MustDo(t, c.Compare(t, onDevice(d)))
	here, there := pairOf(t, d, &c)
	defer there.Close()
	for i := 1; i <= c.Iterations; i++ {
		for _, s := range []sampler.Sampler{here, there} {
			samplertest.MustDo(t, s.Sweep(t.Context(), i, c.Priors))
		}
	}
	z, saved := sameExtra(t, &c, here, there)
	again, back := pairOf(t, d, &c)
	defer back.Close()
	for _, s := range []sampler.Sampler{again, back} {
		samplertest.MustDo(t, s.Start(z, c.Priors))
		samplertest.MustDo(t, s.Capabilities().LoadExtra(saved))
	}
	for i := range 3 {
		if i > 0 { // the first comparison is that of what was loaded
			for _, s := range []sampler.Sampler{again, back} {
				samplertest.MustDo(t, s.Sweep(t.Context(), c.Iterations+i, c.Priors))
			}
		}
		samplertest.MustDo(t, back.Fetch())
		samplertest.MustDo(t, samplertest.SameState(c.Problem, again, back))
		sameExtra(t, &c, again, back)
	}
}

// pairOf makes and starts a sampler here and one on the device.
func pairOf(t *testing.T, d *device.Device, c *samplertest.DeviceCase) (sampler.Sampler, sampler.Remote) {
	t.Helper()
	here := samplertest.Start(t, "cvb", c.Problem, nil, c.Priors)
	there, err := onDevice(d)(c.Problem)
	samplertest.MustDo(t, err)
	samplertest.MustDo(t, there.Start(nil, c.Priors))
	return here, there
}

// sameExtra compares what a checkpoint would hold, and returns it.
func sameExtra(t *testing.T, c *samplertest.DeviceCase, here sampler.Sampler, there sampler.Remote) (z []uint32, saved []byte) {
	t.Helper()
	keeping := there.Capabilities()
	samplertest.MustDo(t, keeping.FetchExtra())
	saved = here.Capabilities().SaveExtra()
	if !bytes.Equal(saved, keeping.SaveExtra()) {
		t.Fatalf("%v: the responsibilities differ", c)
	}
	return samplertest.TopicsOf(here, c.Problem), saved
}

func TestEmulatedZeroEqualsGo(t *testing.T) {
	defer func(before int) { savedAtOnce = before }(savedAtOnce)
	savedAtOnce = 3000
	d := samplertest.Emulation(t)
	for seed := range uint64(8) {
		compare(t, d, randomCase(seed))
	}
	for _, k := range []int{1, 64, 128, 129, 256, 257, 400, 512, 513, 700, 1000, 1025, 1100, 2048} { // every kernel, with few chunks and all
		p := samplertest.RandomProblem(uint64(k), 12, 20, k, 40)
		p.Tuning = sampler.Tuning{CVB: "zero", Partitions: 2}
		compare(t, d, samplertest.DeviceCase{Name: "cvb", Problem: p, Iterations: 2, Priors: samplertest.PriorsFor(k)})
	}
}

// Changes of n_k that 32 bits do not hold are handed over in time: here all tokens, updated two pairs at a time,
// go from one topic to the other in one sweep.
func TestEmulatedZeroWithManyTokens(t *testing.T) {
	defer func(before int) { threadsAtMost = before }(threadsAtMost)
	threadsAtMost = 32
	p := &sampler.Problem{Offsets: []uint64{0}, V: 4, K: 2, Seed: 3, Threads: 2, Tuning: sampler.Tuning{CVB: "zero", Partitions: 1}}
	for d := range 4 {
		for w := range uint32(4) {
			for range 25_000 * (1 + (d+int(w))%3) {
				p.Words = append(p.Words, w)
			}
		}
		p.Offsets = append(p.Offsets, uint64(len(p.Words)))
	}
	c := samplertest.DeviceCase{Name: "cvb", Problem: p, Priors: &sampler.Priors{Alpha: []float64{0.1, 1e9}, Beta: 0.1}}
	here, there := pairOf(t, samplertest.Emulation(t), &c)
	defer there.Close()
	for _, s := range []sampler.Sampler{here, there} {
		samplertest.MustDo(t, s.Start(make([]uint32, p.N()), c.Priors))
		samplertest.MustDo(t, s.Sweep(t.Context(), easedSweeps+1, c.Priors))
		samplertest.MustDo(t, s.Sweep(t.Context(), easedSweeps+2, samplertest.PriorsFor(2)))
	}
	sameExtra(t, &c, here, there)
}

func TestZeroOnGPUEqualsGo(t *testing.T) {
	d := samplertest.Gpu(t)
	for seed := range samplertest.DeviceCases() {
		compare(t, d, randomCase(seed))
	}
}

func TestLargeZeroOnGPUEqualsGo(t *testing.T) {
	d := samplertest.Gpu(t)
	for _, k := range []int{1, 17, 50, 100, 128, 129, 300, 512, 1000, 1025, 2048} {
		docs, length := 3000, 300
		if k > 200 {
			docs = 600 // plain Go would take long
		}
		if testing.Short() {
			docs, length = 20, 20 // a tool that watches every access would
		}
		p := samplertest.TopicalProblem(uint64(k), docs, 2000, k, 40, length)
		p.Threads, p.Tuning = 16, sampler.Tuning{CVB: "zero"}
		compare(t, d, samplertest.DeviceCase{Name: "cvb", Problem: p, Iterations: 4, Priors: samplertest.SymmetricPriors(k), Later: samplertest.PriorsFor(k)})
	}
}

// What has no form for a GPU says so, and so does what has no room there.
func TestZeroOnDeviceRefuses(t *testing.T) {
	p := samplertest.RandomProblem(1, 30, 20, 10, 30)
	d := samplertest.Emulation(t)
	for _, tuning := range []sampler.Tuning{{}, {CVB: "second"}, {CVB: "zero", Step: 0.5}} {
		p.Tuning = tuning
		if _, err := info.On(p, d); !errors.Is(err, sampler.ErrNotOnDevice) {
			t.Errorf("%+v: %v", tuning, err)
		}
		if info.WorthGPU(p) {
			t.Errorf("%+v is worth a GPU", tuning)
		}
	}
	p.Tuning = sampler.Tuning{CVB: "zero"}
	d.Limit(1000)
	_, err := info.On(p, d)
	if !errors.Is(err, cuda.ErrOutOfMemory) || !strings.Contains(err.Error(), "too small for cvb") {
		t.Error(err)
	}
}

// What is taken on a device is no more than was predicted, and not much less.
func TestZeroBytesOnDevice(t *testing.T) {
	for _, exact := range []int{0, 1} {
		d := samplertest.Emulation(t)
		p := samplertest.TopicalProblem(1, 400, 200, 100, 20, 50)
		p.Tuning = sampler.Tuning{CVB: "zero", ExactSweeps: exact}
		s := &zeroOn{p: p, given: zeroCorpus(p), device: d}
		pairs, _, _ := s.given.pairs()
		predicted := s.given.bytesOn(pairs) + sampler.HistogramBytes(p) + 4*int64(len(p.Offsets))
		d.Limit(predicted)
		made, err := info.On(p, d)
		samplertest.MustDo(t, err)
		samplertest.MustDo(t, made.Start(nil, samplertest.PriorsFor(p.K)))
		samplertest.MustDo(t, made.Sweep(t.Context(), 1+exact, samplertest.PriorsFor(p.K)))
		room, err := d.Room()
		samplertest.MustDo(t, err)
		if room > predicted/4 {
			t.Errorf("%d bytes were predicted, and %d not used", predicted, room)
		}
		samplertest.MustDo(t, made.Close())
	}
}
