package samplertest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/device/emulated"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Gpu opens the first GPU for a test, which is skipped if there is none; it fails
// instead when TOPOI_REQUIRE_GPU is set.
func Gpu(t testing.TB) *device.Device {
	t.Helper()
	d, err := device.Open(0)
	if cuda.Unavailable(err) && os.Getenv("TOPOI_REQUIRE_GPU") == "" {
		t.Skipf("needs a GPU: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { MustDo(t, d.Close()) })
	return d
}

// Emulation returns an emulated device on the CPU for a test.
func Emulation(t testing.TB) *device.Device { return emulated.Open(t, "../../cuda/kernels") }

func MustDo(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// DeviceCases returns how many random cases are compared on a GPU: few under -short, for tools that make
// every access slow, and TOPOI_DEVICE_CASES if it is set.
func DeviceCases() uint64 {
	if n, err := strconv.ParseUint(os.Getenv("TOPOI_DEVICE_CASES"), 10, 64); err == nil {
		return n
	}
	if testing.Short() {
		return 30
	}
	return 1000
}

// OnDevice makes a sampler on a device for a problem.
type OnDevice func(p *sampler.Problem) (sampler.Remote, error)

// DeviceCase is a problem with everything that a run needs.
type DeviceCase struct {
	Name       string
	Problem    *sampler.Problem
	Iterations int
	Given      bool // start from given topics
	Priors     *sampler.Priors
	Later      *sampler.Priors // from the third iteration on
}

func (c *DeviceCase) String() string {
	p := c.Problem
	return fmt.Sprintf("%s with D = %d, V = %d, K = %d, N = %d, seed %d, tuning %+v, topics given %v, %d pseudo-counts",
		c.Name, p.D(), p.V, p.K, p.N(), p.Seed, p.Tuning, c.Given, p.Pseudo.Tokens())
}

// Grouped returns the case with documents in groups, each of which has a prior of its own for all topics.
func (c DeviceCase) Grouped(groups int) *DeviceCase {
	p := *c.Problem
	for d := range p.D() {
		p.Groups = append(p.Groups, uint32(d*7919%groups))
	}
	of := func(factor float64) *sampler.Priors {
		own := &sampler.Priors{Alpha: c.Priors.Alpha, Beta: c.Priors.Beta}
		for g := range groups {
			group := sampler.Group{}
			for k, a := range own.Alpha {
				group.Topics, group.Alpha = append(group.Topics, uint32(k)),
					append(group.Alpha, a*(factor+float64((g+k)%4)))
			}
			own.Groups = append(own.Groups, group)
		}
		return own
	}
	c.Problem, c.Priors, c.Later = &p, of(1), of(2)
	return &c
}

// Compare runs the case on the CPU and on a device and returns the first difference between the two as an error.
func (c *DeviceCase) Compare(t testing.TB, make OnDevice) error {
	here, err := NewCalled(c.Name, c.Problem)
	if err != nil {
		return err
	}
	there, err := make(c.Problem)
	if err != nil {
		return err
	}
	defer there.Close()
	var z []uint32
	if c.Given {
		z = SomeTopics(c.Problem)
	}
	for _, s := range []sampler.Sampler{here, there} {
		if err := s.Start(slices.Clone(z), c.Priors); err != nil {
			return err
		}
	}
	for i := range c.Iterations + 1 {
		priors := c.Priors
		if i >= 3 && c.Later != nil {
			priors = c.Later
		}
		if i > 0 {
			for _, s := range []sampler.Sampler{here, there} {
				if err := s.Sweep(t.Context(), i, priors); err != nil {
					return err
				}
			}
		}
		if counting := there.Capabilities(); counting.Statistics != nil {
			if err := sameStatistics(c.Problem, here, counting); err != nil {
				return fmt.Errorf("%v: after iteration %d: %w", c, i, err)
			}
		}
		if err := there.Fetch(); err != nil {
			return err
		}
		if err := SameState(c.Problem, here, there); err != nil {
			return fmt.Errorf("%v: after iteration %d: %w", c, i, err)
		}
	}
	return nil
}

// SomeTopics returns a topic for every token that does not depend on a sampler.
func SomeTopics(p *sampler.Problem) []uint32 {
	z := make([]uint32, p.N())
	for i := range z {
		z[i] = uint32(i*i+7) % uint32(p.K)
	}
	return z
}

// SameState compares all that two samplers return about their state.
func SameState(p *sampler.Problem, want, got sampler.Sampler) error {
	a, b := make([]uint32, p.N()), make([]uint32, p.N())
	want.Topics(a)
	got.Topics(b)
	for i := range a {
		if a[i] != b[i] {
			return fmt.Errorf("token %d has topic %d, want %d", i, b[i], a[i])
		}
	}
	if !slices.Equal(want.TopicTotals(), got.TopicTotals()) {
		return fmt.Errorf("topic totals are %v, want %v", got.TopicTotals(), want.TopicTotals())
	}
	for w := range p.V {
		if x, y := want.AppendRow(nil, w), got.AppendRow(nil, w); !slices.Equal(x, y) {
			return fmt.Errorf("row of word %d is %v, want %v", w, y, x)
		}
	}
	if !reflect.DeepEqual(want.Histograms(), got.Histograms()) {
		return fmt.Errorf("histograms differ")
	}
	return nil
}

// sameStatistics compares what is counted on a device with what the CPU counts.
func sameStatistics(p *sampler.Problem, want sampler.Sampler, got sampler.Capabilities) error {
	h, err := got.Statistics()
	if err != nil {
		return err
	}
	if h.Groups, err = h.Bins(); err != nil {
		return err
	}
	if h.Raised = nil; !reflect.DeepEqual(want.Histograms(), h) {
		return fmt.Errorf("histograms counted on the device differ")
	}
	var words []uint32
	for w := 0; w < p.V; w += 1 + w%3 {
		words = append(words, uint32(w))
	}
	excerpt, err := got.Excerpt(words)
	if err != nil || excerpt == nil {
		return err
	}
	if !slices.Equal(want.TopicTotals(), excerpt.TopicTotals()) {
		return fmt.Errorf("topic totals on the device are %v, want %v", excerpt.TopicTotals(), want.TopicTotals())
	}
	for _, w := range words {
		if x, y := want.AppendRow(nil, int(w)), excerpt.AppendRow(nil, int(w)); !slices.Equal(x, y) {
			return fmt.Errorf("row of word %d counted on the device is %v, want %v", w, y, x)
		}
	}
	return nil
}

// SymmetricPriors have the same α for every topic.
func SymmetricPriors(k int) *sampler.Priors {
	priors := &sampler.Priors{Beta: 0.01, Alpha: make([]float64, k)}
	for i := range priors.Alpha {
		priors.Alpha[i] = 50 / float64(k)
	}
	return priors
}

// RandomDeviceCase makes a small case: documents may be empty or have one token, a word has half of all tokens.
func RandomDeviceCase(name string, seed uint64) DeviceCase {
	r := rand.New(rand.NewPCG(seed, 3))
	k := []int{1, 2, 31, 32, 33, 100, 1000, 1 + r.IntN(300)}[r.IntN(8)]
	p := RandomProblem(seed, 1+r.IntN(40), 1+r.IntN(60), k, []int{1, 5, 40, 120}[r.IntN(4)])
	p.Seed = r.Uint64()
	p.Threads = 2
	c := DeviceCase{Name: name, Problem: p, Iterations: 4, Given: r.IntN(3) == 0, Priors: SymmetricPriors(k)}
	switch r.IntN(3) {
	case 0:
		c.Priors = PriorsFor(k)
	case 1:
		c.Later = PriorsFor(k)
	}
	if guided := InfoOf(name).Guided; guided != nil && guided(p) && seed%3 == 2 {
		c.Problem = Guide(p, seed)
	}
	return c
}
