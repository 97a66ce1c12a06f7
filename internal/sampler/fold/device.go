package fold

import (
	"context"
	"fmt"

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

// foldOn is Fold on a device: kernels/fold.cu is the other half. Documents go there in loads, in turn to two slots:
// while the device draws one load, the host takes the results of the load before and makes the next one ready.
type foldOn struct {
	f       *Fold
	device  *device.Device
	arena   *device.Arena
	offsets []uint64
	words   []uint32
	k, pad  int
	fixed   bool // the kernel keeps rows in registers
	limits  foldLimits

	alpha, inv *device.Buffer[float32] // pad: zero beyond K
	conveyor   *device.Conveyor[foldRoom]
	rowOf      []uint32 // V: place of a word among the rows of the load being made
	loadOf     []uint32 // V: the load for which rowOf holds, counted from 1
	loads      uint32   // made so far
}

// foldSlots is the number of loads on the device at a time.
const foldSlots = 2

// foldRoom is room for a load.
type foldRoom struct {
	words, offsets, hashes *device.Buffer[uint32] // tokens: row of weights; documents + 1; documents
	topics                 *device.Buffer[uint16] // tokens
	weights                *device.Buffer[float32]
	sumTopics              *device.Buffer[uint16] // entries
	sumCounts              *device.Buffer[uint32] // entries
	places                 *device.Buffer[uint32] // documents × 2
	taken                  *device.Buffer[uint32] // two numbers: documents dealt out, entries used
	scratch                *device.Buffer[uint32]
}

// RunOn is Run on a device. What it emits is what Run emits.
func (f *Fold) RunOn(ctx context.Context, d *device.Device, offsets []uint64, words []uint32, emit func(doc int, sums []counts.Entry) error) (err error) {
	s := newFoldOn(f, d, offsets, words)
	if s.k > MostExpected {
		return fmt.Errorf("inference with more than %d topics %w: infer with Options.Device = cpu", MostExpected, sampler.ErrNotOnDevice)
	}
	defer func() { err = device.FirstError(err, s.arena.Close()) }()
	if err := s.prepare(); err != nil {
		return err
	}
	return s.conveyor.Drain(s.pass(ctx, emit))
}

func newFoldOn(f *Fold, d *device.Device, offsets []uint64, words []uint32) *foldOn {
	s := &foldOn{f: f, device: d, arena: d.NewArena(), offsets: offsets, words: words, k: len(f.Priors.Alpha)}
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
			Work:  func(room *foldRoom, q *device.Queue) error { return s.Draw(room, load, q) },
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
	s.rowOf, s.loadOf = make([]uint32, s.f.V), make([]uint32, s.f.V)
	alpha, inv := make([]float32, s.pad), make([]float32, s.pad)
	vbeta := float64(s.f.V) * s.f.Priors.Beta
	for i, n := range s.f.Totals {
		alpha[i], inv[i] = float32(s.f.Priors.Alpha[i]), float32(1/(float64(n)+vbeta))
	}
	s.alpha, s.inv = device.Upload(s.arena, alpha), device.Upload(s.arena, inv)
	s.conveyor = device.NewConveyor[foldRoom](s.arena, s.device.Main())
	for range foldSlots {
		s.conveyor.AddSlot(s.newRoom(), device.OneLane(s.arena.Queue()))
	}
	return s.arena.Err()
}

func (s *foldOn) newRoom() *foldRoom {
	a, l := s.arena, s.limits
	return &foldRoom{
		words: device.Alloc[uint32](a, l.tokens), offsets: device.Alloc[uint32](a, l.docs+1), hashes: device.Alloc[uint32](a, l.docs),
		topics: device.Alloc[uint16](a, l.tokens), weights: device.Alloc[float32](a, l.rows*s.pad),
		sumTopics: device.Alloc[uint16](a, l.entries), sumCounts: device.Alloc[uint32](a, l.entries),
		places: device.Alloc[uint32](a, 2*l.docs), taken: device.Alloc[uint32](a, 2), scratch: device.Alloc[uint32](a, l.scratch),
	}
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
		if load.last-first == s.limits.docs || len(load.local)+len(doc) > s.limits.tokens || entries > s.limits.entries {
			break
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
func (s *foldOn) entries(n int) int { return min(s.k, n*(s.f.Sweeps-s.f.Skip)) }

// board copies a load to a slot.
func (s *foldOn) board(room *foldRoom, load *foldLoad) error {
	docs := load.last - load.first
	offsets, hashes := make([]uint32, docs+1), make([]uint32, docs)
	base := s.offsets[load.first]
	_ = parallel.Do(context.Background(), s.f.Threads, docs, func(_, i int) {
		begin, end := s.offsets[load.first+i], s.offsets[load.first+i+1]
		offsets[i+1] = uint32(end - base)
		hashes[i] = uint32(foldCounter(s.words[begin:end]) >> 32)
	})
	err := device.FirstError(s.sendRows(room, load.rows), room.words.Upload(load.local), room.offsets.Upload(offsets),
		room.hashes.Upload(hashes), room.taken.Upload([]uint32{0, 0}))
	load.rows, load.local = nil, nil
	return err
}

// Draw starts the draws of a load.
func (s *foldOn) Draw(room *foldRoom, load *foldLoad, q *device.Queue) error {
	key, kernel := rng.NewKey(s.f.Seed), "fold_any"
	shape := device.Shape{Blocks: s.limits.blocks, Threads: batch.Warps * draw32.Lanes}
	if s.fixed {
		kernel, shape.Shared = fmt.Sprintf("fold_%d", s.pad), batch.Warps*3*4*s.pad
	}
	return q.Launch("fold", kernel, shape, room.words, room.topics, room.weights, s.alpha, s.inv, room.offsets, room.hashes,
		uint32(load.last-load.first), room.taken.View(0, 1), room.scratch, room.sumTopics, room.sumCounts, room.taken.View(1, 2), room.places,
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

// land emits what was drawn for a load.
func (s *foldOn) land(room *foldRoom, load *foldLoad, emit func(doc int, sums []counts.Entry) error) error {
	docs := load.last - load.first
	taken, places := make([]uint32, 2), make([]uint32, 2*docs)
	if err := device.FirstError(room.taken.Download(taken), room.places.Download(places)); err != nil {
		return err
	}
	topics, sums := make([]uint16, taken[1]), make([]uint32, taken[1])
	if err := device.FirstError(room.sumTopics.Download(topics), room.sumCounts.Download(sums)); err != nil {
		return err
	}
	var entries []counts.Entry
	for i := range docs {
		entries = entries[:0]
		at, n := places[2*i], places[2*i+1]
		for j, k := range topics[at : at+n] {
			entries = append(entries, counts.Entry{Topic: uint32(k), Count: sums[int(at)+j]})
		}
		if err := emit(load.first+i, entries); err != nil {
			return err
		}
	}
	return nil
}

// foldLimits say how much a slot of foldOn holds. They never change a result.
type foldLimits struct {
	docs, tokens int // of a load
	rows         int // distinct words of a load
	entries      int // topics of all documents of a load together
	blocks       int // of threads
	scratch      int // numbers of 32 bits
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
		blocks: 12 * s.device.Processors(),
	}
	l.entries = max(most, min(l.docs*most, foldEntries))
	least := foldLimits{docs: 1, tokens: longest, rows: min(s.f.V, longest), entries: most, blocks: 1}
	l.withScratch(s)
	least.withScratch(s)
	each := (room - 8*int64(s.pad)) / foldSlots
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
}

// halved is half of everything, but no less than least.
func (l foldLimits) halved(least foldLimits) foldLimits {
	return foldLimits{
		docs: max(least.docs, l.docs/2), tokens: max(least.tokens, l.tokens/2), rows: max(least.rows, l.rows/2),
		entries: max(least.entries, l.entries/2), blocks: max(least.blocks, l.blocks/2),
	}
}

// bytes is what a slot takes on the device.
func (l foldLimits) bytes(pad int) int64 {
	return 6*int64(l.tokens) + 16*int64(l.docs) + 12 + 4*int64(l.rows)*int64(pad) + 6*int64(l.entries) + 4*int64(l.scratch)
}

const (
	foldTokens  = 16 << 20 // most tokens of a load: enough to keep any device busy for long
	foldDocs    = 1 << 20  // most documents of a load
	foldEntries = 64 << 20 // most topics of a load's documents together, unless one has more
)
