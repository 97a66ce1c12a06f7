package warp

import (
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// This file tells of a part's topics that are on the device, in corpus order, as they are needed at barriers.

// inOrder says whether all topics can be put in order on the device: they are there, and newer than the host's.
func (h *warpHeld) inOrder() bool { return h != nil && h.ahead && h.slots == 0 }

// sort puts the topics of a load in corpus order, where no kernel needs what is there between rounds.
func (s *warpPartOn) sort(load *warpLoad) (*device.Buffer[uint16], error) {
	on, n, room := s.on, load.Tokens(), load.home
	sorted := on.state.View(0, n)
	return sorted, on.device.Launch("ledger", "ledger_topics", device.Spread(on.device, n, 256, 0, 16), room.topics, room.places, uint32(n),
		room.list(load, warpStarts), uint32(load.LastBlock), sorted)
}

// NarrowTopics is for sampler.KernelCapabilities.
func (s *warpPartOn) NarrowTopics(z []uint16) (bool, error) {
	h := s.held
	if !h.inOrder() {
		return false, nil
	}
	device.GrowHost(h.arena, &h.landing, h.most)
	if err := h.arena.Err(); err != nil {
		return false, err
	}
	q := s.on.device.Main()
	for _, load := range h.loads {
		n := load.Tokens()
		landing := h.landing.View(0, n)
		sorted, err := s.sort(load)
		if err = device.FirstError(err, sorted.Receive(q, landing), q.Wait()); err != nil {
			return false, err
		}
		parallel.Runs(s.p.Threads, n, func(first, last int) { copy(z[load.Begin+first:load.Begin+last], landing.Slice()[first:last]) })
	}
	return true, nil
}

// CountDocs is for sampler.KernelCapabilities.
func (s *warpPartOn) CountDocs() (*counts.Histograms, error) {
	h := s.held
	if !h.inOrder() {
		return nil, nil
	}
	if err := s.layDocs(); err != nil {
		return nil, err
	}
	d := s.on.device
	err := h.docs.Zero()
	for i, load := range h.loads {
		if err != nil {
			return nil, err
		}
		var sorted *device.Buffer[uint16]
		if sorted, err = s.sort(load); err == nil {
			err = h.docs.Docs.Count(d.Main(), d.Processors(), s.p.K, sampler.StatisticsRows{
				Kernel: "16", Tokens: sorted, Stride: 1, Direct: true, Positions: h.offsets[i], First: h.offsets[i],
				Members: load.Docs(), Limit: load.Tokens(),
			})
		}
	}
	if err != nil {
		return nil, err
	}
	return h.docs.Read(nil)
}

// layDocs makes room for histograms, and says where documents begin.
func (s *warpPartOn) layDocs() error {
	h := s.held
	if h.docs != nil {
		return nil
	}
	docs := sampler.NewDeviceHistograms(s.p, h.arena)
	for _, load := range h.loads {
		offsets := make([]uint32, load.Docs()+1)
		for i := range offsets {
			offsets[i] = uint32(int(s.p.Offsets[load.FirstDoc+i]) - load.Begin)
		}
		h.offsets = append(h.offsets, device.Upload(h.arena, offsets))
	}
	h.docs = docs
	return h.arena.Err()
}

// sendTopics brings the host's topics to the device, unless they are there.
func (s *warpPartOn) sendTopics() error {
	h := s.held
	if h.sent {
		return nil
	}
	h.totals = make([]uint32, s.p.K)
	for _, load := range h.loads {
		if load.tokens != nil {
			load.tokens.proposed = 0
		}
		err := load.kept().Set(func(topics []uint16) {
			s.gather(topics, load.Begin)
			for _, k := range topics {
				h.totals[k]++
			}
		})
		if err != nil {
			return err
		}
	}
	h.sent = true
	return h.tally.Clear()
}
