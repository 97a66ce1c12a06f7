package rows

import (
	"fmt"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
)

// Slice holds the sparse rows of a slice: that of its word i is entries[ends[i-1]:ends[i]].
type Slice struct {
	ends    []int
	entries []counts.Entry
}

// row returns the row of word i of the slice.
func (s *Slice) row(i int) []counts.Entry {
	begin := 0
	if i > 0 {
		begin = s.ends[i-1]
	}
	return s.entries[begin:s.ends[i]]
}

// fill begins the slice anew. It calls add for each word that has a row in a blob of counts.
func (s *Slice) fill(words []uint32, d *blob.Decoder, add func(w uint32)) error {
	s.ends, s.entries = s.ends[:0], s.entries[:0]
	more := d.Next()
	for _, w := range words {
		if more && d.Word() == w {
			add(w)
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

// Encode writes rows as a blob of counts.
func (s *Slice) Encode(e *blob.Encoder, id blob.ID, words []uint32) []byte {
	e.Begin(make([]byte, 0, 64+3*len(s.entries)), id)
	for i, w := range words {
		e.Counts(w, s.row(i))
	}
	return e.Finish()
}
