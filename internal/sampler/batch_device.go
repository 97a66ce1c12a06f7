package sampler

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/rng"
)

// batchOn is batch with its counts on a device and its tokens there as far as they
// fit (see batchPlan). The embedded batch is the state at the last Fetch; kernels/batch.cu
// is the other half.
type batchOn struct {
	*batch
	device *device.Device
	loads  []*batchLoad   // the whole corpus
	slots  []*batchTokens // where those that do not stay pass through, in turn
	lanes  []*batchLane   // one for each slot, and one for loads that stay
	turn   int            // slots used so far

	nwkOn          *device.Buffer[uint32]  // V × pad
	weights        *device.Buffer[float32] // V × pad: n_wk + β
	nkOn           *device.Buffer[uint32]  // K
	alphaOn, invOn *device.Buffer[float32] // pad: zero beyond K
	frozen         *device.Mark            // after weights and inv are made for a mini-batch
	pad            int                     // kpad of batch.cu: whole groups of 32, as many as the drawing kernel has
	priors         Priors                  // as alphaOn has them
	histograms     *deviceHistograms
}

// newBatchOn implements Info.NewOn.
func newBatchOn(p *Problem, d *device.Device) (Remote, error) {
	if err := batchOnFault(p); err != nil {
		return nil, err
	}
	s := &batchOn{batch: makeBatch(p), device: d}
	s.pad = batchKernelFor(s.kpad).topics
	plan, err := s.plan()
	if err == nil {
		err = s.upload(plan)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// batchOnFault says why a problem, or parts of it, cannot be sampled on a device.
func batchOnFault(p *Problem) error {
	freshness, err := ParseFreshness(p.Tuning.Fresh)
	switch {
	case err != nil:
		return err
	case freshness == panelFreshness:
		return fmt.Errorf("batch with these counts %w: train it with --device cpu, or with sampler panel, which is not repeatable on a GPU", ErrNotOnDevice)
	case freshness != batchFreshness || p.Tuning.OwnCount == "in":
		return fmt.Errorf("batch with these counts %w: train it with --device cpu", ErrNotOnDevice)
	}
	return tokensFit(p)
}

// upload allocates everything and copies what never changes.
func (s *batchOn) upload(plan *batchPlan) error {
	cells := s.p.V * s.pad
	var err [7]error
	s.nwkOn, err[0] = device.New[uint32](s.device, cells)
	s.weights, err[1] = device.New[float32](s.device, cells)
	s.nkOn, err[2] = device.New[uint32](s.device, s.p.K)
	s.alphaOn, err[3] = device.From(s.device, make([]float32, s.pad))
	s.invOn, err[4] = device.From(s.device, make([]float32, s.pad))
	s.frozen, err[5] = s.device.NewMark()
	s.histograms, err[6] = newDeviceHistograms(s.p, s.device)
	if err := firstError(err[:]...); err != nil {
		return err
	}
	return s.uploadLoads(plan)
}

// batchKernel is a drawing kernel of batch.cu.
type batchKernel struct {
	topics int // kpad of the kernel
	blocks int // of threads that a processor runs at once
}

// batchKernels keep all of a word's row in registers.
var batchKernels = []batchKernel{
	{32, 12}, {64, 12}, {128, 12}, {192, 8}, {256, 8}, {384, 8}, {512, 6}, {768, 4}, {1024, 4},
}

// batchKernelFor returns the smallest kernel for kpad topics, which is "any" beyond the
// last of the list.
func batchKernelFor(kpad int) batchKernel {
	for _, kernel := range batchKernels {
		if kpad <= kernel.topics {
			return kernel
		}
	}
	return batchKernel{kpad, 8}
}

// fixed says whether the drawing kernel keeps rows in registers.
func (s *batchOn) fixed() bool { return s.pad <= batchKernels[len(batchKernels)-1].topics }

const (
	batchWarps  = 4   // in a block of threads that draws
	batchCounts = 384 // the largest kernel of batch.cu that counts changes itself
)

// Start implements Sampler.
func (s *batchOn) Start(z []uint32, _ *Priors) error {
	if z == nil {
		z = make([]uint32, s.p.N())
		randomTopics(s.p, z)
	}
	s.eachToken(func(corpus, grid int) { s.z[grid] = uint16(z[corpus]) })
	if err := firstError(s.nwkOn.Zero(), s.nkOn.Zero(), s.frozen.Set(s.device.Main())); err != nil {
		return err
	}
	for _, load := range s.loads {
		if err := s.sendTopics(load); err != nil {
			return err
		}
		if err := s.device.Together(func() error { return s.countLoad(load) }); err != nil {
			return err
		}
	}
	return s.wait()
}

// countLoad adds the load's tokens to n_wk and n_k.
func (s *batchOn) countLoad(load *batchLoad) error {
	t, err := s.arrive(load, 0, load.Tokens())
	if err != nil {
		return err
	}
	shared, flag := s.totals()
	return firstError(
		t.queue.After(s.frozen),
		s.launch(t, "count", spread(s.device, load.Tokens(), 256, shared, 8), t.words, t.topics, uint32(load.Tokens()),
			s.nwkOn, s.nkOn, uint32(s.p.K), uint32(s.pad), flag),
		t.done.Set(t.queue),
	)
}

// totals says how much shared memory changes of n_k take, and whether they lie there.
func (s *batchOn) totals() (bytes int, shared uint32) {
	if bytes := 4 * s.p.K; bytes <= 32<<10 {
		return bytes, 1
	}
	return 0, 0
}

// Sweep implements Sampler.
func (s *batchOn) Sweep(_ context.Context, iteration int, priors *Priors) error {
	if err := s.setAlpha(priors); err != nil {
		return err
	}
	n := s.p.Tuning.miniBatches(iteration)
	err := s.device.Together(func() error {
		for _, r := range s.miniBatches(n) {
			if err := s.miniBatch(r[0], r[1], iteration, priors.Beta); err != nil {
				return err
			}
		}
		return nil
	})
	return firstError(err, s.wait())
}

// setAlpha brings α to the device.
func (s *batchOn) setAlpha(priors *Priors) error {
	if slices.Equal(priors.Alpha, s.priors.Alpha) {
		return nil
	}
	alpha := make([]float32, s.p.K)
	for k, a := range priors.Alpha {
		alpha[k] = float32(a)
	}
	s.priors.Alpha = slices.Clone(priors.Alpha)
	return s.alphaOn.Upload(alpha)
}

// miniBatch puts the draws of a run of blocks and the update of counts into queues.
func (s *batchOn) miniBatch(first, last, iteration int, beta float64) error {
	if s.grid.Blocks[first].Begin == s.grid.Blocks[last-1].End {
		return nil
	}
	if err := s.freeze(beta); err != nil {
		return err
	}
	for _, load := range s.loads {
		from, to := max(first, load.FirstBlock), min(last, load.LastBlock)
		if from >= to || s.grid.Blocks[from].Begin == s.grid.Blocks[to-1].End {
			continue
		}
		if err := s.drawLoad(load, from, to, iteration); err != nil {
			return err
		}
	}
	return nil
}

// freeze makes what a mini-batch works with once all earlier ones have been counted.
func (s *batchOn) freeze(beta float64) error {
	for _, t := range s.allTokens() {
		if err := s.device.Main().After(t.done); err != nil {
			return err
		}
	}
	cells := s.p.V * s.pad
	return firstError(
		s.device.Launch("batch", "batch_prepare", spread(s.device, cells, 256, 0, 16), s.nkOn, s.invOn, s.nwkOn, s.weights,
			uint32(s.p.K), uint64(cells), math.Float64bits(float64(s.p.corpusWords())*beta), math.Float32bits(float32(beta))),
		s.frozen.Set(s.device.Main()),
	)
}

// drawLoad draws the tokens of blocks first … last-1 of a load, and counts them.
func (s *batchOn) drawLoad(load *batchLoad, first, last, iteration int) error {
	begin, end := s.grid.Blocks[first].Begin-load.Begin, s.grid.Blocks[last-1].End-load.Begin
	t, err := s.arrive(load, begin, end)
	if err == nil {
		err = s.draw(load, t, first, last, iteration)
	}
	if err == nil && s.pad > batchCounts {
		shared, flag := s.totals()
		err = s.launch(t, "update", spread(s.device, end-begin, 256, shared, 8), t.words, t.topics, t.before,
			uint32(begin), uint32(end), s.nwkOn, s.nkOn, uint32(s.p.K), uint32(s.pad), flag)
	}
	if err != nil {
		return err
	}
	return s.depart(load, t, begin, end)
}

// draw draws the tokens of blocks first … last-1 of a load that has arrived. Up to
// batchCounts topics they are counted as well.
func (s *batchOn) draw(load *batchLoad, t *batchTokens, first, last, iteration int) error {
	k, key := uint32(s.p.K), rng.NewKey(s.p.Seed)
	name, shape := "draw_any", device.Shape{Blocks: t.blocks, Threads: batchWarps * lanes}
	if s.fixed() {
		name, shape.Shared = fmt.Sprintf("draw_%d", s.pad), batchWarps*2*4*s.pad
	}
	if s.pad <= batchCounts {
		shape.Shared += 4 * s.pad
	}
	b, e := s.grid.Blocks[first], s.grid.Blocks[last-1]
	return firstError(
		t.queue.After(s.frozen),
		t.taken.ZeroIn(t.queue),
		s.launch(t, name, shape, t.words, t.positions, t.topics, t.before, s.weights, s.alphaOn, s.invOn, t.offsets,
			uint32(b.FirstDoc-load.FirstDoc), uint32(e.LastDoc-load.FirstDoc), t.taken, t.scratch, s.nwkOn, s.nkOn, k, uint32(s.pad),
			uint32(s.p.origin()+load.Begin), key[0], key[1], uint32(iteration), uint32(forDraw)),
	)
}

func (s *batchOn) launch(t *batchTokens, kernel string, shape device.Shape, args ...any) error {
	return t.queue.Launch("batch", "batch_"+kernel, shape, args...)
}

// wait blocks until all work is done.
func (s *batchOn) wait() error {
	err := s.device.Wait()
	for _, lane := range s.lanes {
		err = firstError(err, lane.queue.Wait())
	}
	return err
}

// Fetch implements Remote.
func (s *batchOn) Fetch() error {
	for _, load := range s.loads {
		if err := s.fetchLoad(load); err != nil {
			return err
		}
	}
	s.recount()
	return nil
}

// Close implements Remote.
func (s *batchOn) Close() error {
	faults := []error{
		s.nwkOn.Free(), s.weights.Free(), s.nkOn.Free(), s.alphaOn.Free(), s.invOn.Free(), s.frozen.Close(), s.histograms.free(),
	}
	for _, t := range s.allTokens() {
		faults = append(faults, t.close())
	}
	for _, load := range s.loads {
		faults = append(faults, load.close())
	}
	for _, lane := range s.lanes {
		faults = append(faults, lane.close())
	}
	return errors.Join(faults...)
}
