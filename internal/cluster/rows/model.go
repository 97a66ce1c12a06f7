// Package rows holds a worker's copy of the model: n_wk and n_k at one version. The changes of a round bring it to
// the next version. A part sees it with the part's own changes on top.
//
//   - A Cut divides the vocabulary into slices; a Slice has the sparse rows of one.
//   - A Model has the rows of all words. A View shows it to a part together with ChangeSets, the part's own changes.
//   - Where no worker has all rows, an OpenSlice has those of one slice.
//   - A Merger adds the changes of many parts to rows. What a part begins with is counted by CountPart.
package rows

import (
	"cmp"
	"context"
	"runtime"
	"slices"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Model is a worker's copy of n_wk and n_k at one version. Rows of frequent words are dense, and changed in place.
// The others are sparse, in topic order, slice by slice: bringing them to the next version reads rows and changes
// front to back and writes new rows behind them, and nothing is looked up.
//
// Any number of goroutines may read a model. While it moves to another version, each slice, with the dense rows of its
// words, belongs to one goroutine, and nobody reads. Totals and the rounds belong to the caller.
type Model struct {
	cut    *Cut
	topics int
	Round  int // the version: changes of rounds up to this one are in
	slices []Slice
	spare  []Slice  // buffers for the next version
	Totals []uint64 // K: n_k

	dense []int32  // rows of K counts
	place []uint32 // V: 1 + the place of a word's dense row, 0 for sparse rows

	// Solo is the part of a worker that has no other, or -1. The part sees its own changes at once and those of others
	// later. With several parts, each sees the model through a View that adds its own. With one, the model itself has
	// that part's changes up to SoloRound, which is at least Round: no second copy of a row is needed.
	Solo, SoloRound int

	// SoloDense is the last round of which dense rows, and what they add to n_k, have that part's changes; 0 for none.
	// Encoding the changes of a round adds them there at once (AddDense). Sparse rows get them when the model moves on,
	// so this is beyond SoloRound from the one to the other.
	SoloDense int
}

// denseShare decides which rows are dense: those of words that occur K / denseShare times or more. Adding a change
// there takes a tenth of the time that it takes in a sparse row. All dense rows take at most 4 · denseShare bytes a
// token.
const denseShare = 4

// NewModel returns an empty model.
func NewModel(c *Cut, topics int) *Model {
	m := &Model{
		cut: c, topics: topics, slices: make([]Slice, len(c.Words)), spare: make([]Slice, len(c.Words)),
		Totals: make([]uint64, topics), place: make([]uint32, len(c.Slice)), Solo: -1,
	}
	rows := 0
	for w, n := range c.Frequencies {
		if n*denseShare >= uint64(topics) {
			rows++
			m.place[w] = uint32(rows)
		}
	}
	m.dense = make([]int32, rows*topics)
	return m
}

// WholeBytes returns the most memory that a model of all words takes: 4 K bytes for a dense row, and two copies of 8
// bytes an entry for the others.
func WholeBytes(frequencies []uint64, topics int) int64 {
	bytes := int64(0)
	for _, n := range frequencies {
		if n*denseShare >= uint64(topics) {
			bytes += 4 * int64(topics)
		} else {
			bytes += 2 * 8 * int64(n)
		}
	}
	return bytes
}

// Frozen returns the model in the form that parts read.
func (m *Model) Frozen() *sampler.Frozen {
	return &sampler.Frozen{Totals: m.Totals, Rows: m, DenseRow: m.DenseRow}
}

// DenseRow returns the dense row of a word, or nil.
func (m *Model) DenseRow(w int, _ []int32) []int32 {
	at := int(m.place[w])
	if at == 0 {
		return nil
	}
	return m.dense[(at-1)*m.topics : at*m.topics]
}

// AppendRow implements counts.Rows.
func (m *Model) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	if row := m.DenseRow(w, nil); row != nil {
		return appendDense(dst, row)
	}
	return append(dst, m.slices[m.cut.Slice[w]].row(m.cut.place(uint32(w)))...)
}

// appendDense appends the counts that are not zero. It writes every count and keeps those, because a branch that
// nobody can predict takes longer.
func appendDense(dst []counts.Entry, row []int32) []counts.Entry {
	at := len(dst)
	dst = slices.Grow(dst, len(row))[:at+len(row)]
	for k, n := range row {
		dst[at] = counts.Entry{Topic: uint32(k), Count: uint32(n)}
		next := at + 1
		if n == 0 {
			next = at
		}
		at = next
	}
	return dst[:at]
}

// Load reads the rows of all slices from their blobs, with all processors. fault names the blob that an error is about.
func (m *Model) Load(round int, blobs [][]byte, id func(slice int) blob.ID, fault func(slice int, err error) error,
) error {
	clear(m.Totals)
	clear(m.dense)
	totals := make([][]uint64, runtime.GOMAXPROCS(0))
	errs := make([]error, len(m.slices))
	_ = parallel.Do(context.Background(), len(totals), len(m.slices), func(goroutine, i int) {
		if totals[goroutine] == nil {
			totals[goroutine] = make([]uint64, m.topics)
		}
		d, err := blob.Open(blobs[i], id(i))
		if err == nil {
			err = m.read(i, &d, totals[goroutine])
		}
		if err != nil {
			errs[i] = fault(i, err)
		}
	})
	for _, sum := range totals {
		counts.Add(m.Totals, sum)
	}
	if err := cmp.Or(errs...); err != nil {
		return err
	}
	m.Round, m.Solo, m.SoloDense = round, -1, 0
	return nil
}

// read reads the rows of a slice from a blob of counts, and adds them to totals.
func (m *Model) read(slice int, d *blob.Decoder, totals []uint64) error {
	s := &m.slices[slice]
	var row []counts.Entry
	return s.fill(m.cut.Words[slice], d, func(w uint32) {
		row = d.Counts(row[:0])
		dense := m.DenseRow(int(w), nil)
		if dense == nil {
			s.entries = append(s.entries, row...)
		}
		for _, e := range row {
			totals[e.Topic] += uint64(e.Count)
			if dense != nil {
				dense[e.Topic] = int32(e.Count)
			}
		}
	})
}
