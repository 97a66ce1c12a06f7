package cvb

import (
	"cmp"
	"context"
	"sync"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/batch"
	"github.com/topoi-lda/topoi/internal/sampler/state"
)

// zeroCVB is cvb with Tuning.CVB "zero" and full steps. It begins with Tuning.ExactSweeps sweeps of batch, continues
// with responsibilities, and may return to batch with Tuning.Adapt. Topics and whole counts are drawn from the
// responsibilities when they are asked for. It implements sampler.Sampler and some functions of its Capabilities.
type zeroCVB struct {
	state.Dense                 // z and its counts
	ranges      []int           // word ranges of about equal work, for histograms
	exact       sampler.Sampler // batch, while it samples; else nil
	back        bool            // exact samples for the rest of the run
	shares      *State          // responsibilities; nil while exact samples
	drawing     sync.Mutex      // guards drawn, Z and its counts
	drawn       bool            // Z was drawn from shares
	given       Corpus          // input of shares
}

func newZeroCVB(p *sampler.Problem) (sampler.Sampler, error) {
	s := &zeroCVB{Dense: state.NewDense(p), ranges: sampler.EqualRanges(p.Words, p.V, 64), given: zeroCorpus(p)}
	err := s.given.check() // before the exact sweeps
	if err == nil && p.Tuning.ExactSweeps > 0 {
		s.exact, err = batch.Info.New(p)
	}
	return s, err
}

// isZero reports whether a problem of cvb is solved by zeroCVB.
func isZero(p *sampler.Problem) bool { return p.Tuning.CVB == "zero" && cmp.Or(p.Tuning.Step, 1) == 1 }

// zeroTables returns the memory of zeroCVB, including that of drawn topics.
func zeroTables(p *sampler.Problem) uint64 {
	c := zeroCorpus(p)
	return Bytes(&c) + sampler.DenseTable(p)
}

func (s *zeroCVB) Start(z []uint32, priors *sampler.Priors) error {
	if s.exact != nil {
		return s.exact.Start(z, priors)
	}
	if err := s.Dense.Start(z, priors); err != nil {
		return err
	}
	return s.take()
}

// take makes the responsibilities from Z and ends the exact sweeps.
func (s *zeroCVB) take() (err error) {
	if s.shares, err = New(&s.given); err != nil {
		return err
	}
	s.shares.Start(s.Z)
	s.exact, s.drawn = nil, true
	return nil
}

// With Tuning.Adapt, Σα is examined after backAfter sweeps. If it exceeds backMixing times its least value,
// exact draws are used from then on. Independent probabilities make mixtures of topics look wider than they
// are: Σα then grows without end, and topics fit the training documents alone. On news, titles and papers the
// factor is 1.0 to 1.5, on blogs 4 to 6, and 4 to 45 if documents are generated from many topics each.
const backAfter, backMixing = 100, 5

// goesBack reports whether exact draws replace the responsibilities from this iteration on.
func goesBack(p *sampler.Problem, iteration int, priors *sampler.Priors) bool {
	return p.Tuning.Adapt && iteration == backAfter+1 && !p.Whole() && p.Mixing(priors) > backMixing
}

// goBack replaces the responsibilities by exact draws, which begin with topics drawn from them.
func (s *zeroCVB) goBack(priors *sampler.Priors) (err error) {
	s.draw()
	s.shares = nil // frees its memory before more is allocated
	if s.exact, err = batch.Info.New(s.P); err != nil {
		return err
	}
	s.back = true
	return s.exact.Start(s.Z, priors)
}

func (s *zeroCVB) Sweep(ctx context.Context, iteration int, priors *sampler.Priors) error {
	if s.exact != nil {
		s.back = s.back || iteration == s.P.Tuning.ExactSweeps+1 && s.P.StaysExact(priors)
		if s.back || iteration <= s.P.Tuning.ExactSweeps {
			return s.exact.Sweep(ctx, iteration, priors)
		}
		s.exact.Topics(s.Z)
		if err := s.take(); err != nil {
			return err
		}
	}
	if goesBack(s.P, iteration, priors) {
		if err := s.goBack(priors); err != nil {
			return err
		}
		return s.exact.Sweep(ctx, iteration, priors)
	}
	s.drawn = false
	return s.shares.Sweep(ctx, iteration, priors.Alpha, priors.Beta)
}

// draw draws Z and its counts from the current responsibilities unless it has done so. Several goroutines may call it.
func (s *zeroCVB) draw() {
	s.drawing.Lock()
	defer s.drawing.Unlock()
	if s.drawn {
		return
	}
	clear(s.Nwk)
	s.P.Pseudo.AddRows(s.Nwk, s.P.K, 0)
	s.shares.Topics(s.Z, s.Nwk)
	clear(s.Nk)
	for i := 0; i < len(s.Nwk); i += s.P.K {
		counts.Add(s.Nk, s.Nwk[i:i+s.P.K])
	}
	s.drawn = true
}

// counted returns what holds the topics and whole counts, which are drawn unless exact samples.
func (s *zeroCVB) counted() interface {
	Topics([]uint32)
	AppendRow([]counts.Entry, int) []counts.Entry
	TopicTotals() []uint64
} {
	if s.exact != nil {
		return s.exact
	}
	s.draw()
	return &s.Dense
}

func (s *zeroCVB) Topics(z []uint32) { s.counted().Topics(z) }

func (s *zeroCVB) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	return s.counted().AppendRow(dst, w)
}

func (s *zeroCVB) TopicTotals() []uint64 { return s.counted().TopicTotals() }

func (s *zeroCVB) Histograms() *counts.Histograms {
	if s.exact != nil {
		return s.exact.Histograms()
	}
	s.draw()
	const docs = 256 // documents a task
	h := sampler.CountHistograms(s.P, (s.P.D()+docs-1)/docs, func(h *sampler.Histograms, _, task int) {
		for d := task * docs; d < min(s.P.D(), (task+1)*docs); d++ {
			h.AddDoc(s.Z[s.P.Offsets[d]:s.P.Offsets[d+1]])
		}
	})
	h.Add(&sampler.RowHistograms(s.P, &s.Dense, s.ranges).Histograms)
	copy(h.TopicTotals, s.Dense.TopicTotals())
	return &h.Histograms
}

func (s *zeroCVB) ExpectedRow(dst []float64, w int) { s.shares.WordCounts(dst, w) }

func (s *zeroCVB) ExpectedDoc(dst []float64, d int) { s.shares.DocCounts(dst, d) }

func (s *zeroCVB) Capabilities() sampler.Capabilities {
	return sampler.Capabilities{
		SaveExtra: s.SaveExtra, LoadExtra: s.LoadExtra, ExtraBytes: s.ExtraBytes,
		ExpectedRow: s.ExpectedRow, ExpectedDoc: s.ExpectedDoc,
	}
}

// lastDraws is the extra state while exact draws finish the run.
const lastDraws = "draws"

// SaveExtra implements sampler.Capabilities.SaveExtra. It returns the responsibilities, if there are any.
func (s *zeroCVB) SaveExtra() []byte {
	switch {
	case s.back:
		return []byte(lastDraws)
	case s.exact != nil:
		return nil
	}
	return s.shares.Save()
}

func (s *zeroCVB) ExtraBytes() int64 {
	if s.exact != nil {
		return 0
	}
	return s.shares.l.bytes(s.P.K)
}

func (s *zeroCVB) LoadExtra(extra []byte) error {
	switch last := s.P.Tuning.Adapt && string(extra) == lastDraws; {
	case last && s.exact == nil:
		return s.goBack(nil)
	case last:
		s.back = true
		return nil
	case s.exact != nil && len(extra) == 0:
		return nil
	case s.exact != nil:
		s.exact.Topics(s.Z)
		s.Recount()
		if err := s.take(); err != nil {
			return err
		}
	}
	return s.shares.Load(extra)
}
