package cluster

import (
	"fmt"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
)

// model is a worker's copy of one version of n_wk and n_k: sparse rows in topic
// order, slice by slice. Bringing it to the next version reads rows and changes
// front to back and writes new rows behind them; nothing is looked up.
type model struct {
	cut    *cut
	round  int // the version: changes of rounds up to this one are in
	slices []sliceRows
	spare  []sliceRows // buffers for the next version
	totals []uint64    // K: n_k
}

// sliceRows are the rows of a slice: that of its word i is entries[ends[i-1]:ends[i]].
type sliceRows struct {
	ends    []int
	entries []counts.Entry
}

func newModel(c *cut, topics int) *model {
	return &model{cut: c, slices: make([]sliceRows, len(c.words)), spare: make([]sliceRows, len(c.words)), totals: make([]uint64, topics)}
}

// row returns the row of the slice's word i.
func (s *sliceRows) row(i int) []counts.Entry {
	begin := 0
	if i > 0 {
		begin = s.ends[i-1]
	}
	return s.entries[begin:s.ends[i]]
}

// AppendRow implements sampler.Frozen.
func (m *model) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	return append(dst, m.slices[m.cut.slice[w]].row(int(m.cut.place[w]))...)
}

// TopicTotals implements sampler.Frozen.
func (m *model) TopicTotals() []uint64 { return m.totals }

// load reads the rows of all slices from their blobs.
func (m *model) load(round int, blobs [][]byte, id func(slice int) blob.ID) error {
	clear(m.totals)
	for i := range m.slices {
		d, err := blob.Open(blobs[i], id(i))
		if err != nil {
			return err
		}
		if err := m.slices[i].read(&d, m.cut.words[i]); err != nil {
			return err
		}
		for _, e := range m.slices[i].entries {
			m.totals[e.Topic] += uint64(e.Count)
		}
	}
	m.round = round
	return nil
}

// read takes the rows of a blob of counts.
func (s *sliceRows) read(d *blob.Decoder, words []uint32) error {
	s.ends, s.entries = s.ends[:0], s.entries[:0]
	more := d.Next()
	for _, w := range words {
		if more && d.Word() == w {
			s.entries = d.Counts(s.entries)
			more = d.Next()
		}
		s.ends = append(s.ends, len(s.entries))
	}
	return ended(more, d)
}

// ended checks that a blob held nothing but the slice's words.
func ended(more bool, d *blob.Decoder) error {
	if more {
		return fmt.Errorf("a blob of the store has word %d, which is not in its slice", d.Word())
	}
	return d.Err()
}

// merger adds changes to rows. It belongs to one goroutine.
type merger struct {
	changes []counts.Change
	rows    [2][]counts.Entry // a row with some of its changes
	heads   []bool            // by blob: whether it has a current row
}

// merge writes rows with the changes of some blobs added (sign 1) or taken out
// (sign -1) into dst, and adds the changes to totals.
//
// The loop over words is long because it is where the time goes.
func (g *merger) merge(dst, src *sliceRows, words []uint32, blobs []blob.Decoder, sign int32, totals []uint64) error {
	dst.ends, dst.entries = dst.ends[:0], dst.entries[:0]
	g.heads = g.heads[:0]
	for i := range blobs {
		g.heads = append(g.heads, blobs[i].Next())
	}
	begin := 0
	for i, w := range words {
		row := src.entries[begin:src.ends[i]]
		begin = src.ends[i]
		last := -1 // the last blob with changes of the word
		for b := range blobs {
			if g.heads[b] && blobs[b].Word() == w {
				last = b
			}
		}
		if last < 0 {
			dst.entries = append(dst.entries, row...)
			dst.ends = append(dst.ends, len(dst.entries))
			continue
		}
		flip := 0
		for b := 0; b <= last; b++ {
			if !g.heads[b] || blobs[b].Word() != w {
				continue
			}
			g.changes = blobs[b].Changes(g.changes[:0])
			for _, c := range g.changes {
				totals[c.Topic] += uint64(int64(sign * c.Delta)) // modulo 2^64, as it should
			}
			ok := true
			if b == last {
				dst.entries, ok = appendSum(dst.entries, row, g.changes, sign)
			} else {
				g.rows[flip], _ = appendSum(g.rows[flip][:0], row, g.changes, sign)
				row, flip = g.rows[flip], 1-flip
			}
			if !ok {
				return fmt.Errorf("changes in the store do not belong to the rows there: a count of word %d would fall below zero", w)
			}
			g.heads[b] = blobs[b].Next()
		}
		dst.ends = append(dst.ends, len(dst.entries))
	}
	for b := range blobs {
		if err := ended(g.heads[b], &blobs[b]); err != nil {
			return err
		}
	}
	return nil
}

// appendSum appends a row with changes added, times sign. ok is false if a count
// falls below zero; it is then kept modulo 2^32, so that other changes may still
// make up for it.
func appendSum(dst, row []counts.Entry, changes []counts.Change, sign int32) (sum []counts.Entry, ok bool) {
	ok = true
	i := 0
	for _, c := range changes {
		for i < len(row) && row[i].Topic < c.Topic {
			dst = append(dst, row[i])
			i++
		}
		n := sign * c.Delta
		if i < len(row) && row[i].Topic == c.Topic {
			n += int32(row[i].Count)
			i++
		}
		if n != 0 {
			dst = append(dst, counts.Entry{Topic: c.Topic, Count: uint32(n)})
			ok = ok && n > 0
		}
	}
	return append(dst, row[i:]...), ok
}

// encode writes rows as a blob of counts.
func (s *sliceRows) encode(e *blob.Encoder, id blob.ID, words []uint32) []byte {
	e.Begin(make([]byte, 0, 64+3*len(s.entries)), id)
	for i, w := range words {
		e.Counts(w, s.row(i))
	}
	return e.Finish()
}
