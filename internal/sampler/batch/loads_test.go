package batch

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sort"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/device/emulated"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// planOf is the plan for a problem on a device with so much memory.
func planOf(p *sampler.Problem, d *device.Device, limit int64) (*batchPlan, error) {
	return unplanned(p, d).planWithin(limit)
}

func unplanned(p *sampler.Problem, d *device.Device) *batchOn {
	return layBatchOn(p, d)
}

func (s *batchOn) planWithin(limit int64) (*batchPlan, error) {
	s.on.device.Limit(limit)
	defer s.on.device.Limit(0)
	return s.on.plan(s.grid.Blocks)
}

// leastMemory is the smallest memory with which batch runs at all.
func leastMemory(p *sampler.Problem, d *device.Device) int64 {
	s := unplanned(p, d)
	return int64(sort.Search(1<<40, func(limit int) bool {
		_, err := s.planWithin(int64(limit) + 1)
		return err == nil
	})) + 1
}

// batchWithin makes batch with the least memory and room for a share of the tokens to
// stay besides.
func batchWithin(d *device.Device, share float64) samplertest.OnDevice {
	return func(p *sampler.Problem) (sampler.Remote, error) {
		limit := leastMemory(p, d) + int64(share*float64(p.N()*(batchTokenSize+batchDocSize)))
		d.Limit(limit)
		defer d.Limit(0)
		s, err := newBatchOn(p, d)
		if err == nil && share == 0 && len(s.(*batchOn).grid.Blocks) > 16 && s.(*batchOn).on.conveyor.Rooms() == nil {
			return nil, errors.New("nothing passes through slots")
		}
		return s, err
	}
}

// streamedCase is a random case of several blocks.
func streamedCase(seed uint64) samplertest.DeviceCase {
	r := rand.New(rand.NewPCG(seed, 8))
	c := samplertest.RandomDeviceCase("batch", seed)
	c.Problem.Tuning.MiniBatches = []int{0, 1, 3}[seed%3]
	if seed%2 == 0 { // blocks of 64 documents
		k := 1900 + r.IntN(50)
		if seed%4 == 0 {
			k = 993 + r.IntN(32) // of 128
		}
		c.Problem = samplertest.RandomProblem(seed, 1200+r.IntN(400), 30, k, 1+r.IntN(3))
		c.Problem.Threads = 2
		c.Priors, c.Later, c.Iterations = samplertest.SymmetricPriors(k), nil, 2
	}
	return c
}

func TestEmulatedStreamedBatchEqualsGo(t *testing.T) {
	d := samplertest.Emulation(t)
	for seed := range uint64(8) {
		c := streamedCase(seed)
		samplertest.MustDo(t, c.Compare(t, batchWithin(d, []float64{0, 0.4}[seed/2%2])))
	}
}

func TestStreamedBatchOnGPUEqualsGo(t *testing.T) {
	d := samplertest.Gpu(t)
	for seed := range samplertest.DeviceCases() {
		c := streamedCase(seed)
		samplertest.MustDo(t, c.Compare(t, batchWithin(d, []float64{0, 0.4, 0.8}[seed%3])))
	}
	if testing.Short() {
		return
	}
	for _, k := range []int{1, 31, 33, 1000, 65535} {
		docs := 3000
		if k > 2000 {
			docs = 40 // plain Go would take long
		}
		p := samplertest.RandomProblem(uint64(k), docs, 500, k, 100)
		p.Threads = 8
		c := samplertest.DeviceCase{Name: "batch", Problem: p, Iterations: 3, Priors: samplertest.SymmetricPriors(k), Later: samplertest.PriorsFor(k)}
		samplertest.MustDo(t, c.Compare(t, batchWithin(d, 0.25)))
	}
	long := samplertest.RandomProblem(5, 3, 100, 5, 200_000) // blocks of one document
	c := samplertest.DeviceCase{Name: "batch", Problem: long, Iterations: 2, Priors: samplertest.SymmetricPriors(5)}
	samplertest.MustDo(t, c.Compare(t, batchWithin(d, 0)))
}

// Plans for all sizes of memory hold every block once, within the memory, and keep as
// much as there is room for.
func TestBatchPlans(t *testing.T) {
	d := emulated.New("")
	for _, k := range []int{1, 100, 1000, 2000, 65535} {
		p := samplertest.RandomProblem(uint64(k), 3000, 300, k, 60)
		least := leastMemory(p, d)
		for _, limit := range []int64{least, least + 1, least + 20_000, 2 * least, 0} {
			plan, err := planOf(p, d, limit)
			if err != nil {
				t.Fatal(err)
			}
			if err := checkBatchPlan(p, plan, limit); err != nil {
				t.Errorf("K = %d, %d bytes: %v: %+v", k, limit, err, plan)
			}
		}
		if plan, _ := planOf(p, d, least); plan.share() > 0 && k > 100 {
			t.Errorf("K = %d: with the least memory, part of the corpus stays: %+v", k, plan)
		}
	}
}

func checkBatchPlan(p *sampler.Problem, plan *batchPlan, limit int64) error {
	s := makeBatch(p)
	kernel, _ := KernelFor(s.kpad)
	used, next, stay := 8*int64(p.V*kernel.Topics)+int64(plan.slots)*slotSize(plan.most), 0, 0
	for i, load := range plan.loads {
		if load.FirstBlock != next || load.Tokens() > plan.most.Tokens() || load.Docs() > plan.most.Docs() {
			return fmt.Errorf("load %d does not follow block %d, or is larger than a slot", i, next)
		}
		next = load.LastBlock
		if plan.stays[i] {
			used += slotSize(load)
			stay++
		}
	}
	if next != len(s.grid.Blocks) {
		return errors.New("blocks are left out")
	}
	if limit > 0 && used > limit {
		return fmt.Errorf("takes %d bytes", used)
	}
	if (plan.slots == 0) != (stay == len(plan.loads)) {
		return errors.New("slots without need, or none")
	}
	return nil
}

func TestBatchRefusesTooLittleMemory(t *testing.T) {
	d, p := emulated.New(""), samplertest.RandomProblem(1, 100, 300, 100, 60)
	_, err := planOf(p, d, leastMemory(p, d)-1)
	if !errors.Is(err, cuda.ErrOutOfMemory) || strings.Contains(err.Error(), "\n") {
		t.Fatalf("got %v", err)
	}
	for _, part := range []string{"300 words by 128 topics", "of 8 bytes", "may be used", "Options.DeviceMemory"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q is not in %q", part, err)
		}
	}
}

// Where the plan says that everything stays, there is room for it, and for what is there while
// lists are made: with documents of one token, of which there are as many, too.
func TestEverythingJustStays(t *testing.T) {
	d := samplertest.Emulation(t)
	for length, p := range map[int]*sampler.Problem{
		1:  samplertest.RandomProblem(1, 4000, 30, 40, 1),
		60: samplertest.RandomProblem(2, 300, 30, 40, 60),
	} {
		stays := func(limit int) bool {
			plan, err := planOf(p, d, int64(limit))
			return err == nil && plan.slots == 0
		}
		limit := int64(sort.Search(1<<30, stays))
		d.Limit(limit)
		s, err := newBatchOn(p, d)
		if err != nil {
			t.Fatalf("documents of %d: %d bytes: %v", length, limit, err)
		}
		samplertest.MustDo(t, s.Start(nil, samplertest.SymmetricPriors(p.K)))
		samplertest.MustDo(t, s.Close())
		d.Limit(0)
	}
}
