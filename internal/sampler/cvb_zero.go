package sampler

import (
	"context"
	"sync"

	"github.com/topoi-lda/topoi/internal/counts"
	bytewise "github.com/topoi-lda/topoi/internal/sampler/cvb"
)

// zeroCVB is cvb with Tuning.CVB "zero" and full steps: responsibilities by package
// cvb, after Tuning.ExactSweeps sweeps of batch. Topics and whole counts are drawn from the
// responsibilities when they are asked for.
type zeroCVB struct {
	denseState                 // z and its counts
	ranges     []int           // word ranges of about equal work, for histograms
	exact      Sampler         // batch, as long as it is at work; then nil
	state      *bytewise.State // nil before
	drawing    sync.Mutex      // over drawn, and what it says is drawn
	drawn      bool            // z is that of state
	given      bytewise.Corpus // what state is made for
}

func newZeroCVB(p *Problem) (Sampler, error) {
	s := &zeroCVB{denseState: newDenseState(p), ranges: equalRanges(p.Words, p.V, 64), given: zeroCorpus(p)}
	var err error
	if p.Tuning.ExactSweeps > 0 {
		s.exact, err = newBatch(p)
	}
	return s, err
}

// isZero tells whether a problem of cvb is one for zeroCVB.
func isZero(p *Problem) bool { return p.Tuning.CVB == "zero" && or(p.Tuning.Step, 1) == 1 }

// zeroTables counts the memory of zeroCVB, and that of drawn topics.
func zeroTables(p *Problem) uint64 {
	c := zeroCorpus(p)
	return bytewise.Bytes(&c) + denseTable(p)
}

func zeroCorpus(p *Problem) bytewise.Corpus {
	return bytewise.Corpus{Offsets: p.Offsets, Words: p.Words, V: p.V, K: p.K, Seed: p.Seed, Groups: p.Tuning.Partitions, Threads: p.Threads}
}

// Start implements Sampler.
func (s *zeroCVB) Start(z []uint32, priors *Priors) error {
	if s.exact != nil {
		return s.exact.Start(z, priors)
	}
	if err := s.denseState.Start(z, priors); err != nil {
		return err
	}
	return s.take()
}

// take makes the responsibilities from z.
func (s *zeroCVB) take() (err error) {
	if s.state, err = bytewise.New(&s.given); err != nil {
		return err
	}
	s.state.Start(s.z)
	s.exact, s.drawn = nil, true
	return nil
}

// Sweep implements Sampler.
func (s *zeroCVB) Sweep(ctx context.Context, iteration int, priors *Priors) error {
	if s.exact != nil {
		if iteration <= s.p.Tuning.ExactSweeps {
			return s.exact.Sweep(ctx, iteration, priors)
		}
		s.exact.Topics(s.z)
		if err := s.take(); err != nil {
			return err
		}
	}
	s.drawn = false
	return s.state.Sweep(ctx, iteration, priors.Alpha, priors.Beta)
}

// draw makes z and its counts those of the present state. Rows may be asked for
// from several goroutines.
func (s *zeroCVB) draw() {
	s.drawing.Lock()
	defer s.drawing.Unlock()
	if s.drawn {
		return
	}
	clear(s.nwk)
	s.state.Topics(s.z, s.nwk)
	clear(s.nk)
	for i := 0; i < len(s.nwk); i += s.p.K {
		for k, n := range s.nwk[i : i+s.p.K] {
			s.nk[k] += n
		}
	}
	s.drawn = true
}

// Topics implements Sampler.
func (s *zeroCVB) Topics(z []uint32) {
	if s.exact != nil {
		s.exact.Topics(z)
		return
	}
	s.draw()
	s.denseState.Topics(z)
}

// AppendRow implements Sampler.
func (s *zeroCVB) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	if s.exact != nil {
		return s.exact.AppendRow(dst, w)
	}
	s.draw()
	return s.denseState.AppendRow(dst, w)
}

// TopicTotals implements Sampler.
func (s *zeroCVB) TopicTotals() []uint64 {
	if s.exact != nil {
		return s.exact.TopicTotals()
	}
	s.draw()
	return s.denseState.TopicTotals()
}

// Histograms implements Sampler.
func (s *zeroCVB) Histograms() *counts.Histograms {
	if s.exact != nil {
		return s.exact.Histograms()
	}
	s.draw()
	const docs = 256 // at a time
	h := countHistograms(s.p, (s.p.D()+docs-1)/docs, func(h *histograms, _, task int) {
		for d := task * docs; d < min(s.p.D(), (task+1)*docs); d++ {
			h.addDoc(s.z[s.p.Offsets[d]:s.p.Offsets[d+1]])
		}
	})
	h.Add(&rowHistograms(s.p, &s.denseState, s.ranges).Histograms)
	copy(h.TopicTotals, s.denseState.TopicTotals())
	return &h.Histograms
}

// ExpectedRow implements Expected.
func (s *zeroCVB) ExpectedRow(dst []float64, w int) { s.state.WordCounts(dst, w) }

// ExpectedDoc implements Expected.
func (s *zeroCVB) ExpectedDoc(dst []float64, d int) { s.state.DocCounts(dst, d) }

// SaveExtra implements Extra: the responsibilities, once there are some.
func (s *zeroCVB) SaveExtra() []byte {
	if s.exact != nil {
		return nil
	}
	return s.state.Save()
}

// LoadExtra implements Extra.
func (s *zeroCVB) LoadExtra(extra []byte) error {
	if s.exact != nil {
		if len(extra) == 0 {
			return nil
		}
		s.exact.Topics(s.z)
		s.recount()
		if err := s.take(); err != nil {
			return err
		}
	}
	return s.state.Load(extra)
}
