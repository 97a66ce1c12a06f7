package fold

import (
	"context"
	"fmt"
	"math"
	"unsafe"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/batch"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
)

// foldOn is Fold on a device: kernels/fold.cu draws there, and kernels/expect.cu computes expected topics. Documents go
// there in loads, in turn to a few slots: while the device works on some loads, the host takes the results of the load
// before and makes the next one ready.
type foldOn struct {
	f       *Fold
	device  *device.Device
	arena   *device.Arena
	offsets []uint64
	words   []uint32
	k, pad  int
	fixed   bool // the kernel keeps rows in registers, or in shared memory
	limits  foldLimits
	model   *wordTopics // for expected topics; nil if topics are drawn

	shared   []any                   // buffers that all loads share
	exact    *device.Buffer[float64] // α in full precision, for expected topics
	conveyor *device.Conveyor[foldRoom]
	rowOf    []uint32 // V: place of a word among the rows of the load being made
	loadOf   []uint32 // V: the load for which rowOf holds, counted from 1
	loads    uint32   // made so far
}

// meanRows is the number of rows of all slots that a warp of expect.cu needs: held and rest.
const meanRows = 2

// foldSlots is the number of loads on the device at a time.
const foldSlots = 2

// foldRoom is room for a load.
type foldRoom struct {
	words, offsets *device.Buffer[uint32]  // tokens: word, or its row of weights; documents + 1
	hashes         *device.Buffer[uint32]  // for draws: documents
	topics         *device.Buffer[uint16]  // for draws: tokens
	weights        *device.Buffer[float32] // for draws: rows
	lists          *device.Buffer[uint32]  // for expected topics: tokens × 4
	pairs          *device.Buffer[uint32]  // entries × 2: topic and sum
	places         *device.Buffer[uint32]  // documents × 2
	taken          *device.Buffer[uint32]  // two numbers: documents dealt out, entries used
	scratch        *device.Buffer[uint32]
	landed         *device.Host[uint32] // pairs on the host
}

// RunOn is Run on a device. What it emits is what Run emits.
func (f *Fold) RunOn(ctx context.Context, d *device.Device, emit func(doc int, sums []counts.Entry) error,
) (err error) {
	if len(f.Totals) > MostExpected {
		return fmt.Errorf("inference with more than %d topics %w: infer with Options.Device = cpu", MostExpected,
			sampler.ErrNotOnDevice)
	}
	s := newFoldOn(f, d)
	if s.model != nil && s.model.topics == nil {
		return fmt.Errorf("inference with more than %d topics of words %w: infer with Options.Device = cpu",
			math.MaxUint32, sampler.ErrNotOnDevice)
	}
	defer func() { err = device.FirstError(err, s.arena.Close()) }()
	if err := s.prepare(); err != nil {
		return err
	}
	return s.conveyor.Drain(s.pass(ctx, emit))
}

func newFoldOn(f *Fold, d *device.Device) *foldOn {
	s := &foldOn{f: f, device: d, arena: d.NewArena(), offsets: f.Offsets, words: f.Words, k: len(f.Priors.Alpha)}
	if f.Sweeps == 0 {
		s.model, s.pad = f.Ahead()(), draw32.PaddedTopics(s.k)
		s.fixed = 2*batch.Warps*meanRows*4*s.pad <= d.SharedMemory() // for two blocks of threads
		return s
	}
	kernel, fixed := batch.KernelFor(draw32.PaddedTopics(s.k))
	s.pad, s.fixed = kernel.Topics, fixed
	return s
}

// pass lets all documents pass through the device.
func (s *foldOn) pass(ctx context.Context, emit func(doc int, sums []counts.Entry) error) error {
	for first := 0; first < len(s.offsets)-1; {
		if err := ctx.Err(); err != nil {
			return err
		}
		load := s.cut(first)
		err := s.conveyor.Pass(device.Load[foldRoom]{
			Board: func(room *foldRoom) error { return s.board(room, load) },
			Work:  func(room *foldRoom, q *device.Queue) error { return s.launch(room, load, q) },
			Land:  func(room *foldRoom) error { return s.land(room, load, emit) },
		})
		if err != nil {
			return err
		}
		first = load.last
	}
	return nil
}

// prepare makes the slots and copies what all loads share.
func (s *foldOn) prepare() error {
	var err error
	if s.limits, err = s.plan(); err != nil {
		return err
	}
	alpha, inv := make([]float32, s.pad), make([]float32, s.pad)
	s.f.fillPriors(alpha, inv)
	if s.model != nil {
		s.shared, s.exact = s.model.upload(s.arena, alpha), device.Upload(s.arena, s.f.Priors.Alpha)
	} else {
		s.rowOf, s.loadOf = make([]uint32, s.f.V), make([]uint32, s.f.V)
		s.shared = []any{device.Upload(s.arena, alpha), device.Upload(s.arena, inv)}
	}
	s.conveyor = device.NewConveyor[foldRoom](s.arena, s.device.Main())
	for range foldSlots {
		s.conveyor.AddSlot(s.newRoom(), device.OneLane(s.arena.Queue()))
	}
	return s.arena.Err()
}

func (s *foldOn) newRoom() *foldRoom {
	a, l := s.arena, s.limits
	room := &foldRoom{
		words: device.Alloc[uint32](a, l.tokens), offsets: device.Alloc[uint32](a, l.docs+1),
		pairs:  device.Alloc[uint32](a, 2*l.entries),
		places: device.Alloc[uint32](a, 2*l.docs), taken: device.Alloc[uint32](a, 2),
		scratch: device.Alloc[uint32](a, l.scratch),
	}
	if s.model != nil {
		room.lists = device.Alloc[uint32](a, 4*l.tokens)
		if s.f.Top > 0 && l.entries <= 4<<20 { // pinning later would wait for the kernels
			room.landed = device.Pin[uint32](a, 2*l.entries)
		}
		return room
	}
	room.hashes, room.topics = device.Alloc[uint32](a, l.docs), device.Alloc[uint16](a, l.tokens)
	room.weights = device.Alloc[float32](a, l.rows*s.pad)
	return room
}

// foldLoad is a run of documents with what the device needs to know of them.
type foldLoad struct {
	first, last int      // documents first … last-1
	rows        []uint32 // words of the documents, each once
	local       []uint32 // tokens: the word's place in rows; both are nil once they are on the device
}

// cut makes the next load: as many documents from first on as a slot has room for.
func (s *foldOn) cut(first int) *foldLoad {
	s.loads++
	load := &foldLoad{first: first, last: first}
	entries := 0
	for ; load.last < len(s.offsets)-1; load.last++ {
		doc := s.words[s.offsets[load.last]:s.offsets[load.last+1]]
		entries += s.entries(len(doc))
		tokens := int(s.offsets[load.last+1] - s.offsets[first])
		if load.last-first == s.limits.docs || tokens > s.limits.tokens || entries > s.limits.entries {
			break
		}
		if s.model != nil {
			continue
		}
		before := len(load.rows)
		load.add(s, doc)
		if len(load.rows) > s.limits.rows {
			load.rows, load.local = load.rows[:before], load.local[:len(load.local)-len(doc)]
			break
		}
	}
	return load
}

// add appends a document.
func (l *foldLoad) add(s *foldOn, doc []uint32) {
	for _, w := range doc {
		if s.loadOf[w] != s.loads {
			s.loadOf[w], s.rowOf[w] = s.loads, uint32(len(l.rows))
			l.rows = append(l.rows, w)
		}
		l.local = append(l.local, s.rowOf[w])
	}
}

// entries is how many topics a document of n tokens can have at most.
func (s *foldOn) entries(n int) int {
	if s.model != nil && s.f.Top > 0 {
		return min(s.f.Top, s.k, n*unit)
	}
	return min(s.k, n*s.f.Parts())
}

// board copies a load to a slot.
func (s *foldOn) board(room *foldRoom, load *foldLoad) error {
	docs := load.last - load.first
	offsets, hashes := make([]uint32, docs+1), make([]uint32, docs)
	base := s.offsets[load.first]
	for i := range docs {
		offsets[i+1] = uint32(s.offsets[load.first+i+1] - base)
	}
	err := device.FirstError(room.offsets.Upload(offsets), room.taken.Upload([]uint32{0, 0}))
	if s.model != nil {
		return device.FirstError(err, room.words.Upload(s.words[base:s.offsets[load.last]]))
	}
	_ = parallel.Do(context.Background(), s.f.Threads, docs, func(_, i int) {
		hashes[i] = uint32(foldCounter(s.words[s.offsets[load.first+i]:s.offsets[load.first+i+1]]) >> 32)
	})
	err = device.FirstError(err, s.sendRows(room, load.rows), room.words.Upload(load.local), room.hashes.Upload(hashes))
	load.rows, load.local = nil, nil
	return err
}

// launch starts the work on a load.
func (s *foldOn) launch(room *foldRoom, load *foldLoad, q *device.Queue) error {
	if s.model != nil {
		return s.expect(room, load, q)
	}
	key, kernel := rng.NewKey(s.f.Seed), "fold_any"
	shape := device.Shape{Blocks: s.limits.blocks, Threads: batch.Warps * draw32.Lanes}
	if s.fixed {
		kernel, shape.Shared = fmt.Sprintf("fold_%d", s.pad), batch.Warps*3*4*s.pad
	}
	return q.Launch("fold", kernel, shape, room.words, room.topics, room.weights, s.shared[0], s.shared[1],
		room.offsets, room.hashes,
		uint32(load.last-load.first), room.taken.View(0, 1), room.scratch, room.pairs, room.taken.View(1, 2),
		room.places,
		uint32(s.k), uint32(s.pad), key[0], key[1], uint32(s.f.Sweeps), uint32(s.f.Skip), uint32(sampler.ForFold))
}

// sendRows copies n_wk + β of the load's words.
func (s *foldOn) sendRows(room *foldRoom, words []uint32) error {
	each := max(1, foldBytes/(4*s.pad)) // rows at a time
	rows := make([]float32, min(each, len(words))*s.pad)
	scratch := make([][]counts.Entry, parallel.Workers(s.f.Threads, each))
	for first := 0; first < len(words); first += each {
		some := words[first:min(len(words), first+each)]
		_ = parallel.Do(context.Background(), s.f.Threads, len(some), func(thread, i int) {
			scratch[thread] = s.f.fillRow(rows[i*s.pad:(i+1)*s.pad], s.k, some[i], scratch[thread])
		})
		if err := room.weights.View(first*s.pad, (first+len(some))*s.pad).Upload(rows[:len(some)*s.pad]); err != nil {
			return err
		}
	}
	return nil
}

// land emits what was found for a load.
func (s *foldOn) land(room *foldRoom, load *foldLoad, emit func(doc int, sums []counts.Entry) error) error {
	docs := load.last - load.first
	taken, places := make([]uint32, 2), make([]uint32, 2*docs)
	if err := device.FirstError(room.taken.Download(taken), room.places.Download(places)); err != nil {
		return err
	}
	device.GrowHost(s.arena, &room.landed, max(2, min(2*s.limits.entries, 3*int(taken[1])))) // some more than needed: the next may be larger
	if err := s.arena.Err(); err != nil {
		return err
	}
	pairs := room.landed.Slice()
	if err := room.pairs.Download(pairs[:2*taken[1]]); err != nil {
		return err
	}
	entries := unsafe.Slice((*counts.Entry)(unsafe.Pointer(&pairs[0])), taken[1])
	for i := range docs {
		at, n := places[2*i], places[2*i+1]
		if err := emit(load.first+i, entries[at:at+n]); err != nil {
			return err
		}
	}
	return nil
}

// plan sizes the slots by the device's memory and by what the documents need.
func (s *foldOn) plan() (foldLimits, error) {
	room, err := s.device.Room()
	if err != nil {
		return foldLimits{}, err
	}
	longest, most := 1, 1 // tokens of a document, topics of a document
	for d := range len(s.offsets) - 1 {
		longest = max(longest, int(s.offsets[d+1]-s.offsets[d]))
	}
	most = max(most, s.entries(longest))
	tokens, docs := max(1, len(s.words)), max(1, len(s.offsets)-1)
	l := foldLimits{
		tokens: max(longest, min(tokens, foldTokens)), docs: min(docs, foldDocs), rows: min(s.f.V, tokens),
		blocks: min(12*s.device.Processors(), (docs+batch.Warps-1)/batch.Warps),
	}
	l.entries = max(most, min(l.docs*most, foldEntries))
	least := foldLimits{docs: 1, tokens: longest, rows: min(s.f.V, longest), entries: most, blocks: 1}
	if s.model != nil {
		l.rows, least.rows, l.tokens = 0, 0, max(longest, min(tokens, expectTokens))
	}
	l.withScratch(s)
	least.withScratch(s)
	each := (room - 8*int64(s.pad) - s.model.bytes()) / foldSlots
	if need := least.bytes(s.pad); need > each {
		return l, fmt.Errorf("the device's memory is too small for inference: %d documents of up to %d tokens with the rows of their words, %d topics each, need %s, and %s may be used: allow more with Options.DeviceMemory, or infer on the CPU (%w)",
			foldSlots, longest, s.k, human.Bytes(foldSlots*need), human.Bytes(room), cuda.ErrOutOfMemory)
	}
	for l.bytes(s.pad) > each { // down to least, where nothing shrinks any more
		l = l.halved(least)
		l.withScratch(s)
	}
	return l, nil
}

// withScratch computes how much scratch the blocks of threads need.
func (l *foldLimits) withScratch(s *foldOn) {
	l.scratch = 0
	if !s.fixed {
		l.scratch = l.blocks * batch.Warps * 4 * s.pad
	}
	if s.model != nil {
		l.scratch = l.blocks * batch.Warps * s.expectScratch()
	}
}

// expectScratch returns how many numbers of scratch a warp needs: γ of a document, and perhaps rows.
func (s *foldOn) expectScratch() int {
	if s.fixed {
		return s.model.most
	}
	return s.model.most + meanRows*s.pad
}

// expect starts to compute the expected topics of a load.
func (s *foldOn) expect(room *foldRoom, load *foldLoad, q *device.Queue) error {
	kernel, shape := "expect_scratch", device.Shape{Blocks: s.limits.blocks, Threads: batch.Warps * draw32.Lanes}
	if s.fixed {
		kernel, shape.Shared = "expect_shared", batch.Warps*meanRows*4*s.pad
	}
	gamma := s.limits.blocks * batch.Warps * s.model.most
	return q.Launch("expect", kernel, shape, device.Flatten([]any{
		s.shared, uint32(s.k), uint32(s.pad), room.words, room.offsets,
		uint32(load.last - load.first), room.taken.View(0, 1), room.lists, room.scratch.View(0, gamma),
		uint64(s.model.most),
		room.scratch.View(gamma, room.scratch.Len()), s.exact, math.Float64bits(s.f.AlphaSum), uint32(s.f.Top),
		room.pairs, room.taken.View(1, 2), room.places,
	})...)
}
