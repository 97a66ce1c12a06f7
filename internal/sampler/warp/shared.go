package warp

import (
	"cmp"
	"math"

	"github.com/topoi-lda/topoi/internal/cuda/kernels/layout"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/warp/grouping"
	"github.com/topoi-lda/topoi/internal/sampler/warp/walk"
)

// warpShared holds what all parts of a corpus share on a device, for K ≤ 65,536: the rows of words, and slots
// through which loads pass. Each load goes through its word phase and its doc phase before the next one. Only
// topics are copied both ways; doc-proposals, which follow from them, are drawn again. The kernels are
// kernels/warp_stream*.cu and warp_docs.cu.
type warpShared struct {
	device   *device.Device
	arena    *device.Arena
	p        *sampler.Problem
	m        int // proposals per token
	limits   warpLimits
	alpha    walk.Alpha // the α in prior
	far      bool       // rows of long documents do not fit shared memory
	hashed   bool       // rows of short documents are hash tables
	conveyor *device.Conveyor[warpRoom]

	in, out    *device.Queue
	beside     *device.Queue // for long documents, at the same time as short ones
	begun      *device.Mark  // set in the main queue before the short documents
	ended      *device.Mark  // set in beside after the long documents
	frozen     *warpModel
	wordPlaces *device.Buffer[uint32] // V × 2: places of Model in warp_stream.cu

	state   *device.Buffer[uint16]  // tokens of the largest load × stride: topic, then proposals
	byDoc   *device.Buffer[uint32]  // tokens of the largest load: positions in corpus order
	nk      *device.Buffer[uint32]  // K
	unread  *device.Buffer[uint32]  // K: totals that are not used
	inv     *device.Buffer[float32] // K
	prior   *device.Buffer[uint32]  // 3K: as in warpOn
	scratch *device.Buffer[uint32]  // rows of long documents that do not fit shared memory
	queue   *device.Buffer[uint32]  // one number: documents taken so far
}

// warpModel holds n_wk of all words on the device.
type warpModel struct {
	rows   *device.Buffer[uint32] // words with sums × (K+1)
	guides *device.Buffer[uint16] // words with sums × warpStreamGuide
	lists  *device.Buffer[uint16] // topics of all other words' tokens
	hot    int                    // words with sums
}

const warpStreamGuide = layout.WarpStreamGuide + 1 // numbers in a guide

// Grow makes room for words with sums, and for topics in lists.
func (m *warpModel) Grow(a *device.Arena, k int, plan *warpPlan) {
	m.hot = plan.hot
	device.Grow(a, &m.rows, plan.hot*(k+1))
	device.Grow(a, &m.guides, plan.hot*warpStreamGuide)
	device.Grow(a, &m.lists, plan.listed)
}

// newWarpShared allocates nothing on the device; open does.
func newWarpShared(p *sampler.Problem, d *device.Device, limits warpLimits) *warpShared {
	return &warpShared{
		device: d, arena: d.NewArena(), p: p, m: cmp.Or(p.Tuning.MHSteps, warpProposals), limits: limits,
		far: 4*(p.K+1+warpCarries) > limits.shared/2, hashed: p.K > limits.dense,
	}
}

// open allocates everything except what grows with words and tokens.
func (s *warpShared) open() {
	a, k := s.arena, s.p.K
	s.in, s.out, s.beside = a.Queue(), a.Queue(), a.Queue()
	s.begun, s.ended = a.Mark(), a.Mark()
	s.conveyor = device.NewConveyor[warpRoom](a, s.device.Main())
	s.frozen = new(warpModel)
	s.nk, s.unread = device.Upload(a, make([]uint32, k)), device.Upload(a, make([]uint32, k)) // zero, since kernels add to them
	s.inv, s.prior = device.Alloc[float32](a, k), device.Alloc[uint32](a, 3*k)
	s.scratch, s.queue = device.Alloc[uint32](a, s.scratches()*k), device.Alloc[uint32](a, 1)
}

// growTokens allocates memory for the tokens of the largest load.
func (s *warpShared) growTokens(most int) error {
	before := s.state
	device.Grow(s.arena, &s.state, most*s.stride())
	device.Grow(s.arena, &s.byDoc, most)
	if err := s.arena.Err(); err != nil || s.state == before {
		return err
	}
	return s.state.Zero() // kernels read proposals together with topics before any are drawn
}

// addSlot adds an empty slot.
func (s *warpShared) addSlot() {
	s.conveyor.AddSlot(new(warpRoom), device.Lane{In: s.in, Work: s.device.Main(), Out: s.out})
}

// scratches returns the number of rows in scratch.
func (s *warpShared) scratches() int {
	if s.far {
		return 2 * s.device.Processors()
	}
	return 0
}

// stride returns how many numbers a token has on the device.
func (s *warpShared) stride() int { return warpStride(s.m, s.p.K) }

// layout returns M and stride as the kernels take them.
func (s *warpShared) layout() uint32 { return warpLayoutOn(s.m, s.p.K) }

// setAlpha copies α to the device if it has changed.
func (s *warpShared) setAlpha(priors *sampler.Priors) error {
	if !s.alpha.Set(priors.Alpha) {
		return nil
	}
	return s.prior.Upload(s.alpha.Table())
}

// sample launches an iteration of a load.
func (s *warpShared) sample(load *warpLoad, room *warpRoom, iteration int, priors *sampler.Priors) error {
	return device.FirstError(s.unpack(load, room), s.docPhase(load, room, iteration-1, false),
		s.wordPhase(load, room, iteration, priors), s.docPhase(load, room, iteration, true))
}

// sumRows computes running sums of counts, and guides to them.
func (s *warpShared) sumRows(m *warpModel) error {
	return device.FirstError(
		s.launch("warp_words", "warp_sums", sumsShape(m.hot), m.rows,
			uint32(s.p.K)),
		s.launch("warp_stream", "warp_stream_guide", device.Shape{Blocks: m.hot, Threads: 256}, m.rows, m.guides,
			uint32(s.p.K)),
	)
}

func (s *warpShared) launch(module, kernel string, shape device.Shape, args ...any) error {
	return launchSome(s.device, module, kernel, shape, args)
}

// unpack fills the device's state and byDoc from a load's topics and places.
func (s *warpShared) unpack(load *warpLoad, room *warpRoom) error {
	return s.launch("warp_stream", "warp_stream_unpack", device.Spread(s.device, load.Tokens(), 256, 0, 16),
		room.topics,
		room.places, uint32(load.Tokens()), room.list(load, warpStarts), uint32(load.LastBlock), s.state, s.layout(),
		s.byDoc)
}

// wordPhase launches the word phase of a load.
func (s *warpShared) wordPhase(load *warpLoad, room *warpRoom, iteration int, priors *sampler.Priors) error {
	return s.launch("warp_stream", "warp_stream_words_"+s.steps(), device.Spread(s.device, load.Tokens(), 256, 0, 24),
		s.state, s.layout(),
		uint32(load.Tokens()), room.list(load, warpBegins), room.list(load, warpBefore), room.list(load, warpSegments),
		s.wordPlaces,
		s.frozen.rows, s.frozen.guides, s.frozen.lists, s.inv, room.list(load, warpStarts), uint32(load.LastBlock),
		math.Float32bits(float32(priors.Beta)), math.Float64bits(float64(s.p.K)*priors.Beta),
		warpScalars(s.p, iteration, sampler.ForWarpWord))
}

// steps returns the part of kernel names that says which M is compiled in.
func (s *warpShared) steps() string {
	switch s.m {
	case 1:
		return "16x1"
	case 2:
		return "16x2"
	}
	return "16"
}

// warpScalars returns the last arguments of most kernels.
func warpScalars(p *sampler.Problem, iteration int, purpose rng.Purpose) []any {
	key := rng.NewKey(p.Seed)
	return []any{uint32(p.K), key[0], key[1], uint32(iteration), uint32(purpose)}
}

// docScalars returns the last arguments of the kernels of the doc phase.
func docScalars(p *sampler.Problem, alpha *walk.Alpha, inv *device.Buffer[float32], prior, nk *device.Buffer[uint32],
	iteration int, walked bool,
) []any {
	return []any{
		inv, prior, math.Float32bits(alpha.Prior[0]), math.Float64bits(alpha.Sum),
		device.Flag(alpha.Symmetric), device.Flag(walked), nk, warpScalars(p, iteration, sampler.ForWarpDoc),
	}
}

// docRows returns how many documents a block of threads takes together, or 0 if it takes one at a time.
func (s *warpShared) docRows() int {
	if s.m > 2 || s.hashed {
		return 0
	}
	return grouping.Rows(s.p.K, s.limits.docRows, s.limits.shared, grouping.DocBytes)
}

// mostShort returns the most tokens of a short document.
func (s *warpShared) mostShort() int {
	if s.docRows() > 0 {
		return min(grouping.Tokens, s.limits.short)
	}
	return min(warpShortMost, s.limits.short/(s.m+1))
}

// docLists lists the load's documents.
func (s *warpShared) docLists(w *warp[uint16], load *warpLoad) (heads, shares, longEnds, longs []uint32) {
	most, rows := s.mostShort(), s.docRows()
	var groups grouping.List
	var docs []layout.WarpDocsHead
	for b := load.FirstBlock; b < load.LastBlock; b++ {
		block, fresh := w.block(b), true // fresh: the next document begins a group
		for d := block.FirstDoc; d < block.LastDoc; d++ {
			from, to := int(w.p.Offsets[d])-load.Begin, int(w.p.Offsets[d+1])-load.Begin
			switch n := to - from; {
			case n > most:
				longs = append(longs, uint32(len(longEnds)))
				longEnds = append(longEnds, uint32(from), uint32(to))
				fresh = true
			case n > 0 && rows > 0:
				if fresh || !groups.Fits(n, rows) {
					groups.Begin(uint32(b), uint32(block.Begin-load.Begin))
					groups.Last().From = uint32(from)
					fresh = false
				}
				groups.Add(uint32(n))
			case n > 0:
				docs = append(docs, layout.WarpDocsHead{
					From: uint32(from), N: uint32(n), Block: uint32(b),
					Begin: uint32(block.Begin - load.Begin),
				})
				load.shortRoom = max(load.shortRoom, n)
			}
		}
	}
	heads, load.short, load.long = layout.Numbers(docs), len(docs), len(longs)
	load.shortRoom = (load.shortRoom + 1) &^ 1 // aligns what follows a column of 16-bit numbers to 32 bits
	if rows > 0 {
		heads, load.short = layout.Numbers(groups.Groups), len(groups.Groups)
	}
	return heads, groups.Shares, longEnds, longs
}

// docPhase launches the doc phase of a load. Unless walk is set, topics stay and only proposals are drawn.
func (s *warpShared) docPhase(load *warpLoad, room *warpRoom, iteration int, walk bool) error {
	nk := s.nk
	if !walk {
		nk = s.unread
	}
	rest := docScalars(s.p, &s.alpha, s.inv, s.prior, nk, iteration, walk)
	err := device.FirstError(s.queue.Zero(), s.begun.Set(s.device.Main()), s.shortDocs(load, room, walk, rest))
	if err != nil || load.long == 0 {
		return err
	}
	far, long := "16", longShape(s.device, s.p.K, load.long, s.far)
	if s.far {
		far = "16_far"
	}
	return device.FirstError(
		s.beside.After(s.begun),
		s.beside.Launch("warp_docs", "warp_long_"+far, long, device.Flatten([]any{
			s.state, s.layout(), s.byDoc, room.list(load, warpLongEnds), room.list(load, warpLongs), uint32(load.long),
			room.list(load, warpStarts), uint32(load.LastBlock), s.scratch, rest,
		})...),
		s.ended.Set(s.beside), s.device.Main().After(s.ended),
	)
}

// shortDocs launches the doc phase of short documents; rest are the last arguments.
func (s *warpShared) shortDocs(load *warpLoad, room *warpRoom, walk bool, rest []any) error {
	if rows := s.docRows(); rows > 0 {
		name := s.steps()
		if walk && s.alpha.Symmetric {
			name += "_plain"
		}
		shape := device.Shape{
			Threads: grouping.Threads, Shared: grouping.DocBytes(s.p.K, rows),
			Blocks: min(load.short, s.device.Processors()),
		}
		return s.launch("warp_stream_groups", "warp_stream_groups_"+name, shape, s.state, room.places,
			room.list(load, warpHeads), uint32(load.short), room.list(load, warpShares), uint32(rows), s.queue, rest)
	}
	name, row, column := "16", 3*((s.p.K+3)&^3), 2
	if s.hashed {
		name, row, column = s.steps()+"_hashed", 2*warpShortMost, 4
	}
	shape := device.Shape{
		Threads: 128, Shared: 4*(row+2) + load.shortRoom*(column*(s.m+1)+2),
		Blocks: min(load.short, 16*s.device.Processors()),
	}
	return s.launch("warp_stream", "warp_stream_docs_"+name, shape, s.state, s.layout(), s.byDoc,
		room.list(load, warpHeads), uint32(load.short), uint32(load.shortRoom), s.queue, rest)
}

// makeLists returns the load's lists, one after the other, and sets load.cuts.
func (s *warpShared) makeLists(w *warp[uint16], load *warpLoad, segments []warpBlockSegments) []uint32 {
	heads, shares, longEnds, longs := s.docLists(w, load)
	begins, before, words := w.wordLists(load.Span, segments)
	var list []uint32
	for i, part := range [warpLists][]uint32{
		warpHeads: heads, warpShares: shares, warpBegins: begins, warpBefore: before, warpSegments: words,
		warpStarts:   w.startsOf(load.Span),
		warpLongEnds: longEnds, warpLongs: longs,
	} {
		list = append(list, part...)
		load.cuts[i+1] = len(list)
	}
	return list
}

// fitLoads cuts the corpus into loads that need at most the given bytes, if blocks allow it, and returns the
// bytes that they need.
func (s *warpShared) fitLoads(w *warp[uint16], plan *warpPlan, bytes int64) int64 {
	work := int64(2*s.stride() + 4) // bytes of a token in the work memory
	least := 1
	for _, b := range w.blocks {
		least = max(least, b.Tokens())
	}
	most := max(least, int(min(warpLoadMost, bytes/2/(work+warpSlots*6))))
	for {
		w.cutLoads(plan, most)
		in := work*int64(plan.most) + warpSlots*slotBytes(plan.most, plan.numbers)
		if in <= bytes || most == least {
			return in
		}
		most = max(least, most/2)
	}
}
