package rows

import (
	"fmt"
	"slices"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
)

// Source is a blob of changes to be merged.
type Source struct {
	blob.Decoder

	// SkipDense means that dense rows, and n_k, have its changes of their words already.
	SkipDense bool

	more bool // it has a current row
}

// Merger adds changes to rows. It belongs to one goroutine.
type Merger struct {
	changes []counts.Change
	sums    [2][]counts.Change // of the changes of some sources
	dense   []int32            // a row of K counts
	entries []counts.Entry     // a row
}

// Shift adds the changes of blobs to a slice of the model (sign 1), or takes them out (sign -1), and adds them to
// totals. After an error the model is of no use.
func (g *Merger) Shift(m *Model, slice int, sources []Source, sign int32, totals []uint64) error {
	dst, src := &m.spare[slice], &m.slices[slice]
	if err := g.Merge(dst, src, m.cut.Words[slice], sources, sign, totals, m); err != nil {
		return err
	}
	m.slices[slice], m.spare[slice] = *dst, *src
	return nil
}

// Merge writes rows with the changes of some blobs added (sign 1) or taken out (sign -1) into dst, and adds the
// changes to totals, unless that is nil. Rows that are dense in m, which may be nil, are changed there instead.
func (g *Merger) Merge(dst, src *Slice, words []uint32, sources []Source, sign int32, totals []uint64, m *Model) error {
	dst.ends, dst.entries = dst.ends[:0], dst.entries[:0]
	first(sources)
	begin := 0
	for i, w := range words {
		row := src.entries[begin:src.ends[i]]
		begin = src.ends[i]
		last := -1 // the last blob with changes of the word
		for b := range sources {
			if sources[b].more && sources[b].Word() == w {
				last = b
			}
		}
		switch {
		case last < 0:
			dst.entries = append(dst.entries, row...)
		case m != nil && m.place[w] > 0:
			addDenseFrom(m.DenseRow(int(w), nil), w, sources, sign, totals)
		default:
			var ok bool
			if dst.entries, ok = g.addSparse(dst.entries, row, w, sources[:last+1], sign, totals); !ok {
				return foreign(w)
			}
		}
		dst.ends = append(dst.ends, len(dst.entries))
	}
	return exhausted(sources)
}

// Each calls f with the rows of a slice of the model with the changes of blobs added. The model stays as it is.
func (g *Merger) Each(m *Model, slice int, sources []Source, f func(w uint32, row []counts.Entry)) error {
	first(sources)
	own := &m.slices[slice]
	for i, w := range m.cut.Words[slice] {
		ok := true
		if row := m.DenseRow(int(w), nil); row != nil {
			g.dense = append(g.dense[:0], row...)
			addDenseFrom(g.dense, w, sources, 1, nil)
			ok = slices.Min(g.dense) >= 0
			g.entries = appendDense(g.entries[:0], g.dense)
		} else {
			g.entries, ok = g.addSparse(g.entries[:0], own.row(i), w, sources, 1, nil)
		}
		if !ok {
			return foreign(w)
		}
		f(w, g.entries)
	}
	return exhausted(sources)
}

// addSparse appends the row of word w with its changes. They are added up first: they are fewer than what is in the
// row.
func (g *Merger) addSparse(dst, row []counts.Entry, w uint32, sources []Source, sign int32, totals []uint64,
) (_ []counts.Entry, ok bool) {
	sum := g.sums[0][:0]
	flip := 0
	for b := range sources {
		s := &sources[b]
		if !s.more || s.Word() != w {
			continue
		}
		if len(sum) == 0 {
			sum = s.Changes(sum)
			AddTotals(totals, sum, sign)
		} else {
			g.changes = s.Changes(g.changes[:0])
			AddTotals(totals, g.changes, sign)
			flip = 1 - flip
			sum = appendChanges(g.sums[flip][:0], sum, g.changes)
		}
		g.sums[flip] = sum
		s.more = s.Next()
	}
	return appendSum(dst, row, sum, sign)
}

// addDenseFrom adds the changes of word w to its dense row.
func addDenseFrom(row []int32, w uint32, sources []Source, sign int32, totals []uint64) {
	for b := range sources {
		s := &sources[b]
		if !s.more || s.Word() != w {
			continue
		}
		if !s.SkipDense {
			s.AddTo(row, totals, sign)
		}
		s.more = s.Next()
	}
}

// first moves all sources to their first row.
func first(sources []Source) {
	for i := range sources {
		sources[i].more = sources[i].Next()
	}
}

// exhausted checks that sources held nothing but the slice's words.
func exhausted(sources []Source) error {
	for b := range sources {
		if err := ended(sources[b].more, &sources[b].Decoder); err != nil {
			return err
		}
	}
	return nil
}

// foreign returns the error about changes that cannot belong to word w.
func foreign(w uint32) error {
	return fmt.Errorf("changes in the store do not belong to the rows there: a count of word %d would fall below zero",
		w)
}
