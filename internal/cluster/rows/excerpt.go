package rows

import (
	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
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
