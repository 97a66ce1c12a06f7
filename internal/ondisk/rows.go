package ondisk

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"sync"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// rows holds n_wk of all parts at the beginning of a round: a blob for each slice of the
// vocabulary, in memory or in a file of its own.
type rows struct {
	s      *partStore
	slices []int    // the first word of every slice, then V
	blobs  [][]byte // by slice; nil if they are in files
	totals []uint64 // K: n_k

	mutex  sync.Mutex
	cursor *sliceRows // for AppendRow
}

func newRows(s *partStore, slices []int, inMemory bool) *rows {
	r := &rows{s: s, slices: slices, totals: make([]uint64, s.p.K)}
	if inMemory {
		r.blobs = make([][]byte, len(slices)-1)
	}
	return r
}

// file returns the name of a slice's file. It is not part of the saved state, since it can be
// computed from the parts' counts.
func (r *rows) file(slice int) string {
	return filepath.Join(r.s.dir, fmt.Sprintf("slice-%05d.rows", slice))
}

func (r *rows) id(slice int) blob.ID {
	return blob.ID{Kind: blob.Counts, Slice: uint32(slice), Topics: uint32(r.s.p.K)}
}

// frozen returns the rows in the form that parts are sampled against.
func (r *rows) frozen() *sampler.Frozen {
	return &sampler.Frozen{Totals: r.totals, Sliced: &sampler.Sliced{Begins: r.slices, Open: r.openRows}}
}

func (r *rows) openRows(slice int) (counts.Rows, func(), error) {
	opened, err := r.open(slice)
	if err != nil {
		return nil, nil, err
	}
	return opened, func() {
		r.s.keep(opened.err)
		if r.blobs == nil {
			r.s.buffers.Put(&opened.buffer)
		}
	}, nil
}

func (r *rows) open(slice int) (*sliceRows, error) {
	opened := &sliceRows{slice: slice}
	if r.blobs != nil {
		opened.buffer = r.blobs[slice]
	} else {
		b, err := readFile(r.file(slice), *r.s.buffers.Get().(*[]byte))
		if err != nil {
			return nil, err
		}
		opened.buffer = b
	}
	d, err := blob.Open(opened.buffer, r.id(slice))
	if err != nil {
		return nil, fmt.Errorf("the word counts in %s: %w", r.s.dir, err)
	}
	opened.decoder = d
	opened.advance()
	return opened, nil
}

// sliceRows reads the rows of a slice from front to back, so words must be asked for in increasing order.
type sliceRows struct {
	slice   int
	buffer  []byte
	decoder blob.Decoder
	more    bool // the decoder has a current row
	last    int  // the word asked for last
	err     error
}

func (o *sliceRows) advance() { o.more = o.decoder.Next() }

func (o *sliceRows) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	o.last = w
	for o.more && int(o.decoder.Word()) < w {
		o.advance()
	}
	if o.more && int(o.decoder.Word()) == w {
		dst = o.decoder.Counts(dst)
	}
	o.err = o.decoder.Err()
	return dst
}

// AppendRow implements counts.Rows for words in any order; increasing order is fast.
func (r *rows) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	slice := sliceOf(r.slices, w)
	if r.cursor == nil || r.cursor.slice != slice || w < r.cursor.last {
		opened, err := r.open(slice)
		if err != nil {
			r.s.keep(err)
			return dst
		}
		r.cursor = opened
	}
	dst = r.cursor.AppendRow(dst, w)
	r.s.keep(r.cursor.err)
	return dst
}

// sliceOf returns the slice that contains word w.
func sliceOf(slices []int, w int) int { return sort.SearchInts(slices, w+1) - 1 }

// merger sums the parts' counts. It belongs to one goroutine.
type merger struct {
	summer   blob.Summer
	buffers  [][]byte // by part
	decoders []blob.Decoder
	row      []counts.Entry
	out      []byte
	totals   []uint64 // K
}

// merge computes the rows of the current topics: each slice is the sum of the parts' own counts.
func (r *rows) merge() error {
	r.cursor = nil
	mergers := make([]merger, r.s.threads())
	err := eachTask(r.s.p.Threads, len(r.slices)-1, func(thread, slice int) error {
		m := &mergers[thread]
		if m.totals == nil {
			m.totals = make([]uint64, r.s.p.K)
		}
		return r.mergeSlice(m, slice)
	})
	if err != nil {
		return err
	}
	clear(r.totals)
	for i := range mergers {
		counts.Add(r.totals, mergers[i].totals)
	}
	return nil
}

func (r *rows) mergeSlice(m *merger, slice int) error {
	m.decoders = m.decoders[:0]
	for part, p := range r.s.parts {
		if part == len(m.buffers) {
			m.buffers = append(m.buffers, nil)
		}
		b, err := p.readCounts(m.buffers[part], r.s.countsFile(part, p.generation), slice)
		if err != nil {
			return err
		}
		m.buffers[part] = b
		d, err := blob.Open(b, r.s.ownID(part, p.generation, slice))
		if err != nil {
			return fmt.Errorf("%s: %w: %w", r.s.countsFile(part, p.generation), ErrDamaged, err)
		}
		m.decoders = append(m.decoders, d)
	}
	if r.blobs != nil {
		m.out = r.blobs[slice]
	}
	out, err := m.summer.Apply(m.out[:0], r.id(slice), nil, m.decoders)
	if err != nil {
		return err
	}
	if err := m.count(out, r.id(slice)); err != nil {
		return err
	}
	if r.blobs != nil {
		r.blobs[slice] = out
		return nil
	}
	m.out = out
	return wholefile.Explain(r.file(slice), os.WriteFile(r.file(slice), out, 0o666)) // it need not survive a crash
}

// count adds the rows of a slice to n_k.
func (m *merger) count(b []byte, id blob.ID) error {
	d, err := blob.Open(b, id)
	if err != nil {
		return err
	}
	for d.Next() {
		m.row = d.Counts(m.row[:0])
		for _, e := range m.row {
			m.totals[e.Topic] += uint64(e.Count)
		}
	}
	return d.Err()
}

// wordTopics counts how often each value of n_wk occurs.
type wordTopics []uint64

func (t *wordTopics) add(row []counts.Entry) {
	for _, e := range row {
		*t = sampler.Bump(*t, int(e.Count))
	}
}
