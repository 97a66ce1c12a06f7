package rows

import (
	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Read takes the rows of some words, which follow each other, from a blob of counts.
func (s *Slice) Read(words []uint32, d *blob.Decoder) error {
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

// Excerpt reads of a blob of counts the rows of some words, which are increasing, and calls f with the bytes of each
// (see blob.RowOf), which are a third of what entries take in memory.
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

// CountCounts adds how many n_wk of a blob have each value to list, by value, and returns it.
func CountCounts(list []uint64, d *blob.Decoder) ([]uint64, error) {
	var row []counts.Entry
	for d.Next() {
		row = d.Counts(row[:0])
		for _, e := range row {
			list = countCount(list, e.Count)
		}
	}
	return list, d.Err()
}

// Apart are the rows of one slice.
type Apart struct {
	Slice
	spare Slice
	first int // the slice's first word
}

// Read takes the rows of words that follow each other from a blob of counts.
func (a *Apart) Read(words []uint32, d *blob.Decoder) error {
	if len(words) > 0 {
		a.first = int(words[0])
	}
	return a.Slice.Read(words, d)
}

// Add adds changes of the slice's words, or with sign -1 takes them out.
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

// Whole are the rows of all slices.
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
