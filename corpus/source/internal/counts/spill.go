package counts

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/topoi-lda/topoi/corpus/internal/spool"
)

// entry is one cell of a document-word matrix, ids 0-based.
type entry struct{ doc, word, count uint32 }

const (
	entrySize    = 12      // bytes of an entry in the temporary file
	spillEntries = 4 << 20 // entries kept in memory before a run is written
	runBuffer    = 5461    // entries read at a time from a run, 64 KiB
)

// spill puts entries in the order of their documents, keeping the order in which the entries of one document came. It
// holds at most limit entries in memory twice (96 MiB) and the rest in sorted runs in a temporary file, which it
// merges at the end with 64 KiB for each run.
type spill struct {
	dir   string
	limit int
	buf   []entry
	tmp   []entry // the other half of the radix sort
	order bool    // buf is in order so far

	file *spool.Scratch
	runs []*run
	heap []*run // min-heap by (document, run) of the runs not yet exhausted
	at   int    // next entry of buf, when nothing was spilled
}

// run is a sorted part of the temporary file.
type run struct {
	index    int
	off, end int64 // bytes of the file not yet read
	raw      []byte
	space    []entry // backing of entries
	entries  []entry // read but not yet merged; never empty inside the heap
}

func newSpill(dir string) *spill { return &spill{dir: dir, limit: spillEntries, order: true} }

// add takes an entry.
func (s *spill) add(e entry) error {
	if len(s.buf) == s.limit {
		if err := s.flush(); err != nil {
			return err
		}
	}
	if n := len(s.buf); n > 0 && s.buf[n-1].doc > e.doc {
		s.order = false
	}
	s.buf = append(s.buf, e)
	return nil
}

// finish ends the adding; next may be called afterwards.
func (s *spill) finish() error {
	if s.file == nil {
		s.sort()
		return nil
	}
	if err := s.flush(); err != nil {
		return err
	}
	s.buf, s.tmp = nil, nil
	for _, r := range s.runs {
		if err := s.refill(r); err != nil {
			return err
		}
		s.heap = append(s.heap, r)
	}
	for i := len(s.heap)/2 - 1; i >= 0; i-- {
		s.down(i)
	}
	return nil
}

// next returns the entries one by one in the order of their documents, or io.EOF after the last.
func (s *spill) next() (entry, error) {
	if s.file == nil {
		if s.at == len(s.buf) {
			return entry{}, io.EOF
		}
		s.at++
		return s.buf[s.at-1], nil
	}
	if len(s.heap) == 0 {
		return entry{}, io.EOF
	}
	r := s.heap[0]
	e := r.entries[0]
	r.entries = r.entries[1:]
	if len(r.entries) == 0 {
		if err := s.refill(r); err != nil {
			return entry{}, err
		}
		if len(r.entries) == 0 {
			last := len(s.heap) - 1
			s.heap[0] = s.heap[last]
			s.heap = s.heap[:last]
		}
	}
	s.down(0)
	return e, nil
}

// down restores the heap below i.
func (s *spill) down(i int) {
	less := func(a, b *run) bool {
		return cmp.Or(cmp.Compare(a.entries[0].doc, b.entries[0].doc), a.index-b.index) < 0
	}
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(s.heap); child++ {
			if less(s.heap[child], s.heap[least]) {
				least = child
			}
		}
		if least == i {
			return
		}
		s.heap[i], s.heap[least] = s.heap[least], s.heap[i]
		i = least
	}
}

// sort orders buf by document with a stable radix sort on two 16-bit digits.
func (s *spill) sort() {
	if s.order {
		return
	}
	if cap(s.tmp) < len(s.buf) {
		s.tmp = make([]entry, len(s.buf))
	}
	for shift := 0; shift < 32; shift += 16 {
		var begin [1<<16 + 1]int
		for _, e := range s.buf {
			begin[e.doc>>shift&0xffff+1]++
		}
		for i := 1; i < len(begin); i++ {
			begin[i] += begin[i-1]
		}
		out := s.tmp[:len(s.buf)]
		for _, e := range s.buf {
			digit := e.doc >> shift & 0xffff
			out[begin[digit]] = e
			begin[digit]++
		}
		s.buf, s.tmp = out, s.buf
	}
	s.order = true
}

// flush sorts buf and writes it as a run.
func (s *spill) flush() error {
	if s.file == nil {
		f, err := spool.Create(s.dir, "topoi-sort-*")
		if err != nil {
			return spillError("create", err)
		}
		s.file = f
	}
	s.sort()
	off := int64(0)
	if n := len(s.runs); n > 0 {
		off = s.runs[n-1].end
	}
	w := bufio.NewWriterSize(s.file, 256<<10)
	var b [entrySize]byte
	for _, e := range s.buf {
		binary.LittleEndian.PutUint32(b[0:], e.doc)
		binary.LittleEndian.PutUint32(b[4:], e.word)
		binary.LittleEndian.PutUint32(b[8:], e.count)
		w.Write(b[:]) // an error sticks until Flush
	}
	if err := w.Flush(); err != nil {
		return spillError("write", err)
	}
	s.runs = append(s.runs, &run{index: len(s.runs), off: off, end: off + int64(len(s.buf))*entrySize})
	s.buf = s.buf[:0]
	return nil
}

// refill reads the next entries of a run; none are left when it is exhausted.
func (s *spill) refill(r *run) error {
	if r.raw == nil {
		r.raw, r.space = make([]byte, runBuffer*entrySize), make([]entry, runBuffer)
	}
	n := min(int64(len(r.raw)), r.end-r.off)
	if _, err := s.file.ReadAt(r.raw[:n], r.off); err != nil {
		return spillError("read", err)
	}
	r.off += n
	r.entries = r.space[:0]
	for b := r.raw[:n]; len(b) > 0; b = b[entrySize:] {
		r.entries = append(r.entries, entry{
			binary.LittleEndian.Uint32(b[0:]), binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[8:]),
		})
	}
	return nil
}

func spillError(what string, err error) error {
	return fmt.Errorf("%s the temporary file in which the matrix is sorted: %w; free some space, or set TMPDIR to another directory", what, err)
}

// close removes the temporary file.
func (s *spill) close() error { return s.file.Close() }

// sorted makes documents of the entries of a matrix that come in any order.
type sorted struct {
	entries *spill // nil before the first document
	ahead   entry  // the first entry of a later document
	more    bool   // ahead is set
	bag     Bag
}

// fill takes all entries that read hands to add. What does not fit in memory
// goes to a temporary file in dir. After the first time it does nothing.
func (s *sorted) fill(dir string, read func(add func(entry) error) error) error {
	if s.entries != nil {
		return nil
	}
	s.entries = newSpill(dir)
	if err := read(s.entries.add); err != nil {
		return err
	}
	if err := s.entries.finish(); err != nil {
		return err
	}
	return s.advance()
}

// document fills doc with the entries of document d; the documents are asked for in order.
func (s *sorted) document(d uint64, doc *Document) error {
	s.bag.Reset()
	for s.more && uint64(s.ahead.doc) == d {
		s.bag.Add(s.ahead.word, s.ahead.count)
		if err := s.advance(); err != nil {
			return err
		}
	}
	doc.Words, doc.Counts = s.bag.Words, s.bag.Counts
	return nil
}

func (s *sorted) advance() error {
	var err error
	s.ahead, err = s.entries.next()
	s.more = err == nil
	if err == io.EOF {
		return nil
	}
	return err
}

// close removes what was written.
func (s *sorted) close() error {
	if s.entries == nil {
		return nil
	}
	err := s.entries.close()
	s.entries = nil
	return err
}

// Document is a document by its counted words. Words and Counts are parallel; an id may occur twice.
type Document struct {
	ID, Label     []byte
	Words, Counts []uint32
}
