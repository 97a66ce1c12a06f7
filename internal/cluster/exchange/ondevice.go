package exchange

import (
	"fmt"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// This file is what a worker does in place of coder.go, and of parts of versions.go and barrier.go, where the rows of its
// model are on a device: it only moves blobs there and back.

// deviceRows are the rows of a worker's model on a device. They may have changes beside the version that the model says:
// what a part changed by itself since, or what all changed up to a barrier.
type deviceRows struct {
	*wholeRows
	asked  bool   // whether rows can be on a device; once for a session, since parts are laid out for it
	toward string // what for; "" for nothing
	lists  []*roundChanges
}

// newModel makes the worker's model: on the device where its parts are sampled, or in its own memory.
func (x *wholeRows) newModel() error {
	d := x.device
	if !d.asked {
		on, err := x.o.Plan.RowsOn(x.cut.Frequencies, x.cut.Begins)
		if err != nil {
			return err
		}
		x.rowsOn, d.asked = on, true
	}
	if x.rowsOn != nil {
		x.model = rows.NewOutline(x.cut, x.rowsOn.TopicTotals())
	} else {
		x.model = rows.NewModel(x.cut, x.o.Job.Topics)
	}
	return nil
}

// onDevice reports whether the rows of the model are on a device.
func (x *core) onDevice() bool { return x.rowsOn != nil }

// loadDevice takes the rows of a barrier to the device.
func (x *deviceRows) loadDevice(round int) error {
	j := x.o.Job
	names, blobs, err := j.AllRows(x.ctx, round)
	if err != nil {
		return err
	}
	decoders := make([]blob.Decoder, j.Slices)
	err = x.spread(func(slice int) (err error) {
		if decoders[slice], err = blob.Open(blobs[slice], j.BlobID(blob.Counts, round, 0)(slice)); err != nil {
			err = protocol.Damaged(names[slice], err)
		}
		return err
	})
	if err != nil {
		return err
	}
	x.device.toward, x.device.lists = "", nil
	if err := x.rowsOn.Load(decoders); err != nil {
		return err
	}
	x.model.Begin(round)
	return nil
}

// spread calls f for every slice from the worker's threads, and returns the first fault.
func (x *core) spread(f func(slice int) error) error {
	faults := make([]error, x.o.Job.Slices)
	rows.Spread(max(1, x.o.Threads), len(faults), func(_, slice int) { faults[slice] = f(slice) })
	for _, err := range faults {
		if err != nil {
			return err
		}
	}
	return nil
}

// layers opens the changes of all lists, to be added (sign 1) or taken out (sign -1).
func (x *deviceRows) layers(lists []*roundChanges, sign int32) ([]sampler.Layer, error) {
	bySlice := make([][]rows.Source, x.o.Job.Slices)
	err := x.spread(func(slice int) (err error) {
		bySlice[slice], err = openAll(lists, x.o.Job, slice)
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
func (x *deviceRows) shiftDevice(lists []*roundChanges, sign int32) error {
	if err := x.lean("", nil); err != nil {
		return err
	}
	layers, err := x.layers(lists, sign)
	if err != nil {
		return err
	}
	return x.rowsOn.Add(layers)
}

// lean has the rows on the device lean towards something: the changes of lists are added, and what was added
// before for something else is taken out.
func (x *deviceRows) lean(toward string, lists []*roundChanges) error {
	d := x.device
	if d.toward == toward {
		return nil
	}
	old, err := x.layers(d.lists, -1)
	if err != nil {
		return err
	}
	added, err := x.layers(lists, 1)
	if err != nil {
		return err
	}
	if err := x.rowsOn.Add(append(old, added...)); err != nil {
		x.model = nil
		return err
	}
	d.toward, d.lists = toward, lists
	return nil
}

// collectDevice returns the blobs of what the last round of a part changed, which its device has made.
func (x *deviceRows) collectDevice(p *held, round int) [][]byte {
	j := x.o.Job
	bodies, totals := p.part.Bodies()
	blobs := make([][]byte, len(bodies))
	_ = x.spread(func(slice int) error {
		blobs[slice] = bodies[slice].Encode(j.BlobID(blob.Changes, round, p.Number)(slice))
		return nil
	})
	if j.Staleness > 0 && !x.isAhead(p) {
		own := p.next(j.Staleness, round, 0, j.Topics)
		own.Blobs = blobs
		copy(own.Totals, totals)
	}
	return blobs
}

// seenOnDevice returns what a part sees: the rows on the device, which lean towards it.
func (x *deviceRows) seenOnDevice(p *held) (*sampler.Frozen, error) {
	if len(p.recent) == 0 || x.isAhead(p) {
		err := x.lean("", nil)
		return sampler.FrozenOn(x.rowsOn), err
	}
	var lists []*roundChanges
	for i, own := range p.recent {
		if own.Blobs != nil {
			round := p.recentTo - len(p.recent) + 1 + i
			lists = append(lists, &roundChanges{round: round, parts: []int{p.Number}, blobs: [][][]byte{own.Blobs}})
		}
	}
	err := x.lean(fmt.Sprintf("part %d after round %d at version %d", p.Number, p.recentTo, x.model.Round), lists)
	return sampler.FrozenOn(x.rowsOn), err
}

// nextRows is that of wholeRows for rows on a device.
func (x *deviceRows) nextRows(id blob.ID, slice, round int) ([]byte, error) {
	toward := fmt.Sprintf("barrier of round %d", round)
	if x.device.toward != toward {
		var lists []*roundChanges
		for r := x.model.Round + 1; r <= round; r++ {
			others, err := x.others(r)
			if err != nil {
				return nil, err
			}
			lists = append(lists, others...)
		}
		if err := x.lean(toward, lists); err != nil {
			return nil, err
		}
	}
	return x.rowsOn.Encode(slice, id)
}
