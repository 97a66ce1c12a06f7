package rows

import (
	"slices"
	"sync"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// View is a version of the model together with a part's own changes in the rounds since. Any number of goroutines may
// read it, as long as nobody changes the model or the changes.
type View struct {
	model   *Model
	place   []uint32 // V: 1 + the number of a word in the part, 0 for others
	own     []*ChangeSet
	totals  []uint64
	buffers sync.Pool // of *viewBuffers
}

// viewBuffers has buffers for one row, for one goroutine.
type viewBuffers struct {
	row        []int32         // K
	changes    []counts.Change // of a round
	sum, other []counts.Change // of all rounds up to it, and of those before
}

// NewView returns the model as a part with its own changes sees it.
func NewView(m *Model, place []uint32, own []*ChangeSet) *View {
	v := &View{model: m, place: place, own: own, totals: append([]uint64(nil), m.Totals...)}
	for _, o := range own {
		counts.Add(v.totals, o.Totals)
	}
	v.buffers.New = func() any { return &viewBuffers{row: make([]int32, m.topics)} }
	return v
}

// changes reports whether the part changed the row of word w.
func (v *View) changes(w int) bool {
	at := v.place[w]
	return at > 0 && slices.ContainsFunc(v.own, func(o *ChangeSet) bool { return !o.Places[at-1].Empty() })
}

// changed returns the part's changes of word w in one of its rounds. some is false if there are none.
func (v *View) changed(o *ChangeSet, w int) (d blob.Decoder, some bool) {
	at := v.place[w]
	if at == 0 || o.Places[at-1].Empty() {
		return d, false
	}
	return blob.At(o.Blobs[v.model.cut.Slice[w]], v.model.topics, o.Places[at-1]), true
}

// Frozen returns the view in the form that parts read.
func (v *View) Frozen() *sampler.Frozen {
	return &sampler.Frozen{Totals: v.totals, Rows: v, DenseRow: v.denseRow}
}

// denseRow returns the dense row of a word with the part's changes, or nil. It may use the given room for it.
func (v *View) denseRow(w int, room []int32) []int32 {
	row := v.model.DenseRow(w, nil)
	if row == nil {
		return nil
	}
	kept := true
	for _, o := range v.own {
		if d, some := v.changed(o, w); some {
			if kept {
				row, kept = room[:copy(room, row)], false
			}
			d.AddTo(row, nil, 1)
		}
	}
	return row
}

// AppendRow implements counts.Rows.
func (v *View) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	if !v.changes(w) {
		return v.model.AppendRow(dst, w)
	}
	room := v.buffers.Get().(*viewBuffers)
	defer v.buffers.Put(room)
	if row := v.denseRow(w, room.row); row != nil {
		return appendDense(dst, row)
	}
	sum := room.sum[:0]
	for _, o := range v.own {
		if d, some := v.changed(o, w); some && len(sum) == 0 {
			sum = d.Changes(sum)
		} else if some {
			room.changes = d.Changes(room.changes[:0])
			room.other = appendChanges(room.other[:0], sum, room.changes)
			sum, room.other = room.other, sum
		}
	}
	room.sum = sum
	dst, _ = appendSum(dst, v.model.slices[v.model.cut.Slice[w]].row(v.model.cut.place(uint32(w))), sum, 1)
	return dst
}
