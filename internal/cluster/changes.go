package cluster

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// changeRows are what a part changed, by its words: the changes of the part's word
// number i are entries[ends[i-1]:ends[i]].
type changeRows struct {
	ends    []int
	entries []counts.Change
}

func (c *changeRows) row(i int) []counts.Change {
	begin := 0
	if i > 0 {
		begin = c.ends[i-1]
	}
	return c.entries[begin:c.ends[i]]
}

// append adds the changes of the next word.
func (c *changeRows) append(changes []counts.Change) {
	c.entries = append(c.entries, changes...)
	c.ends = append(c.ends, len(c.entries))
}

// collect takes what the last round of a part changed, by several goroutines.
func (c *changeRows) collect(part sampler.Part, threads int) {
	words := part.Words()
	n := min(8*threads, len(words))
	runs := make([]changeRows, n)
	var next atomic.Int64
	var group sync.WaitGroup
	for range threads {
		group.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				lo, hi := len(words)*i/n, len(words)*(i+1)/n
				run, at := &runs[i], lo
				part.Changes(lo, hi, func(w uint32, changes []counts.Change) {
					for words[at] != w {
						at++
					}
					run.fill(at - lo)
					run.append(changes)
				})
				run.fill(hi - lo)
			}
		})
	}
	group.Wait()
	for _, run := range runs {
		begin := len(c.entries)
		c.entries = append(c.entries, run.entries...)
		for _, end := range run.ends {
			c.ends = append(c.ends, begin+end)
		}
	}
}

// set takes the changes of all words.
func (c *changeRows) set(rows [][]counts.Change) {
	c.ends, c.entries = c.ends[:0], c.entries[:0]
	for _, row := range rows {
		c.entries = append(c.entries, row...)
		c.ends = append(c.ends, len(c.entries))
	}
}

// fill gives the words up to the given number that are left no changes.
func (c *changeRows) fill(words int) {
	for len(c.ends) < words {
		c.ends = append(c.ends, len(c.entries))
	}
}

// decode reads the changes of a part from its blobs, one per slice.
func (c *changeRows) decode(blobs [][]byte, words, place []uint32, id func(slice int) blob.ID) error {
	rows := make([][]counts.Change, len(words))
	for i, b := range blobs {
		d, err := blob.Open(b, id(i))
		if err != nil {
			return err
		}
		more := d.Next()
		for ; more; more = d.Next() {
			at := place[d.Word()]
			if at == 0 {
				return ended(true, &d)
			}
			rows[at-1] = d.Changes(nil)
		}
		if d.Err() != nil {
			return d.Err()
		}
	}
	c.set(rows)
	return nil
}

// sumChanges adds up what several rounds changed.
func sumChanges(rounds []*changeRows, words int) *changeRows {
	switch len(rounds) {
	case 0:
		return nil
	case 1:
		return rounds[0]
	}
	sum := &changeRows{}
	var row, next []counts.Change
	for i := range words {
		row = append(row[:0], rounds[0].row(i)...)
		for _, r := range rounds[1:] {
			next = appendChanges(next[:0], row, r.row(i), 1)
			row, next = next, row
		}
		sum.entries = append(sum.entries, row...)
		sum.ends = append(sum.ends, len(sum.entries))
	}
	return sum
}

// ownView is what a part sees: a version of the model, and what it has changed
// itself in the rounds since.
type ownView struct {
	model  *model
	place  []uint32 // V: 1 + the number of a word in the part, 0 for others
	own    *changeRows
	totals []uint64
}

// newOwnView makes a part's view of the model.
func newOwnView(m *model, place []uint32, own *changeRows) *ownView {
	v := &ownView{model: m, place: place, own: own, totals: append([]uint64(nil), m.totals...)}
	for _, c := range own.entries {
		v.totals[c.Topic] += uint64(int64(c.Delta))
	}
	return v
}

// DenseRow implements sampler.Dense.
func (v *ownView) DenseRow(w int, room []int32) []int32 {
	row := v.model.denseRow(uint32(w))
	at := v.place[w]
	if row == nil || at == 0 {
		return row
	}
	changes := v.own.row(int(at - 1))
	if len(changes) == 0 {
		return row
	}
	room = room[:copy(room, row)]
	for _, c := range changes {
		room[c.Topic] += c.Delta
	}
	return room
}

// AppendRow implements sampler.Frozen.
func (v *ownView) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	at := v.place[w]
	if at == 0 {
		return v.model.AppendRow(dst, w)
	}
	changes := v.own.row(int(at - 1))
	if row := v.model.denseRow(uint32(w)); row != nil {
		return appendDenseSum(dst, row, changes)
	}
	dst, _ = appendSum(dst, v.model.slices[v.model.cut.slice[w]].row(int(v.model.cut.place[w])), changes, 1)
	return dst
}

// appendDenseSum appends what is not zero in a dense row with changes added.
func appendDenseSum(dst []counts.Entry, row []int32, changes []counts.Change) []counts.Entry {
	for k, n := range row {
		if len(changes) > 0 && int(changes[0].Topic) == k {
			n += changes[0].Delta
			changes = changes[1:]
		}
		if n != 0 {
			dst = append(dst, counts.Entry{Topic: uint32(k), Count: uint32(n)})
		}
	}
	return dst
}

// TopicTotals implements sampler.Frozen.
func (v *ownView) TopicTotals() []uint64 { return v.totals }

var (
	_ sampler.Dense = (*model)(nil)
	_ sampler.Dense = (*ownView)(nil)
)

// countPart counts the rows of a part's own tokens as blobs of counts, one per
// slice. words are those of its tokens, z their topics.
func countPart(ctx context.Context, words, z []uint32, cut *cut, topics int, id func(slice int) blob.ID) ([][]byte, error) {
	begins := make([]int, len(cut.slice)+1)
	for _, w := range words {
		begins[w+1]++
	}
	for w := range cut.slice {
		begins[w+1] += begins[w]
	}
	next := append([]int(nil), begins[:len(cut.slice)]...)
	sorted := make([]uint32, len(z)) // topics by word
	for i, w := range words {
		sorted[next[w]] = z[i]
		next[w]++
	}
	row := make([]counts.Entry, 0, topics)
	count := make([]uint32, topics)
	blobs := make([][]byte, len(cut.words))
	var e blob.Encoder
	for i := range blobs {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		e.Begin(nil, id(i))
		for _, w := range cut.words[i] {
			row = countTopics(row[:0], count, sorted[begins[w]:begins[w+1]])
			e.Counts(w, row)
		}
		blobs[i] = e.Finish()
	}
	return blobs, nil
}

// countTopics appends how often each topic occurs in z. count is zero before and
// after.
func countTopics(row []counts.Entry, count []uint32, z []uint32) []counts.Entry {
	for _, k := range z {
		count[k]++
	}
	if len(z) > len(count)/8 {
		for k, n := range count {
			if n > 0 {
				row = append(row, counts.Entry{Topic: uint32(k), Count: n})
			}
		}
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
