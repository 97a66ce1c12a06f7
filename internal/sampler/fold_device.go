package sampler

import (
	"context"
	"errors"
	"fmt"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/rng"
)

// foldOn is Fold on a device: kernels/fold.cu is the other half. Documents go there in
// loads, in turn to two slots: while the device draws one load, the host takes the
// results of the load before and makes the next one ready.
type foldOn struct {
	f       *Fold
	device  *device.Device
	offsets []uint64
	words   []uint32
	k, pad  int
	limits  foldLimits

	alpha, inv *device.Buffer[float32] // pad: zero beyond K
	slots      []*foldSlot
	rowOf      []uint32 // V: place of a word among the rows of the load being made
	loadOf     []uint32 // V: the load for which rowOf holds, counted from 1
	loads      uint32   // made so far
}

// foldSlots is the number of loads on the device at a time.
const foldSlots = 2

// foldSlot is room for a load.
type foldSlot struct {
	first, last int // documents first … last-1; none when nothing is under way

	words, offsets, hashes *device.Buffer[uint32] // tokens: row of weights; documents + 1; documents
	topics                 *device.Buffer[uint16] // tokens
	weights                *device.Buffer[float32]
	sumTopics              *device.Buffer[uint16] // entries
	sumCounts              *device.Buffer[uint32] // entries
	places                 *device.Buffer[uint32] // documents × 2
	taken                  *device.Buffer[uint32] // two numbers: documents dealt out, entries used
	scratch                *device.Buffer[uint32]
	queue                  *device.Queue
}

// RunOn is Run on a device. What it emits is what Run emits.
func (f *Fold) RunOn(ctx context.Context, d *device.Device, offsets []uint64, words []uint32, emit func(doc int, sums []counts.Entry) error) (err error) {
	s := &foldOn{f: f, device: d, offsets: offsets, words: words, k: len(f.Priors.Alpha)}
	if s.k > foldDense {
		return fmt.Errorf("inference with more than %d topics %w: infer with --device cpu", foldDense, ErrNotOnDevice)
	}
	s.pad = batchKernelFor(paddedTopics(s.k)).topics
	defer func() { err = firstError(err, s.close()) }()
	if err := s.prepare(); err != nil {
		return err
	}
	for first := 0; first < len(offsets)-1; {
		if err := ctx.Err(); err != nil {
			return err
		}
		slot := s.slots[int(s.loads)%foldSlots]
		if err := s.collect(slot, emit); err != nil {
			return err
		}
		load := s.cut(first)
		if err := s.send(slot, load); err != nil {
			return err
		}
		first = load.last
	}
	for i := range foldSlots {
		if err := s.collect(s.slots[(int(s.loads)+i)%foldSlots], emit); err != nil {
			return err
		}
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
	var faults [2]error
	s.alpha, faults[0] = device.From(s.device, alpha)
	s.inv, faults[1] = device.From(s.device, inv)
	if err := firstError(faults[:]...); err != nil {
		return err
	}
	for range foldSlots {
		slot, err := s.newSlot()
		if err != nil {
			return err
		}
		s.slots = append(s.slots, slot)
	}
	return nil
}

func (s *foldOn) newSlot() (*foldSlot, error) {
	l, slot := s.limits, new(foldSlot)
	var err [11]error
	slot.words, err[0] = device.New[uint32](s.device, l.tokens)
	slot.offsets, err[1] = device.New[uint32](s.device, l.docs+1)
	slot.hashes, err[2] = device.New[uint32](s.device, l.docs)
	slot.topics, err[3] = device.New[uint16](s.device, l.tokens)
	slot.weights, err[4] = device.New[float32](s.device, l.rows*s.pad)
	slot.sumTopics, err[5] = device.New[uint16](s.device, l.entries)
	slot.sumCounts, err[6] = device.New[uint32](s.device, l.entries)
	slot.places, err[7] = device.New[uint32](s.device, 2*l.docs)
	slot.taken, err[8] = device.New[uint32](s.device, 2)
	slot.scratch, err[9] = device.New[uint32](s.device, l.scratch)
	slot.queue, err[10] = s.device.NewQueue()
	if err := firstError(err[:]...); err != nil {
		return nil, errors.Join(err, slot.close())
	}
	return slot, nil
}

func (s *foldSlot) close() error {
	return errors.Join(s.words.Free(), s.offsets.Free(), s.hashes.Free(), s.topics.Free(), s.weights.Free(), s.sumTopics.Free(),
		s.sumCounts.Free(), s.places.Free(), s.taken.Free(), s.scratch.Free(), s.queue.Close())
}

func (s *foldOn) close() error {
	err := firstError(s.alpha.Free(), s.inv.Free())
	for _, slot := range s.slots {
		err = firstError(err, slot.close())
	}
	return err
}

// foldLoad is a run of documents with what the device needs to know of them.
type foldLoad struct {
	first, last int      // documents first … last-1
	rows        []uint32 // words of the documents, each once
	local       []uint32 // tokens: the word's place in rows
}

// cut makes the next load: as many documents from first on as a slot has room for.
func (s *foldOn) cut(first int) foldLoad {
	s.loads++
	load := foldLoad{first: first, last: first}
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

// send copies a load to a slot and starts the draws.
func (s *foldOn) send(slot *foldSlot, load foldLoad) error {
	slot.first, slot.last = load.first, load.last
	docs := load.last - load.first
	offsets, hashes := make([]uint32, docs+1), make([]uint32, docs)
	base := s.offsets[load.first]
	_ = parallel(context.Background(), s.f.Threads, docs, func(_, i int) {
		begin, end := s.offsets[load.first+i], s.offsets[load.first+i+1]
		offsets[i+1] = uint32(end - base)
		hashes[i] = uint32(foldCounter(s.words[begin:end]) >> 32)
	})
	key, kernel := rng.NewKey(s.f.Seed), "fold_any"
	shape := device.Shape{Blocks: s.limits.blocks, Threads: batchWarps * lanes}
	if s.limits.scratch == 0 {
		kernel, shape.Shared = fmt.Sprintf("fold_%d", s.pad), batchWarps*3*4*s.pad
	}
	return firstError(
		s.sendRows(slot, load.rows),
		slot.words.Upload(load.local), slot.offsets.Upload(offsets), slot.hashes.Upload(hashes), slot.taken.Upload([]uint32{0, 0}),
		slot.queue.Launch("fold", kernel, shape, slot.words, slot.topics, slot.weights, s.alpha, s.inv, slot.offsets, slot.hashes,
			uint32(docs), slot.taken.View(0, 1), slot.scratch, slot.sumTopics, slot.sumCounts, slot.taken.View(1, 2), slot.places,
			uint32(s.k), uint32(s.pad), key[0], key[1], uint32(s.f.Sweeps), uint32(s.f.Skip), uint32(forFold)),
	)
}

// sendRows copies n_wk + β of the load's words.
func (s *foldOn) sendRows(slot *foldSlot, words []uint32) error {
	each := max(1, foldBytes/(4*s.pad)) // rows at a time
	rows := make([]float32, min(each, len(words))*s.pad)
	scratch := make([][]counts.Entry, workers(s.f.Threads, each))
	for first := 0; first < len(words); first += each {
		some := words[first:min(len(words), first+each)]
		_ = parallel(context.Background(), s.f.Threads, len(some), func(thread, i int) {
			scratch[thread] = s.f.fillRow(rows[i*s.pad:(i+1)*s.pad], s.k, some[i], scratch[thread])
		})
		if err := slot.weights.View(first*s.pad, (first+len(some))*s.pad).Upload(rows[:len(some)*s.pad]); err != nil {
			return err
		}
	}
	return nil
}

// collect waits for what a slot is at and emits it.
func (s *foldOn) collect(slot *foldSlot, emit func(doc int, sums []counts.Entry) error) error {
	docs := slot.last - slot.first
	if docs == 0 {
		return nil
	}
	taken, places := make([]uint32, 2), make([]uint32, 2*docs)
	if err := firstError(slot.queue.Wait(), slot.taken.Download(taken), slot.places.Download(places)); err != nil {
		return err
	}
	topics, sums := make([]uint16, taken[1]), make([]uint32, taken[1])
	if err := firstError(slot.sumTopics.Download(topics), slot.sumCounts.Download(sums)); err != nil {
		return err
	}
	var entries []counts.Entry
	for i := range docs {
		entries = entries[:0]
		at, n := places[2*i], places[2*i+1]
		for j, k := range topics[at : at+n] {
			entries = append(entries, counts.Entry{Topic: uint32(k), Count: sums[int(at)+j]})
		}
		if err := emit(slot.first+i, entries); err != nil {
			return err
		}
	}
	slot.first, slot.last = 0, 0
	return nil
}
