package sampler

import (
	"context"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
)

// part joins a kernel, which numbers the part's own words, to the corpus.
type part struct {
	plan   *Plan
	span   Span
	words  []uint32 // distinct, increasing
	kernel Kernel
	rounds int // since Start
	nets   netPool
}

func (t *part) Span() Span        { return t.span }
func (t *part) Words() []uint32   { return t.words }
func (t *part) Topics(z []uint32) { t.kernel.Topics(z) }

func (t *part) Start(z []uint32, priors *Priors) error {
	t.rounds = 0
	return t.kernel.Start(z, priors)
}

func (t *part) Round(ctx context.Context, at Step, model Frozen, priors *Priors) error {
	t.rounds++
	first, last := t.plan.Docs(t.span, at)
	var own Frozen = localFrozen{model, t.words}
	switch model := model.(type) {
	case RowsOn:
		own = model
	case Sliced:
		own = newLocalSliced(model, t.words)
	case Dense:
		own = localDense{localFrozen{model, t.words}, model}
	}
	return t.kernel.Round(ctx, at.Iteration, first-t.span.FirstDoc, last-t.span.FirstDoc, own, priors)
}

func (t *part) EachTopics(f func(z []uint32) error) error {
	if by, ok := t.kernel.(interface {
		EachTopics(f func(z []uint32) error) error
	}); ok {
		return by.EachTopics(f)
	}
	z := make([]uint32, t.span.Tokens())
	t.kernel.Topics(z)
	return f(z)
}

func (t *part) OwnRow(dst []counts.Entry, i int) (row []counts.Entry, ok bool) {
	by, ok := t.kernel.(interface {
		OwnRow(dst []counts.Entry, w int) []counts.Entry
	})
	if !ok || len(t.words) == 0 {
		return dst, false
	}
	return by.OwnRow(dst, i), true
}

// eachWord calls f for words lo … hi-1, of which it brings the tokens near if the kernel can.
func (t *part) eachWord(lo, hi int, f func(w int)) {
	by, ok := t.kernel.(interface {
		// BringNear brings the tokens of word w and some that follow into a cache, and returns the first one that it did not bring.
		BringNear(w int) (end int)
	})
	near := lo
	for w := lo; w < hi; w++ {
		if ok && w >= near {
			near = by.BringNear(w)
		}
		f(w)
	}
}

func (t *part) TokenTotals(totals []uint64) bool {
	counting, ok := t.kernel.(interface{ TokenTotals(totals []uint64) bool })
	return ok && counting.TokenTotals(totals)
}

func (t *part) Memory() []byte { return t.kernel.Memory() }

func (t *part) Restore(iteration int) {
	t.rounds = 0
	t.kernel.Restore(iteration)
}

func (t *part) Changes(lo, hi int, f func(w uint32, changes []counts.Change)) {
	t.ChangesByTopic(lo, hi, f, nil)
}

func (t *part) ChangesByTopic(lo, hi int, some func(w uint32, changes []counts.Change), all func(w uint32, delta []int32)) {
	if t.plan.forget {
		panic("sampler: the part was to forget its changes")
	}
	if t.rounds == 0 {
		return
	}
	net := t.nets.get(t.plan.P.K)
	defer t.nets.put(net)
	t.eachWord(lo, hi, func(w int) {
		t.kernel.AddMoves(w, net)
		net.give(t.words[w], some, all)
	})
}

func (t *part) AddDocs(h *counts.Histograms) {
	h.Add(t.kernel.Documents())
}

func (t *part) Fetch() error {
	if on, ok := t.kernel.(KernelOn); ok {
		return on.Fetch()
	}
	return nil
}

func (t *part) NarrowTopics(z []uint16) (bool, error) {
	narrow, ok := t.kernel.(interface {
		NarrowTopics(z []uint16) (bool, error)
	})
	if !ok {
		return false, nil
	}
	return narrow.NarrowTopics(z)
}

func (t *part) CountDocs() (*counts.Histograms, error) {
	if on, ok := t.kernel.(KernelOn); ok {
		return on.CountDocs()
	}
	return nil, nil
}

func (t *part) Bodies() (slices []blob.Body, totals []uint64) {
	if on, ok := t.kernel.(KernelOn); ok {
		return on.Bodies()
	}
	return nil, nil
}

func (t *part) Close() error {
	if on, ok := t.kernel.(KernelOn); ok {
		return on.Close()
	}
	return nil
}
