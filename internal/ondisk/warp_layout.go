package ondisk

import (
	"bufio"
	"encoding/binary"
	"errors"
	"os"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// slicesEach is the least number of slices per goroutine. With fewer, goroutines would wait for
// each other; with more, the tiles of a block would become short.
const slicesEach = 8

// layOut cuts the vocabulary into slices and writes places and segments. It reads the words twice, front to back.
func (s *streamed) layOut() error {
	frequencies := make([]uint64, s.p.V)
	_ = s.eachSorted(func(first, last int) error { // never fails
		span := s.plan.Span(first, last)
		for _, w := range s.p.Words[span.Begin:span.End] {
			frequencies[w]++
		}
		s.release(span.Begin, span.End)
		return nil
	})
	s.cutSlices(frequencies)
	l, err := s.newLayoutWriter()
	if err != nil {
		return err
	}
	err = s.eachSorted(l.add)
	if err == nil {
		err = l.writeSums()
	}
	if err = errors.Join(err, l.close()); err != nil {
		return err
	}
	s.placeSums = l.sums
	for slice := range len(s.slices) - 1 {
		if err := l.sort(slice); err != nil {
			return err
		}
	}
	return nil
}

// eachSorted calls f for runs of blocks that are small enough to sort in memory.
func (s *streamed) eachSorted(f func(first, last int) error) error {
	for first := 0; first < s.plan.Blocks(); first += sortedBlocks {
		if err := f(first, min(s.plan.Blocks(), first+sortedBlocks)); err != nil {
			return err
		}
	}
	return nil
}

// cutSlices cuts the vocabulary into slices as large as the budget allows, but into at
// least slicesEach for every goroutine.
func (s *streamed) cutSlices(frequencies []uint64) {
	bytes := func(n uint64) int { return sliceBytes(n, s.plan.Blocks(), s.stream, s.p) }
	all := 0
	for _, n := range frequencies {
		all += bytes(n)
	}
	most := max(min(s.budget.SliceBytes, all/(slicesEach*max(1, s.p.Threads))), all/mostSlices+1)
	s.slices, s.sizes, s.most = []int{0}, []int{0}, 0
	size := 0
	for w, n := range frequencies {
		if size > 0 && size+bytes(n) > most {
			s.slices, s.sizes = append(s.slices, w), append(s.sizes, 0)
			size = 0
		}
		size += bytes(n)
		s.most = max(s.most, size)
		s.sizes[len(s.sizes)-1] += int(n)
	}
	s.slices = append(s.slices, s.p.V)
	s.checked = make([]bool, len(s.slices)-1)
}

// layoutWriter writes the places, and the segments of each slice, at first unsorted.
type layoutWriter struct {
	*streamed
	slice    []uint16 // V: the slice of each word
	places   *os.File
	sums     []uint64 // by block: XXH3-64 of its places
	files    []*os.File
	unsorted []*bufio.Writer
}

// unsortedRecord is the size of a segment in an unsorted file: number of the word in the slice,
// block, first place, tokens.
const unsortedRecord = 16

func (s *streamed) newLayoutWriter() (*layoutWriter, error) {
	l := &layoutWriter{streamed: s, slice: make([]uint16, s.p.V), sums: make([]uint64, s.plan.Blocks())}
	var err error
	if l.places, err = os.Create(s.placesFile()); err != nil {
		return nil, wholefile.Explain(s.placesFile(), err)
	}
	for i := range len(s.slices) - 1 {
		for w := s.slices[i]; w < s.slices[i+1]; w++ {
			l.slice[w] = uint16(i)
		}
		f, err := os.Create(s.unsortedFile(i))
		if err != nil {
			return nil, errors.Join(wholefile.Explain(s.unsortedFile(i), err), l.close())
		}
		l.files, l.unsorted = append(l.files, f), append(l.unsorted, bufio.NewWriterSize(f, 1<<13))
	}
	return l, nil
}

// add sorts the tokens of some blocks and writes their places and segments.
func (l *layoutWriter) add(first, last int) error {
	span := l.plan.Span(first, last)
	sorted, all := l.stream.Sort(l.plan, span, l.p.Words[span.Begin:span.End])
	l.release(span.Begin, span.End)
	places := mapfile.Bytes(all)
	if _, err := l.places.WriteAt(places, 2*int64(span.Begin)); err != nil {
		return wholefile.Explain(l.placesFile(), err)
	}
	for b := first; b < last; b++ {
		own := l.plan.Span(b, b+1)
		l.sums[b] = xxh3.Hash(places[2*(own.Begin-span.Begin) : 2*(own.End-span.Begin)])
	}
	for i, b := range sorted.Blocks {
		for _, seg := range sorted.Segments[b.FirstSeg:b.LastSeg] {
			if err := l.write(seg, uint32(first+i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// write writes a segment to the file of its slice.
func (l *layoutWriter) write(seg grid.Segment, block uint32) error {
	slice := l.slice[seg.Word]
	var record [unsortedRecord]byte
	for begin := seg.Begin; begin < seg.End; begin += uint32(l.stream.SegmentTokens) {
		b := binary.LittleEndian.AppendUint32(record[:0], seg.Word-uint32(l.slices[slice]))
		b = binary.LittleEndian.AppendUint32(b, block)
		b = binary.LittleEndian.AppendUint32(b, begin)
		b = binary.LittleEndian.AppendUint32(b, min(seg.End-begin, uint32(l.stream.SegmentTokens)))
		if _, err := l.unsorted[slice].Write(b); err != nil {
			return wholefile.Explain(l.unsortedFile(int(slice)), err)
		}
	}
	return nil
}

// writeSums writes the checksums of the places after them.
func (l *layoutWriter) writeSums() error {
	return wholefile.Explain(l.placesFile(), writeSums(l.places, placesBytes(l.p.N()), l.sums))
}

// close makes places durable and completes the unsorted files.
func (l *layoutWriter) close() error {
	err := errors.Join(l.places.Sync(), l.places.Close())
	for i, f := range l.files {
		err = errors.Join(err, wholefile.Explain(f.Name(), errors.Join(l.unsorted[i].Flush(), f.Close())))
	}
	return err
}

// sort writes the file of a slice from the unsorted one, which it removes. Segments come in the
// order of their blocks, and keep it inside a word.
func (l *layoutWriter) sort(slice int) error {
	unsorted, err := readFile(l.unsortedFile(slice), nil)
	if err != nil {
		return err
	}
	records := mapfile.View[uint32](unsorted)
	words, blocks, n := l.slices[slice+1]-l.slices[slice], l.plan.Blocks(), len(unsorted)/unsortedRecord
	all := make([]uint32, words+1+3*n+2*blocks)
	first, segments, tiles := all[:words+1], all[words+1:words+1+3*n], all[words+1+3*n:]
	for i := range n {
		first[records[4*i]+1]++
	}
	for w := range words {
		first[w+1] += first[w]
	}
	next := slices.Clone(first)
	for i := range n {
		word, block, begin, tokens := records[4*i], records[4*i+1], records[4*i+2], records[4*i+3]
		copy(segments[3*next[word]:], []uint32{block, begin, tokens})
		next[word]++
		if tile := tiles[2*block:][:2]; tile[1] == 0 || begin < tile[0] {
			tile[0] = begin
		}
		tiles[2*block+1] += tokens
	}
	finish, err := createSummed(l.sliceFile(slice), mapfile.Bytes(all))
	if err != nil {
		return err
	}
	return errors.Join(finish(), os.Remove(l.unsortedFile(slice)))
}
