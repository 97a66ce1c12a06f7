package batch

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/cuda/kernels/layout"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
	"github.com/topoi-lda/topoi/internal/sampler/state"
)

// listsOn is lists on a device, with all tokens there: kernels/lists.cu and lists_round.cu are the other half. The embedded lists is
// the state at the last Fetch.
type listsOn struct {
	*lists
	device *device.Device
	arena  *device.Arena
	shape  listShape
	pad    int      // topics of a row: whole groups of 32
	order  []uint32 // tokens in drawing order: grid position

	words, positions *device.Buffer[uint32]  // N, drawing order
	topics, before   *device.Buffer[uint16]  // N: topics now and before the mini-batch
	offsets          *device.Buffer[uint32]  // documents + 1
	turns            *device.Buffer[uint32]  // documents in the order in which to draw them
	turned           int                     // for so many mini-batches
	nwk, nk          *device.Buffer[uint32]  // V × pad, K
	alpha            *device.Buffer[float32] // K
	current          []float64               // α as alpha has it
	taken            *device.Buffer[uint32]  // one number: documents dealt out so far
	scratch          *device.Buffer[uint32]  // lists that shared memory has no room for
	rows             *device.Buffer[uint32]  // K for each of some blocks of threads that count documents; none if shared memory has room
	histograms       *sampler.DeviceHistograms

	// What the mini-batch works with: Frozen of lists.h.
	cells             *device.Buffer[uint16]
	bits              *device.Buffer[uint32]
	sums, totals      *device.Buffer[float32]
	inv, smooth, base *device.Buffer[float32]
	whole             *device.Buffer[uint64]
	restScale         *device.Buffer[float32]
}

// listShape is how documents are drawn. It never changes a result.
type listShape struct {
	near   int // topics of a document for which there is room in shared memory
	far    int // topics of any document, and one more
	blocks int // of threads
}

// listNear is near where nothing else is asked for: documents of some hundred tokens have 60 to 150 topics.
const listNear = layout.ListsNear

const listWarps = layout.ListsThreads / draw32.Lanes // in a block of threads that draws

// newListsOn implements Info.NewOn.
func newListsOn(p *sampler.Problem, d *device.Device) (sampler.Remote, error) {
	return newListsWithin(p, d, listNear)
}

// newListsWithin makes lists with room for so many topics of a document in shared memory.
func newListsWithin(p *sampler.Problem, d *device.Device, near int) (sampler.Remote, error) {
	most, err := mostOf(p)
	if err != nil {
		return nil, err
	}
	if err := state.TokensFit(p); err != nil {
		return nil, err
	}
	d.Prepare("lists", "lists_round", "batch", "statistics")
	s := &listsOn{lists: layLists(p, most), device: d, arena: d.NewArena(), pad: draw32.PaddedTopics(p.K)}
	if s.shape, err = s.fit(near); err == nil {
		err = s.upload()
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// fit makes a shape with as many blocks of threads as there is room for on the device.
func (s *listsOn) fit(near int) (shape listShape, err error) {
	longest := 0
	for d := range s.p.D() {
		longest = max(longest, int(s.p.Offsets[d+1]-s.p.Offsets[d]))
	}
	whole := func(n int) int { return (n + 31) &^ 31 } // so that all lanes of a warp may read there
	shape.far = whole(min(s.p.K, longest) + 1)
	shape.near = min(whole(near), shape.far)
	room, err := s.device.Room()
	if err != nil {
		return shape, err
	}
	shape.blocks = 12 * s.device.Processors()
	if left := room - 4*int64(s.numbers()); left > 0 {
		shape.blocks = int(min(int64(shape.blocks), max(1, left/2/(4*int64(shape.scratch(1))))))
	}
	return shape, state.DenseFits(s.device, "lists", s.p, s.numbers()+shape.scratch(shape.blocks))
}

// scratch is how many numbers of 32 bits the lists of so many blocks of threads need beyond shared memory.
func (h listShape) scratch(blocks int) int {
	return blocks * listWarps * (h.far * layout.ListsFarBytes / 4)
}

// numbers is how many numbers of 32 bits everything else takes on the device.
func (s *listsOn) numbers() int {
	p, groups := s.p, s.pad/draw32.Lanes
	return 3*p.N() + 2*p.D() + p.V*(s.pad+s.pad/2+groups+draw32.Lanes+1) + 8*s.pad + s.countingBlocks()*p.K + int(sampler.HistogramBytes(p)/4)
}

// countingBlocks is how many blocks of threads count documents in memory of their own.
func (s *listsOn) countingBlocks() int {
	if s.p.K <= 1024 {
		return 0
	}
	return 2 * s.device.Processors()
}

// upload allocates everything and copies what never changes.
func (s *listsOn) upload() error {
	p, a, groups := s.p, s.arena, s.pad/draw32.Lanes
	s.order = make([]uint32, p.N())
	s.drawingOrder(sampler.Span{LastDoc: p.D(), End: p.N(), LastBlock: len(s.grid.Blocks)}, s.order)
	s.words, s.positions = device.Upload(a, p.Words), device.Upload(a, s.order)
	s.topics, s.before = device.Alloc[uint16](a, p.N()), device.Alloc[uint16](a, p.N())
	s.offsets, s.turns = device.Upload(a, state.NarrowOffsets(p)), device.Alloc[uint32](a, p.D())
	s.nwk, s.nk = device.Alloc[uint32](a, p.V*s.pad), device.Alloc[uint32](a, p.K)
	s.alpha, s.taken = device.Alloc[float32](a, p.K), device.Alloc[uint32](a, 1)
	s.scratch, s.rows = device.Alloc[uint32](a, s.shape.scratch(s.shape.blocks)), device.Alloc[uint32](a, s.countingBlocks()*p.K)
	s.histograms = sampler.NewDeviceHistograms(p, a)
	s.cells = device.Alloc[uint16](a, p.V*s.pad)
	s.bits, s.sums = device.Alloc[uint32](a, p.V*maskWords), device.Alloc[float32](a, p.V*groups)
	s.totals, s.base = device.Alloc[float32](a, p.V), device.Alloc[float32](a, groups)
	s.inv, s.smooth = device.Upload(a, make([]float32, s.pad)), device.Upload(a, make([]float32, s.pad))
	s.whole, s.restScale = device.Alloc[uint64](a, p.K), device.Alloc[float32](a, 1)
	if err := a.Err(); err != nil {
		return err
	}
	return s.scratch.Zero() // lanes beyond the end of a list read there
}

// Start implements Sampler.
func (s *listsOn) Start(z []uint32, _ *sampler.Priors) error {
	s.setTopics(z, s.firstTopic)
	topics := make([]uint16, s.p.N())
	s.gather(topics, s.order, 0)
	shared, flag := totalsShared(s.p.K)
	return device.FirstError(
		s.nwk.Zero(), s.nk.Zero(), s.topics.Upload(topics),
		s.device.Launch("batch", "batch_count", device.Spread(s.device, s.p.N(), 256, shared, 8), s.words, s.topics, uint32(s.p.N()),
			s.nwk, s.nk, uint32(s.p.K), uint32(s.pad), flag),
		s.device.Wait(),
	)
}

// Sweep implements Sampler.
func (s *listsOn) Sweep(_ context.Context, iteration int, priors *sampler.Priors) error {
	if !slices.Equal(priors.Alpha, s.current) {
		s.current = slices.Clone(priors.Alpha)
		if err := s.alpha.Upload(state.Narrow(priors.Alpha)); err != nil {
			return err
		}
	}
	runs := s.BatchesIn(sampler.BatchesIn(s.p.Tuning, iteration))
	if s.turned != len(runs) {
		s.turned = len(runs)
		if err := s.turns.Upload(s.longestFirst(runs)); err != nil {
			return err
		}
	}
	err := s.device.Together(func() error {
		for _, r := range runs {
			if err := s.miniBatch(s.grid.Blocks[r[0]:r[1]], iteration, priors.Beta); err != nil {
				return err
			}
		}
		return nil
	})
	return device.FirstError(err, s.device.Wait())
}

// longestFirst lists the documents of runs of blocks, in each run by falling length.
func (s *listsOn) longestFirst(runs [][2]int) []uint32 {
	turns := make([]uint32, s.p.D())
	for _, r := range runs {
		first, last := s.grid.Blocks[r[0]].FirstDoc, s.grid.Blocks[r[1]-1].LastDoc
		longestFirst(turns[first:last], s.p.Offsets[first:last+1], uint32(first))
	}
	return turns
}

// miniBatch puts the draws of a run of blocks and the update of counts into the queue.
func (s *listsOn) miniBatch(blocks []grid.Block, iteration int, beta float64) error {
	first, last := blocks[0], blocks[len(blocks)-1]
	if first.Begin == last.End {
		return nil
	}
	p, k, pad, key, narrow := s.p, uint32(s.p.K), uint32(s.pad), rng.NewKey(s.p.Seed), math.Float32bits(float32(beta))
	shared, flag := totalsShared(p.K)
	draw := device.Shape{
		Blocks: s.shape.blocks, Threads: layout.ListsThreads, Shared: listWarps * s.shape.near * layout.ListsNearBytes,
	}
	return device.FirstError(
		s.device.Launch("lists_round", "lists_round_begin", device.Shape{Blocks: 1, Threads: 1024, Shared: 4096}, s.nk, s.alpha, k, pad,
			math.Float64bits(float64(p.CorpusWords())*beta), math.Float64bits(beta), s.inv, s.smooth, s.whole, s.base, s.restScale),
		s.device.Launch("lists_round", "lists_round_words", device.Spread(s.device, p.V*draw32.Lanes, 256, 0, 8), s.nwk, s.smooth, s.base, uint32(p.V), pad, narrow,
			s.cells, s.bits, s.sums, s.totals),
		s.taken.Zero(),
		s.device.Launch("lists", "lists_draw", draw, s.words, s.positions, s.topics, s.before,
			s.nwk, s.cells, s.bits, s.sums, s.totals, s.inv, s.smooth, s.whole, s.restScale, narrow, k, pad, s.offsets, s.turns,
			uint32(first.FirstDoc), uint32(last.LastDoc), s.taken, s.scratch, uint32(s.shape.near), uint32(s.shape.far),
			key[0], key[1], uint32(iteration), uint32(sampler.ForDraw)),
		s.device.Launch("batch", "batch_update", device.Spread(s.device, last.End-first.Begin, 256, shared, 8), s.words, s.topics, s.before,
			uint32(first.Begin), uint32(last.End), s.nwk, s.nk, k, pad, flag),
	)
}

// totalsShared says how much shared memory changes of n_k take, and whether they lie there.
func totalsShared(k int) (bytes int, shared uint32) {
	if bytes := 4 * k; bytes <= 32<<10 {
		return bytes, 1
	}
	return 0, 0
}

// Statistics is for sampler.Capabilities.
func (s *listsOn) Statistics() (*counts.Histograms, error) {
	nk, d := make([]uint32, s.p.K), s.device
	docs := sampler.StatisticsRows{
		Kernel: "16", Tokens: s.topics, Stride: 1, Positions: s.offsets, Direct: true, First: s.offsets, Members: s.p.D(), Limit: s.p.N(),
	}
	if n := s.countingBlocks(); n > 0 {
		docs.Scratch, docs.Scratches = s.rows, n
	}
	err := device.FirstError(
		s.histograms.Zero(),
		s.histograms.Words.CountTable(d.Main(), d.Processors(), s.nwk, s.p.V, s.pad, 0, s.p.K),
		s.histograms.Docs.Count(d.Main(), d.Processors(), s.p.K, docs),
		d.Wait(), s.nk.Download(nk),
	)
	if err != nil {
		return nil, err
	}
	return s.histograms.Read(nk)
}

// Excerpt is for sampler.Capabilities.
func (s *listsOn) Excerpt(words []uint32) (*sampler.Excerpt, error) {
	return sampler.ExcerptOf(s.p, s.nk, words, s.p.K, func(words []uint32) ([]uint32, error) {
		return sampler.PickRows(s.device, s.histograms, s.nwk, s.pad, words, s.p.K)
	})
}

// Capabilities implements Sampler.
func (s *listsOn) Capabilities() sampler.Capabilities {
	return sampler.Capabilities{NarrowTopics: s.NarrowTopics, Statistics: s.Statistics, Excerpt: s.Excerpt}
}

// Fetch implements Remote.
func (s *listsOn) Fetch() error {
	topics := make([]uint16, s.p.N())
	if err := s.topics.Download(topics); err != nil {
		return err
	}
	s.scatter(topics, s.order, 0)
	s.Recount()
	return nil
}

// Close implements Remote.
func (s *listsOn) Close() error { return s.arena.Close() }
