package warp

import (
	"cmp"
	"math"

	"github.com/topoi-lda/topoi/internal/cuda/kernels/layout"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/warp/walk"
)

// warpShared is what all parts of a corpus have on a device: the rows of words, and slots through which loads pass, K ≤ 65,536. Each load has its
// word phase and its doc phase there before the next one. Only topics go both ways;
// doc-proposals, which follow from them, are drawn again. kernels/warp_stream*.cu and
// warp_docs.cu are the other half.
type warpShared struct {
	device   *device.Device
	arena    *device.Arena
	p        *sampler.Problem
	m        int // proposals per token
	limits   warpLimits
	alpha    walk.Alpha // as prior has it
	far      bool       // rows of long documents do not fit shared memory
	hashed   bool       // rows of short documents are hash tables
	conveyor *device.Conveyor[warpRoom]

	in, out    *device.Queue
	beside     *device.Queue // for long documents, beside short ones
	begun      *device.Mark  // in the device's queue, before the short ones
	ended      *device.Mark  // in beside, after the long ones
	frozen     *warpModel
	wordPlaces *device.Buffer[uint32] // V × 2: places of Model in warp_stream.cu

	state   *device.Buffer[uint16]  // tokens of the largest load × stride: topic, then proposals
	byDoc   *device.Buffer[uint32]  // tokens of the largest load: positions in corpus order
	nk      *device.Buffer[uint32]  // K
	unread  *device.Buffer[uint32]  // K: takes totals that nobody asks for
	inv     *device.Buffer[float32] // K
	prior   *device.Buffer[uint32]  // 3K: as warpOn has it
	scratch *device.Buffer[uint32]  // rows of long documents that do not fit shared memory
	queue   *device.Buffer[uint32]  // one number: documents dealt out so far
}

// warpModel is n_wk of all words on the device.
type warpModel struct {
	rows   *device.Buffer[uint32] // words with sums × (K+1)
	guides *device.Buffer[uint16] // words with sums × warpStreamGuide
	lists  *device.Buffer[uint16] // topics of all other words' tokens
	hot    int                    // words with sums
}

const warpStreamGuide = layout.WarpStreamGuide + 1 // numbers of a guide

// Grow makes room for words with sums, and for topics in lists.
func (m *warpModel) Grow(a *device.Arena, k int, plan *warpPlan) {
	m.hot = plan.hot
	device.Grow(a, &m.rows, plan.hot*(k+1))
	device.Grow(a, &m.guides, plan.hot*warpStreamGuide)
	device.Grow(a, &m.lists, plan.listed)
}

// newWarpShared takes nothing on the device before open.
func newWarpShared(p *sampler.Problem, d *device.Device, limits warpLimits) *warpShared {
	return &warpShared{
		device: d, arena: d.NewArena(), p: p, m: cmp.Or(p.Tuning.MHSteps, warpProposals), limits: limits,
		far: 4*(p.K+1+warpCarries) > limits.shared/2, hashed: p.K > limits.dense,
	}
}

// open allocates all but what grows with words and tokens.
func (s *warpShared) open() {
	a, k := s.arena, s.p.K
	s.in, s.out, s.beside = a.Queue(), a.Queue(), a.Queue()
	s.begun, s.ended = a.Mark(), a.Mark()
	s.conveyor = device.NewConveyor[warpRoom](a, s.device.Main())
	s.frozen = new(warpModel)
	s.nk, s.unread = device.Upload(a, make([]uint32, k)), device.Upload(a, make([]uint32, k)) // added to before they are read
	s.inv, s.prior = device.Alloc[float32](a, k), device.Alloc[uint32](a, 3*k)
	s.scratch, s.queue = device.Alloc[uint32](a, s.scratches()*k), device.Alloc[uint32](a, 1)
}

// growTokens makes room for the tokens of the largest load.
func (s *warpShared) growTokens(most int) error {
	before := s.state
	device.Grow(s.arena, &s.state, most*s.stride())
	device.Grow(s.arena, &s.byDoc, most)
	if err := s.arena.Err(); err != nil || s.state == before {
		return err
	}
	return s.state.Zero() // the first kernels read proposals with topics, and let them be
}

// addSlot adds a slot without room.
func (s *warpShared) addSlot() {
	s.conveyor.AddSlot(new(warpRoom), device.Lane{In: s.in, Work: s.device.Main(), Out: s.out})
}

// scratches is the number of rows in scratch.
func (s *warpShared) scratches() int {
	if s.far {
		return 2 * s.device.Processors()
	}
	return 0
}

// stride is how many numbers a token has on the device.
func (s *warpShared) stride() int { return warpStride(s.m, s.p.K) }

// layout is M and stride as the kernels take them.
func (s *warpShared) layout() uint32 { return warpLayoutOn(s.m, s.p.K) }

// setAlpha brings α to the device.
func (s *warpShared) setAlpha(priors *sampler.Priors) error {
	if !s.alpha.Set(priors.Alpha) {
		return nil
	}
	return s.prior.Upload(s.alpha.Table())
}

// sample launches an iteration of a load.
func (s *warpShared) sample(load *warpLoad, room *warpRoom, iteration int, priors *sampler.Priors) error {
	return device.FirstError(s.unpack(load, room), s.docPhase(load, room, iteration-1, false), s.wordPhase(load, room, iteration, priors),
		s.docPhase(load, room, iteration, true))
}

// sumRows makes running sums of counts, and guides to them.
func (s *warpShared) sumRows(m *warpModel) error {
	return device.FirstError(
		s.launch("warp_words", "warp_sums", device.Shape{Blocks: m.hot, Threads: 256, Shared: 4 * warpCarries}, m.rows, uint32(s.p.K)),
		s.launch("warp_stream", "warp_stream_guide", device.Shape{Blocks: m.hot, Threads: 256}, m.rows, m.guides, uint32(s.p.K)),
	)
}

func (s *warpShared) launch(module, kernel string, shape device.Shape, args ...any) error {
	return launchSome(s.device, module, kernel, shape, args)
}

// unpack makes a load's tokens and lists of positions.
func (s *warpShared) unpack(load *warpLoad, room *warpRoom) error {
	return s.launch("warp_stream", "warp_stream_unpack", device.Spread(s.device, load.Tokens(), 256, 0, 16), room.topics, room.places,
		uint32(load.Tokens()), room.list(load, warpStarts), uint32(load.LastBlock), s.state, s.layout(), s.byDoc)
}

// wordPhase launches the word phase of a load.
func (s *warpShared) wordPhase(load *warpLoad, room *warpRoom, iteration int, priors *sampler.Priors) error {
	return s.launch("warp_stream", "warp_stream_words_"+s.steps(), device.Spread(s.device, load.Tokens(), 256, 0, 24), s.state, s.layout(),
		uint32(load.Tokens()), room.list(load, warpBegins), room.list(load, warpBefore), room.list(load, warpSegments), s.wordPlaces,
		s.frozen.rows, s.frozen.guides, s.frozen.lists, s.inv, room.list(load, warpStarts), uint32(load.LastBlock),
		math.Float32bits(float32(priors.Beta)), math.Float64bits(float64(s.p.K)*priors.Beta), warpScalars(s.p, iteration, sampler.ForWarpWord))
}

// steps is the part of kernels' names that says what the compiler knows of M.
func (s *warpShared) steps() string {
	switch s.m {
	case 1:
		return "16x1"
	case 2:
		return "16x2"
	}
	return "16"
}

// warpScalars are the last arguments of most kernels.
func warpScalars(p *sampler.Problem, iteration int, purpose rng.Purpose) []any {
	key := rng.NewKey(p.Seed)
	return []any{uint32(p.K), key[0], key[1], uint32(iteration), uint32(purpose)}
}

// docScalars are the last arguments of the kernels of the doc phase.
func docScalars(p *sampler.Problem, alpha *walk.Alpha, inv *device.Buffer[float32], prior, nk *device.Buffer[uint32], iteration int, walked bool) []any {
	return []any{
		inv, prior, math.Float32bits(alpha.Prior[0]), math.Float64bits(alpha.Sum),
		device.Flag(alpha.Symmetric), device.Flag(walked), nk, warpScalars(p, iteration, sampler.ForWarpDoc),
	}
}
