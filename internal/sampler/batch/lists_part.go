package batch

import (
	"context"
	"math"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// listCutting is how lists works on parts: as batch does.
var listCutting = sampler.Cutting{
	Limits: func(p *sampler.Problem) grid.Limits { return listLimits(p) },
	Rounds: sampler.BatchesIn,
	Ends:   sampler.BlockRounds,
	Kernel: func(p *sampler.Problem, _ sampler.Kernel) sampler.Kernel { return newListPart(p) },
}

// listPart is lists on a part.
type listPart struct {
	*lists
	moves
}

// newListPart makes wide rows: counts are those of the whole corpus.
func newListPart(p *sampler.Problem) *listPart {
	most := make([]uint64, p.V)
	for w := range most {
		most[w] = math.MaxUint32
	}
	s := makeLists(p, most)
	return &listPart{s, newMoves(&s.tokens)}
}

func (s *listPart) Round(ctx context.Context, iteration, first, last int, model *sampler.Frozen, priors *sampler.Priors) error {
	s.setBlocks(first, last)
	for k, n := range model.Totals {
		s.nk[k] = int64(n)
	}
	err := parallel.Do(ctx, s.p.Threads, len(s.ranges)-1, func(thread, i int) {
		w := s.workers[thread]
		for word := s.ranges[i]; word < s.ranges[i+1]; word++ {
			w.entries = model.Rows.AppendRow(w.entries[:0], word)
			s.rows.set(word, w.entries)
		}
	})
	if err != nil {
		return err
	}
	return s.sampleBlocks(ctx, s.begin, s.end, iteration, priors)
}

func (s *listPart) Documents() *counts.Histograms { return &s.docHistograms().Histograms }

// Capabilities implements sampler.Kernel.
func (s *listPart) Capabilities() sampler.KernelCapabilities { return sampler.KernelCapabilities{} }
