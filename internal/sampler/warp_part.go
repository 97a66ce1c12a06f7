package sampler

import (
	"context"

	"github.com/topoi-lda/topoi/internal/grid"
)

// warpCutting is how warp works on parts: the same code, whose word phase gets a
// word's row from the frozen counts instead of counting it.
var warpCutting = cutting{
	limits: func(*Problem) grid.Limits { return warpBlockLimits },
	rounds: func(Tuning, int) int { return 1 },
	ends:   wholeRound,
	kernel: func(p *Problem) kernel {
		if p.K <= 1<<16 {
			return &warpPart[uint16]{warp: makeWarp[uint16](p, warpStride[uint16])}
		}
		return &warpPart[uint32]{warp: makeWarp[uint32](p, warpStride[uint32])}
	},
}

// warpPart is warp on a part.
type warpPart[T warpTopic] struct {
	*warp[T]
	old []T // N of the part, grid order: topics before the last round
}

func (s *warpPart[T]) round(ctx context.Context, iteration, _, _ int, model Frozen, priors *Priors) error {
	if s.old == nil {
		s.old = make([]T, s.p.N())
	}
	for i := range s.old {
		s.old[i] = T(s.tokens.at(i))
	}
	s.model = model
	for k, n := range model.TopicTotals() {
		s.nk[k] = int64(n)
	}
	return s.Sweep(ctx, iteration, priors)
}

func (s *warpPart[T]) eachMove(w int, f func(old, new uint32)) {
	for _, seg := range s.segments[s.first[w]:s.first[w+1]] {
		begin := s.tokens.begins[seg.block] + int(seg.begin)
		for i, old := range s.old[begin : begin+int(seg.n)] {
			f(uint32(old), s.tokens.at(begin+i))
		}
	}
}
