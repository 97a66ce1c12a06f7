package warp

import (
	"context"
	"errors"
	"math"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/warp/grouping"
	"github.com/topoi-lda/topoi/internal/sampler/warp/walk"
)

// warpPacked is warp on a device with a quarter of the memory of warpOn, for one or two proposals. A token and its
// proposals take 32 bits, or 48 with two proposals and more than 1024 topics. Lists that say where tokens are take two
// bytes a token for documents and about one and a half for words. If even the lists do not fit, they pass through the
// device in every sweep, while the device works on others; tokens stay. The embedded warp has the state of the last
// Fetch. The kernels are kernels/warp_packed*.cu. It implements sampler.Remote.
type warpPacked struct {
	warpPacker
	device *device.Device
	arena  *device.Arena
	kind   string // of kernels: bits of a topic and M
	near   string // suffix of the names of hot words' kernels if only rows fit shared memory

	words, docs []*warpPackedLoad // the lists of all groups
	conveyor    *device.Conveyor[device.Buffer[uint32]]

	state      *device.Buffer[uint32]  // N: topic and proposals
	topics     *device.Buffer[uint16]  // topics to be copied from and to the host
	starts     *device.Buffer[uint32]  // Blocks of warp.h
	nkOn       *device.Buffer[uint32]  // K
	invOn      *device.Buffer[float32] // K
	prior      *device.Buffer[uint32]  // 3K: as in warpOn
	queue      *device.Buffer[uint32]  // one number: groups taken so far
	hot        warpPackedHot
	long       warpPackedLong
	histograms *sampler.DeviceHistograms
	added      [2]*sampler.PseudoOn // pseudo-counts of rows of hot words, and of n_k
	midway     *device.Mark         // after the word phase of the last sweep
	copying    int                  // length of topics
}

// warpPackedHot holds the words that have more tokens than a group.
type warpPackedHot struct {
	warpPackedHotPlan
	on     *device.Buffer[uint32] // lists
	rows   *device.Buffer[uint32] // words × (K+1)
	partOn warpList               // parts
}

// warpPackedLong holds the documents that have more tokens than a group.
type warpPackedLong struct {
	byDoc *device.Buffer[uint32] // their tokens' grid positions in corpus order
	ends  *device.Buffer[uint32] // where each begins in byDoc, and the end of the last one
	list  warpList               // 0, 1, 2, …
}

// newWarpPacked returns the packed form of warp, or an error if the corpus or the device is not suitable.
func newWarpPacked(p *sampler.Problem, d *device.Device, limits warpLimits) (sampler.Remote, error) {
	room, err := d.Room()
	switch tokens := 4 * int64(warpPackedNumbers(p)); {
	case err != nil:
		return nil, err
	case !warpPacks(p, limits):
		return nil, tooLarge(p, 0, room)
	case tokens > room:
		return nil, tooLarge(p, tokens, room)
	}
	s := makeWarpPacked(p, d, limits)
	if !walk.SpotsFit(s.blocks) {
		return nil, tooLarge(p, 0, room)
	}
	plan, need := s.plan(room)
	if plan == nil {
		return nil, tooLarge(p, need, room)
	}
	if err := s.upload(plan); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// warpPacks reports whether there are packed kernels for the problem.
func warpPacks(p *sampler.Problem, limits warpLimits) bool {
	grouped := p.K > limits.dense || grouping.Rows(p.K, limits.docRows, limits.shared, grouping.DocBytes) > 0
	return groupsServe(p) && p.N() <= math.MaxUint32-1<<16 &&
		grouped && grouping.Rows(p.K, limits.wordRows, limits.shared, grouping.WordBytes) > 0
}

// makeWarpPacked returns the sampler without its memory on the device.
func makeWarpPacked(p *sampler.Problem, d *device.Device, limits warpLimits) *warpPacked {
	s := &warpPacked{
		warpPacker: newWarpPacker(makeWarp[uint16](p, newLeanLayout(p), func(m int) int { return m + 1 }), limits),
		device:     d, arena: d.NewArena(), kind: warpPackedKind(p),
	}
	if s.kind != "10x2" && s.nearest() > limits.shared/4 {
		s.near = "_near"
	}
	return s
}

// nearest returns the shared memory of a hot word's row with its tables.
func (s *warpPacked) nearest() int { return 4 * (2*(s.p.K+1) + warpGuide) }

// upload allocates all memory and copies what never changes.
func (s *warpPacked) upload(plan *warpPackedPlan) error {
	a, k := s.arena, s.p.K
	s.copying = min(s.p.N(), warpPackedCopy)
	s.hot.warpPackedHotPlan = plan.hot
	s.state = device.Alloc[uint32](a, warpPackedNumbers(s.p))
	s.topics = device.Alloc[uint16](a, s.copying)
	s.starts = device.Upload(a, s.blockStarts())
	s.nkOn = device.Alloc[uint32](a, k)
	s.invOn = device.Alloc[float32](a, k)
	s.prior = device.Alloc[uint32](a, 3*k)
	s.queue = device.Alloc[uint32](a, 1)
	s.hot.on = device.Upload(a, plan.hot.lists.numbers)
	s.hot.rows = device.Alloc[uint32](a, len(s.hot.words)*(k+1))
	s.hot.partOn = newWarpList(a, plan.hot.parts, 3)
	s.long.byDoc = device.Upload(a, plan.long.byDoc)
	s.long.ends = device.Upload(a, plan.long.ends)
	s.long.list = newWarpList(a, plan.long.list, 1)
	s.midway = a.Mark()
	s.histograms = sampler.NewDeviceHistograms(s.p, a)
	s.added = hotPseudo(a, s.p, s.hot.words)
	s.uploadLoads(plan)
	return a.Err()
}

func (s *warpPacked) Start(z []uint32, priors *sampler.Priors) error {
	if err := s.warp.Start(z, priors); err != nil {
		return err
	}
	s.proposed = 0
	topics := make([]uint16, s.copying)
	return device.FirstError(sendTotals(s.nkOn, s.nk), s.eachCopy(func(first, last int) error {
		s.gather(topics[:last-first], first)
		return device.FirstError(s.topics.Upload(topics[:last-first]), s.CopyTopics(first, last, true))
	}), s.device.Wait())
}

// eachCopy calls f with ranges of positions, each small enough to copy at once.
func (s *warpPacked) eachCopy(f func(first, last int) error) error {
	for first := 0; first < s.p.N(); first += s.copying {
		if err := f(first, min(first+s.copying, s.p.N())); err != nil {
			return err
		}
	}
	return nil
}

// CopyTopics copies the topics of some positions between state and topics.
func (s *warpPacked) CopyTopics(first, last int, toState bool) error {
	return s.launch("docs_"+s.kind, "topics", "", device.Spread(s.device, last-first, 256, 0, 16), s.state,
		uint32(first), uint32(last-first), s.topics, device.Flag(toState))
}

func (s *warpPacked) Sweep(_ context.Context, iteration int, priors *sampler.Priors) error {
	return s.sweepOn(s.device, s.nkOn, s.invOn, s.prior, s.midway, s.added[1], iteration, priors, s)
}

// wordPhase launches the word phase.
func (s *warpPacked) wordPhase(iteration int, priors *sampler.Priors) error {
	beta := []any{
		math.Float32bits(float32(priors.Beta)), math.Float64bits(float64(s.p.K) * priors.Beta),
		warpScalars(s.p, iteration, sampler.ForWarpWord),
	}
	if hot := len(s.hot.words); hot > 0 {
		err := device.FirstError(
			s.countHot(s.hot.partOn, s.hot.rows), s.added[0].Add(s.device, s.hot.rows),
			s.device.Launch("warp_words", "warp_sums", sumsShape(hot),
				s.hot.rows, uint32(s.p.K)),
			s.launch("hot", "walk", s.near, s.hotShape(s.hot.partOn), s.state, s.runs(&s.hot.lists, s.hot.on),
				s.hot.partOn.items, s.hot.rows, s.invOn, beta))
		if err != nil {
			return err
		}
	}
	return s.eachLoad(s.words, func(load *warpPackedLoad, on *device.Buffer[uint32]) error {
		return s.launch("words_"+s.kind, "words", "", s.groupShape(load, grouping.WordBytes(s.p.K, s.wordRows)),
			s.state, s.runs(load, on),
			load.list(on, packedGroups), uint32(load.groups), load.list(on, packedShares), uint32(s.wordRows), s.queue,
			s.invOn, beta)
	})
}

// hotShape returns the shape of a launch for parts of hot words.
func (s *warpPacked) hotShape(parts warpList) device.Shape {
	shape := device.Shape{Blocks: parts.n, Threads: 256, Shared: s.nearest()}
	if s.near != "" {
		shape.Shared = 4 * (s.p.K + 1)
	}
	return shape
}

// countHot counts parts of hot words into rows of K+1 numbers, the first of which stays 0.
func (s *warpPacked) countHot(parts warpList, rows *device.Buffer[uint32]) error {
	return device.FirstError(rows.Zero(), s.launch("hot", "count", s.near, s.hotShape(parts), s.state,
		s.runs(&s.hot.lists, s.hot.on), parts.items, rows, uint32(s.p.K)))
}

// docPhase launches the doc phase. Unless walk is set, topics stay and only proposals are drawn.
func (s *warpPacked) docPhase(iteration int, walk bool) error {
	rest := docScalars(s.p, &s.alpha, s.invOn, s.prior, s.nkOn, iteration, walk)
	if err := s.nkOn.Zero(); err != nil {
		return err
	}
	err := s.eachLoad(s.docs, func(load *warpPackedLoad, on *device.Buffer[uint32]) error {
		return s.shortDocs(load, on,
			walk, rest)
	})
	if err != nil {
		return err
	}
	return s.launch("docs_"+s.kind, "long", "", longShape(s.device, s.p.K, s.long.list.n, false), s.state, s.long.byDoc,
		s.long.ends, s.long.list.items, uint32(s.long.list.n), s.starts, uint32(len(s.blocks)), rest)
}

// shortDocs launches the doc phase of a load; rest are the last arguments.
func (s *warpPacked) shortDocs(load *warpPackedLoad, on *device.Buffer[uint32], walk bool, rest []any) error {
	places, heads, count := load.list(on, packedPlaces), load.list(on, packedGroups), uint32(load.groups)
	if s.hashed {
		shape := device.Shape{
			Threads: 128, Shared: 4*(2*warpShortMost+2) + load.room*(4*(s.m+1)+2),
			Blocks: min(load.groups, 16*s.device.Processors()),
		}
		return s.launch("docs_"+s.kind, "hashed", "", shape, s.state, places, heads, count, uint32(load.room), s.queue,
			rest)
	}
	plain := ""
	if walk && s.alpha.Symmetric {
		plain = "_plain"
	}
	return s.launch("docs_"+s.kind, "docs", plain, s.groupShape(load, grouping.DocBytes(s.p.K, s.docRows)), s.state,
		places, heads, count, load.list(on, packedShares), uint32(s.docRows), s.queue, rest)
}

// runs returns the arguments from which kernels make Runs of warp_packed.h.
func (s *warpPacked) runs(load *warpPackedLoad, on *device.Buffer[uint32]) []any {
	return []any{
		load.list(on, packedBegins), load.list(on, packedBefore), load.list(on, packedSegments),
		load.list(on, packedMembers), s.starts, device.Flag(s.wide),
	}
}

// groupShape returns the shape of a launch for a load's groups.
func (s *warpPacked) groupShape(load *warpPackedLoad, shared int) device.Shape {
	return device.Shape{Threads: grouping.Threads, Shared: shared, Blocks: min(load.groups, s.device.Processors())}
}

// launch launches a kernel of a module of warp_packed_*.cu; variant is the end of its name.
func (s *warpPacked) launch(module, kernel, variant string, shape device.Shape, args ...any) error {
	return launchSome(s.device, "warp_packed_"+module, "warp_packed_"+kernel+"_"+s.kind+variant, shape, args)
}

func (s *warpPacked) Fetch() error {
	topics := make([]uint16, s.copying)
	err := s.eachCopy(func(first, last int) error {
		if err := device.FirstError(s.CopyTopics(first, last, false),
			s.topics.Download(topics[:last-first])); err != nil {
			return err
		}
		s.scatter(topics[:last-first], first)
		return nil
	})
	return device.FirstError(err, fetchTotals(s.nkOn, s.nk))
}

func (s *warpPacked) Close() error { return s.arena.Close() }

// uploadLoads copies every load to the device, or to pinned memory of the host if it does not stay.
func (s *warpPacked) uploadLoads(plan *warpPackedPlan) {
	s.words, s.docs = plan.words, plan.docs
	s.conveyor = device.NewConveyor[device.Buffer[uint32]](s.arena, s.device.Main())
	pass := 0
	for i, load := range plan.loads() {
		if plan.stays[i] {
			load.on = device.Upload(s.arena, load.numbers)
		} else if load.held = device.Pin[uint32](s.arena, len(load.numbers)); load.held != nil {
			copy(load.held.Slice(), load.numbers)
			pass++
		}
		load.numbers = nil
	}
	in := s.arena.Queue()
	for range min(warpSlots, pass) {
		s.conveyor.AddSlot(device.Alloc[uint32](s.arena, plan.largest),
			device.Lane{In: in, Work: s.device.Main(), Out: s.device.Main()})
	}
}

// eachLoad queues work on loads, one after the other. Loads that do not stay are copied during the work on
// those before them, as far as there are slots.
func (s *warpPacked) eachLoad(loads []*warpPackedLoad, work func(load *warpPackedLoad,
	on *device.Buffer[uint32]) error,
) error {
	for _, load := range loads {
		err := s.conveyor.Pass(device.Load[device.Buffer[uint32]]{
			Home: load.on,
			Send: func(room *device.Buffer[uint32], q *device.Queue) error {
				return room.View(0, len(load.held.Slice())).Send(q, load.held)
			},
			Work: func(room *device.Buffer[uint32], _ *device.Queue) error {
				return device.FirstError(s.queue.Zero(), work(load, room))
			},
		})
		if err != nil {
			return err
		}
	}
	return nil
}
