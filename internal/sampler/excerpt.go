package sampler

import (
	"context"
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/parallel"
)

// Excerpt holds n_k and the rows n_wk of some words.
type Excerpt struct {
	totals []uint64
	rows   [][]counts.Entry // by word; nil for words outside the excerpt
}

func newExcerpt(p *Problem, nk []uint32) *Excerpt {
	e := &Excerpt{totals: make([]uint64, p.K), rows: make([][]counts.Entry, p.V)}
	counts.Copy(e.totals, nk)
	return e
}

// TopicTotals returns n_k.
func (e *Excerpt) TopicTotals() []uint64 { return e.totals }

// Row implements counts.InPlace for the words of the excerpt.
func (e *Excerpt) Row(w int) []counts.Entry { return e.rows[w] }

// AppendRow implements counts.Rows for the words of the excerpt.
func (e *Excerpt) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	return append(dst, e.rows[w]...)
}

// fill stores the rows of some words. table has width numbers a word, of which the last K are counts.
func (e *Excerpt) fill(threads int, words []uint32, table []uint32, width int) {
	_ = parallel.Do(context.Background(), threads, len(words), func(_, i int) {
		row := table[(i+1)*width-len(e.totals) : (i+1)*width]
		n := 0
		for _, c := range row {
			if c > 0 {
				n++
			}
		}
		e.rows[words[i]] = counts.AppendDense(make([]counts.Entry, 0, n), row)
	})
}

// excerptRun is how many numbers of dense rows are copied at a time. For more than excerptMost numbers Fetch is faster.
const (
	excerptRun  = 1 << 24
	excerptMost = 1 << 29
)

// ExcerptOf returns an Excerpt of n_k, which it copies from nkOn, and of dense rows, which rowsOf copies from the
// device: width numbers a word, of which the last K are counts. It returns nil if there are too many words.
func ExcerptOf(p *Problem, nkOn *device.Buffer[uint32], words []uint32, width int,
	rowsOf func(words []uint32) ([]uint32, error),
) (*Excerpt, error) {
	if len(words) > excerptMost/width {
		return nil, nil
	}
	nk := make([]uint32, p.K)
	if err := nkOn.Download(nk); err != nil {
		return nil, err
	}
	e := newExcerpt(p, nk)
	for run := range slices.Chunk(words, max(1, excerptRun/width)) {
		table, err := rowsOf(run)
		if err != nil {
			return nil, err
		}
		e.fill(p.Threads, run, table, width)
	}
	return e, nil
}

// PickRows copies the rows of some words from nwk, a table with pad numbers a row, into the memory
// of h.Room. It serves ExcerptOf.
func PickRows(d *device.Device, h *DeviceHistograms, nwk *device.Buffer[uint32], pad int, words []uint32, k int,
) ([]uint32, error) {
	a := d.NewArena()
	defer a.Close()
	table, err := h.Room(len(words) * k)
	list, rows := device.Upload(a, words), device.Alloc[uint32](a, len(words)*k)
	if err := device.FirstError(err, a.Err()); err != nil {
		return nil, err
	}
	return table, device.FirstError(
		d.Launch("statistics", "statistics_pick", device.Shape{Blocks: min(len(words), 8*d.Processors()), Threads: 256},
			nwk, uint32(pad), list, uint32(len(words)), uint32(k), rows),
		rows.Download(table),
	)
}
