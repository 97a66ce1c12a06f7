package ondisk

import (
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// eachBlock reads every block from from, calls f, and writes the block to to, from the given number of goroutines.
// With one, blocks come in order. If from is nil, blocks have places but no tokens. If to is nil, nothing is written.
func (s *streamed) eachBlock(threads int, from, to *tokens, f func(g int, b *sampler.TokenBlock) error) error {
	places, err := os.Open(s.placesFile())
	if err != nil {
		return fmt.Errorf("cannot read the state of the run: %w", err)
	}
	defer places.Close()
	return eachTask(threads, s.plan.Blocks(), func(g, i int) error {
		d := &s.workers[g]
		if err := s.readBlock(d, i, places, from); err != nil {
			return err
		}
		if err := f(g, &d.block); err != nil || to == nil {
			return err
		}
		at := int64(d.block.Begin) * to.record
		if _, err := to.WriteAt(d.block.Records, at); err != nil {
			return wholefile.Explain(to.Name(), err)
		}
		to.sums[i] = xxh3.Hash(d.block.Records)
		return nil
	})
}

// readBlock reads a block into the memory of a goroutine.
func (s *streamed) readBlock(d *warpWorker, number int, places io.ReaderAt, from *tokens) error {
	span := s.plan.Span(number, number+1)
	d.places = room(d.places, 2*span.Tokens())
	if _, err := places.ReadAt(d.places, 2*int64(span.Begin)); err != nil && len(d.places) > 0 {
		return fmt.Errorf("%s: %w: it is cut short (%w)", s.placesFile(), ErrDamaged, err)
	}
	if xxh3.Hash(d.places) != s.placeSums[number] {
		return fmt.Errorf("%s: %w: the checksum of block %d does not match", s.placesFile(), ErrDamaged, number)
	}
	d.tokens = room(d.tokens, span.Tokens()*s.phases.RecordBytes())
	if from != nil {
		if _, err := from.ReadAt(d.tokens, int64(span.Begin)*from.record); err != nil && len(d.tokens) > 0 {
			return fmt.Errorf("%s: %w: it is cut short (%w)", from.Name(), ErrDamaged, err)
		}
		if from.whole && xxh3.Hash(d.tokens) != from.sums[number] {
			return fmt.Errorf("%s: %w: the checksum of block %d does not match", from.Name(), ErrDamaged, number)
		}
	}
	d.block.Number, d.block.Begin = number, span.Begin
	d.block.Places, d.block.Records = mapfile.View[uint16](d.places), d.tokens
	d.block.Offsets = d.block.Offsets[:0]
	for _, o := range s.p.Offsets[span.FirstDoc : span.LastDoc+1] {
		d.block.Offsets = append(d.block.Offsets, o-uint64(span.Begin))
	}
	return nil
}

// wordSlice is a slice of the vocabulary with its tokens. Its file has, as uint32,
//
//	first      words+1: as in sampler.WordTokens
//	segments   three numbers each
//	tiles      by block: the first place of the slice's tokens, which are consecutive, and their number
//
// and the XXH3-64 of these.
type wordSlice struct {
	sampler.WordTokens
	number int
	tiles  []uint32
}

// eachSlice reads the tokens of every slice from from, calls f, and writes them to to unless that
// is nil, from several goroutines.
func (s *streamed) eachSlice(from, to *tokens, f func(g int, w *wordSlice) error) error {
	if err := s.makeRoom(); err != nil {
		return err
	}
	return eachTask(s.p.Threads, len(s.slices)-1, func(g, i int) error {
		d := &s.workers[g]
		if err := s.readSlice(d, i, from); err != nil {
			return err
		}
		if err := f(g, &d.slice); err != nil || to == nil {
			return err
		}
		return d.slice.eachTile(s.plan, to, func(b []byte, at int64) error {
			if _, err := to.WriteAt(b, at); err != nil {
				return wholefile.Explain(to.Name(), err)
			}
			return nil
		})
	})
}

// makeRoom allocates the workers' memory for the largest slice, so that it never grows.
func (s *streamed) makeRoom() error {
	tokens, segments := 0, 0
	for i := range len(s.slices) - 1 {
		info, err := os.Stat(s.sliceFile(i))
		if err != nil {
			return fmt.Errorf("cannot read the state of the run: %w", err)
		}
		segments = max(segments, int(info.Size()))
		tokens = max(tokens, s.sizes[i])
	}
	for i := range s.workers {
		d := &s.workers[i]
		d.segments = room(d.segments, segments)
		if n := tokens * s.phases.RecordBytes(); n > cap(d.tokens) {
			d.tokens = room(d.tokens, n)
			alloc.HugePages(d.tokens) // a word's tokens are spread over it
		}
	}
	return nil
}

// readSlice reads a slice into the memory of a goroutine, with its tokens unless from is nil.
func (s *streamed) readSlice(d *warpWorker, number int, from *tokens) (err error) {
	path := s.sliceFile(number)
	if d.segments, err = readFile(path, d.segments); err != nil {
		return err
	}
	w := &d.slice
	if err := w.parse(d.segments, s.slices[number+1]-s.slices[number], s.plan.Blocks(), !s.checked[number]); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if !s.checked[number] {
		tokens := func(b int) int { return s.plan.Span(b, b+1).Tokens() }
		if err := w.check(tokens, s.sizes[number], s.stream.SegmentTokens); err != nil {
			return fmt.Errorf("%s: %w: %w", path, ErrDamaged, err)
		}
	}
	w.number, w.FirstWord, s.checked[number] = number, s.slices[number], true
	if from == nil {
		return nil
	}
	n := 0
	w.Begins = w.Begins[:0]
	for b := range s.plan.Blocks() {
		w.Begins = append(w.Begins, n-int(w.tiles[2*b]))
		n += int(w.tiles[2*b+1])
	}
	d.tokens = room(d.tokens, n*s.phases.RecordBytes())
	w.Records = d.tokens
	return w.eachTile(s.plan, from, func(b []byte, at int64) error {
		if _, err := from.ReadAt(b, at); err != nil {
			return fmt.Errorf("%s: %w: it is cut short (%w)", from.Name(), ErrDamaged, err)
		}
		return nil
	})
}

// eachTile calls f with the tokens of each block and their position in the file.
func (w *wordSlice) eachTile(plan *sampler.Plan, t *tokens, f func(b []byte, at int64) error) error {
	rest := w.Records
	for b := range len(w.tiles) / 2 {
		n := int64(w.tiles[2*b+1]) * t.record
		if n == 0 {
			continue
		}
		at := (int64(plan.Span(b, b+1).Begin) + int64(w.tiles[2*b])) * t.record
		if err := f(rest[:n], at); err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// parse sets w to the content b of a slice's file, with the given numbers of words and blocks. It
// compares the checksum only if check is set.
func (w *wordSlice) parse(b []byte, words, blocks int, check bool) error {
	if len(b) < 8 || (len(b)-8)%4 != 0 || (len(b)-8)/4 < words+1+2*blocks {
		return fmt.Errorf("%w: it is cut short", ErrDamaged)
	}
	body := b[:len(b)-8]
	if check && string(sumBytes(xxh3.Hash(body))) != string(b[len(body):]) {
		return fmt.Errorf("%w: the checksum does not match", ErrDamaged)
	}
	all := mapfile.View[uint32](body)
	if !slices.IsSorted(all[:words+1]) || all[0] != 0 || len(all) != words+1+3*int(all[words])+2*blocks {
		return fmt.Errorf("%w: it is of other words", ErrDamaged)
	}
	w.First = w.First[:0]
	for _, x := range all[:words+1] {
		w.First = append(w.First, int(x))
	}
	w.Segments, w.tiles = all[words+1:len(all)-2*blocks], all[len(all)-2*blocks:]
	return nil
}
