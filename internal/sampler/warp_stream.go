package sampler

import (
	"context"
	"errors"
	"math"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/rng"
)

// warpStream is warp for a corpus that does not fit on a device: it passes through in
// loads, each of which has its word phase and its doc phase there before the next
// one. Only topics go both ways; doc-proposals, which follow from them, are drawn
// again. The embedded warp is the state at the last Fetch; kernels/warp_stream.cu and
// warp_docs.cu are the other half.
//
// The rows of words, which a load cannot count, are a model on the device: one that is
// frozen for the iteration and one that is being made of new topics.
type warpStream struct {
	*warp[uint16]
	device *device.Device
	limits warpLimits

	loads       []*warpLoad // the whole corpus; those that stay on the device first
	slots       []*warpSlot // where the others pass through, in turn
	turn        int         // slots used so far
	in, out     *device.Queue
	beside      *device.Queue // for long documents, beside short ones
	begun       *device.Mark  // in the device's queue, before the short ones
	ended       *device.Mark  // in beside, after the long ones
	frozen      *warpModel
	next        *warpModel
	wordPlaces  *device.Buffer[uint32] // V × 2: places of Model in warp_stream.cu
	taken       *device.Buffer[uint32] // V: places of lists that have been taken
	sorted      *device.Buffer[uint32] // words with lists of two topics or more
	sortedCount int
	sortedMost  int // topics of the longest list

	state   *device.Buffer[uint16]  // tokens of the largest load × stride: topic, then proposals
	byDoc   *device.Buffer[uint32]  // tokens of the largest load: positions in corpus order
	nkOn    *device.Buffer[uint32]  // K
	unread  *device.Buffer[uint32]  // K: takes totals that nobody asks for
	invOn   *device.Buffer[float32] // K
	prior   *device.Buffer[uint32]  // 3K: as warpOn has it
	scratch *device.Buffer[uint32]  // rows of long documents that do not fit shared memory
	queue   *device.Buffer[uint32]  // one number: documents dealt out so far
	far     bool                    // those rows do not fit
	hashed  bool                    // rows of short documents are hash tables
}

// warpModel is n_wk of all words on the device.
type warpModel struct {
	rows   *device.Buffer[uint32] // words with sums × (K+1)
	guides *device.Buffer[uint16] // words with sums × warpStreamGuide
	lists  *device.Buffer[uint16] // topics of all other words' tokens
	hot    int                    // words with sums
}

const warpStreamGuide = 257 // kGuide+1 of warp_stream.cu

func (s *warpStream) newModel(hot, listed int) (*warpModel, error) {
	var err [3]error
	m := &warpModel{hot: hot}
	m.rows, err[0] = device.New[uint32](s.device, hot*(s.p.K+1))
	m.guides, err[1] = device.New[uint16](s.device, hot*warpStreamGuide)
	m.lists, err[2] = device.New[uint16](s.device, listed)
	return m, firstError(err[:]...)
}

func (m *warpModel) close() error {
	if m == nil {
		return nil
	}
	return errors.Join(m.rows.Free(), m.guides.Free(), m.lists.Free())
}

// newWarpStream makes the sampler, K ≤ 65,536.
func newWarpStream(p *Problem, d *device.Device, limits warpLimits) (Remote, error) {
	s := makeWarpStream(p, d, limits)
	plan, err := s.plan()
	if err == nil {
		err = s.upload(plan)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// makeWarpStream makes what is on the host.
func makeWarpStream(p *Problem, d *device.Device, limits warpLimits) *warpStream {
	return newWarpStreamOf(makeWarp[uint16](p, func(m int) int { return m + 1 }), p.K, d, limits)
}

// newWarpStreamOf makes a stream of K topics without anything on the device.
func newWarpStreamOf(s *warp[uint16], k int, d *device.Device, limits warpLimits) *warpStream {
	return &warpStream{
		warp: s, device: d, limits: limits,
		far: 4*(k+1+warpCarries) > limits.shared/2, hashed: k > limits.dense,
	}
}

// upload allocates everything and copies what never changes.
func (s *warpStream) upload(plan *warpPlan) error {
	k := s.p.K
	var err [18]error
	s.in, err[0] = s.device.NewQueue()
	s.out, err[1] = s.device.NewQueue()
	s.frozen, err[2] = s.newModel(plan.hot, plan.listed)
	s.next, err[3] = s.newModel(plan.hot, plan.listed)
	s.wordPlaces, err[4] = device.From(s.device, plan.places)
	s.taken, err[5] = device.New[uint32](s.device, s.p.V)
	s.sorted, err[6] = device.From(s.device, plan.sorted)
	s.state, err[7] = device.New[uint16](s.device, plan.most*s.stride())
	s.byDoc, err[8] = device.New[uint32](s.device, plan.most)
	s.nkOn, err[9] = device.New[uint32](s.device, k)
	s.invOn, err[10] = device.New[float32](s.device, k)
	s.prior, err[11] = device.New[uint32](s.device, 3*k)
	s.scratch, err[12] = device.New[uint32](s.device, s.scratches()*k)
	s.queue, err[13] = device.New[uint32](s.device, 1)
	s.unread, err[14] = device.From(s.device, make([]uint32, k))
	s.beside, err[15] = s.device.NewQueue()
	s.begun, err[16] = s.device.NewMark()
	s.ended, err[17] = s.device.NewMark()
	if err := firstError(err[:]...); err != nil {
		return err
	}
	s.sortedCount, s.sortedMost = len(plan.sorted), plan.longest
	if err := s.state.Zero(); err != nil { // the first kernels read proposals with topics, and let them be
		return err
	}
	return s.uploadLoads(plan)
}

// scratches is the number of rows in scratch.
func (s *warpStream) scratches() int {
	if s.far {
		return 2 * s.device.Processors()
	}
	return 0
}

// stride is how many numbers a token has on the device.
func (s *warpStream) stride() int {
	if s.m == 2 {
		return 4
	}
	return s.m + 1
}

// layout is M and stride as the kernels take them.
func (s *warpStream) layout() uint32 { return uint32(s.m) | uint32(s.stride())<<16 }

// Start implements Sampler.
func (s *warpStream) Start(z []uint32, priors *Priors) error {
	if err := s.warp.Start(z, priors); err != nil {
		return err
	}
	for _, load := range s.loads {
		if err := s.sendTopics(load); err != nil {
			return err
		}
	}
	nk := make([]uint32, s.p.K)
	for k, n := range s.nk {
		nk[k] = uint32(n)
	}
	err := s.device.Together(func() error {
		if err := firstError(s.nkOn.Upload(nk), s.clearNext()); err != nil {
			return err
		}
		for _, load := range s.loads {
			err := s.pass(load, func(t *warpSlot) error { return firstError(s.unpack(load, t), s.pack(load, t)) })
			if err != nil {
				return err
			}
		}
		return s.turnModel()
	})
	return firstError(err, s.wait())
}

// Sweep implements Sampler.
func (s *warpStream) Sweep(_ context.Context, iteration int, priors *Priors) error {
	if err := s.setAlpha(priors); err != nil {
		return err
	}
	err := s.device.Together(func() error {
		vbeta := float64(s.p.V) * priors.Beta
		err := firstError(
			s.device.Launch("warp_docs", "warp_inverse", spread(s.device, s.p.K, 256, 0, 8), s.nkOn, s.invOn, uint32(s.p.K), math.Float64bits(vbeta)),
			s.nkOn.Zero(), s.clearNext())
		for _, load := range s.loads {
			if err != nil {
				return err
			}
			err = s.pass(load, func(t *warpSlot) error {
				return firstError(s.sample(load, t, iteration, priors), s.pack(load, t))
			})
		}
		return firstError(err, s.turnModel())
	})
	return firstError(err, s.wait())
}

// setAlpha brings α to the device.
func (s *warpStream) setAlpha(priors *Priors) error {
	if !s.alpha.set(priors.Alpha) {
		return nil
	}
	return s.prior.Upload(s.alpha.table())
}

// sample launches an iteration of a load.
func (s *warpStream) sample(load *warpLoad, t *warpSlot, iteration int, priors *Priors) error {
	return firstError(s.unpack(load, t), s.docPhase(load, t, iteration-1, false), s.wordPhase(load, t, iteration, priors),
		s.docPhase(load, t, iteration, true))
}

// clearNext makes the next model ready for counting.
func (s *warpStream) clearNext() error { return firstError(s.next.rows.Zero(), s.taken.Zero()) }

// turnModel makes the counts of the next model what the next iteration works with.
func (s *warpStream) turnModel() error {
	size := 1
	for size < s.sortedMost {
		size *= 2
	}
	err := firstError(
		s.sumRows(s.next),
		s.launch("warp_stream", "warp_stream_sort", device.Shape{Blocks: min(s.sortedCount, 1<<16), Threads: 128, Shared: max(4, 2*size)},
			s.next.lists, s.wordPlaces, s.sorted, uint32(s.sortedCount)),
	)
	s.frozen, s.next = s.next, s.frozen
	return err
}

// sumRows makes running sums of counts, and guides to them.
func (s *warpStream) sumRows(m *warpModel) error {
	return firstError(
		s.launch("warp_words", "warp_sums", device.Shape{Blocks: m.hot, Threads: 256, Shared: 4 * warpCarries}, m.rows, uint32(s.p.K)),
		s.launch("warp_stream", "warp_stream_guide", device.Shape{Blocks: m.hot, Threads: 256}, m.rows, m.guides, uint32(s.p.K)),
	)
}

// launch runs a kernel unless it has nothing to do. Lists among the arguments are taken
// apart.
func (s *warpStream) launch(module, kernel string, shape device.Shape, args ...any) error {
	if shape.Blocks == 0 {
		return nil
	}
	return s.device.Launch(module, kernel, shape, flatten(args)...)
}

// unpack makes a load's tokens and lists of positions.
func (s *warpStream) unpack(load *warpLoad, t *warpSlot) error {
	return s.launch("warp_stream", "warp_stream_unpack", spread(s.device, load.Tokens(), 256, 0, 16), t.topics, t.places,
		uint32(load.Tokens()), t.list(load, warpStarts), uint32(load.LastBlock), s.state, s.layout(), s.byDoc)
}

// pack gathers a load's topics and counts them in the next model.
func (s *warpStream) pack(load *warpLoad, t *warpSlot) error {
	return s.launch("warp_stream", "warp_stream_pack", spread(s.device, load.Tokens(), 256, 0, 16), s.state, s.layout(), t.topics,
		uint32(load.Tokens()), t.list(load, warpBegins), t.list(load, warpBefore), t.list(load, warpSegments), s.wordPlaces, s.next.rows, s.next.lists, s.taken, uint32(s.p.K))
}

// wordPhase launches the word phase of a load.
func (s *warpStream) wordPhase(load *warpLoad, t *warpSlot, iteration int, priors *Priors) error {
	return s.launch("warp_stream", "warp_stream_words_"+s.steps(), spread(s.device, load.Tokens(), 256, 0, 24), s.state, s.layout(),
		uint32(load.Tokens()), t.list(load, warpBegins), t.list(load, warpBefore), t.list(load, warpSegments), s.wordPlaces, s.frozen.rows, s.frozen.guides, s.frozen.lists, s.invOn, t.list(load, warpStarts), uint32(load.LastBlock),
		math.Float32bits(float32(priors.Beta)), math.Float64bits(float64(s.p.K)*priors.Beta), s.scalars(iteration, forWarpWord))
}

// steps is the part of kernels' names that says what the compiler knows of M.
func (s *warpStream) steps() string {
	switch s.m {
	case 1:
		return "16x1"
	case 2:
		return "16x2"
	}
	return "16"
}

// scalars are the last arguments of most kernels.
func (s *warpStream) scalars(iteration int, purpose rng.Purpose) []any {
	key := rng.NewKey(s.p.Seed)
	return []any{uint32(s.p.K), key[0], key[1], uint32(iteration), uint32(purpose)}
}

// wait blocks until all work is done.
func (s *warpStream) wait() error { return firstError(s.device.Wait(), s.in.Wait(), s.out.Wait()) }

// Fetch implements Remote.
func (s *warpStream) Fetch() error {
	for _, load := range s.loads {
		if err := s.fetchTopics(load); err != nil {
			return err
		}
	}
	nk := make([]uint32, s.p.K)
	if err := s.nkOn.Download(nk); err != nil {
		return err
	}
	for k, n := range nk {
		s.nk[k] = int64(n)
	}
	return nil
}

// Close implements Remote.
func (s *warpStream) Close() error {
	faults := []error{
		s.in.Close(), s.out.Close(), s.beside.Close(), s.begun.Close(), s.ended.Close(), s.frozen.close(), s.next.close(), s.wordPlaces.Free(), s.taken.Free(), s.sorted.Free(), s.state.Free(),
		s.byDoc.Free(), s.nkOn.Free(), s.unread.Free(), s.invOn.Free(), s.prior.Free(), s.scratch.Free(), s.queue.Free(),
	}
	for _, slot := range s.slots {
		faults = append(faults, slot.close())
	}
	for _, load := range s.loads {
		faults = append(faults, load.close())
	}
	return errors.Join(faults...)
}
