package rows

import (
	"slices"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/radix"
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

// Excerpt reads of a blob of counts the rows of some words, which are increasing, and calls f
// with the bytes of each (see blob.RowOf), which are a third of what entries take in memory.
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
	slice Slice
	spare Slice
	first int // the slice's first word
}

// Read takes the rows of words that follow each other from a blob of counts.
func (a *Apart) Read(words []uint32, d *blob.Decoder) error {
	if len(words) > 0 {
		a.first = int(words[0])
	}
	return a.slice.Read(words, d)
}

// Counter counts tokens. It belongs to one goroutine.
type Counter struct {
	z []uint32
	radix.Sorter
}

// Count counts the tokens of words that follow each other: sources are blobs of tokens, of so many topics.
func (a *Apart) Count(c *Counter, words []uint32, sources []Source, topics int) error {
	if len(words) > 0 {
		a.first = int(words[0])
	}
	a.slice.ends, a.slice.entries = a.slice.ends[:0], a.slice.entries[:0]
	for i := range sources {
		sources[i].more = sources[i].Next()
	}
	for _, w := range words {
		c.z = c.z[:0]
		for i := range sources {
			if s := &sources[i]; s.more && s.Word() == w {
				c.z = s.Decoder.Tokens(c.z)
				s.more = s.Next()
			}
		}
		c.Sort(c.z, topics)
		a.slice.entries = appendCounted(a.slice.entries, c.z)
		a.slice.ends = append(a.slice.ends, len(a.slice.entries))
	}
	for i := range sources {
		if err := ended(sources[i].more, &sources[i].Decoder); err != nil {
			return err
		}
	}
	return nil
}

// appendCounted appends how often each topic is in a list, which is in increasing order.
func appendCounted(dst []counts.Entry, z []uint32) []counts.Entry {
	if len(z) == 0 {
		return dst
	}
	at := len(dst)
	dst = slices.Grow(dst, len(z))[:at+len(z)]
	entry := counts.Entry{Topic: z[0]}
	for _, k := range z {
		if k != entry.Topic {
			dst[at] = entry
			at++
			entry = counts.Entry{Topic: k}
		}
		entry.Count++
	}
	dst[at] = entry
	return dst[:at+1]
}

// Add adds changes of the slice's words, or with sign -1 takes them out.
func (a *Apart) Add(g *Merger, words []uint32, sources []Source, sign int32) error {
	if len(sources) == 0 {
		return nil
	}
	if err := g.Merge(&a.spare, &a.slice, words, sources, sign, nil, nil); err != nil {
		return err
	}
	a.slice, a.spare = a.spare, a.slice
	return nil
}

// Encode writes the rows as a blob of counts.
func (a *Apart) Encode(e *blob.Encoder, id blob.ID, words []uint32) []byte {
	return a.slice.Encode(e, id, words)
}

// AppendRow implements counts.Rows for the slice's words.
func (a *Apart) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	return append(dst, a.slice.row(w-a.first)...)
}

// Whole are the rows of all slices.
type Whole struct {
	Cut    *Cut
	Slices []*Apart
	Totals []uint64 // K: n_k
}

// AppendRow implements sampler.Frozen.
func (h *Whole) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	return h.Slices[h.Cut.Slice[w]].AppendRow(dst, w)
}

// TopicTotals implements sampler.Frozen.
func (h *Whole) TopicTotals() []uint64 { return h.Totals }
