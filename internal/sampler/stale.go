package sampler

import (
	"cmp"
	"context"
	"sync"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/parallel"
)

// Stale runs a sampler part by part. The changes of a part reach the others late: this is
// LightLDA's bounded staleness (Yuan et al. 2015, §5) with a fixed delay, so that a run stays a
// function of its options. A cluster works the same way, and gives the same bytes.
//
// Rounds are numbered 1, 2, … through all iterations. Version v of n_wk and n_k counts the topics after round v;
// version 0 counts them at the start. In round t, with staleness s, a part samples against
//
//	version max(0, t-1-s)  +  its own changes in the rounds after that
//
// so the row from which a token's count is subtracted always contains it. s = 0 is the sampler
// itself. Priors and likelihoods are computed from the current topics, whatever s.
//
// n_wk is stored in a counts.Table whatever the sampler. Stale implements Sampler.
type Stale struct {
	p         *Problem
	Plan      *Plan
	Parts     []*Part
	staleness int // s

	table *counts.Table // n_wk of version max(0, t-1-s)
	nk    []uint64      // K: n_k of the same version

	// late holds the rounds after that version, oldest first, at most s of them;
	// each has a set for every part, nil for parts that were not in the round.
	late [][]*counts.ChangeSet

	scratch sync.Pool // of *[2][]counts.Entry, for AppendRow
}

// DefaultParts returns the number of parts of a corpus of n tokens unless Tuning.Parts sets it: one
// for every eight million tokens, from two to eight. Small parts do not pay, since each sets up the
// rows of its words and sends its changes by itself. With 20 million tokens two workers take 1.6
// times as long as two threads in eight parts, and 1.2 times in two.
func DefaultParts(n int) int { return min(max(n/8_000_000, 2), 8) }

func NewStale(info Info, p *Problem) (*Stale, error) {
	plan, err := PlanFor(info, p)
	if err != nil {
		return nil, err
	}
	s := newStale(p)
	s.Plan = plan
	for _, span := range plan.Cut(cmp.Or(p.Tuning.Parts, DefaultParts(p.N()))) {
		part, err := plan.NewPart(span, p.Words[span.Begin:span.End])
		if err != nil {
			return nil, err
		}
		s.Parts = append(s.Parts, part)
	}
	return s, nil
}

// newStale returns the sampler without its parts.
func newStale(p *Problem) *Stale {
	s := &Stale{
		p: p, staleness: p.Tuning.Staleness, nk: make([]uint64, p.K),
		table: counts.NewTable(p.K, p.Pseudo.AddFrequencies(counts.Frequencies(p.Words, p.V))),
	}
	s.scratch.New = func() any { return new([2][]counts.Entry) }
	return s
}

func (s *Stale) Start(z []uint32, priors *Priors) error {
	s.table.Clear()
	clear(s.nk)
	s.late = nil
	s.p.Pseudo.Cells(func(w int, e counts.Entry) { s.table.Add(w, int(e.Topic), int32(e.Count)) })
	counts.AddTotals(s.nk, s.p.Pseudo)
	var topics []uint32
	for _, part := range s.Parts {
		span := part.Span()
		var own []uint32
		if z != nil {
			own = z[span.Begin:span.End]
		}
		if err := part.Start(own, priors); err != nil {
			return err
		}
		topics = append(topics[:0], make([]uint32, span.Tokens())...)
		part.Topics(topics)
		for i, w := range s.p.Words[span.Begin:span.End] {
			s.table.Add(int(w), int(topics[i]), 1)
			s.nk[topics[i]]++
		}
	}
	return nil
}

func (s *Stale) Topics(z []uint32) {
	for _, part := range s.Parts {
		part.Topics(z[part.Span().Begin:part.Span().End])
	}
}

// Sweep implements Sampler. If ctx ends inside a sweep, the state is incomplete and must not be used.
func (s *Stale) Sweep(ctx context.Context, iteration int, priors *Priors) error {
	for r := range s.Plan.Rounds(iteration) {
		if err := s.Round(ctx, Step{iteration, r}, priors); err != nil {
			return err
		}
	}
	return nil
}

func (s *Stale) Round(ctx context.Context, at Step, priors *Priors) error {
	sets := make([]*counts.ChangeSet, len(s.Parts))
	for i, part := range s.Parts {
		if !s.Plan.Takes(part.Span(), at) {
			continue
		}
		if err := part.Round(ctx, at, s.view(i).frozen(), priors); err != nil {
			return err
		}
		sets[i] = ChangesOf(part, s.p.Threads)
	}
	s.advance(sets)
	return nil
}

// advance stores the changes of a round, and adds those that are older than the staleness to the
// counts that all parts see.
func (s *Stale) advance(sets []*counts.ChangeSet) {
	s.late = append(s.late, sets)
	if len(s.late) > s.staleness {
		for _, set := range s.late[0] {
			if set != nil {
				set.AddTo(s.table)
				set.AddTotals(s.nk)
			}
		}
		s.late = s.late[1:]
	}
}

// ChangesOf returns the changes of a part's last round.
func ChangesOf(part *Part, threads int) *counts.ChangeSet {
	const chunk = 4096
	n := len(part.Words())
	sets := make([]counts.ChangeSet, (n+chunk-1)/chunk)
	_ = parallel.Do(context.Background(), threads, len(sets), func(_, i int) {
		part.Changes(i*chunk, min(n, (i+1)*chunk), sets[i].Append)
	})
	all := &counts.ChangeSet{}
	for i := range sets {
		all.Join(&sets[i])
	}
	return all
}

// staleView shows the counts that one part samples against.
type staleView struct {
	*Stale
	part int
	nk   []uint64
}

func (s *Stale) view(part int) staleView {
	v := staleView{s, part, append([]uint64(nil), s.nk...)}
	for _, sets := range s.late {
		if sets[part] != nil {
			sets[part].AddTotals(v.nk)
		}
	}
	return v
}

func (v staleView) frozen() *Frozen { return &Frozen{Totals: v.nk, Rows: v, DenseRow: v.denseRow} }

func (v staleView) denseRow(w int, room []int32) []int32 {
	row := v.table.DenseRow(w)
	if row == nil || len(v.late) == 0 {
		return row
	}
	row = room[:copy(room, row)]
	for _, sets := range v.late {
		if sets[v.part] == nil {
			continue
		}
		for _, c := range sets[v.part].Row(uint32(w)) {
			row[c.Topic] += c.Delta
		}
	}
	return row
}

func (v staleView) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	return v.appendRow(dst, w, func(part int) bool { return part == v.part })
}

// appendRow appends the row of word w with the late changes of some parts.
func (s *Stale) appendRow(dst []counts.Entry, w int, of func(part int) bool) []counts.Entry {
	if len(s.late) == 0 {
		return s.table.AppendRow(dst, w)
	}
	rows := s.scratch.Get().(*[2][]counts.Entry)
	defer s.scratch.Put(rows)
	rows[0] = s.table.AppendRow(rows[0][:0], w)
	for _, sets := range s.late {
		for part, set := range sets {
			if set == nil || !of(part) {
				continue
			}
			if changes := set.Row(uint32(w)); changes != nil {
				rows[1] = counts.Merge(rows[1][:0], rows[0], changes)
				rows[0], rows[1] = rows[1], rows[0]
			}
		}
	}
	return append(dst, rows[0]...)
}

func (s *Stale) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	return s.appendRow(dst, w, func(int) bool { return true })
}

func (s *Stale) TopicTotals() []uint64 {
	nk := append([]uint64(nil), s.nk...)
	for _, sets := range s.late {
		for _, set := range sets {
			if set != nil {
				set.AddTotals(nk)
			}
		}
	}
	return nk
}

func (s *Stale) Histograms() *counts.Histograms {
	h := RowHistograms(s.p, s, EqualRanges(s.p.Words, s.p.V, 64))
	for _, part := range s.Parts {
		part.AddDocs(&h.Histograms)
	}
	copy(h.TopicTotals, s.TopicTotals())
	return &h.Histograms
}

// Make returns the form of the sampler that runs on the CPU, in memory.
func (info Info) Make(p *Problem) (Sampler, error) {
	if p.Tuning.Staleness > 0 {
		return NewStale(info, p)
	}
	return info.New(p)
}
