package ondisk

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
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
func (s *Sampler) EachTopics(f func(begin int, z []uint32) error) error {
	var buffer []byte
	for i, p := range s.parts {
		path := s.topicsFile(i, p.generation)
		b, err := readFile(path, buffer)
		if err != nil {
			return err
		}
		buffer = b
		z := s.topics(p.span)
		if err := s.decodeTopics(z, b); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := f(p.span.Begin, z); err != nil {
			return err
		}
	}
	return nil
}

// Topics implements sampler.Sampler.
func (s *Sampler) Topics(z []uint32) {
	s.keep(s.EachTopics(func(begin int, own []uint32) error {
		copy(z[begin:], own)
		return nil
	}))
}

// Histograms implements sampler.Sampler.
func (s *Sampler) Histograms() *counts.Histograms {
	docs := sampler.NewDocCounter(s.threads(), s.p.K)
	part := 0
	s.keep(s.EachTopics(func(_ int, z []uint32) error {
		span := s.parts[part].span
		docs.Add(s.p.Offsets[span.FirstDoc:span.LastDoc+1], z)
		part++
		return nil
	}))
	h := docs.Histograms()
	copy(h.TopicTotals, s.rows.totals)
	sums := make([][]uint64, s.threads())
	rows := make([][]counts.Entry, s.threads())
	s.keep(s.parallel(len(s.rows.slices)-1, func(thread, slice int) error {
		opened, done, err := s.rows.Open(slice)
		if err != nil {
			return err
		}
		defer done()
		for w := s.rows.slices[slice]; w < s.rows.slices[slice+1]; w++ {
			rows[thread] = opened.AppendRow(rows[thread][:0], w)
			for _, e := range rows[thread] {
				if int(e.Count) >= len(sums[thread]) {
					sums[thread] = append(sums[thread], make([]uint64, int(e.Count)+1-len(sums[thread]))...)
				}
				sums[thread][e.Count]++
			}
		}
		return nil
	}))
	for _, sum := range sums {
		h.Add(&counts.Histograms{WordTopic: sum})
	}
	return h
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
