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
		sameLambda(t, c.Grouped(1+i), d, 1+i%4)
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
		sameLambda(t, c.Grouped(1+int(seed%17)), d, 1+int(seed%40))
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
		sameLambda(t, c.Grouped([]int{10, 100, 1000}[i%3]), d, 2+7*i)
	}
}

// The device draws with α that follow from λ as the CPU does, and λ learned there has the bits of λ learned from bins, in
// rows of so many numbers.
func sameLambda(t *testing.T, c *samplertest.DeviceCase, d *device.Device, numbers int) {
	t.Helper()
	r, lambda, later := hyper.Regression{Threads: 4}, make([][]float64, c.Problem.K), make([][]float64, c.Problem.K)
	for g := range c.Problem.NumGroups() {
		r.Rows = append(r.Rows, []float64{1})
		for f := 1; f < numbers; f++ {
			r.Rows[g] = append(r.Rows[g], float64((g+1)*f%7)/3-0.7)
		}
	}
	for k := range lambda {
		for f := range numbers {
			lambda[k] = append(lambda[k], []float64{-1, float64(k%5) / 9, -0.3}[f%3])
			later[k] = append(later[k], 0.1-lambda[k][f])
		}
	}
	alpha, afterwards := r.Alpha(lambda), r.Alpha(later)
	c.Problem.Rows, c.Priors.Lambda, c.Later.Lambda = r.Rows, lambda, later
	for g := range r.Rows {
		c.Priors.Groups[g].Alpha, c.Later.Groups[g].Alpha = alpha[g], afterwards[g]
	}
	samplertest.MustDo(t, c.Compare(t, batchOnDevice(d)))
	there, err := batchOnDevice(d)(c.Problem)
	samplertest.MustDo(t, err)
	defer there.Close()
	samplertest.MustDo(t, there.Start(nil, c.Priors))
	samplertest.MustDo(t, there.Sweep(t.Context(), 1, c.Priors))
	h, err := there.Capabilities().Statistics()
	samplertest.MustDo(t, err)
	bins, err := h.Bins()
	samplertest.MustDo(t, err)
	want, alpha := r.Learn(lambda, alpha, &counts.Histograms{Groups: bins})
	got, sums, err := h.Raised.Learn(lambda, hyper.RegressionRounds)
	samplertest.MustDo(t, err)
	if !reflect.DeepEqual(got, want) || reflect.DeepEqual(got, lambda) {
		t.Errorf("%v: λ is %v, want %v", c, got, want)
	}
	for g, row := range alpha {
		sum := 0.0
		for _, a := range row {
			sum += a
		}
		if sums[g] != sum {
			t.Errorf("%v: Σα of group %d is %v, want %v", c, g, sums[g], sum)
		}
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
