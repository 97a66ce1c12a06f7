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

// batchOn is batch with its state on a device. The embedded batch is the state at
// the last Fetch; kernels/batch.cu is the other half.
type batchOn struct {
	*batch
	device *device.Device
	order  []uint32 // N: the grid positions of tokens in drawing order

	words, positions *device.Buffer[uint32]  // N, drawing order: word and grid position
	topics, before   *device.Buffer[uint16]  // N, drawing order: topics now and before the mini-batch
	offsets          *device.Buffer[uint32]  // D+1
	nwkOn            *device.Buffer[uint32]  // V × pad
	weights          *device.Buffer[float32] // V × pad: n_wk + β
	nkOn             *device.Buffer[uint32]  // K
	alphaOn, invOn   *device.Buffer[float32] // pad: zero beyond K
	queue            *device.Buffer[uint32]  // one number: documents dealt out so far
	scratch          *device.Buffer[uint32]  // rows of documents, where shared memory has no room
	pad              int                     // kpad of batch.cu: whole groups of 32, as many as the drawing kernel has
	blocks           int                     // of threads that draw
	priors           Priors                  // as alphaOn has them
}

// newBatchOn implements Info.NewOn.
func newBatchOn(p *Problem, d *device.Device) (Remote, error) {
	freshness, err := ParseFreshness(p.Tuning.Fresh)
	switch {
	case err != nil:
		return nil, err
	case freshness != batchFreshness || p.Tuning.OwnCount == "in":
		return nil, fmt.Errorf("batch with these counts %w: train it with --device cpu", ErrNotOnDevice)
	case p.N() > math.MaxUint32-1<<16:
		return nil, fmt.Errorf("the GPU takes at most %d tokens, here are %d: train on the CPU", math.MaxUint32-1<<16, p.N())
	}
	s := &batchOn{batch: makeBatch(p), device: d}
	if err := s.upload(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// upload allocates everything and copies what never changes.
func (s *batchOn) upload() error {
	s.order = s.drawingOrder()
	offsets := make([]uint32, len(s.p.Offsets))
	for d, o := range s.p.Offsets {
		offsets[d] = uint32(o)
	}
	s.blocks = 12 * s.device.Processors()
	scratch := 0
	s.pad = s.fixedTopics()
	if s.pad == 0 {
		s.pad = s.kpad
		scratch = s.blocks * batchWarps * 3 * s.pad
	}
	n, cells := s.p.N(), s.p.V*s.pad
	var err [12]error
	s.words, err[0] = device.From(s.device, s.p.Words)
	s.positions, err[1] = device.From(s.device, s.order)
	s.topics, err[2] = device.New[uint16](s.device, n)
	s.before, err[3] = device.New[uint16](s.device, n)
	s.offsets, err[4] = device.From(s.device, offsets)
	s.nwkOn, err[5] = device.New[uint32](s.device, cells)
	s.weights, err[6] = device.New[float32](s.device, cells)
	s.nkOn, err[7] = device.New[uint32](s.device, s.p.K)
	s.alphaOn, err[8] = device.From(s.device, make([]float32, s.pad))
	s.invOn, err[9] = device.From(s.device, make([]float32, s.pad))
	s.queue, err[10] = device.New[uint32](s.device, 1)
	s.scratch, err[11] = device.New[uint32](s.device, scratch)
	return errors.Join(err[:]...)
}

const batchWarps = 4 // in a block of threads that draws

// fixedTopics returns the number of topics of the smallest kernel that keeps all of
// a word's row in registers; 0 if there is none for so many.
func (s *batchOn) fixedTopics() int {
	for _, topics := range []int{32, 64, 128, 192, 256, 384, 512, 768, 1024} {
		if s.kpad <= topics {
			return topics
		}
	}
	return 0
}

// drawingOrder lists grid positions document after document, increasing inside each.
// A document's tokens are sorted by word in the corpus and in the grid, so the token
// in a place of this list has the word in the same place of the corpus.
func (s *batchOn) drawingOrder() []uint32 {
	list := make([]uint32, s.p.N())
	_ = parallel(context.Background(), s.p.Threads, len(s.grid.Blocks), func(_, i int) {
		b := s.grid.Blocks[i]
		next := slices.Clone(s.p.Offsets[b.FirstDoc:b.LastDoc])
		for j, d := range s.grid.Docs[b.Begin:b.End] {
			list[next[d]] = uint32(b.Begin + j)
			next[d]++
		}
	})
	return list
}

// Start implements Sampler.
func (s *batchOn) Start(z []uint32, _ *Priors) error {
	if z == nil {
		z = make([]uint32, s.p.N())
		randomTopics(s.p, z)
	}
	s.eachToken(func(corpus, grid int) { s.z[grid] = uint16(z[corpus]) })
	topics := make([]uint16, len(s.order))
	inParts(s.p, func(first, last int) {
		for i := first; i < last; i++ {
			topics[i] = s.z[s.order[i]]
		}
	})
	if err := errors.Join(s.topics.Upload(topics), s.nwkOn.Zero(), s.nkOn.Zero()); err != nil {
		return err
	}
	shared, flag := s.totals()
	err := s.launch("count", spread(s.device, s.p.N(), 256, shared, 8),
		s.words, s.topics, uint32(s.p.N()), s.nwkOn, s.nkOn, uint32(s.p.K), uint32(s.pad), flag)
	return errors.Join(err, s.device.Wait())
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
	if !slices.Equal(priors.Alpha, s.priors.Alpha) {
		alpha := make([]float32, s.p.K)
		for k, a := range priors.Alpha {
			alpha[k] = float32(a)
		}
		if err := s.alphaOn.Upload(alpha); err != nil {
			return err
		}
		s.priors.Alpha = slices.Clone(priors.Alpha)
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
	return errors.Join(err, s.device.Wait())
}

// miniBatch launches the draws of a run of blocks and the update of counts.
func (s *batchOn) miniBatch(first, last, iteration int, beta float64) error {
	b, e := s.grid.Blocks[first], s.grid.Blocks[last-1]
	if b.Begin == e.End {
		return nil
	}
	k, cells, key := uint32(s.p.K), s.p.V*s.pad, rng.NewKey(s.p.Seed)
	name, shape := "draw_any", device.Shape{Blocks: s.blocks, Threads: batchWarps * lanes}
	if s.fixedTopics() > 0 {
		name, shape.Shared = fmt.Sprintf("draw_%d", s.pad), batchWarps*2*4*s.pad
	}
	shared, flag := s.totals()
	return errors.Join(
		s.queue.Zero(),
		s.launch("prepare", spread(s.device, cells, 256, 0, 16), s.nkOn, s.invOn, s.nwkOn, s.weights, k, uint64(cells),
			math.Float64bits(float64(s.p.V)*beta), math.Float32bits(float32(beta))),
		s.launch(name, shape, s.words, s.positions, s.topics, s.before, s.weights, s.alphaOn, s.invOn, s.offsets,
			uint32(b.FirstDoc), uint32(e.LastDoc), s.queue, s.scratch, k, uint32(s.pad), key[0], key[1], uint32(iteration), uint32(forDraw)),
		s.launch("update", spread(s.device, e.End-b.Begin, 256, shared, 8), s.words, s.topics, s.before,
			uint32(b.Begin), uint32(e.End), s.nwkOn, s.nkOn, k, uint32(s.pad), flag),
	)
}

func (s *batchOn) launch(kernel string, shape device.Shape, args ...any) error {
	return s.device.Launch("batch", "batch_"+kernel, shape, args...)
}

// Fetch implements Remote.
func (s *batchOn) Fetch() error {
	topics := make([]uint16, len(s.order))
	if err := s.topics.Download(topics); err != nil {
		return err
	}
	inParts(s.p, func(first, last int) {
		for i := first; i < last; i++ {
			s.z[s.order[i]] = topics[i]
		}
	})
	s.recount()
	return nil
}

// Close implements Remote.
func (s *batchOn) Close() error {
	return errors.Join(s.words.Free(), s.positions.Free(), s.topics.Free(), s.before.Free(), s.offsets.Free(), s.nwkOn.Free(),
		s.weights.Free(), s.nkOn.Free(), s.alphaOn.Free(), s.invOn.Free(), s.queue.Free(), s.scratch.Free())
}
