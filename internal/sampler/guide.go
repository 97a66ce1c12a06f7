package sampler

import (
	"errors"
	"fmt"
	"math"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/hyper"
	"github.com/topoi-lda/topoi/internal/machine"
)

// Guide sets the pseudo-counts of p; nil changes nothing. It returns an error if they do not fit
// the problem or the sampler.
func (p *Problem) Guide(m *counts.Pseudo, info Info) error {
	if m == nil {
		return nil
	}
	switch {
	case !p.Guidable(m):
		return fmt.Errorf("Options.Pseudo has %d words and %d topics, and the run has %d and %d",
			m.Words(), len(m.Totals()), p.V, p.K)
	case m.Tokens()+uint64(p.N()) > math.MaxInt32:
		return fmt.Errorf("Options.Pseudo adds up to %d tokens, too many beside the %d of the corpus: give it less weight",
			m.Tokens(), p.N())
	case info.Guided == nil || !info.Guided(p):
		return fmt.Errorf("sampler %q does not take pseudo-counts: choose auto, batch, warp or cvb with Tuning.CVB = zero",
			info.Name)
	}
	p.Pseudo = m
	return nil
}

// Guidable reports whether pseudo-counts have the words and topics of p.
func (p *Problem) Guidable(m *counts.Pseudo) bool {
	return m != nil && m.Words() == p.V && len(m.Totals()) == p.K
}

// WordError is a fault about a word of a problem, which knows the number of the word only.
type WordError struct {
	Word int
	Text string // the sentence, with %s in the place of the word
}

func (e *WordError) Error() string { return fmt.Sprintf(e.Text, fmt.Sprint("word ", e.Word)) }

// Name names the word in an error that wraps a WordError. It returns other errors as they are.
func Name(err error, word func(w int) string) error {
	if e, ok := errors.AsType[*WordError](err); ok {
		return fmt.Errorf(e.Text, fmt.Sprintf("the word %q", word(e.Word)))
	}
	return err
}

// Rebase returns offsets shifted so that the first one is 0.
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

// Fits returns an error if the sampler's tables are larger than the machine's memory.
func (info Info) Fits(p *Problem) error {
	has := machine.Memory()
	if info.Tables == nil || has == 0 || info.Tables(p) <= has {
		return nil
	}
	return fmt.Errorf("sampler %q needs %.1f GB of memory for its tables of %d words by %d topics, and this machine has "+
		"%.1f GB: ask for fewer topics, prune the vocabulary, or choose sampler warp or light, whose tables are sparse",
		info.Name, float64(info.Tables(p))/1e9, p.V, p.K, float64(has)/1e9)
}

// fresher is batch's number of mini-batches in sweeps that need fresh word counts.
const fresher = 8

// BatchesIn returns into how many mini-batches batch divides the sweep of an iteration.
func BatchesIn(t Tuning, iteration int) int {
	switch {
	case t.MiniBatches > 0:
		return t.MiniBatches
	case iteration <= 10:
		return fresher
	}
	return 1
}

// Documents count as short below a mean of ShortTokens tokens, as long from LongTokens on, as papers from WholeTokens.
const ShortTokens, LongTokens, WholeTokens = 25, 1000, 1800

// These are thresholds on Problem.Mixing with Tuning.Adapt. Above longMixing for long documents and shortMixing for
// others, exact draws continue after the first sweeps of cvb; in whole papers below shortMixing, or wholeSum as Σα, which
// is 3 to 15 for papers and 21 to 22 for documents generated from 100 topics. Above freshMixing, word counts of long
// documents stay fresh after the first sweeps.
const longMixing, shortMixing, wholeSum, freshMixing = 1.5, 2, 18, 1.3

// Batches is BatchesIn for a sweep over a whole corpus. With Tuning.Adapt it also depends on the priors.
func (p *Problem) Batches(iteration int, priors *Priors) int {
	t := p.Tuning
	if t.Adapt && t.MiniBatches == 0 && p.long() && !p.Whole() &&
		(iteration <= t.ExactSweeps || p.Mixing(priors) > freshMixing) {
		return fresher
	}
	return BatchesIn(t, iteration)
}

// long reports whether the mean document has LongTokens tokens or more.
func (p *Problem) long() bool { return p.N() >= LongTokens*p.D() }

// Whole reports whether the mean document has WholeTokens tokens or more.
func (p *Problem) Whole() bool { return p.N() >= WholeTokens*p.D() }

// StaysExact reports whether cvb continues to draw exactly after its first sweeps.
func (p *Problem) StaysExact(priors *Priors) bool {
	switch mixing := p.Mixing(priors); {
	case !p.Tuning.Adapt:
		return false
	case p.Whole():
		return mixing < max(shortMixing, wholeSum/hyper.LeastSum(p.K, WholeTokens))
	case p.long():
		return mixing > longMixing
	default:
		return mixing > shortMixing
	}
}

// Mixing returns Σα divided by the smallest Σα that learning allows.
func (p *Problem) Mixing(priors *Priors) float64 {
	sum := 0.0
	for _, a := range priors.Alpha {
		sum += a
	}
	return sum / hyper.LeastSum(p.K, float64(p.N())/float64(max(1, p.D())))
}
