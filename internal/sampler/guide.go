package sampler

import (
	"fmt"
	"math"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/machine"
)

// Guide gives a problem pseudo-counts, which may be nil, or says why they do not fit it or the sampler.
func (p *Problem) Guide(m *counts.Pseudo, info Info) error {
	if m == nil {
		return nil
	}
	switch {
	case m.Words() != p.V || len(m.Totals()) != p.K:
		return fmt.Errorf("Options.Pseudo has %d words and %d topics, and the run has %d and %d", m.Words(), len(m.Totals()), p.V, p.K)
	case m.Tokens()+uint64(p.N()) > math.MaxInt32:
		return fmt.Errorf("Options.Pseudo adds up to %d tokens, too many beside the %d of the corpus: give it less weight", m.Tokens(), p.N())
	case info.Guided == nil || !info.Guided(p):
		return fmt.Errorf("sampler %q does not take pseudo-counts: choose auto, batch, warp or cvb with Tuning.CVB = zero", info.Name)
	}
	p.Pseudo = m
	return nil
}

// Rebase returns offsets that begin at 0.
func Rebase(offsets []uint64) []uint64 {
	if offsets[0] == 0 {
		return offsets
	}
	based := make([]uint64, len(offsets))
	for i, o := range offsets {
		based[i] = o - offsets[0]
	}
	return based
}

// Fits refuses a run whose tables are larger than the machine's memory.
func (info Info) Fits(p *Problem) error {
	has := machine.Memory()
	if info.Tables == nil || has == 0 || info.Tables(p) <= has {
		return nil
	}
	return fmt.Errorf("sampler %q needs %.1f GB of memory for its tables of %d words by %d topics, and this machine has %.1f GB: ask for fewer topics, prune the vocabulary, or choose sampler warp or light, whose tables are sparse",
		info.Name, float64(info.Tables(p))/1e9, p.V, p.K, float64(has)/1e9)
}
