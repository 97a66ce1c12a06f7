package batch

import (
	"reflect"
	"testing"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/hyper"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

func batchOnDevice(d *device.Device) samplertest.OnDevice {
	return func(p *sampler.Problem) (sampler.Remote, error) { return samplertest.InfoOf("batch").On(p, d) }
}

func TestEmulatedBatchEqualsGo(t *testing.T) {
	d := samplertest.Emulation(t)
	for seed := range uint64(6) {
		c := samplertest.RandomDeviceCase("batch", seed)
		c.Problem.Tuning.MiniBatches = []int{0, 1, 3}[seed%3]
		samplertest.MustDo(t, c.Compare(t, batchOnDevice(d)))
	}
	for _, k := range []int{1, 40, 100, 150, 200, 300, 400, 600, 1000, 1100} { // every drawing kernel
		c := samplertest.DeviceCase{Name: "batch", Problem: samplertest.RandomProblem(uint64(k), 6, 20, k, 30), Iterations: 2, Priors: samplertest.PriorsFor(k)}
		samplertest.MustDo(t, c.Compare(t, batchOnDevice(d)))
	}
}

// Documents of different groups have priors of their own, by every drawing kernel.
func TestEmulatedGroupsEqualGo(t *testing.T) {
	d := samplertest.Emulation(t)
	for i, k := range []int{1, 16, 40, 64, 100, 150, 200, 300, 400, 600, 1000, 1100} {
		c := samplertest.DeviceCase{Name: "batch", Problem: samplertest.RandomProblem(uint64(k), 20, 20, k, 30), Iterations: 3, Priors: samplertest.PriorsFor(k)}
		c.Problem.Tuning.MiniBatches = []int{0, 1, 3}[i%3]
		byThreads(t, 1+20*(i%2))
		samplertest.MustDo(t, c.Grouped(1+i).Compare(t, batchOnDevice(d)))
		sameLambda(t, c.Grouped(1+i), d)
	}
}

func TestGroupsOnGPUEqualGo(t *testing.T) {
	d := samplertest.Gpu(t)
	for seed := range samplertest.DeviceCases() {
		c := samplertest.RandomDeviceCase("batch", seed)
		if seed%2 == 0 {
			c.Problem.K = 1 + c.Problem.K%fewTopics
			c.Priors = samplertest.PriorsFor(c.Problem.K)
		}
		c.Problem.Pseudo = nil
		c.Problem.Tuning.MiniBatches = []int{0, 1, 3}[seed%3]
		byThreads(t, []int{1, 5, 20}[seed%3])
		samplertest.MustDo(t, c.Grouped(1+int(seed%17)).Compare(t, batchOnDevice(d)))
	}
}

// A million tokens in 10 to 1,000 groups.
func TestLargeGroupsOnGPUEqualGo(t *testing.T) {
	d := samplertest.Gpu(t)
	byThreads(t, 1000)
	for i, k := range []int{10, 64, 128, 512, 1025} {
		p := samplertest.RandomProblem(uint64(k), 3000, 5000, k, 600)
		p.Threads = 8
		c := samplertest.DeviceCase{Name: "batch", Problem: p, Iterations: 3, Priors: samplertest.SymmetricPriors(k)}
		samplertest.MustDo(t, c.Grouped([]int{10, 100, 1000}[i%3]).Compare(t, batchOnDevice(d)))
		sameLambda(t, c.Grouped([]int{10, 100, 1000}[i%3]), d)
	}
}

// λ learned from sums on the device has the bits of λ learned from bins.
func sameLambda(t *testing.T, c *samplertest.DeviceCase, d *device.Device) {
	t.Helper()
	there, err := batchOnDevice(d)(c.Problem)
	samplertest.MustDo(t, err)
	defer there.Close()
	samplertest.MustDo(t, there.Start(nil, c.Priors))
	samplertest.MustDo(t, there.Sweep(t.Context(), 1, c.Priors))
	h, err := there.Capabilities().Statistics()
	samplertest.MustDo(t, err)
	bins, err := h.Bins()
	samplertest.MustDo(t, err)
	r, lambda := hyper.Regression{Threads: 4}, make([][]float64, c.Problem.K)
	for g := range c.Problem.NumGroups() {
		r.Rows = append(r.Rows, []float64{1, float64(g%7) / 3})
	}
	for k := range lambda {
		lambda[k] = []float64{-1, float64(k%5) / 9}
	}
	want, _, err := r.Learn(lambda, r.Alpha(lambda), &counts.Histograms{Groups: bins})
	samplertest.MustDo(t, err)
	got, _, err := r.Learn(lambda, r.Alpha(lambda), h)
	samplertest.MustDo(t, err)
	if !reflect.DeepEqual(got, want) || reflect.DeepEqual(got, lambda) {
		t.Errorf("%v: λ is %v, want %v", c, got, want)
	}
}

// byThreads lets threads draw documents that have one of so many tokens or less; warps draw the others.
func byThreads(t testing.TB, steps int) {
	was := fewSteps
	fewSteps = steps
	t.Cleanup(func() { fewSteps = was })
}

func TestEmulatedFewEqualsGo(t *testing.T) {
	d := samplertest.Emulation(t)
	for i, k := range []int{1, 2, 15, 16, 17, 31, 32, 33, 50, 64} {
		c := samplertest.DeviceCase{Name: "batch", Problem: samplertest.RandomProblem(uint64(k), 40, 20, k, 30), Iterations: 2, Priors: samplertest.PriorsFor(k)}
		c.Problem.Tuning.MiniBatches = []int{0, 1, 3}[i%3]
		byThreads(t, 1+20*(i%2))
		samplertest.MustDo(t, c.Compare(t, batchOnDevice(d)))
	}
}

func TestFewOnGPUEqualsGo(t *testing.T) {
	d := samplertest.Gpu(t)
	for seed := range samplertest.DeviceCases() {
		c := samplertest.RandomDeviceCase("batch", seed)
		if c.Problem.K = 1 + c.Problem.K%fewTopics; c.Problem.Pseudo != nil {
			c.Problem = samplertest.Guide(c.Problem, seed)
		}
		c.Priors, c.Later = samplertest.PriorsFor(c.Problem.K), samplertest.SymmetricPriors(c.Problem.K)
		c.Problem.Tuning.MiniBatches = []int{0, 1, 3}[seed%3]
		byThreads(t, []int{1, 5, 20}[seed%3])
		samplertest.MustDo(t, c.Compare(t, batchOnDevice(d)))
	}
}

// Nearly a million tokens: more than compute-sanitizer sees through in a minute.
func TestLargeFewOnGPUEqualsGo(t *testing.T) {
	d := samplertest.Gpu(t)
	byThreads(t, 1000)
	for _, k := range []int{1, 10, 16, 31, 50, 64} {
		p := samplertest.RandomProblem(uint64(k), 3000, 5000, k, 600)
		p.Threads = 8
		c := samplertest.DeviceCase{Name: "batch", Problem: p, Iterations: 3, Priors: samplertest.SymmetricPriors(k), Later: samplertest.PriorsFor(k)}
		samplertest.MustDo(t, c.Compare(t, batchOnDevice(d)))
	}
}

func TestBatchOnGPUEqualsGo(t *testing.T) {
	d := samplertest.Gpu(t)
	for seed := range samplertest.DeviceCases() {
		c := samplertest.RandomDeviceCase("batch", seed)
		c.Problem.Tuning.MiniBatches = []int{0, 1, 3}[seed%3]
		samplertest.MustDo(t, c.Compare(t, batchOnDevice(d)))
	}
}

func TestLargeBatchOnGPUEqualsGo(t *testing.T) {
	d := samplertest.Gpu(t)
	for _, k := range []int{1, 31, 33, 128, 129, 512, 1000, 1025, 5000, 65535} {
		docs := 300
		if k > 2000 {
			docs = 10 // plain Go would take long
		}
		p := samplertest.RandomProblem(uint64(k), docs, 500, k, 600)
		p.Threads = 8
		c := samplertest.DeviceCase{Name: "batch", Problem: p, Iterations: 3, Priors: samplertest.SymmetricPriors(k), Later: samplertest.PriorsFor(k)}
		samplertest.MustDo(t, c.Compare(t, batchOnDevice(d)))
	}
	long := samplertest.RandomProblem(5, 3, 100, 5, 200_000) // counts that 16 bits do not hold
	c := samplertest.DeviceCase{Name: "batch", Problem: long, Iterations: 2, Priors: samplertest.SymmetricPriors(5)}
	samplertest.MustDo(t, c.Compare(t, batchOnDevice(d)))
}
