package engine

import "github.com/topoi-lda/topoi/internal/counts"

// Summed is an engine whose counts are the sums over several of its states. All else is that of its last state.
type Summed struct {
	Engine
	Before *counts.Pseudo // sums over all states but the last
	sums   *counts.Pseudo // sums over all states
}

// Add adds the counts of the present state.
func (s *Summed) Add(words int) error {
	now, err := s.Engine.Counts(EveryWord(words))
	if err != nil {
		return err
	}
	var row, sum []counts.Entry
	s.Before = s.sums
	s.sums = counts.NewPseudo(words, len(now.TopicTotals()), func(w int) []counts.Entry {
		row = now.AppendRow(row[:0], w)
		sum = counts.AppendSum(sum[:0], s.Before.Row(w), row)
		return sum
	})
	return now.Err()
}

// Counts returns the sums.
func (s *Summed) Counts(func() []uint32) (Counts, error) { return sound{s.sums, s.sums.Totals}, nil }
