package rows

import (
	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Statistics has what the estimation of priors needs of the rows of some words.
type Statistics struct {
	Totals  []uint64 // K: n_k of these words
	Counted []uint64 // how many n_wk have each value, by value
}

// NewStatistics returns empty statistics.
func NewStatistics(topics int) *Statistics { return &Statistics{Totals: make([]uint64, topics)} }

// Add counts a row.
func (s *Statistics) Add(row []counts.Entry) {
	for _, e := range row {
		s.Totals[e.Topic] += uint64(e.Count)
		s.Counted = sampler.Bump(s.Counted, int(e.Count))
	}
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
