package guide

import (
	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/topic"
)

// meanRow returns the counts of a word in a model, as means over the draws that it adds up. They are whole numbers with the
// sum that the word has in each draw: a running sum is rounded, so that what one topic loses the next one gets.
func meanRow(m *topoi.Model, w int) []topic.Count {
	draws, row := uint64(m.Manifest().Draws), m.Row(w)
	if draws < 2 {
		return row
	}
	mean := make([]topic.Count, 0, len(row))
	sum, given := uint64(0), uint64(0)
	for _, e := range row {
		sum += uint64(e.Count)
		n := (2*sum+draws)/(2*draws) - given
		given += n
		if n > 0 {
			mean = append(mean, topic.Count{Topic: e.Topic, Count: uint32(n)})
		}
	}
	return mean
}
