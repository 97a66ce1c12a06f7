package warp

import (
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler/warp/ledger"
)

// This file lays held parts out on the device.

// hold lays the part out on the device.
func (s *warpPartOn) hold(rows *ledger.Rows) error {
	on := s.on
	h := &warpHeld{arena: on.device.NewArena(), rows: rows}
	s.held = h
	distinct, frequencies := s.p.Part.Distinct, make([]uint32, s.p.CorpusWords())
	plan := &warpPlan{segments: s.blockSegments()}
	for _, block := range plan.segments {
		for i := range block {
			block[i].word = distinct[block[i].word]
		}
	}
	for w, word := range distinct {
		frequencies[word] += s.tokensOf(w)
	}
	var err error
	if h.tally, err = rows.NewTally(h.arena, frequencies); err != nil {
		return err
	}
	return h.lay(s, plan)
}

// lay makes the part's loads stay on the device as far as there is room.
func (h *warpHeld) lay(s *warpPartOn, plan *warpPlan) error {
	on := s.on
	room, err := on.device.Room()
	if err != nil || s.p.N() == 0 {
		return err
	}
	in := on.fitLoads(s.warp, plan, room/2)
	if on.most > 0 {
		s.cutLoads(plan, on.most)
	}
	if room -= in; room < 0 || on.stays == heldNone {
		room = 0
	}
	plan.stay(room)
	h.slots, h.most = plan.slots, plan.most
	for i, span := range plan.loads {
		if span.Tokens() == 0 {
			continue
		}
		load, numbers, err := on.lay(h.arena, s.warp, span, plan.segments, plan.stays[i])
		if err != nil {
			return err
		}
		h.loads = append(h.loads, load)
		if !plan.stays[i] {
			h.lists = max(h.lists, numbers)
		}
	}
	return h.layTokens(on)
}

// layTokens lets loads keep their state between rounds, if there is room for all of them.
func (h *warpHeld) layTokens(on *partsOn) error {
	room, err := on.device.Room()
	bytes := int64(0)
	for _, load := range h.loads {
		bytes += int64(load.Tokens()) * int64(2*on.stride()+4)
	}
	if err != nil || h.slots > 0 || bytes > room/2 || on.stays != heldWhole {
		return err
	}
	for _, load := range h.loads {
		t := &heldTokens{state: device.Alloc[uint16](h.arena, load.Tokens()*on.stride()), byDoc: device.Alloc[uint32](h.arena, load.Tokens())}
		if err := h.arena.Err(); err != nil {
			return err
		}
		if err := t.state.Zero(); err != nil { // the first kernels read proposals with topics, and let them be
			return err
		}
		load.tokens = t
	}
	return nil
}

// makeRoomFor allocates what parts share and a part lacks.
func (s *partsOn) makeRoomFor(h *warpHeld) error {
	if s.conveyor == nil {
		s.open()
	}
	for len(s.conveyor.Rooms()) < h.slots {
		s.addSlot()
	}
	if h.slots > 0 {
		for _, room := range s.conveyor.Rooms() {
			room.Grow(s.arena, h.most, h.lists)
		}
	}
	return s.growTokens(h.most)
}
