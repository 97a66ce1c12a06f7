package rows

import (
	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Excerpt calls f with the rows of some words in a blob of counts. The words are increasing. f gets the bytes of a
// row (see blob.RowOf), which take a third of the memory of its entries.
func Excerpt(words []uint32, d *blob.Decoder, f func(w uint32, row []byte)) error {
	var row []counts.Entry
	for len(words) > 0 && d.Next() {
		for len(words) > 0 && words[0] < d.Word() {
			words = words[1:]
		}
		if len(words) > 0 && words[0] == d.Word() {
			if row = d.Counts(row[:0]); d.Err() == nil {
				f(words[0], d.Row())
			}
		}
	}
	return d.Err()
}

// CountCounts counts how many n_wk of a blob have each value. It adds the numbers to list, by value, and returns it.
func CountCounts(list []uint64, d *blob.Decoder) ([]uint64, error) {
	var row []counts.Entry
	for d.Next() {
		row = d.Counts(row[:0])
		for _, e := range row {
			list = sampler.Bump(list, int(e.Count))
		}
	}
	return list, d.Err()
}

// Apart has the rows of one slice.
type Apart struct {
	Slice
	spare Slice
	first int // the slice's first word
}

// Read reads the rows of consecutive words from a blob of counts.
func (a *Apart) Read(words []uint32, d *blob.Decoder) error {
	if len(words) > 0 {
		a.first = int(words[0])
	}
	return a.fill(words, d, func(uint32) { a.entries = d.Counts(a.entries) })
}

// Add adds changes of the slice's words, or subtracts them if sign is -1.
func (a *Apart) Add(g *Merger, words []uint32, sources []Source, sign int32) error {
	if len(sources) == 0 {
		return nil
	}
	if err := g.Merge(&a.spare, &a.Slice, words, sources, sign, nil, nil); err != nil {
		return err
	}
	a.Slice, a.spare = a.spare, a.Slice
	return nil
}

// AppendRow implements counts.Rows for the slice's words.
func (a *Apart) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	return append(dst, a.row(w-a.first)...)
}

// Whole has the rows of all slices.
type Whole struct {
	Cut    *Cut
	Slices []*Apart
	Totals []uint64 // K: n_k
}

// Frozen returns the rows as parts see them.
func (h *Whole) Frozen() *sampler.Frozen { return &sampler.Frozen{Totals: h.Totals, Rows: h} }

// AppendRow implements counts.Rows.
func (h *Whole) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	return h.Slices[h.Cut.Slice[w]].AppendRow(dst, w)
}
