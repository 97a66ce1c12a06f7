package warp

import (
	"context"
	"errors"
	"math"
	"sync"

	"github.com/topoi-lda/topoi/internal/cuda/kernels/layout"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/state"
	"github.com/topoi-lda/topoi/internal/sampler/warp/grouping"
	"github.com/topoi-lda/topoi/internal/sampler/warp/walk"
)

// warpOn is warp with its state on a device; its kernels are kernels/warp*.cu. The embedded warp has the state of the
// last Fetch, but its tokens are set only when something other than topics is asked for. It implements sampler.Remote.
type warpOn[T walk.Topic] struct {
	warpIndex[T]
	warpVariant

	state     *device.Buffer[T]       // N × stride: topic, then proposals
	compact   *device.Buffer[T]       // N: topics to be copied from and to the host
	offsets   *device.Buffer[uint32]  // D+1
	firstOf   *device.Buffer[uint32]  // V+1: where each word begins in byWord
	nkOn      *device.Buffer[uint32]  // K
	invOn     *device.Buffer[float32] // K
	prior     *device.Buffer[uint32]  // 3K: float32(α_k), thresholds and other topics of walk.Alias
	scratch   *device.Buffer[uint32]  // rows that do not fit shared memory
	queue     *device.Buffer[uint32]  // one number: groups or documents taken so far
	hot       warpHot
	sorted    [2]sortedOn // groups of words that are not hot, unless they are in wordGroups
	short     warpList    // documents whose tokens fit shared memory, four numbers each
	long      warpList    // the other documents
	scratches int         // rows in scratch

	histograms *sampler.DeviceHistograms
	added      [2]*sampler.PseudoOn // pseudo-counts of rows of hot words, and of n_k
	midway     *device.Mark         // after the word phase of the last sweep
	fetched    fetched[T]
}

// fetched holds the topics of the last Fetch.
type fetched[T walk.Topic] struct {
	z    []T        // N, corpus order
	lent bool       // LendTopics has returned z, so the next Fetch must not overwrite it
	set  *sync.Once // sets the tokens of the embedded warp
}

func newWarpWithin(p *sampler.Problem, d *device.Device, limits warpLimits) (sampler.Remote, error) {
	if p.K <= 1<<16 {
		return makeWarpOn[uint16](p, d, limits)
	}
	return makeWarpOn[uint32](p, d, limits)
}

func makeWarpOn[T walk.Topic](p *sampler.Problem, d *device.Device, limits warpLimits) (sampler.Remote, error) {
	if err := state.TokensFit(p); err != nil {
		return nil, err
	}
	d.Prepare("warp_lists", "warp_lists_docs", "warp_lists_words")
	w := makeWarp[T](p, layoutOf(p), func(m int) int { return m + 1 })
	s := &warpOn[T]{
		warpIndex:   warpIndex[T]{warp: w, device: d, arena: d.NewArena(), limits: limits},
		warpVariant: newWarpVariant(p.K, w.m, limits),
	}
	s.planGroups()
	s.prepare()
	if err := device.FirstError(d.Reserve(residentBytes(p), s.keys()...), s.upload()); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// prepare starts compiling the kernels that take most of the time of sweeps.
func (s *warpOn[T]) prepare() {
	d := s.device
	d.Prepare("statistics", "statistics_table")
	if s.wordGroups.rows > 0 {
		d.Prepare("warp_word_groups", "warp_word_groups"+s.name(true))
	} else {
		d.Prepare("warp_words", "warp_sorted"+s.name(true))
	}
	if s.docGroups.rows > 0 {
		d.Prepare("warp_doc_groups", "warp_doc_groups"+s.name(true), "warp_doc_groups"+s.name(true)+"_plain")
	}
	d.Prepare("warp_docs", "warp_docs"+s.docName(), "warp_long"+s.rowName(), "warp_start"+s.name(false),
		"warp_totals"+s.rowName(), "warp_inverse")
	d.Prepare("warp_words", "warp_count"+s.wordName(), "warp_sums", "warp_walk"+s.wordName())
}

// upload allocates all memory and copies what never changes. Lists come first: making them takes memory that
// topics use later.
func (s *warpOn[T]) upload() error {
	a, k, n := s.arena, s.p.K, s.p.N()
	s.firstToken = s.firstTokens()
	hot, parts, words := s.dealWords(s.firstToken)
	short, long := s.dealDocs()
	s.scratches = 0
	if s.far {
		s.scratches = 4 * s.device.Processors()
	}
	s.starts = device.Upload(a, s.blockStarts())
	if err := s.makeLists(words); err != nil {
		return err
	}
	s.state = device.Alloc[T](a, n*s.stride())
	s.offsets = device.Upload(a, state.NarrowOffsets(s.p))
	s.firstOf = device.Upload(a, s.firstToken)
	s.nkOn = device.Alloc[uint32](a, k)
	s.invOn = device.Alloc[float32](a, k)
	s.prior = device.Alloc[uint32](a, 3*k)
	s.scratch = device.Alloc[uint32](a, s.scratches*(k+1))
	s.hot = s.placeHot(len(hot), parts)
	if s.wordGroups.rows == 0 {
		s.sorted = s.placeSorted(words)
	}
	s.short = newWarpList(a, layout.Numbers(short), layout.Size[layout.WarpDocsHead]())
	s.long = newWarpList(a, long, 1)
	s.queue = device.Alloc[uint32](a, 1)
	s.compact = device.Alloc[T](a, n)
	s.midway = a.Mark()
	s.histograms = sampler.NewDeviceHistograms(s.p, a)
	s.added = hotPseudo(a, s.p, hot)
	if err := a.Err(); err != nil {
		return err
	}
	return s.state.Zero() // kernels read proposals together with topics before any are drawn
}

// makeLists makes the lists that have an element per token.
func (s *warpOn[T]) makeLists(words []uint32) error {
	feed := s.device.NewFeed()
	s.byDoc = s.positions(feed, "byDoc", s.positionsByDoc)
	s.makeGroups(feed, words)
	s.byWord = s.positions(feed, "byWord", s.positionsByWord)
	return device.FirstError(s.arena.Err(), feed.Close())
}

func (s *warpOn[T]) Sweep(_ context.Context, iteration int, priors *sampler.Priors) error {
	return s.sweepOn(s.device, s.nkOn, s.invOn, s.prior, s.midway, s.added[1], iteration, priors, s)
}

// wordPhase launches the word phase.
func (s *warpOn[T]) wordPhase(iteration int, priors *sampler.Priors) error {
	k, layout, name := uint32(s.p.K), s.layout(), s.wordName()
	phase := []any{
		s.byWord, s.starts, uint32(len(s.blocks)), math.Float32bits(float32(priors.Beta)),
		math.Float64bits(float64(s.p.K) * priors.Beta), warpScalars(s.p, iteration, sampler.ForWarpWord),
	}
	err := s.hot.each(func(words int, parts warpList, rows *device.Buffer[uint32]) error {
		shape := device.Shape{Blocks: parts.n, Threads: 256, Shared: s.wordBytes()}
		return device.FirstError(s.countParts(parts, rows), s.added[0].Add(s.device, rows),
			s.launch("sums", sumsShape(words), "", rows, k),
			s.launch("walk", shape, name, s.state, layout, parts.items, rows, s.invOn, phase))
	})
	if err != nil {
		return err
	}
	if s.wordGroups.rows > 0 {
		return s.walkWordGroups(iteration, priors)
	}
	for _, g := range s.sorted {
		err := device.FirstError(s.queue.Zero(), s.launch("sorted", g.shape(s.device), s.name(true), s.state, layout,
			s.firstOf, g.groups.items, uint32(g.groups.n), uint32(g.room), uint32(g.words), s.queue, s.invOn, phase))
		if err != nil {
			return err
		}
	}
	return nil
}

// docPhase launches the doc phase. Unless walk is set, topics stay and only proposals are drawn.
func (s *warpOn[T]) docPhase(iteration int, walk bool) error {
	if err := errors.Join(s.nkOn.Zero(), s.queue.Zero()); err != nil {
		return err
	}
	rest := docScalars(s.p, &s.alpha, s.invOn, s.prior, s.nkOn, iteration, walk)
	row, column := 3*((s.p.K+3)&^3), 2
	if s.hashed {
		row, column = 2*warpShortMost, 4
	}
	shape := device.Shape{Threads: 128, Shared: 4*(row+2) + s.shortRoom*(column*(s.m+1)+2)}
	shape.Blocks = min(s.short.n, 16*s.device.Processors())
	err := s.walkDocGroups(walk, rest)
	if err != nil {
		return err
	}
	err = s.launch("docs", shape, s.docName(), s.state, s.layout(), s.byDoc, s.short.items, uint32(s.short.n),
		uint32(s.shortRoom), s.queue, rest)
	if err != nil {
		return err
	}
	return s.launch("long", longShape(s.device, s.p.K, s.long.n, s.far), s.rowName(), s.state, s.layout(), s.byDoc,
		s.offsets, s.long.items, uint32(s.long.n), s.starts, uint32(len(s.blocks)), s.scratch, rest)
}

// launch runs a kernel of warp_words.cu or warp_docs.cu.
func (s *warpOn[T]) launch(kernel string, shape device.Shape, variant string, args ...any) error {
	module := "warp_docs"
	switch kernel {
	case "sorted", "count", "sums", "walk":
		module = "warp_words"
	}
	return launchSome(s.device, module, "warp_"+kernel+variant, shape, args)
}

func (s *warpOn[T]) Close() error { return s.arena.Close() }

// countParts counts parts of words into rows of K+1 numbers, the first of which stays 0.
func (s *warpOn[T]) countParts(parts warpList, rows *device.Buffer[uint32]) error {
	if parts.n == 0 {
		return nil
	}
	shape := device.Shape{Blocks: parts.n, Threads: 256, Shared: s.wordBytes()}
	return device.FirstError(rows.Zero(), s.launch("count", shape, s.wordName(), s.state, s.layout(),
		s.byWord, parts.items, rows, uint32(s.p.K)))
}

// walkWordGroups launches the word phase of groups.
func (s *warpOn[T]) walkWordGroups(iteration int, priors *sampler.Priors) error {
	g := &s.wordGroups
	if err := s.queue.Zero(); err != nil {
		return err
	}
	shape := device.Shape{
		Threads: grouping.Threads, Shared: grouping.WordBytes(s.p.K, g.rows),
		Blocks: min(g.n, s.device.Processors()),
	}
	return launchSome(s.device, "warp_word_groups", "warp_word_groups"+s.name(true), shape, []any{
		s.state, g.list, g.memberOf, g.spots, g.groups, uint32(g.n), g.shares, uint32(g.rows), s.queue, s.invOn,
		math.Float32bits(float32(priors.Beta)), math.Float64bits(float64(s.p.K) * priors.Beta),
		warpScalars(s.p, iteration, sampler.ForWarpWord),
	})
}

// walkDocGroups launches the doc phase of groups.
func (s *warpOn[T]) walkDocGroups(walk bool, rest []any) error {
	g := &s.docGroups
	shape := device.Shape{
		Threads: grouping.Threads, Shared: grouping.DocBytes(s.p.K, g.rows),
		Blocks: min(g.n, s.device.Processors()),
	}
	plain := ""
	if walk && s.alpha.Symmetric {
		plain = "_plain"
	}
	return launchSome(s.device, "warp_doc_groups", "warp_doc_groups"+s.name(true)+plain, shape, []any{
		s.state, g.list, g.groups, uint32(g.n), g.shares, uint32(g.rows), s.queue, rest,
	})
}
