package sampler

import (
	"context"
	"errors"
	"slices"

	"github.com/topoi-lda/topoi/internal/device"
)

// batchLoad is a run of whole blocks of the corpus as the device takes it. Its tokens
// are in drawing order: document after document, increasing grid position inside each.
// A document's tokens are sorted by word in the corpus and in the grid, so the token in
// a place of that order has the word in the same place of the corpus.
type batchLoad struct {
	Span
	order []uint32     // tokens: grid position, from Begin
	on    *batchTokens // where the tokens stay; nil if they pass through a slot

	// What a load that does not stay has in the host's memory; order is positions then.
	words, positions, offsets *device.Host[uint32]
	topics                    *device.Host[uint16]
}

func (l *batchLoad) close() error {
	return errors.Join(l.words.Free(), l.positions.Free(), l.offsets.Free(), l.topics.Free())
}

// batchLane is a queue with what drawing in it needs, one load after the other.
type batchLane struct {
	queue   *device.Queue
	scratch *device.Buffer[uint32] // rows of documents, where registers have no room
	blocks  int                    // of threads that draw
}

func (s *batchOn) newLane(blocks int) (*batchLane, error) {
	lane := &batchLane{blocks: blocks}
	s.lanes = append(s.lanes, lane)
	var err [2]error
	lane.queue, err[0] = s.device.NewQueue()
	lane.scratch, err[1] = device.New[uint32](s.device, int(s.scratch(blocks)/4))
	return lane, firstError(err[:]...)
}

func (l *batchLane) close() error { return errors.Join(l.queue.Close(), l.scratch.Free()) }

// batchTokens is room for a load's tokens on the device.
type batchTokens struct {
	*batchLane
	words, positions *device.Buffer[uint32] // tokens: word, and grid position from the load's Begin
	topics, before   *device.Buffer[uint16] // tokens: topics now and before the mini-batch
	offsets          *device.Buffer[uint32] // documents + 1: first tokens, from the load's Begin
	taken            *device.Buffer[uint32] // one number: documents dealt out so far
	done             *device.Mark           // after everything put into the queue so far
}

// newTokens makes room for a load as large as the given one.
func (s *batchOn) newTokens(load Span, lane *batchLane) (*batchTokens, error) {
	tokens := load.Tokens()
	t := &batchTokens{batchLane: lane}
	var err [7]error
	t.words, err[0] = device.New[uint32](s.device, tokens)
	t.positions, err[1] = device.New[uint32](s.device, tokens)
	t.topics, err[2] = device.New[uint16](s.device, tokens)
	t.before, err[3] = device.New[uint16](s.device, tokens)
	t.offsets, err[4] = device.New[uint32](s.device, load.Docs()+1)
	t.taken, err[5] = device.New[uint32](s.device, 1)
	t.done, err[6] = s.device.NewMark()
	if err := firstError(err[:]...); err != nil {
		return nil, errors.Join(err, t.close())
	}
	return t, nil
}

func (t *batchTokens) close() error {
	return errors.Join(t.words.Free(), t.positions.Free(), t.topics.Free(), t.before.Free(), t.offsets.Free(), t.taken.Free(), t.done.Close())
}

// allTokens lists all room for tokens.
func (s *batchOn) allTokens() []*batchTokens {
	list := slices.Clone(s.slots)
	for _, load := range s.loads {
		if load.on != nil {
			list = append(list, load.on)
		}
	}
	return list
}

// uploadLoads makes the loads and slots of the plan.
func (s *batchOn) uploadLoads(plan *batchPlan) error {
	for range plan.slots {
		lane, err := s.newLane(plan.slotBlocks)
		if err != nil {
			return err
		}
		slot, err := s.newTokens(plan.most, lane)
		if err != nil {
			return err
		}
		s.slots = append(s.slots, slot)
	}
	lane, err := s.newLane(plan.blocks) // loads that stay are drawn one after the other
	if err != nil {
		return err
	}
	for i, span := range plan.loads {
		load := &batchLoad{Span: span}
		s.loads = append(s.loads, load)
		if plan.stays[i] {
			err = s.residentLoad(load, lane)
		} else {
			err = s.hostLoad(load)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// residentLoad uploads what never changes of a load that stays.
func (s *batchOn) residentLoad(load *batchLoad, lane *batchLane) error {
	offsets := s.offsetsOf(load)
	var err error
	if load.on, err = s.newTokens(load.Span, lane); err != nil {
		return err
	}
	load.order = make([]uint32, load.Tokens())
	s.fillOrder(load)
	return errors.Join(load.on.words.Upload(s.p.Words[load.Begin:load.End]), load.on.positions.Upload(load.order),
		load.on.offsets.Upload(offsets))
}

// hostLoad puts a load into memory of the host from which it can be copied quickly.
func (s *batchOn) hostLoad(load *batchLoad) error {
	offsets := s.offsetsOf(load)
	var err [4]error
	load.words, err[0] = device.NewHost[uint32](s.device, load.Tokens())
	load.positions, err[1] = device.NewHost[uint32](s.device, load.Tokens())
	load.offsets, err[2] = device.NewHost[uint32](s.device, len(offsets))
	load.topics, err[3] = device.NewHost[uint16](s.device, load.Tokens())
	if err := firstError(err[:]...); err != nil {
		return err
	}
	load.order = load.positions.Slice()
	s.fillOrder(load)
	copy(load.words.Slice(), s.p.Words[load.Begin:load.End])
	copy(load.offsets.Slice(), offsets)
	return nil
}

// offsetsOf lists where the load's documents begin, counted from its first token.
func (s *batchOn) offsetsOf(load *batchLoad) []uint32 {
	var list []uint32
	for _, o := range s.p.Offsets[load.FirstDoc : load.LastDoc+1] {
		list = append(list, uint32(int(o)-load.Begin))
	}
	return list
}

// fillOrder computes the load's order.
func (s *batchOn) fillOrder(load *batchLoad) {
	_ = parallel(context.Background(), s.p.Threads, load.LastBlock-load.FirstBlock, func(_, i int) {
		b := s.grid.Blocks[load.FirstBlock+i]
		next := slices.Clone(s.p.Offsets[b.FirstDoc:b.LastDoc])
		for j, d := range s.grid.Docs[b.Begin:b.End] {
			load.order[int(next[d])-load.Begin] = uint32(b.Begin + j - load.Begin)
			next[d]++
		}
	})
}

// sendTopics copies the load's topics of the host's state to where sweeps find them.
func (s *batchOn) sendTopics(load *batchLoad) error {
	topics := make([]uint16, load.Tokens())
	if load.on == nil {
		topics = load.topics.Slice()
	}
	inRuns(s.p.Threads, load.Tokens(), func(first, last int) {
		for i := first; i < last; i++ {
			topics[i] = s.z[load.Begin+int(load.order[i])]
		}
	})
	if load.on == nil {
		return nil
	}
	return load.on.topics.Upload(topics)
}

// fetchLoad copies the load's topics to the host's state.
func (s *batchOn) fetchLoad(load *batchLoad) error {
	var topics []uint16
	if load.on == nil {
		topics = load.topics.Slice()
	} else {
		topics = make([]uint16, load.Tokens())
		if err := load.on.topics.Download(topics); err != nil {
			return err
		}
	}
	inRuns(s.p.Threads, load.Tokens(), func(first, last int) {
		for i := first; i < last; i++ {
			s.z[load.Begin+int(load.order[i])] = topics[i]
		}
	})
	return nil
}

// arrive puts the copy of tokens begin … end-1 of a load to a slot into the slot's queue,
// behind what is there for other loads; it does nothing for a load that stays.
func (s *batchOn) arrive(load *batchLoad, begin, end int) (*batchTokens, error) {
	if load.on != nil {
		return load.on, nil
	}
	t := s.slots[s.turn%len(s.slots)]
	s.turn++
	return t, firstError(
		t.words.View(begin, end).Send(t.queue, load.words.View(begin, end)),
		t.positions.View(begin, end).Send(t.queue, load.positions.View(begin, end)),
		t.topics.View(begin, end).Send(t.queue, load.topics.View(begin, end)),
		t.offsets.Send(t.queue, load.offsets),
	)
}

// depart puts the copy of new topics to the host into the queue.
func (s *batchOn) depart(load *batchLoad, t *batchTokens, begin, end int) error {
	var err error
	if load.on == nil {
		err = t.topics.View(begin, end).Receive(t.queue, load.topics.View(begin, end))
	}
	return firstError(err, t.done.Set(t.queue))
}
