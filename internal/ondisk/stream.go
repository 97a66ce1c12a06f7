package ondisk

import (
	"path/filepath"
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
)

// wordSlices is the number of slices of the vocabulary.
const wordSlices = 256

// cutWords cuts a vocabulary into slices of about equal numbers of tokens, and
// returns the words at which they begin, and V.
func cutWords(frequencies []uint64) []int {
	total := uint64(0)
	for _, n := range frequencies {
		total += n
	}
	cut := []int{0}
	sum := uint64(0)
	for w, n := range frequencies {
		sum += n
		if sum*wordSlices >= total*uint64(len(cut)) && len(cut) < wordSlices && w+1 < len(frequencies) {
			cut = append(cut, w+1)
		}
	}
	return append(cut, len(frequencies))
}

// EachTopics calls f with the topics of the tokens begin, begin+1, … of every part
// in corpus order. The slice is valid until f returns.
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

// Topics implements sampler.Sampler.
func (s *parts) Topics(z []uint32) {
	s.keep(s.EachTopics(func(begin int, own []uint32) error {
		copy(z[begin:], own)
		return nil
	}))
}

// Histograms implements sampler.Sampler.
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

// countRows counts n_wk.
func (s *parts) countRows(h *counts.Histograms) error {
	sums := make([]wordTopics, s.threads())
	err := s.parallel(len(s.rows.slices)-1, func(thread, slice int) error {
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

// escape takes the special meaning of characters in a name for filepath.Glob away.
func escape(name string) string {
	var out []rune
	for _, c := range filepath.ToSlash(name) {
		if slices.Contains([]rune(`*?[\`), c) {
			out = append(out, '\\')
		}
		out = append(out, c)
	}
	return string(out)
}
