package rows

import (
	"context"
	"slices"
	"sync"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// CountPart counts the rows of a part's own tokens, and returns a blob of counts for each slice. words has the words
// of its tokens, z their topics.
func CountPart(ctx context.Context, words, z []uint32, cut *Cut, topics int, id func(slice int) blob.ID,
) ([][]byte, error) {
	begins := make([]int, len(cut.Slice)+1)
	for _, w := range words {
		begins[w+1]++
	}
	for w := range cut.Slice {
		begins[w+1] += begins[w]
	}
	next := append([]int(nil), begins[:len(cut.Slice)]...)
	sorted := make([]uint32, len(z)) // topics by word
	for i, w := range words {
		sorted[next[w]] = z[i]
		next[w]++
	}
	row := make([]counts.Entry, 0, topics)
	count := make([]uint32, topics)
	blobs := make([][]byte, len(cut.Words))
	var e blob.Encoder
	for i := range blobs {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		e.Begin(nil, id(i))
		for _, w := range cut.Words[i] {
			row = countTopics(row[:0], count, sorted[begins[w]:begins[w+1]])
			e.Counts(w, row)
		}
		blobs[i] = e.Finish()
	}
	return blobs, nil
}

// countTopics appends how often each topic occurs in z. count is zero before and after.
func countTopics(row []counts.Entry, count []uint32, z []uint32) []counts.Entry {
	for _, k := range z {
		count[k]++
	}
	if len(z) > len(count)/8 {
		row = counts.AppendDense(row, count)
		clear(count)
		return row
	}
	slices.Sort(z)
	for _, k := range z {
		if count[k] > 0 {
			row = append(row, counts.Entry{Topic: k, Count: count[k]})
			count[k] = 0
		}
	}
	return row
}

// Statistics has what the estimation of priors needs of the rows of some words.
type Statistics struct {
	Totals  []uint64 // K: n_k of these words
	Counted []uint64 // how many n_wk have each value, by value
}

// NewStatistics returns empty statistics.
func NewStatistics(topics int) *Statistics { return &Statistics{Totals: make([]uint64, topics)} }

// Add counts a row.
func (s *Statistics) Add(row []counts.Entry) {
	for _, e := range row {
		s.Totals[e.Topic] += uint64(e.Count)
		s.Counted = sampler.Bump(s.Counted, int(e.Count))
	}
}

// Own has the changes of a part in a round: the blobs that others read, and where in them the part's words are.
type Own struct {
	Blobs  [][]byte     // by slice
	Places []blob.Place // by the number of a word in the part; empty where rows come slice by slice
	Totals []uint64     // K: changes of n_k, modulo 2^64
}

// NewOwn returns an empty change set for a part with so many words.
func NewOwn(words, topics int) *Own {
	return &Own{Places: make([]blob.Place, words), Totals: make([]uint64, topics)}
}

// Clear empties the change set.
func (o *Own) Clear() {
	o.Blobs = nil
	clear(o.Places)
	clear(o.Totals)
}

// Read reads blobs from the store. place has 1 + the number of a word in the part, 0 for others. It is nil if places
// are not needed.
func (o *Own) Read(blobs [][]byte, place []uint32, id func(slice int) blob.ID) error {
	o.Blobs = blobs
	var changes []counts.Change
	for i, b := range blobs {
		d, err := blob.Open(b, id(i))
		if err != nil {
			return err
		}
		for d.Next() {
			if place != nil {
				at := place[d.Word()]
				if at == 0 {
					return ended(true, &d)
				}
				o.Places[at-1] = d.Place()
			}
			changes = d.Changes(changes[:0])
			AddTotals(o.Totals, changes, 1)
		}
		if d.Err() != nil {
			return d.Err()
		}
	}
	return nil
}

// View is a version of the model together with a part's own changes in the rounds since.
type View struct {
	model  *Model
	place  []uint32 // V: 1 + the number of a word in the part, 0 for others
	own    []*Own
	totals []uint64
	rooms  sync.Pool // of *viewRoom
}

// viewRoom has buffers for one row, for one goroutine.
type viewRoom struct {
	row        []int32         // K
	changes    []counts.Change // of a round
	sum, other []counts.Change // of all rounds up to it, and of those before
}

// NewView returns the model as a part with its own changes sees it.
func NewView(m *Model, place []uint32, own []*Own) *View {
	v := &View{model: m, place: place, own: own, totals: append([]uint64(nil), m.Totals...)}
	for _, o := range own {
		counts.Add(v.totals, o.Totals)
	}
	v.rooms.New = func() any { return &viewRoom{row: make([]int32, m.topics)} }
	return v
}

// changes reports whether the part changed the row of word w.
func (v *View) changes(w int) bool {
	at := v.place[w]
	return at > 0 && slices.ContainsFunc(v.own, func(o *Own) bool { return !o.Places[at-1].Empty() })
}

// changed returns the part's changes of word w in one of its rounds. some is false if there are none.
func (v *View) changed(o *Own, w int) (d blob.Decoder, some bool) {
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
	room := v.rooms.Get().(*viewRoom)
	defer v.rooms.Put(room)
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
