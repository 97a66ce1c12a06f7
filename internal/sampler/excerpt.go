package sampler

import (
	"context"

	"github.com/topoi-lda/topoi/internal/counts"
)

// Excerpt is n_k, and n_wk of some words.
type Excerpt struct {
	totals []uint64
	rows   [][]counts.Entry // by word; nil for words that are not there
}

func newExcerpt(p *Problem, nk []uint32) *Excerpt {
	e := &Excerpt{totals: make([]uint64, p.K), rows: make([][]counts.Entry, p.V)}
	for k, n := range nk {
		e.totals[k] = uint64(n)
	}
	return e
}

// TopicTotals returns n_k.
func (e *Excerpt) TopicTotals() []uint64 { return e.totals }

// AppendRow implements counts.Rows for the words that are there.
func (e *Excerpt) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	return append(dst, e.rows[w]...)
}

// fill takes the rows of some words from a table: stride numbers each, of which K from
// offset on are counts.
func (e *Excerpt) fill(threads int, words []uint32, table []uint32, stride, offset int) {
	_ = parallel(context.Background(), threads, len(words), func(_, i int) {
		row := table[i*stride+offset:][:len(e.totals)]
		n := 0
		for _, c := range row {
			if c > 0 {
				n++
			}
		}
		list := make([]counts.Entry, 0, n)
		for k, c := range row {
			if c > 0 {
				list = append(list, counts.Entry{Topic: uint32(k), Count: c})
			}
		}
		e.rows[words[i]] = list
	})
}

// Numbers of the dense rows that make an Excerpt: those copied at a time, and beyond which
// Fetch is the better way.
const (
	excerptRun  = 1 << 24
	excerptMost = 1 << 29
)

// inExcerptRuns calls f with runs of words whose rows, of width numbers each, are copied
// together.
func inExcerptRuns(words []uint32, width int, f func(words []uint32) error) error {
	run := max(1, excerptRun/width)
	for len(words) > 0 {
		n := min(run, len(words))
		if err := f(words[:n]); err != nil {
			return err
		}
		words = words[n:]
	}
	return nil
}
