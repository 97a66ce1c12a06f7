package sampler

import (
	"testing"

	"github.com/topoi-lda/topoi/internal/device"
)

func gridOnDevice(d *device.Device) onDevice {
	return func(p *Problem) (Remote, error) { return NewOn("grid", p, d) }
}

// randomGridCase is a small case with one of several numbers of tiles.
func randomGridCase(seed uint64) deviceCase {
	c := randomDeviceCase("grid", seed)
	c.problem.Tuning.Partitions = []int{1, 2, 5, 16}[seed%4]
	return c
}

func TestEmulatedGridEqualsGo(t *testing.T) {
	d := emulation(t)
	for seed := range uint64(6) {
		c := randomGridCase(seed)
		mustDo(t, c.compare(t, gridOnDevice(d)))
	}
	for _, k := range []int{1, 129, 300, 600, 1100, 14_000} { // every kernel, and tiles beyond shared memory
		p := randomProblem(uint64(k), 6, 20, k, 30)
		p.Tuning.Partitions = 3
		c := deviceCase{name: "grid", problem: p, iterations: 2, priors: priorsFor(k)}
		mustDo(t, c.compare(t, gridOnDevice(d)))
	}
}

func TestGridOnGPUEqualsGo(t *testing.T) {
	d := gpu(t)
	for seed := range deviceCases() {
		c := randomGridCase(seed)
		mustDo(t, c.compare(t, gridOnDevice(d)))
	}
}

func TestLargeGridOnGPUEqualsGo(t *testing.T) {
	d := gpu(t)
	for _, k := range []int{1, 31, 33, 128, 129, 512, 1000, 1025, 14_000, 65_535} {
		docs, length, tiles := 300, 600, 40
		if k > 2000 {
			docs = 10 // plain Go would take long
		}
		if testing.Short() {
			docs, length, tiles = 3, 10, 2 // a tool that watches every access would
		}
		p := randomProblem(uint64(k), docs, 500, k, length)
		p.Threads, p.Tuning.Partitions = 8, tiles
		c := deviceCase{name: "grid", problem: p, iterations: 3, priors: symmetricPriors(k), later: priorsFor(k)}
		mustDo(t, c.compare(t, gridOnDevice(d)))
	}
}
