package ondisk

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Verify checks the files of a saved state, given the sampler and k topics, as far as possible
// without the corpus. Resume checks more.
func Verify(dir string, info sampler.Info, files json.RawMessage, k int) error {
	state, err := parseState(files)
	if err != nil {
		return err
	}
	n := len(state.Slices)
	if n < 2 || state.Slices[0] != 0 || !slices.IsSorted(state.Slices) {
		return fmt.Errorf("%w: the slices of the vocabulary do not rise", ErrDamaged)
	}
	if state.Warp != nil && info.Files.Stream != nil {
		return verifyWarp(dir, state, info.Files.Stream)
	}
	p := &partStore{partDir: partDir{dir}, p: &sampler.Problem{K: k, V: state.Slices[n-1]}}
	return eachTask(1, len(state.Parts), func(_, part int) error { return p.verify(state, part) })
}

// verify checks the files of a part.
func (s *partStore) verify(state *State, part int) error {
	p := state.Parts[part]
	if _, _, err := s.readLayout(part, p.Tokens, nil); err != nil {
		return err
	}
	memory := mapfile.Aligned(4 * p.Tokens) // as many as the layout has
	if err := readTokens(s.tokensFile(part, p.Generation), memory, s.p.K); err != nil {
		return err
	}
	return s.verifyCounts(state, part)
}

// verifyCounts checks the blobs of a part's counts.
func (s *partStore) verifyCounts(state *State, part int) error {
	files := &partFiles{generation: state.Parts[part].Generation}
	path := s.countsFile(part, files.generation)
	if err := files.readEnds(path, len(state.Slices)); err != nil {
		return err
	}
	var b []byte
	for slice := range len(state.Slices) - 1 {
		var err error
		if b, err = files.readCounts(b, path, slice); err != nil {
			return err
		}
		if _, err := blob.Open(b, s.ownID(part, files.generation, slice)); err != nil {
			return fmt.Errorf("%s: %w: %w", path, ErrDamaged, err)
		}
	}
	return nil
}

// verifyWarp checks the files of warp. It takes the lengths of blocks from the slices.
func verifyWarp(dir string, state *State, stream *sampler.Stream) error {
	tokens := 0
	for _, n := range state.Warp.Tokens {
		if n < 0 || n > math.MaxInt-tokens {
			return fmt.Errorf("%w: the slices have an impossible number of tokens", ErrDamaged)
		}
		tokens += n
	}
	if len(state.Warp.Tokens) != len(state.Slices)-1 {
		return fmt.Errorf("%w: the slices are not those of the tokens", ErrDamaged)
	}
	s := &streamed{warpDir: warpDir{dir}, stream: stream, generation: state.Warp.Generation}
	blocks, err := s.verifySlices(state)
	if err != nil {
		return err
	}
	size := func(int64) int64 { return 2 }
	if _, err := verifyBlocks(s.placesFile(), blocks, placesBytes(tokens), size, checkPlaces); err != nil {
		return err
	}
	record := func(bytes int64) int64 { return bytes / max(1, int64(tokens)) }
	sums, err := verifyBlocks(s.tokensFile(s.generation), blocks, -1, record, func([]byte) error { return nil })
	if err != nil {
		return err
	}
	return state.Warp.checkSum(s.tokensFile(s.generation), sums)
}

// verifySlices checks the slices and returns the number of tokens of every block.
func (s *streamed) verifySlices(state *State) (blocks []uint32, err error) {
	var b []byte
	for i := range len(state.Slices) - 1 {
		path := s.sliceFile(i)
		if b, err = readFile(path, b); err != nil {
			return nil, err
		}
		var w wordSlice
		words := state.Slices[i+1] - state.Slices[i]
		if i == 0 {
			blocks = make([]uint32, blocksIn(b, words))
		}
		err := w.parse(b, words, len(blocks), true)
		if err == nil {
			err = w.check(func(int) int { return math.MaxUint32 }, state.Warp.Tokens[i], s.stream.SegmentTokens)
		}
		if err == nil {
			err = w.follow(blocks)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w: %w", path, ErrDamaged, err)
		}
	}
	return blocks, nil
}

// blocksIn returns the number of blocks in the file of a slice with the given number of words. It
// does not validate it; parse does.
func blocksIn(b []byte, words int) int {
	numbers := (len(b) - 8) / 4
	if words < 0 || numbers < words+1 {
		return 0
	}
	segments := int(mapfile.View[uint32](b[4*words : 4*words+4])[0])
	return max(0, numbers-words-1-3*segments) / 2
}

// verifyBlocks checks a file of blocks, with the given numbers of tokens, against its checksums.
// These begin at position at or, if that is negative, where they must in order to end with the
// file. record returns the size of a token, given that of all tokens.
func verifyBlocks(path string, blocks []uint32, at int64, record func(bytes int64) int64,
	check func(b []byte) error,
) (sums []uint64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the state of the run: %w", err)
	}
	defer f.Close()
	if at < 0 {
		info, err := f.Stat()
		if err != nil {
			return nil, err
		}
		at = max(0, info.Size()-8*int64(len(blocks))-8)
	}
	sums, err = readSums(f, at, len(blocks))
	if err != nil {
		return nil, err
	}
	size, begin := record(at), int64(0)
	var b []byte
	for i, n := range blocks {
		if begin+int64(n)*size > at {
			return nil, fmt.Errorf("%s: %w: block %d goes beyond its end", path, ErrDamaged, i)
		}
		b = room(b, int(int64(n)*size))
		if _, err := f.ReadAt(b, begin); err != nil && len(b) > 0 {
			return nil, fmt.Errorf("cannot read %s: %w", path, err)
		}
		if xxh3.Hash(b) != sums[i] {
			return nil, fmt.Errorf("%s: %w: the checksum of block %d does not match", path, ErrDamaged, i)
		}
		if err := check(b); err != nil {
			return nil, fmt.Errorf("%s: %w: block %d: %w", path, ErrDamaged, i, err)
		}
		begin += int64(len(b))
	}
	return sums, nil
}

// checkPlaces checks the places of a block.
func checkPlaces(b []byte) error {
	block := sampler.TokenBlock{Offsets: []uint64{0, uint64(len(b) / 2)}, Places: mapfile.View[uint16](b)}
	return block.CheckPlaces()
}
