package rows

import (
	"context"
	"slices"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
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
