package ondisk

import (
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/counts"
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
	if err := w.parse(d.segments, s.slices[number+1]-s.slices[number], s.plan.Blocks(),
		!s.checked[number]); err != nil {
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

// streamed is a Sampler: warp with its tokens in a file. Its files are
//
//	warp-tokens.345         the tokens in grid order, XXH3-64 of every block, and of these
//	warp-tokens.spare       an old file that the next tokens overwrite
//	warp-places             uint16[N]: sampler.TokenBlock.Places of all blocks; up to 6 zero bytes;
//	                        XXH3-64 of every block, and of these
//	slice-00012.segments    see wordSlice
type streamed struct {
	fault
	p      *sampler.Problem
	plan   *sampler.Plan
	phases sampler.Phases
	stream *sampler.Stream
	budget *Budget
	warpDir
	release func(lo, hi int)

	slices     []int    // the first word of every slice, then V
	sizes      []int    // number of tokens of every slice
	checked    []bool   // by slice: its file has been checked
	placeSums  []uint64 // by block: XXH3-64 of its places
	sums       []uint64 // by block: XXH3-64 of the current tokens
	most       int      // bytes of the largest slice, by sliceBytes
	generation uint32   // of the current tokens
	nk         []uint64 // K
	drawn      int      // iteration in which the proposals were drawn; 0: there are none
	alpha      []float64

	workers []warpWorker // by goroutine

	wrote chan error // receives when the current file is on the disk; nil if it is

	mutex  sync.Mutex
	cursor *wordSlice // for AppendRow
}

// warpWorker is the memory of one goroutine.
type warpWorker struct {
	tokens, places, segments []byte
	block                    sampler.TokenBlock
	slice                    wordSlice
	entries                  []counts.Entry
}

// newTokens opens a file for new tokens. It overwrites the spare file, if there is one, since all have the same size.
func (s *streamed) newTokens(generation uint32) (*tokens, error) {
	path := s.tokensFile(generation)
	_ = os.Rename(s.spareFile(), path) // there may be none
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, wholefile.Explain(path, err)
	}
	sums := make([]uint64, s.plan.Blocks())
	return &tokens{File: f, record: int64(s.phases.RecordBytes()), n: int64(s.p.N()), sums: sums}, nil
}

// openTokens opens the current file.
func (s *streamed) openTokens() (*tokens, error) {
	f, err := os.Open(s.tokensFile(s.generation))
	if err != nil {
		return nil, fmt.Errorf("cannot read the state of the run: %w", err)
	}
	wantSoon(f)
	return &tokens{File: f, record: int64(s.phases.RecordBytes()), n: int64(s.p.N()), sums: s.sums, whole: true}, nil
}
