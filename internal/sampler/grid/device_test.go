package grid

import (
	"testing"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

func gridOnDevice(d *device.Device) samplertest.OnDevice {
	return func(p *sampler.Problem) (sampler.Remote, error) { return samplertest.InfoOf("grid").On(p, d) }
}

// randomGridCase is a small case with one of several numbers of tiles.
func randomGridCase(seed uint64) samplertest.DeviceCase {
	c := samplertest.RandomDeviceCase("grid", seed)
	c.Problem.Tuning.Partitions = []int{1, 2, 5, 16}[seed%4]
	return c
}

func TestEmulatedGridEqualsGo(t *testing.T) {
	d := samplertest.Emulation(t)
	for seed := range uint64(6) {
		c := randomGridCase(seed)
		samplertest.MustDo(t, c.Compare(t, gridOnDevice(d)))
	}
	for _, k := range []int{1, 129, 300, 600, 1100, 14_000} { // every kernel, and tiles beyond shared memory
		p := samplertest.RandomProblem(uint64(k), 6, 20, k, 30)
		p.Tuning.Partitions = 3
		c := samplertest.DeviceCase{Name: "grid", Problem: p, Iterations: 2, Priors: samplertest.PriorsFor(k)}
		samplertest.MustDo(t, c.Compare(t, gridOnDevice(d)))
	}
}

func TestGridOnGPUEqualsGo(t *testing.T) {
	d := samplertest.Gpu(t)
	for seed := range samplertest.DeviceCases() {
		c := randomGridCase(seed)
		samplertest.MustDo(t, c.Compare(t, gridOnDevice(d)))
	}
}

func TestLargeGridOnGPUEqualsGo(t *testing.T) {
	d := samplertest.Gpu(t)
	for _, k := range []int{1, 31, 33, 128, 129, 512, 1000, 1025, 14_000, 65_535} {
		docs, length, tiles := 300, 600, 40
		if k > 2000 {
			docs = 10 // plain Go would take long
		}
		if testing.Short() {
			docs, length, tiles = 3, 10, 2 // a tool that watches every access would
		}
		p := samplertest.RandomProblem(uint64(k), docs, 500, k, length)
		p.Threads, p.Tuning.Partitions = 8, tiles
		c := samplertest.DeviceCase{Name: "grid", Problem: p, Iterations: 3, Priors: samplertest.SymmetricPriors(k), Later: samplertest.PriorsFor(k)}
		samplertest.MustDo(t, c.Compare(t, gridOnDevice(d)))
	}
}
