package ondisk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// A resumed run reads files that may be damaged, or wrong in spite of their checksums. The checks
// below cover all that memory safety and the sums of the model depend on: every token of a block is
// in exactly one segment and has a place of its own, and topics are below K.

// addUp reports whether the sizes are not negative and add up to n.
func addUp(sizes []int, n int) bool {
	for _, size := range sizes {
		if size < 0 || size > n {
			return false
		}
		n -= size
	}
	return n == 0
}

// placesBytes returns the size of the places of n tokens with padding; their checksums follow.
func placesBytes(n int) int64 { return int64(2*n+7) &^ 7 }

// writeSums writes checksums at a position of a file, then the checksum of them all.
func writeSums(f *os.File, at int64, sums []uint64) error {
	b := mapfile.Bytes(sums)
	_, err := f.WriteAt(slices.Concat(b, sumBytes(xxh3.Hash(b))), at)
	return err
}

// sumOf returns a checksum of checksums, which identifies a state's file of tokens.
func sumOf(sums []uint64) string { return strconv.FormatUint(xxh3.Hash(mapfile.Bytes(sums)), 16) }

// checkSum returns an error if an undamaged file of tokens belongs to another iteration or run.
func (w *WarpState) checkSum(path string, sums []uint64) error {
	if w.Sum != "" && w.Sum != sumOf(sums) {
		return fmt.Errorf("%s: %w: it is not the file that the checkpoint was written with", path, ErrDamaged)
	}
	return nil
}

// readSums reads n checksums from position at of a file, which must end with them.
func readSums(f *os.File, at int64, n int) ([]uint64, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	b := mapfile.Aligned(8*n + 8)
	if want := at + int64(len(b)); info.Size() != want {
		return nil, fmt.Errorf("%s: %w: it has %d bytes, not %d; start a new run", f.Name(), ErrDamaged, info.Size(), want)
	}
	if _, err := f.ReadAt(b, at); err != nil {
		return nil, fmt.Errorf("cannot read the state of the run: %w", err)
	}
	body := b[:8*n]
	if xxh3.Hash(body) != binary.LittleEndian.Uint64(b[len(body):]) {
		return nil, fmt.Errorf("%s: %w: the checksum does not match", f.Name(), ErrDamaged)
	}
	return mapfile.View[uint64](body), nil
}

// checkSlices checks all slices of the vocabulary, and that together they contain every token of
// every block: in a block, each slice begins where the one before ends.
func (s *streamed) checkSlices() error {
	next := make([]uint32, s.plan.Blocks())
	for i := range len(s.slices) - 1 {
		d := &s.workers[0]
		if err := s.readSlice(d, i, nil); err != nil {
			return err
		}
		if err := d.slice.follow(next); err != nil {
			return fmt.Errorf("%s: %w: %w", s.sliceFile(i), ErrDamaged, err)
		}
	}
	for b, n := range next {
		if want := s.plan.Span(b, b+1).Tokens(); int(n) != want {
			return fmt.Errorf("%s: %w: words have %d tokens in block %d, which has %d", s.dir, ErrDamaged, n, b, want)
		}
	}
	return nil
}

// follow checks that a slice's tokens of each block begin at next, and advances next to their end.
func (w *wordSlice) follow(next []uint32) error {
	for b := range next {
		if tile := w.tiles[2*b:][:2]; tile[1] > 0 {
			if tile[0] != next[b] {
				return fmt.Errorf("its tokens of block %d are not where they should be", b)
			}
			next[b] += tile[1]
		}
	}
	return nil
}

// check checks that a slice has the given number of tokens and that its segments fill its tile of every block without
// gaps. Tiles must lie inside their blocks, whose lengths length returns, and segments must have at most most tokens.
func (w *wordSlice) check(length func(block int) int, tokens, most int) error {
	next := make([]uint32, len(w.tiles)/2)
	for b := range next {
		first, n := uint64(w.tiles[2*b]), uint64(w.tiles[2*b+1])
		if first+n > uint64(length(b)) {
			return fmt.Errorf("its tokens leave block %d", b)
		}
		next[b] = uint32(first)
		tokens -= int(n)
	}
	if tokens != 0 {
		return errors.New("it has another number of tokens")
	}
	for i := 0; i < len(w.Segments); i += 3 {
		block, begin, n := w.Segments[i], w.Segments[i+1], w.Segments[i+2]
		if int(block) >= len(next) || begin != next[block] || n == 0 || int(n) > most {
			return fmt.Errorf("segment %d does not fit", i/3)
		}
		if next[block] += n; next[block] > w.tiles[2*block]+w.tiles[2*block+1] {
			return fmt.Errorf("segment %d leaves its block", i/3)
		}
	}
	for b, end := range next {
		if end != w.tiles[2*b]+w.tiles[2*b+1] {
			return fmt.Errorf("segments are missing in block %d", b)
		}
	}
	return nil
}

// checkBlocks checks the places and tokens of all blocks, and counts n_k.
func (s *streamed) checkBlocks() error {
	if err := s.readAllSums(); err != nil {
		return err
	}
	f, err := s.openTokens()
	if err != nil {
		return err
	}
	defer f.Close()
	err = s.eachBlock(s.p.Threads, f, nil, func(g int, b *sampler.TokenBlock) error {
		if err := b.CheckPlaces(); err != nil {
			return fmt.Errorf("%s: %w: block %d: %w", s.placesFile(), ErrDamaged, b.Number, err)
		}
		if err := s.phases.Count(g, b); err != nil {
			return fmt.Errorf("%s: %w: block %d: %w", f.Name(), ErrDamaged, b.Number, err)
		}
		return nil
	})
	s.nk = s.phases.Totals()
	return err
}

// readAllSums reads the checksums of places and tokens.
func (s *streamed) readAllSums() error {
	places, err := os.Open(s.placesFile())
	if err != nil {
		return fmt.Errorf("cannot read the state of the run: %w", err)
	}
	defer places.Close()
	if s.placeSums, err = readSums(places, placesBytes(s.p.N()), s.plan.Blocks()); err != nil {
		return err
	}
	f, err := s.openTokens()
	if err != nil {
		return err
	}
	defer f.Close()
	s.sums, err = readSums(f.File, f.n*f.record, s.plan.Blocks())
	return err
}
