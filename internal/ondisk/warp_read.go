package ondisk

import (
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
)

func (s *streamed) TopicTotals() []uint64 {
	totals := slices.Clone(s.nk)
	counts.AddTotals(totals, s.p.Pseudo)
	return totals
}

// AppendRow implements sampler.Sampler. Words in increasing order are fast, because each slice is then read once.
func (s *streamed) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	slice := sliceOf(s.slices, w)
	if s.cursor == nil || s.cursor.number != slice {
		from, err := s.openTokens()
		if err == nil {
			err = s.readSlice(&s.workers[0], slice, from)
			from.Close()
		}
		if err != nil {
			s.keep(err)
			return dst
		}
		s.cursor = &s.workers[0].slice
	}
	return s.phases.Row(0, dst, &s.cursor.WordTokens, w-s.slices[slice])
}

// EachTopics implements Sampler, block by block.
func (s *streamed) EachTopics(f func(begin int, z []uint32) error) error {
	s.cursor = nil
	from, err := s.openTokens()
	if err != nil {
		return err
	}
	defer from.Close()
	var z []uint32
	return s.eachBlock(1, from, nil, func(g int, b *sampler.TokenBlock) error {
		n := int(b.Offsets[len(b.Offsets)-1])
		z = slices.Grow(z[:0], n)[:n]
		s.phases.Topics(g, b, z)
		return f(b.Begin, z)
	})
}

func (s *streamed) Histograms() *counts.Histograms {
	s.cursor = nil
	from, err := s.openTokens()
	if err != nil {
		s.keep(err)
		return s.phases.Histograms()
	}
	defer from.Close()
	s.keep(s.eachBlock(s.p.Threads, from, nil, func(g int, b *sampler.TokenBlock) error {
		s.phases.CountDocs(g, b)
		return nil
	}))
	h := s.phases.Histograms()
	copy(h.TopicTotals, s.TopicTotals())
	sums := make([]wordTopics, len(s.workers))
	s.keep(s.eachSlice(from, nil, func(g int, words *wordSlice) error {
		d := &s.workers[g]
		for w := range len(words.First) - 1 {
			d.entries = s.phases.Row(g, d.entries[:0], &words.WordTokens, w)
			sums[g].add(d.entries)
		}
		return nil
	}))
	for _, sum := range sums {
		h.Add(&counts.Histograms{WordTopic: sum})
	}
	return h
}
