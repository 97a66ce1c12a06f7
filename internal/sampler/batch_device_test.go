package sampler

import (
	"testing"

	"github.com/topoi-lda/topoi/internal/device"
)

func batchOnDevice(d *device.Device) onDevice {
	return func(p *Problem) (Remote, error) { return NewOn("batch", p, d) }
}

func TestEmulatedBatchEqualsGo(t *testing.T) {
	d := emulation(t)
	for seed := range uint64(6) {
		c := randomDeviceCase("batch", seed)
		c.problem.Tuning.MiniBatches = []int{0, 1, 3}[seed%3]
		mustDo(t, c.compare(t, batchOnDevice(d)))
	}
	for _, k := range []int{1, 40, 100, 150, 200, 300, 400, 600, 1000, 1100} { // every drawing kernel
		c := deviceCase{name: "batch", problem: randomProblem(uint64(k), 6, 20, k, 30), iterations: 2, priors: priorsFor(k)}
		mustDo(t, c.compare(t, batchOnDevice(d)))
	}
}

func TestBatchOnGPUEqualsGo(t *testing.T) {
	d := gpu(t)
	for seed := range deviceCases() {
		c := randomDeviceCase("batch", seed)
		c.problem.Tuning.MiniBatches = []int{0, 1, 3}[seed%3]
		mustDo(t, c.compare(t, batchOnDevice(d)))
	}
}

func TestLargeBatchOnGPUEqualsGo(t *testing.T) {
	d := gpu(t)
	for _, k := range []int{1, 31, 33, 128, 129, 512, 1000, 1025, 5000, 65535} {
		docs := 300
		if k > 2000 {
			docs = 10 // plain Go would take long
		}
		p := randomProblem(uint64(k), docs, 500, k, 600)
		p.Threads = 8
		c := deviceCase{name: "batch", problem: p, iterations: 3, priors: symmetricPriors(k), later: priorsFor(k)}
		mustDo(t, c.compare(t, batchOnDevice(d)))
	}
	long := randomProblem(5, 3, 100, 5, 200_000) // counts that 16 bits do not hold
	c := deviceCase{name: "batch", problem: long, iterations: 2, priors: symmetricPriors(5)}
	mustDo(t, c.compare(t, batchOnDevice(d)))
}
