package cluster

import (
	"fmt"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// This file is what a worker does in place of coder.go, and of parts of versions.go and barrier.go, where the rows of its
// model are on a device: it only moves blobs there and back.

// leaning is what the rows on a device have beside the version that the model says: what a part changed by itself since,
// or what all changed up to a barrier.
type leaning struct {
	asked  bool           // whether rows can be on a device; once for a session, since parts are laid out for it
	rows   sampler.RowsOn // nil if not
	toward string         // what for; "" for nothing
	lists  []*roundChanges
}

// newModel makes the worker's model: on the device where its parts are sampled, or in its own memory.
func (s *session) newModel() error {
	d := &s.device
	if !d.asked {
		on, err := s.o.Plan.RowsOn(s.cut.Frequencies, s.cut.Begins)
		if err != nil {
			return err
		}
		d.rows, d.asked = on, true
	}
	if d.rows != nil {
		s.model = rows.NewOutline(s.cut, d.rows.TopicTotals())
	} else {
		s.model = rows.NewModel(s.cut, s.o.Job.Topics)
	}
	return nil
}

// onDevice says whether the rows of the model are on a device.
func (s *session) onDevice() bool { return s.device.rows != nil }

// loadDevice takes the rows of a barrier to the device.
func (s *session) loadDevice(round int) error {
	j := s.o.Job
	names, blobs, err := j.AllRows(s.ctx, round)
	if err != nil {
		return err
	}
	decoders := make([]blob.Decoder, j.Slices)
	err = s.spread(func(slice int) (err error) {
		if decoders[slice], err = blob.Open(blobs[slice], j.BlobID(blob.Counts, round, 0)(slice)); err != nil {
			err = protocol.Damaged(names[slice], err)
		}
		return err
	})
	if err != nil {
		return err
	}
	s.device.toward, s.device.lists = "", nil
	if err := s.device.rows.Load(decoders); err != nil {
		return err
	}
	s.model.Begin(round)
	return nil
}

// spread calls f for every slice from the worker's threads, and returns the first fault.
func (s *session) spread(f func(slice int) error) error {
	faults := make([]error, s.o.Job.Slices)
	rows.Spread(max(1, s.o.Threads), len(faults), func(_, slice int) { faults[slice] = f(slice) })
	for _, err := range faults {
		if err != nil {
			return err
		}
	}
	return nil
}

// layers opens the changes of all lists, to be added (sign 1) or taken out (sign -1).
func (s *session) layers(lists []*roundChanges, sign int32) ([]sampler.Layer, error) {
	bySlice := make([][]rows.Source, s.o.Job.Slices)
	err := s.spread(func(slice int) (err error) {
		bySlice[slice], err = openAll(lists, s.o.Job, slice)
		return err
	})
	if err != nil {
		return nil, err
	}
	layers := make([]sampler.Layer, len(bySlice[0]))
	for i := range layers {
		layers[i].Taken = bySlice[0][i].Taken != (sign < 0)
		for _, sources := range bySlice {
			layers[i].Slices = append(layers[i].Slices, sources[i].Decoder)
		}
	}
	return layers, nil
}

// shiftDevice is shift for rows on a device.
func (s *session) shiftDevice(lists []*roundChanges, sign int32) error {
	if err := s.lean("", nil); err != nil {
		return err
	}
	layers, err := s.layers(lists, sign)
	if err != nil {
		return err
	}
	return s.device.rows.Add(layers)
}

// lean has the rows on the device lean towards something: the changes of lists are added, and what was added
// before for something else is taken out.
func (s *session) lean(toward string, lists []*roundChanges) error {
	d := &s.device
	if d.toward == toward {
		return nil
	}
	old, err := s.layers(d.lists, -1)
	if err != nil {
		return err
	}
	added, err := s.layers(lists, 1)
	if err != nil {
		return err
	}
	if err := d.rows.Add(append(old, added...)); err != nil {
		s.model = nil
		return err
	}
	d.toward, d.lists = toward, lists
	return nil
}

// collectDevice returns the blobs of what the last round of a part changed, which its device has made.
func (s *session) collectDevice(p *held, round int) [][]byte {
	j := s.o.Job
	bodies, totals := p.part.Bodies()
	blobs := make([][]byte, len(bodies))
	_ = s.spread(func(slice int) error {
		blobs[slice] = bodies[slice].Encode(j.BlobID(blob.Changes, round, p.number)(slice))
		return nil
	})
	if j.Staleness > 0 && !s.isAhead(p) {
		own := p.next(j.Staleness, round, 0, j.Topics)
		own.Blobs = blobs
		copy(own.Totals, totals)
	}
	return blobs
}

// seenOnDevice returns what a part sees: the rows on the device, which lean towards it.
func (s *session) seenOnDevice(p *held) (*sampler.Frozen, error) {
	if len(p.recent) == 0 || s.isAhead(p) {
		err := s.lean("", nil)
		return sampler.FrozenOn(s.device.rows), err
	}
	var lists []*roundChanges
	for i, own := range p.recent {
		if own.Blobs != nil {
			round := p.recentTo - len(p.recent) + 1 + i
			lists = append(lists, &roundChanges{round: round, parts: []int{p.number}, blobs: [][][]byte{own.Blobs}})
		}
	}
	err := s.lean(fmt.Sprintf("part %d after round %d at version %d", p.number, p.recentTo, s.model.Round), lists)
	return sampler.FrozenOn(s.device.rows), err
}

// deviceRows is nextRows for rows on a device.
func (s *session) deviceRows(id blob.ID, slice, round int) ([]byte, error) {
	toward := fmt.Sprintf("barrier of round %d", round)
	if s.device.toward != toward {
		var lists []*roundChanges
		for r := s.model.Round + 1; r <= round; r++ {
			others, err := s.others(r)
			if err != nil {
				return nil, err
			}
			lists = append(lists, others...)
		}
		if err := s.lean(toward, lists); err != nil {
			return nil, err
		}
	}
	return s.device.rows.Encode(slice, id)
}
