package warp

import (
	"context"
	"encoding/binary"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/warp/walk"
)

// The halves of a round are the two phases of warp: see sampler.DocHalf. Records are those of Phases.

var _ sampler.DocHalf = (*warpPart[uint32])(nil)

// Propose is for sampler.DocHalf: tokens need doc-proposals of the present α.
func (s *warpPart[T]) Propose(ctx context.Context, iteration int, totals []uint64, priors *sampler.Priors) error {
	for k, n := range totals {
		s.nk[k] = int64(n)
	}
	if s.freeze(priors) || s.proposed != iteration {
		s.iteration = uint32(iteration - 1)
		if err := s.eachBlock(ctx, func(w *warpWorker[T], b int) { w.Docs(b, false) }); err != nil {
			return err
		}
	}
	s.proposed = iteration
	return nil
}

// Tiles is for sampler.DocHalf. Segments of words are 4 to 5 bytes a token of a large vocabulary.
func (s *warpPart[T]) Tiles(bounds [][2]int) []sampler.Tile {
	tiles := make([]sampler.Tile, len(bounds))
	for i, words := range bounds {
		tiles[i] = s.tile(words[0], words[1])
	}
	s.first, s.before, s.segments = nil, nil, nil
	return tiles
}

// tile says where the tokens of the words lo … hi-1 are.
func (s *warpPart[T]) tile(lo, hi int) sampler.Tile {
	tile := make(sampler.Tile, len(s.blocks))
	for _, seg := range s.segments[s.first[lo]:s.first[hi]] {
		run := &tile[int(seg.Block)-s.firstBlock]
		if run[1] == 0 {
			run[0] = seg.Begin
		}
		run[1] = seg.Begin + seg.N
	}
	return tile
}

// eachRun calls f with the bytes of a tile's tokens in each block.
func (s *warpPart[T]) eachRun(t sampler.Tile, f func(records []byte)) {
	all, size := s.Memory(), s.RecordBytes()
	for b, run := range t {
		if run[1] > run[0] {
			begin := s.blocks[b].Begin
			f(all[size*(begin+int(run[0])) : size*(begin+int(run[1]))])
		}
	}
}

// AppendTile is for sampler.DocHalf.
func (s *warpPart[T]) AppendTile(dst []byte, t sampler.Tile) []byte {
	s.eachRun(t, func(records []byte) { dst = append(dst, records...) })
	return dst
}

// SetTile is for sampler.DocHalf.
func (s *warpPart[T]) SetTile(t sampler.Tile, b []byte) (sound bool) {
	if !soundRecords(s.p, b) {
		return false
	}
	s.eachRun(t, func(records []byte) { b = b[copy(records, b):] })
	return true
}

// RecordBytes is for sampler.DocHalf.
func (s *warpPart[T]) RecordBytes() int { return RecordBytes(s.p) }

// Settle is for sampler.DocHalf.
func (s *warpPart[T]) Settle(ctx context.Context, iteration int) error {
	s.iteration, s.proposed = uint32(iteration), iteration+1
	return s.eachBlock(ctx, func(w *warpWorker[T], b int) { w.Docs(b, true) })
}

// wordHalf is the word phase for tokens of many parts.
type wordHalf struct {
	Phases
	p *sampler.Problem
}

// newWordHalf is Cutting.Words, for more than 65,536 topics: of fewer, a part's records are others than those of Phases.
func newWordHalf(p *sampler.Problem) sampler.WordHalf { return &wordHalf{NewPhases(p), p} }

// SegmentTokens is for sampler.WordHalf.
func (h *wordHalf) SegmentTokens() int { return SegmentTokens }

// Sound is for sampler.WordHalf.
func (h *wordHalf) Sound(records []byte) bool { return soundRecords(h.p, records) }

// soundRecords says whether records have topics below K.
func soundRecords(p *sampler.Problem, records []byte) bool {
	if RecordBytes(p) == 8 {
		return walk.SoundPacked(records, p.K)
	}
	for ; len(records) >= 4; records = records[4:] {
		if binary.NativeEndian.Uint32(records) >= uint32(p.K) {
			return false
		}
	}
	return len(records) == 0
}

// Walk is for sampler.WordHalf.
func (h *wordHalf) Walk(goroutine int, words *sampler.WordTokens, records []byte, iteration int) {
	h.WordPhase(goroutine, sliceOf(words, records), iteration)
}

// Row is for sampler.WordHalf.
func (h *wordHalf) Row(goroutine int, dst []counts.Entry, words *sampler.WordTokens, records []byte, i int) []counts.Entry {
	return h.Phases.Row(goroutine, dst, sliceOf(words, records), i)
}

func sliceOf(words *sampler.WordTokens, records []byte) *Slice {
	return &Slice{First: words.First, Segments: words.Segments, Begins: words.Begins, Tokens: records}
}
