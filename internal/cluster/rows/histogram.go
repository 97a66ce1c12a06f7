package rows

import "github.com/topoi-lda/topoi/internal/counts"

// Statistics are what the estimation of priors needs of the rows of some words.
type Statistics struct {
	Totals  []uint64 // K: n_k of these words
	Counted []uint64 // how many n_wk have each value, by value
}

// NewStatistics is of no words.
func NewStatistics(topics int) *Statistics { return &Statistics{Totals: make([]uint64, topics)} }

// Add counts a row.
func (s *Statistics) Add(row []counts.Entry) {
	for _, e := range row {
		s.Totals[e.Topic] += uint64(e.Count)
		s.Counted = countCount(s.Counted, e.Count)
	}
}

// countCount counts one value.
func countCount(list []uint64, value uint32) []uint64 {
	if int(value) >= len(list) {
		list = append(list, make([]uint64, int(value)+1-len(list))...)
	}
	list[value]++
	return list
}
