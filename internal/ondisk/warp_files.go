package ondisk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// warpDir returns the names of the files of tokens and words.
type warpDir struct{ dir string }

func (s warpDir) tokensFile(generation uint32) string {
	return filepath.Join(s.dir, fmt.Sprintf("warp-tokens.%d", generation))
}

// spareFile returns the name of an old file of tokens. Overwriting it is cheaper than freeing its
// pages and allocating new ones.
func (s warpDir) spareFile() string { return filepath.Join(s.dir, "warp-tokens.spare") }

func (s warpDir) placesFile() string { return filepath.Join(s.dir, "warp-places") }

func (s warpDir) sliceFile(slice int) string {
	return filepath.Join(s.dir, fmt.Sprintf("slice-%05d.segments", slice))
}

func (s warpDir) unsortedFile(slice int) string {
	return filepath.Join(s.dir, fmt.Sprintf("slice-%05d.unsorted", slice))
}

// tokens is a file of tokens.
type tokens struct {
	*os.File
	record int64
	n      int64    // N
	sums   []uint64 // by block: XXH3-64
	whole  bool     // the file is complete, and sums is valid
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

// readSums reads n checksums from position at of a file, which must end with them.
func readSums(f *os.File, at int64, n int) ([]uint64, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	b := mapfile.Aligned(8*n + 8)
	if want := at + int64(len(b)); info.Size() != want {
		return nil, fmt.Errorf("%s: %w: it has %d bytes, not %d; start a new run", f.Name(), ErrDamaged, info.Size(),
			want)
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

// checkSum returns an error if an undamaged file of tokens belongs to another iteration or run.
func (w *WarpState) checkSum(path string, sums []uint64) error {
	if w.Sum != "" && w.Sum != sumOf(sums) {
		return fmt.Errorf("%s: %w: it is not the file that the checkpoint was written with", path, ErrDamaged)
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
