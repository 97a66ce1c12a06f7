package batch

import (
	"errors"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// listsShaped makes lists on a device with teams of so many lanes and room for so many topics in shared memory.
func listsShaped(d *device.Device, team, near int) samplertest.OnDevice {
	return func(p *sampler.Problem) (sampler.Remote, error) {
		return newListsShaped(p, d, listShape{team: team, near: near})
	}
}

// listCase is a random case, drawn in one of the shapes.
func listCase(seed uint64, d *device.Device) (samplertest.DeviceCase, samplertest.OnDevice) {
	c := samplertest.RandomDeviceCase("lists", seed)
	c.Problem.Tuning.MiniBatches = []int{0, 1, 3}[seed%3]
	return c, listsShaped(d, []int{32, 16}[seed%2], []int{listNear, 32, 64}[seed/2%3])
}

func TestEmulatedListsEqualGo(t *testing.T) {
	d := samplertest.Emulation(t)
	for seed := range uint64(12) {
		c, on := listCase(seed, d)
		samplertest.MustDo(t, c.Compare(t, on))
	}
	for i, k := range []int{1, 33, 1000, 1025, 2100} {
		p := samplertest.TopicalProblem(uint64(k), 8, 30, k, 4, 120) // more matches than lanes
		c := samplertest.DeviceCase{Name: "lists", Problem: p, Iterations: 3, Priors: unequal(k)}
		samplertest.MustDo(t, c.Compare(t, listsShaped(d, []int{32, 16}[i%2], listNear)))
	}
}

func TestListsOnGPUEqualGo(t *testing.T) {
	d := samplertest.Gpu(t)
	for seed := range samplertest.DeviceCases() {
		c, on := listCase(seed, d)
		samplertest.MustDo(t, c.Compare(t, on))
	}
}

func TestLargeListsOnGPUEqualGo(t *testing.T) {
	d := samplertest.Gpu(t)
	for i, k := range []int{1, 31, 33, 128, 1000, 1025, 5000, 65536} {
		p := samplertest.RandomProblem(uint64(k), 300, 500, k, 600)
		p.Threads = 8
		c := samplertest.DeviceCase{Name: "lists", Problem: p, Iterations: 3, Priors: samplertest.SymmetricPriors(k), Later: samplertest.PriorsFor(k)}
		samplertest.MustDo(t, c.Compare(t, listsShaped(d, []int{32, 16}[i%2], listNear)))
	}
	for _, k := range []int{2, 3000} {
		long := samplertest.RandomProblem(5, 3, 100, k, 200_000) // n_dk and n_wk that 16 bits do not hold, and long lists
		c := samplertest.DeviceCase{Name: "lists", Problem: long, Iterations: 2, Priors: samplertest.SymmetricPriors(k)}
		samplertest.MustDo(t, c.Compare(t, listsShaped(d, 32, listNear)))
	}
}

// A device with too little memory is refused in a sentence, and one with just enough for scratch works.
func TestListsRefuseTooLittleMemory(t *testing.T) {
	d, p := samplertest.Emulation(t), samplertest.RandomProblem(1, 100, 300, 100, 60)
	d.Limit(100_000)
	defer d.Limit(0)
	_, err := newListsOn(p, d)
	if !errors.Is(err, cuda.ErrOutOfMemory) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "300 words by 100 topics") {
		t.Errorf("got %v", err)
	}
}

// In each mini-batch every document has one turn, the longest ones first.
func TestLongestDocumentsFirst(t *testing.T) {
	p := samplertest.RandomProblem(3, 2000, 50, 5, 40)
	most, err := mostOf(p)
	samplertest.MustDo(t, err)
	s := &listsOn{lists: layLists(p, most)}
	runs := s.BatchesIn(3)
	turns := s.longestFirst(runs)
	for _, r := range runs {
		first, last := s.grid.Blocks[r[0]].FirstDoc, s.grid.Blocks[r[1]-1].LastDoc
		length := func(i int) uint64 { return p.Offsets[turns[i]+1] - p.Offsets[turns[i]] }
		seen := map[uint32]bool{}
		for i := first; i < last; i++ {
			if d := int(turns[i]); seen[turns[i]] || d < first || d >= last || i > first && length(i) > length(i-1) {
				t.Fatalf("document %d of %d tokens has turn %d", d, length(i), i)
			}
			seen[turns[i]] = true
		}
	}
	if len(runs) < 2 {
		t.Error("there is one run only")
	}
}
