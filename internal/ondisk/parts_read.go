package ondisk

import (
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
)

// EachTopics implements Sampler, part by part.
func (s *parts) EachTopics(f func(begin int, z []uint32) error) error {
	var z []uint32
	for i, p := range s.parts {
		if err := s.load(i, 0); err != nil {
			return err
		}
		z = slices.Grow(z[:0], p.span.Tokens())[:p.span.Tokens()]
		s.active.Topics(z)
		if err := f(p.span.Begin, z); err != nil {
			return err
		}
	}
	return nil
}

func (s *parts) Histograms() *counts.Histograms {
	h := &counts.Histograms{Topic: make([][]uint32, s.p.K), TopicTotals: slices.Clone(s.rows.totals)}
	for i := range s.parts {
		if err := s.load(i, 0); err != nil {
			s.keep(err)
			return h
		}
		s.active.AddDocs(h)
	}
	s.keep(s.countRows(h))
	return h
}

// countRows adds the histogram of n_wk to h.
func (s *parts) countRows(h *counts.Histograms) error {
	sums := make([]wordTopics, s.threads())
	err := eachTask(s.p.Threads, len(s.rows.slices)-1, func(thread, slice int) error {
		opened, done, err := s.rows.openRows(slice)
		if err != nil {
			return err
		}
		defer done()
		for w := s.rows.slices[slice]; w < s.rows.slices[slice+1]; w++ {
			s.entries[thread] = opened.AppendRow(s.entries[thread][:0], w)
			sums[thread].add(s.entries[thread])
		}
		return nil
	})
	for _, sum := range sums {
		h.Add(&counts.Histograms{WordTopic: sum})
	}
	return err
}

func (s *parts) AppendRow(dst []counts.Entry, w int) []counts.Entry { return s.rows.AppendRow(dst, w) }

func (s *parts) TopicTotals() []uint64 { return slices.Clone(s.rows.totals) }
