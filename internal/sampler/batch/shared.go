package batch

import (
	"math"
	"slices"
	"strconv"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/cuda/kernels/layout"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
	"github.com/topoi-lda/topoi/internal/sampler/state"
)

// batchShared is the state of batch on a device, for a whole corpus or for all parts of one:
// the counts, and slots through which tokens pass. kernels/batch.cu is the other half.
type batchShared struct {
	device   *device.Device
	arena    *device.Arena
	p        *sampler.Problem
	pad      int           // kpad of batch.cu: whole groups of 32, as many as the drawing kernel has
	drawing  layout.Kernel // the kernel that draws
	fixed    bool          // whether it keeps rows in registers
	conveyor *device.Conveyor[batchRoom]

	nwk        *device.Buffer[uint32]  // V × pad
	weights    *device.Buffer[float32] // V × pad: n_wk + β
	nk         *device.Buffer[uint32]  // K
	alpha, inv *device.Buffer[float32] // pad: zero beyond K; α of each group of documents, if there are any
	groups     *device.Buffer[uint32]  // D: of documents; nil without groups
	frozen     *device.Mark            // after weights and inv are made for a mini-batch
	current    []float64               // α as alpha has it
	grouped    []sampler.Group         // the same with groups
	lambda     [][]float64             // the same with groups whose α follow from λ
	rows, of   *device.Buffer[float64] // Problem.Rows and λ
}

// newBatchShared takes nothing on the device before open.
func newBatchShared(p *sampler.Problem, d *device.Device) *batchShared {
	s := &batchShared{device: d, arena: d.NewArena(), p: p}
	s.drawing, s.fixed = KernelFor(draw32.PaddedTopics(p.K))
	s.pad = s.drawing.Topics
	return s
}

// open allocates all but what grows with words and tokens.
func (s *batchShared) open() {
	a := s.arena
	s.nk = device.Alloc[uint32](a, s.p.K)
	s.alpha, s.inv = device.Upload(a, make([]float32, s.alphaRows()*s.pad)), device.Upload(a, make([]float32, s.pad))
	if s.p.Groups != nil {
		s.groups = device.Upload(a, s.p.Groups)
	}
	if s.p.Rows != nil {
		s.rows, s.of = device.Upload(a, slices.Concat(s.p.Rows...)), device.Alloc[float64](a, s.p.K*len(s.p.Rows[0]))
	}
	s.frozen = a.Mark()
	s.conveyor = device.NewConveyor[batchRoom](a, a.Queue())
}

// growModel makes room for the rows of v words.
func (s *batchShared) growModel(v int) {
	device.Grow(s.arena, &s.nwk, v*s.pad)
	device.Grow(s.arena, &s.weights, v*s.pad)
}

// batchLane is the memory of a queue that draws one load after the other.
type batchLane struct {
	scratch *device.Buffer[uint32] // rows of documents, where registers have no room
	blocks  int                    // of threads that draw
}

func (s *batchShared) newLane(blocks int) batchLane {
	return batchLane{device.Alloc[uint32](s.arena, int(s.scratch(blocks)/4)), blocks}
}

// scratch is how many bytes so many blocks of threads need for rows that registers have no room for.
func (s *batchShared) scratch(blocks int) int64 {
	if s.fixed {
		return 0
	}
	return int64(blocks) * Warps * 3 * 4 * int64(s.pad)
}

// batchRoom is room for a load's tokens on the device. They are in drawing order: document
// after document, increasing grid position inside each.
type batchRoom struct {
	batchLane
	words, positions *device.Buffer[uint32] // tokens: word, and grid position from the load's Begin
	topics, before   *device.Buffer[uint16] // tokens: topics now and before the mini-batch
	offsets          *device.Buffer[uint32] // documents + 1: first tokens, from the load's Begin
	taken            *device.Buffer[uint32] // one number: documents dealt out so far
	stage            batchStage             // of parts
}

// batchStage is where a load that does not stay is sent from and returns to.
type batchStage struct {
	words, positions, offsets *device.Host[uint32] // as in batchRoom
	topics                    *device.Host[uint16]
}

// grow makes room for a load as large as the given one.
func (r *batchRoom) grow(a *device.Arena, load sampler.Span) {
	tokens := wholeFours(load.Tokens())
	device.Grow(a, &r.words, tokens)
	device.Grow(a, &r.positions, tokens)
	device.Grow(a, &r.topics, tokens)
	device.Grow(a, &r.before, tokens)
	device.Grow(a, &r.offsets, load.Docs()+1)
	device.Grow(a, &r.taken, 1)
}

// wholeFours rounds a number of tokens up: threads read four at once.
func wholeFours(tokens int) int { return (tokens + 3) &^ 3 }

func (s *batchStage) grow(a *device.Arena, load sampler.Span) {
	device.GrowHost(a, &s.words, load.Tokens())
	device.GrowHost(a, &s.positions, load.Tokens())
	device.GrowHost(a, &s.offsets, load.Docs()+1)
	device.GrowHost(a, &s.topics, load.Tokens())
}

// Send copies tokens begin … end-1 of a load.
func (r *batchRoom) Send(q *device.Queue, from *batchStage, share loadShare) error {
	begin, end, docs := share.begin, share.end, share.docs+1
	return device.FirstError(
		r.words.View(begin, end).Send(q, from.words.View(begin, end)),
		r.positions.View(begin, end).Send(q, from.positions.View(begin, end)),
		r.topics.View(begin, end).Send(q, from.topics.View(begin, end)),
		r.offsets.View(0, docs).Send(q, from.offsets.View(0, docs)),
	)
}

// giveBack copies the topics of these tokens back.
func (r *batchRoom) giveBack(q *device.Queue, to *batchStage, share loadShare) error {
	return r.topics.View(share.begin, share.end).Receive(q, to.topics.View(share.begin, share.end))
}

// loadShare is those tokens of a load that are drawn.
type loadShare struct {
	begin, end        int // tokens, from the load's Begin
	firstDoc, lastDoc int // documents, from the load's FirstDoc
	docs              int // documents of the whole load
}

// wholeLoad is all of a load.
func wholeLoad(load sampler.Span) loadShare {
	return loadShare{0, load.Tokens(), 0, load.Docs(), load.Docs()}
}

// shareOf returns the part of blocks first … last-1 in a load; ok is false if there is none.
func shareOf(blocks []grid.Block, load sampler.Span, first, last int) (share loadShare, ok bool) {
	first, last = max(first, load.FirstBlock), min(last, load.LastBlock)
	if first >= last || blocks[first].Begin == blocks[last-1].End {
		return share, false
	}
	b, e := blocks[first], blocks[last-1]
	return loadShare{
		b.Begin - load.Begin, e.End - load.Begin, b.FirstDoc - load.FirstDoc, e.LastDoc - load.FirstDoc,
		load.Docs(),
	}, true
}

// alphaRows is the number of rows of α.
func (s *batchShared) alphaRows() int { return max(1, s.p.NumGroups()) }

// groupsOf returns the groups of some documents of the corpus, or nil without groups.
func (s *batchShared) groupsOf(first, docs int) *device.Buffer[uint32] {
	if s.groups == nil {
		return nil
	}
	return s.groups.View(first, first+docs)
}

// withGroups appends the groups of a load's documents to the arguments of a kernel that needs them.
func (s *batchShared) withGroups(load sampler.Span, args ...any) []any {
	if s.groups == nil {
		return args
	}
	return append(args, s.groupsOf(load.FirstDoc, load.Docs()))
}

// setAlpha brings α to the device.
func (s *batchShared) setAlpha(priors *sampler.Priors) error {
	if s.p.Groups == nil {
		if slices.Equal(priors.Alpha, s.current) {
			return nil
		}
		s.current = slices.Clone(priors.Alpha)
		return s.alpha.Upload(state.Narrow(priors.Alpha))
	}
	if s.p.Rows != nil {
		if s.lambda != nil && &s.lambda[0] == &priors.Lambda[0] {
			return nil
		}
		s.lambda = priors.Lambda
		groups, k, f := len(s.p.Rows), s.p.K, len(s.p.Rows[0])
		return device.FirstError(s.of.Upload(slices.Concat(s.lambda...)),
			s.device.Launch("regression", "regression_alpha", device.Spread(s.device, groups*k, 128, 0, 16), s.rows,
				s.of,
				uint32(groups), uint32(k), uint32(f), uint32(s.pad), s.alpha))
	}
	if s.grouped != nil && &s.grouped[0] == &priors.Groups[0] {
		return nil
	}
	s.grouped = priors.Groups
	table := make([]float32, s.alpha.Len())
	for g := range len(table) / s.pad {
		counts.Copy(table[g*s.pad:], s.grouped[g].Alpha)
	}
	return s.alpha.Upload(table)
}

// freeze makes what a mini-batch works with, for v words, once all earlier ones have been
// counted. words is V of the corpus.
func (s *batchShared) freeze(v, words int, beta float64) error {
	cells := v * s.pad
	return device.FirstError(
		s.conveyor.Before(s.device.Main()),
		s.device.Launch("batch", "batch_prepare", device.Spread(s.device, cells, 256, 0, 16), s.nk, s.inv, s.nwk,
			s.weights,
			uint32(s.p.K), uint64(cells), math.Float64bits(float64(words)*beta), math.Float32bits(float32(beta))),
		s.frozen.Set(s.device.Main()),
	)
}

// Draw draws tokens of a load of the corpus that has arrived. They are counted as well if the kernel does that.
func (s *batchShared) Draw(room *batchRoom, q *device.Queue, share loadShare, load sampler.Span, iteration int) error {
	module, kernel := s.drawKernel()
	k, key := uint32(s.p.K), rng.NewKey(s.p.Seed)
	shape := device.Shape{Blocks: room.blocks, Threads: Warps * draw32.Lanes}
	if s.fixed {
		shape.Shared = Warps * 2 * 4 * s.pad
	}
	if s.drawing.Counts {
		shape.Shared += 4 * s.pad
	}
	return device.FirstError(
		q.After(s.frozen),
		room.taken.ZeroIn(q),
		q.Launch(module, kernel, shape, s.withGroups(load, room.words, room.positions, room.topics, room.before,
			s.weights, s.alpha, s.inv, room.offsets,
			uint32(share.firstDoc), uint32(share.lastDoc), room.taken, room.scratch, s.nwk, s.nk, k, uint32(s.pad),
			uint32(load.Begin), key[0], key[1], uint32(iteration), uint32(sampler.ForDraw))...),
	)
}

// wait blocks until all work is done.
func (s *batchShared) wait() error { return device.FirstError(s.device.Wait(), s.conveyor.Wait()) }

// KernelFor returns the smallest drawing kernel of batch.cu for kpad topics that keeps
// all of a word's row in registers, or the one for any number.
func KernelFor(kpad int) (kernel layout.Kernel, fixed bool) {
	for _, kernel = range layout.BatchDraws {
		if kpad <= kernel.Topics {
			return kernel, true
		}
	}
	kernel.Topics = kpad
	return kernel, false
}

// drawKernel names the module and the kernel that draws.
func (s *batchShared) drawKernel() (module, kernel string) {
	topics := "any"
	if s.fixed {
		topics = strconv.Itoa(s.drawing.Topics)
	}
	if s.p.Groups != nil {
		return "batch_groups", "batch_groups_draw_" + topics
	}
	return "batch", "batch_draw_" + topics
}

const Warps = layout.BatchDrawThreads / draw32.Lanes // in a block of threads that draws

// totalsShared returns how much shared memory changes of n_k take, and whether they lie there.
func totalsShared(k int) (bytes int, shared uint32) {
	if bytes := 4 * k; bytes <= 32<<10 {
		return bytes, 1
	}
	return 0, 0
}
