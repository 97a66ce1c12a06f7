package registry

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/device/emulated"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
	"github.com/topoi-lda/topoi/internal/sampler/warp"
)

// partsCase is a run by parts, of which a device has some.
type partsCase struct {
	samplertest.DeviceCase
	mixed bool // every other part is the CPU's
	tiny  bool // loads of one block
}

// Compare runs the case by parts on the CPU and by parts on a device, and tells the
// first difference between the two.
func (c *partsCase) Compare(t testing.TB, d *device.Device) error {
	here, err := sampler.NewStale(samplertest.InfoOf(c.Name), c.Problem)
	if err != nil {
		return err
	}
	there, err := c.placed(d)
	if err != nil {
		return err
	}
	defer func() { samplertest.MustDo(t, there.Plan.PlaceHere()) }()
	var z []uint32
	if c.Given {
		z = samplertest.SomeTopics(c.Problem)
	}
	if err := errors.Join(here.Start(slices.Clone(z), c.Priors), there.Start(slices.Clone(z), c.Priors)); err != nil {
		return err
	}
	for i := 1; i <= c.Iterations; i++ {
		priors := c.Priors
		if i >= 3 && c.Later != nil {
			priors = c.Later
		}
		if err := errors.Join(here.Sweep(t.Context(), i, priors), there.Sweep(t.Context(), i, priors)); err != nil {
			return fmt.Errorf("%v: %w", c, err)
		}
		if err := errors.Join(samplertest.SameState(c.Problem, here, there), sameParts(here.Parts, there.Parts)); err != nil {
			return fmt.Errorf("%v, mixed %v, tiny %v: after iteration %d: %w", &c.DeviceCase, c.mixed, c.tiny, i, err)
		}
	}
	return nil
}

// placed makes the sampler whose parts are on a device.
func (c *partsCase) placed(d *device.Device) (*sampler.Stale, error) {
	s, err := sampler.NewStale(samplertest.InfoOf(c.Name), c.Problem)
	if err != nil {
		return nil, err
	}
	if err := s.Plan.PlaceOn(d); err != nil {
		return nil, err
	}
	if c.tiny {
		r := rand.New(rand.NewPCG(c.Problem.Seed, 5))
		s.Plan.On.Bound(1, 1+r.IntN(3))
	}
	for i, part := range s.Parts {
		span := part.Span()
		if c.mixed && i%2 == 1 {
			continue
		}
		if s.Parts[i], err = s.Plan.NewPart(span, c.Problem.Words[span.Begin:span.End]); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// sameParts compares where parts are.
func sameParts(want, got []*sampler.Part) error {
	for i, part := range want {
		if part.Span() != got[i].Span() {
			return fmt.Errorf("part %d is %+v, want %+v", i, got[i].Span(), part.Span())
		}
	}
	return nil
}

// randomPartsCase makes a small case of up to seven parts.
func randomPartsCase(name string, seed uint64) *partsCase {
	r := rand.New(rand.NewPCG(seed, 13))
	c := &partsCase{DeviceCase: samplertest.RandomDeviceCase(name, seed), mixed: r.IntN(3) == 0, tiny: r.IntN(3) > 0}
	t := &c.Problem.Tuning
	t.Staleness, t.Parts = r.IntN(3), 1+r.IntN(7)
	if name == "warp" {
		t.MHSteps = []int{1, 2, 0, 2, 3}[seed%5]
	} else {
		t.MiniBatches = []int{0, 1, 3}[seed%3]
		if seed%4 == 0 { // blocks of 128 documents
			k := 993 + r.IntN(32)
			c.Problem = samplertest.RandomProblem(seed, 700, 30, k, 2)
			c.Problem.Seed, c.Problem.Threads, c.Problem.Tuning = seed, 2, *t
			c.Priors, c.Later, c.Iterations = samplertest.SymmetricPriors(k), nil, 2
		}
	}
	return c
}

// Parts on a device that is emulated; one compilation of the kernels serves all tests.
func TestEmulatedParts(t *testing.T) {
	smallBlocks(t, 4)
	smallPieces(t, 100)
	d := samplertest.Emulation(t)
	t.Run("equal Go", func(t *testing.T) { emulatedPartsEqualGo(t, d) })
	t.Run("go back", func(t *testing.T) { partsGoBack(t, d) })
	t.Run("are given up", func(t *testing.T) { partsAreGivenUp(t, d) })
	t.Run("refuse foreign counts", func(t *testing.T) { partsRefuseForeignCounts(t, d) })
}

func emulatedPartsEqualGo(t *testing.T, d *device.Device) {
	for _, name := range []string{"warp", "batch"} {
		for seed := range uint64(14) {
			samplertest.MustDo(t, randomPartsCase(name, seed).Compare(t, d))
		}
		for _, k := range []int{1, 31, 33, 1000, 65535} {
			p := samplertest.RandomProblem(uint64(k), 9, 12, k, 8)
			p.Tuning.Parts, p.Tuning.Staleness = 2, k%3
			c := partsCase{DeviceCase: samplertest.DeviceCase{Name: name, Problem: p, Iterations: 2, Priors: samplertest.SymmetricPriors(k)}}
			samplertest.MustDo(t, c.Compare(t, d))
			if c.DeviceCase = *c.Grouped(4); name == "batch" {
				samplertest.MustDo(t, c.Compare(t, d))
			}
		}
		samplertest.MustDo(t, emptyParts(name).Compare(t, d))
	}
}

// emptyParts is a case with documents of one token, and with parts and loads of empty
// documents alone.
func emptyParts(name string) *partsCase {
	docs := make([][]uint32, 700)
	for d := range docs[:200] {
		docs[d] = []uint32{uint32(d % 7)}
	}
	p := samplertest.ProblemOf(7, 1000, docs...)
	p.Tuning.Parts, p.Tuning.MiniBatches = 60, 1 // more than there are blocks with tokens
	return &partsCase{DeviceCase: samplertest.DeviceCase{Name: name, Problem: p, Iterations: 2, Priors: samplertest.SymmetricPriors(p.K)}, tiny: true}
}

// smallPieces makes rows travel in pieces of so many numbers.
func smallPieces(t testing.TB, numbers int) {
	before := sampler.SentAtOnce
	t.Cleanup(func() { sampler.SentAtOnce = before })
	sampler.SentAtOnce = numbers
}

func TestPartsOnGPUEqualGo(t *testing.T) {
	smallBlocks(t, 4)
	smallPieces(t, 1000)
	d := samplertest.Gpu(t)
	for _, name := range []string{"warp", "batch"} {
		for seed := range samplertest.DeviceCases() {
			samplertest.MustDo(t, randomPartsCase(name, seed).Compare(t, d))
		}
		samplertest.MustDo(t, emptyParts(name).Compare(t, d))
	}
}

// Sizes at which kernels take other ways, with many documents in a block.
func TestLargePartsOnGPUEqualGo(t *testing.T) {
	d := samplertest.Gpu(t)
	for _, name := range []string{"warp", "batch"} {
		for _, k := range []int{1, 31, 33, 1000, 2049, 65535} {
			docs := 1500
			if name == "batch" && k > 2000 {
				docs = 20 // plain Go would take long
			}
			p := samplertest.RandomProblem(uint64(k), docs, 500, k, 600)
			p.Threads = 8
			p.Tuning.Parts, p.Tuning.Staleness = 3, k%3
			c := partsCase{DeviceCase: samplertest.DeviceCase{Name: name, Problem: p, Iterations: 3, Priors: samplertest.SymmetricPriors(k), Later: samplertest.PriorsFor(k)}}
			samplertest.MustDo(t, c.Compare(t, d))
		}
		long := samplertest.RandomProblem(5, 6, 100, 50, 200_000) // documents larger than a block of the grid
		long.Tuning.Parts = 2
		c := partsCase{DeviceCase: samplertest.DeviceCase{Name: name, Problem: long, Iterations: 2, Priors: samplertest.SymmetricPriors(50)}, tiny: true}
		samplertest.MustDo(t, c.Compare(t, d))
	}
}

// A round can be repeated from topics, and from a copy of the part's memory.
func partsGoBack(t *testing.T, d *device.Device) {
	for _, name := range []string{"warp", "batch"} {
		p := samplertest.RandomProblem(3, 200, 20, 1000, 3)
		plan, err := sampler.PlanFor(samplertest.InfoOf(name), p)
		samplertest.MustDo(t, err)
		samplertest.MustDo(t, plan.PlaceOn(d))
		spans, priors := plan.Cut(2), samplertest.PriorsFor(p.K)
		parts := partsOf(t, plan, spans, nil, priors)
		before := joined(p, parts)
		memory := slices.Clone(parts[0].Memory())
		first := oneRound(t, plan, parts, before, priors)
		parts[0].Start(before[:spans[0].End], priors)
		parts[1].Start(before[spans[1].Begin:], priors)
		if got := oneRound(t, plan, parts, before, priors); !slices.Equal(got, first) {
			t.Errorf("%s: a repeated round gives other topics", name)
		}
		copy(parts[0].Memory(), memory)
		parts[0].Restore(0)
		parts[1].Start(before[spans[1].Begin:], priors)
		if got := oneRound(t, plan, parts, before, priors); !slices.Equal(got, first) {
			t.Errorf("%s: a round repeated from memory gives other topics", name)
		}
		samplertest.MustDo(t, plan.PlaceHere())
	}
}

// oneRound runs the first round against the counts of z and returns the topics after it.
func oneRound(t testing.TB, plan *sampler.Plan, parts []*sampler.Part, z []uint32, priors *sampler.Priors) []uint32 {
	model := countAll(plan.P, z)
	for _, part := range parts {
		samplertest.MustDo(t, part.Round(t.Context(), sampler.Step{Iteration: 1, Round: 0}, model.frozen(), priors))
	}
	return joined(plan.P, parts)
}

// A round that is given up ends with an error, and the device goes on with others.
func partsAreGivenUp(t *testing.T, d *device.Device) {
	for _, name := range []string{"warp", "batch"} {
		p := samplertest.RandomProblem(4, 30, 20, 10, 30) // one round of batch
		plan, err := sampler.PlanFor(samplertest.InfoOf(name), p)
		samplertest.MustDo(t, err)
		samplertest.MustDo(t, plan.PlaceOn(d))
		priors := samplertest.PriorsFor(p.K)
		parts := partsOf(t, plan, plan.Cut(1), nil, priors)
		before := joined(p, parts)
		model := countAll(p, before)
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := parts[0].Round(ended, sampler.Step{Iteration: 1, Round: 0}, model.frozen(), priors); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: a round that was given up ends with %v", name, err)
		}
		parts[0].Start(before, priors)
		whole := samplertest.Start(t, name, p, nil, priors)
		samplertest.Sweep(t, whole, 1, 1, priors)
		if !slices.Equal(oneRound(t, plan, parts, before, priors), samplertest.TopicsOf(whole, p)) {
			t.Errorf("%s: other topics after a round that was given up", name)
		}
		samplertest.MustDo(t, plan.PlaceHere())
	}
}

// Counts in which a word has another number of tokens are refused.
func partsRefuseForeignCounts(t *testing.T, d *device.Device) {
	p := samplertest.RandomProblem(4, 30, 20, 10, 30)
	plan, err := sampler.PlanFor(samplertest.InfoOf("warp"), p)
	samplertest.MustDo(t, err)
	samplertest.MustDo(t, plan.PlaceOn(d))
	priors := samplertest.PriorsFor(p.K)
	part := partsOf(t, plan, plan.Cut(1), nil, priors)[0]
	model := countAll(p, joined(p, []*sampler.Part{part}))
	samplertest.MustDo(t, part.Round(t.Context(), sampler.Step{Iteration: 1, Round: 0}, model.frozen(), priors))
	part.Changes(0, len(part.Words()), model.add)
	model.add(p.Words[0], []counts.Change{{Topic: 3, Delta: 1}})
	if err := part.Round(t.Context(), sampler.Step{Iteration: 2, Round: 0}, model.frozen(), priors); !errors.Is(err, warp.ErrForeignCounts) {
		t.Errorf("got %v", err)
	}
	samplertest.MustDo(t, plan.PlaceHere())
}

// The case of empty parts has some.
func TestEmptyParts(t *testing.T) {
	smallBlocks(t, 4)
	for _, name := range []string{"warp", "batch"} {
		c := emptyParts(name)
		plan, err := sampler.PlanFor(samplertest.InfoOf(name), c.Problem)
		samplertest.MustDo(t, err)
		if !slices.ContainsFunc(plan.Cut(c.Problem.Tuning.Parts), func(s sampler.Span) bool { return s.Tokens() == 0 }) {
			t.Errorf("%s: every part has tokens", name)
		}
	}
}

func TestPartsRefuseDevices(t *testing.T) {
	d := emulated.New("")
	p := samplertest.RandomProblem(1, 50, 20, 10, 40)
	for _, c := range []struct {
		variant
		k    int
		want string
	}{
		{variant{"light", sampler.Tuning{}}, 10, `sampler "light" runs on the CPU only, while warp and batch also work on a GPU: use Options.Device = cpu`},
		{variant{"batch", sampler.Tuning{OwnCount: "in"}}, 10, "batch with these counts runs on the CPU only: train it with Options.Device = cpu"},
		{variant{"warp", sampler.Tuning{}}, 1<<16 + 1, "warp with more than 65536 topics runs on the CPU only where the corpus is cut into parts: use Options.Device = cpu"},
	} {
		p.Tuning, p.K = c.tuning, c.k
		plan, err := sampler.PlanFor(samplertest.InfoOf(c.name), p)
		samplertest.MustDo(t, err)
		if err := plan.PlaceOn(d); !errors.Is(err, sampler.ErrNotOnDevice) || err.Error() != c.want {
			t.Errorf("%v: got %v", c.variant, err)
		}
	}
	p.Tuning, p.K = sampler.Tuning{}, 10
	for _, name := range []string{"warp", "batch"} {
		plan, err := sampler.PlanFor(samplertest.InfoOf(name), p)
		samplertest.MustDo(t, err)
		d.Limit(1000)
		samplertest.MustDo(t, plan.PlaceOn(d))
		parts := partsOf(t, plan, plan.Cut(2), nil, samplertest.PriorsFor(p.K))
		err = parts[0].Round(t.Context(), sampler.Step{Iteration: 1, Round: 0}, countAll(p, joined(p, parts)).frozen(), samplertest.PriorsFor(p.K))
		if !errors.Is(err, cuda.ErrOutOfMemory) || strings.Contains(err.Error(), "\n") {
			t.Fatalf("%s: got %v", name, err)
		}
		for _, part := range []string{"too small for a part of " + name, "1.00 kB may be used", "allow more with Options.DeviceMemory"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q is not in %q", name, part, err)
			}
		}
		samplertest.MustDo(t, plan.PlaceHere())
		d.Limit(0)
	}
}
