package sampler

import (
	"errors"

	"github.com/topoi-lda/topoi/internal/device"
)

// warpLoad is a run of whole blocks as the device takes it; they have their numbers in the
// corpus.
type warpLoad struct {
	Span
	cuts        [warpLists + 1]int // where its lists begin
	short, long int                // documents whose tokens fit shared memory, or groups of them, and other documents
	shortRoom   int                // tokens of the longest short document
	on          *warpSlot          // where the load stays; nil if it passes through a slot

	// What a load that does not stay has in the host's memory.
	topics *device.Host[uint16] // tokens, grid order
	places *device.Host[uint16] // tokens, corpus order: place in the block
	lists  *device.Host[uint32]
}

// The lists of a load, as kernels read them. Positions are counted from the load's begin.
const (
	warpHeads    = iota // Head of warp_docs.h, four numbers for each short document, or Group of warp_groups.h
	warpShares          // Share of warp_groups.h, if there are groups
	warpBegins          // Words of warp_stream.cu
	warpBefore          // the same
	warpSegments        // the same
	warpStarts          // Blocks of warp.h, for all blocks up to the load's last
	warpLongEnds        // first and last+1 position of each long document
	warpLongs           // the place of each among those: 0, 2, 4, …
	warpLists
)

// warpSlot is room for a load on the device.
type warpSlot struct {
	topics, places        *device.Buffer[uint16]
	lists                 *device.Buffer[uint32]
	arrived, worked, left *device.Mark // after a load's copy, its work, and the copy back
}

func newWarpSlot(d *device.Device, tokens, numbers int) (*warpSlot, error) {
	t := new(warpSlot)
	var err [6]error
	t.topics, err[0] = device.New[uint16](d, tokens)
	t.places, err[1] = device.New[uint16](d, tokens)
	t.lists, err[2] = device.New[uint32](d, numbers)
	t.arrived, err[3] = d.NewMark()
	t.worked, err[4] = d.NewMark()
	t.left, err[5] = d.NewMark()
	if err := firstError(err[:]...); err != nil {
		return nil, errors.Join(err, t.close())
	}
	return t, nil
}

// list is one of the lists of the load in the slot.
func (t *warpSlot) list(load *warpLoad, i int) *device.Buffer[uint32] {
	return t.lists.View(load.cuts[i], load.cuts[i+1])
}

func (t *warpSlot) close() error {
	if t == nil {
		return nil
	}
	return errors.Join(t.topics.Free(), t.places.Free(), t.lists.Free(), t.arrived.Close(), t.worked.Close(), t.left.Close())
}

func (l *warpLoad) close() error {
	return errors.Join(l.on.close(), l.topics.Free(), l.places.Free(), l.lists.Free())
}

// uploadLoads makes the loads and slots of the plan.
func (s *warpStream) uploadLoads(plan *warpPlan) error {
	for range plan.slots {
		slot, err := newWarpSlot(s.device, plan.most, plan.numbers)
		if err != nil {
			return err
		}
		s.slots = append(s.slots, slot)
	}
	for i, span := range plan.loads {
		load := &warpLoad{Span: span}
		s.loads = append(s.loads, load)
		lists := s.makeLists(load, plan.segments)
		var err error
		if plan.stays[i] {
			err = s.keep(load, lists)
		} else {
			err = s.hold(load, lists)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// keep uploads what never changes of a load that stays.
func (s *warpStream) keep(load *warpLoad, lists []uint32) error {
	var err error
	if load.on, err = newWarpSlot(s.device, load.Tokens(), len(lists)); err != nil {
		return err
	}
	return firstError(load.on.places.Upload(s.places[load.Begin:load.End]), load.on.lists.Upload(lists))
}

// hold puts a load into memory of the host from which it can be copied quickly.
func (s *warpStream) hold(load *warpLoad, lists []uint32) error {
	var err [3]error
	load.topics, err[0] = device.NewHost[uint16](s.device, load.Tokens())
	load.places, err[1] = device.NewHost[uint16](s.device, load.Tokens())
	load.lists, err[2] = device.NewHost[uint32](s.device, len(lists))
	if err := firstError(err[:]...); err != nil {
		return err
	}
	copy(load.places.Slice(), s.places[load.Begin:load.End])
	copy(load.lists.Slice(), lists)
	return nil
}

// makeLists makes the load's lists one after the other and says where each begins.
func (s *warpStream) makeLists(load *warpLoad, segments []warpBlockSegments) []uint32 {
	heads, shares, longEnds, longs := s.docLists(load)
	begins, before, words := s.wordLists(load, segments)
	var list []uint32
	for i, part := range [warpLists][]uint32{
		warpHeads: heads, warpShares: shares, warpBegins: begins, warpBefore: before, warpSegments: words, warpStarts: s.startsOf(load),
		warpLongEnds: longEnds, warpLongs: longs,
	} {
		list = append(list, part...)
		load.cuts[i+1] = len(list)
	}
	return list
}

// wordLists says which word each of the load's tokens has.
func (s *warpStream) wordLists(load *warpLoad, segments []warpBlockSegments) (begins, before, words []uint32) {
	begins = make([]uint32, (load.Tokens()+31)/32)
	before = make([]uint32, len(begins))
	for b := load.FirstBlock; b < load.LastBlock; b++ {
		for _, segment := range segments[b-s.firstBlock] {
			at := s.block(b).Begin - load.Begin + int(segment.begin)
			begins[at/32] |= 1 << (at % 32)
			words = append(words, segment.word)
			if at/32+1 < len(before) {
				before[at/32+1]++
			}
		}
	}
	for i := 1; i < len(before); i++ {
		before[i] += before[i-1]
	}
	return begins, before, words
}

// startsOf is what Blocks of warp.h reads. Blocks before the load seem to be empty.
func (s *warpStream) startsOf(load *warpLoad) []uint32 {
	list := make([]uint32, load.FirstBlock)
	for b := load.FirstBlock; b < load.LastBlock; b++ {
		list = append(list, uint32(s.block(b).Begin-load.Begin))
	}
	list = append(list, uint32(load.Tokens()))
	block := load.FirstBlock
	for position := load.Begin; position < load.End; position += 1 << 16 {
		for s.block(block).End <= position {
			block++
		}
		list = append(list, uint32(block))
	}
	return list
}

// sendTopics copies the load's topics of the host's state to where sweeps find them.
func (s *warpStream) sendTopics(load *warpLoad) error {
	topics := make([]uint16, load.Tokens())
	if load.on == nil {
		topics = load.topics.Slice()
	}
	state := s.tokens.topics[load.Begin*s.tokens.stride:]
	inRuns(s.p.Threads, load.Tokens(), func(first, last int) {
		for i := first; i < last; i++ {
			topics[i] = state[i*s.tokens.stride]
		}
	})
	if load.on == nil {
		return nil
	}
	return load.on.topics.Upload(topics)
}

// fetchTopics copies the load's topics to the host's state.
func (s *warpStream) fetchTopics(load *warpLoad) error {
	var topics []uint16
	if load.on == nil {
		topics = load.topics.Slice()
	} else {
		topics = make([]uint16, load.Tokens())
		if err := load.on.topics.Download(topics); err != nil {
			return err
		}
	}
	state := s.tokens.topics[load.Begin*s.tokens.stride:]
	inRuns(s.p.Threads, load.Tokens(), func(first, last int) {
		for i := first; i < last; i++ {
			state[i*s.tokens.stride] = topics[i]
		}
	})
	return nil
}

// pass brings a load to the device, puts work on it into the device's queue, and takes
// its topics back: copies of one load run beside the work on others.
func (s *warpStream) pass(load *warpLoad, work func(t *warpSlot) error) error {
	if load.on != nil {
		return work(load.on)
	}
	t, main := s.slots[s.turn%len(s.slots)], s.device.Main()
	s.turn++
	err := firstError(s.in.After(t.left), t.topics.Send(s.in, load.topics), t.places.Send(s.in, load.places),
		t.lists.Send(s.in, load.lists), t.arrived.Set(s.in), main.After(t.arrived))
	if err != nil {
		return err
	}
	return firstError(work(t), t.worked.Set(main), s.out.After(t.worked), t.topics.Receive(s.out, load.topics), t.left.Set(s.out))
}
