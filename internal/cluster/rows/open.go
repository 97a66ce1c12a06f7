package rows

import (
	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// OpenSlice has the rows of one slice.
type OpenSlice struct {
	Slice
	spare Slice
	first int // the slice's first word
}

// Read reads the rows of consecutive words from a blob of counts.
func (a *OpenSlice) Read(words []uint32, d *blob.Decoder) error {
	if len(words) > 0 {
		a.first = int(words[0])
	}
	return a.fill(words, d, func(uint32) { a.entries = d.Counts(a.entries) })
}

// Add adds changes of the slice's words, or subtracts them if sign is -1.
func (a *OpenSlice) Add(g *Merger, words []uint32, sources []Source, sign int32) error {
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
func (a *OpenSlice) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	return append(dst, a.row(w-a.first)...)
}

// OpenSlices has the rows of all slices.
type OpenSlices struct {
	Cut    *Cut
	Slices []*OpenSlice
	Totals []uint64 // K: n_k
}

// Frozen returns the rows as parts see them.
func (h *OpenSlices) Frozen() *sampler.Frozen { return &sampler.Frozen{Totals: h.Totals, Rows: h} }

// AppendRow implements counts.Rows.
func (h *OpenSlices) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	return h.Slices[h.Cut.Slice[w]].AppendRow(dst, w)
}
