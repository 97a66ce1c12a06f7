package ondisk

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
)

func newParts(c Config) (*parts, error) {
	plan, err := sampler.PlanFor(c.Sampler, c.Problem)
	if err != nil {
		return nil, err
	}
	plan.ForgetChanges()
	plan.SetStage(c.Budget.Stage)
	s := &parts{plan: plan, budget: c.Budget, release: c.Release, between: c.Round, given: c.Sampler.Files.Groups}
	s.p, s.dir = c.Problem, c.Dir
	s.entries, s.encoders = make([][]counts.Entry, s.threads()), make([]blob.Encoder, s.threads())
	s.blobs = make([][]byte, wordSlices)
	s.buffers.New = func() any { return new([]byte) }
	return s, nil
}

func (s *parts) Start(z []uint32, priors *sampler.Priors) error {
	s.parts, s.active, s.drawn, s.done = nil, nil, 0, 0
	if err := s.removeBut(); err != nil {
		return err
	}
	spans := s.plan.CutTokens(s.budget.PartTokens)
	frequencies := make([]uint64, s.p.V)
	for _, span := range spans {
		for _, w := range s.p.Words[span.Begin:span.End] {
			frequencies[w]++
		}
		s.release(span.Begin, span.End)
	}
	s.rows = newRows(&s.partStore, cutWords(frequencies), s.budget.RowsInMemory)
	s.generation = 1
	written := newBehind()
	for i, span := range spans {
		if err := s.startPart(i, span, z, priors, written); err != nil {
			_ = written.wait() // the first fault is enough
			return err
		}
	}
	if err := written.wait(); err != nil {
		return err
	}
	return s.rows.merge()
}

// startPart writes the first files of a part. z holds the topics of all tokens; nil: the sampler chooses them.
func (s *parts) startPart(i int, span sampler.Span, z []uint32, priors *sampler.Priors, written *behind) error {
	s.active, s.current = nil, nil // making a layout takes as much memory as a part
	layout, err := s.plan.NewLayout(span, s.p.Words[span.Begin:span.End])
	s.release(span.Begin, span.End)
	if err != nil {
		return err
	}
	finish, err := create(s.layoutFile(i), func(f *os.File) error { return layout.Write(f) })
	if err != nil {
		return err
	}
	written.add(finish)
	s.current, s.active = layout, s.plan.NewPartOf(span, layout, nil)
	own := sampler.FirstTopics(s.p, span.Begin, s.p.Words[span.Begin:span.End])
	if z != nil {
		own = z[span.Begin:span.End]
	}
	s.release(span.Begin, span.End)
	if err := s.active.Start(own, priors); err != nil {
		return err
	}
	p := &partFiles{span: span, generation: s.generation}
	s.parts = append(s.parts, p)
	if err := s.save(i, written); err != nil {
		return err
	}
	p.ends, p.newEnds = p.newEnds, nil
	return nil
}

// Resume implements Sampler. It reads all files and checks that they are undamaged and fit each other and the corpus.
func (s *parts) Resume(state *State) error {
	if err := s.take(state); err != nil {
		return err
	}
	for i := range s.parts {
		if err := s.checkPart(i); err != nil {
			return err
		}
	}
	if err := s.removeBut(state); err != nil {
		return err
	}
	return s.rows.merge()
}

// checkPart checks the files of a part: the layout must have the words of the corpus, topics must
// be below K, and the counts must be those of the tokens.
func (s *parts) checkPart(part int) error {
	if err := s.load(part, 0); err != nil {
		return err
	}
	p := s.parts[part]
	words, local := s.current.Words()
	for i, w := range s.p.Words[p.span.Begin:p.span.End] {
		if words[local[i]] != w {
			return fmt.Errorf("%s: %w: token %d is of another word than in the corpus", s.layoutFile(part), ErrDamaged,
				i)
		}
	}
	s.release(p.span.Begin, p.span.End)
	return s.checkCounts(part)
}

// take checks a state and makes it the current one.
func (s *parts) take(state *State) error {
	n := len(state.Slices)
	if n < 2 || state.Slices[0] != 0 || state.Slices[n-1] != s.p.V || !slices.IsSorted(state.Slices) {
		return fmt.Errorf("%w: the parts are not those of this corpus", ErrDamaged)
	}
	s.drawn, s.done = 0, state.Rounds
	s.parts, s.rows = nil, newRows(&s.partStore, state.Slices, s.budget.RowsInMemory)
	first := 0
	for i, p := range state.Parts {
		if p.Blocks < 1 || p.Blocks > s.plan.Blocks()-first {
			return fmt.Errorf("%w: the parts are not those of this corpus", ErrDamaged)
		}
		span := s.plan.Span(first, first+p.Blocks)
		if span.Tokens() != p.Tokens {
			return fmt.Errorf("%w: part %d has %d tokens, not %d", ErrDamaged, i, span.Tokens(), p.Tokens)
		}
		files := &partFiles{span: span, generation: p.Generation}
		if err := files.readEnds(s.countsFile(i, p.Generation), len(state.Slices)); err != nil {
			return err
		}
		s.parts = append(s.parts, files)
		s.generation = max(s.generation, p.Generation)
		first += p.Blocks
	}
	if first != s.plan.Blocks() {
		return fmt.Errorf("%w: the parts are not those of this corpus", ErrDamaged)
	}
	return nil
}

func (s *parts) State() *State {
	state := &State{Slices: s.rows.slices, Rounds: s.done}
	for _, p := range s.parts {
		state.Parts = append(state.Parts,
			PartState{Blocks: p.span.LastBlock - p.span.FirstBlock, Tokens: p.span.Tokens(), Generation: p.generation})
	}
	return state
}

func (s *parts) Keep(saved *State) error { return s.removeBut(s.State(), saved) }

// Settle implements Sampler. It does nothing: a round ends when its files are on the disk.
func (s *parts) Settle() error { return nil }

// removeBut removes all of the sampler's files except those of the given states, which may be nil.
func (s *parts) removeBut(states ...*State) error {
	needed := map[string]bool{}
	for _, state := range states {
		if state == nil {
			continue
		}
		for i, p := range state.Parts {
			for _, path := range []string{
				s.layoutFile(i), s.tokensFile(i, p.Generation),
				s.countsFile(i, p.Generation),
			} {
				needed[path] = true
			}
		}
		for i := range len(state.Slices) - 1 {
			needed[s.rows.file(i)] = true
		}
	}
	return removeBut(s.dir, needed)
}

// Sweep implements sampler.Sampler. It continues with the first round that is not done. If it
// fails, the state before it is still on the disk and Resume restores it.
func (s *parts) Sweep(ctx context.Context, iteration int, priors *sampler.Priors) error {
	restored := 0
	if s.drawn == iteration-1 && slices.Equal(s.alpha, priors.Alpha) {
		restored = s.drawn
	}
	s.drawn = 0
	rounds := s.plan.Rounds(iteration)
	if s.done < 0 || s.done >= rounds {
		return fmt.Errorf("%w: %d rounds of %d are done", ErrDamaged, s.done, rounds)
	}
	for s.done < rounds {
		if err := s.round(ctx, sampler.Step{Iteration: iteration, Round: s.done}, restored, priors); err != nil {
			return err
		}
		if s.done++; s.done < rounds {
			if err := s.between(); err != nil {
				return err
			}
		}
	}
	s.done = 0
	s.drawn, s.alpha = iteration, append(s.alpha[:0], priors.Alpha...)
	return s.Err()
}

// round samples all parts that have documents in a round, and sums their counts.
func (s *parts) round(ctx context.Context, at sampler.Step, restored int, priors *sampler.Priors) error {
	var list []int
	for i, p := range s.parts {
		if s.plan.Takes(p.span, at) {
			list = append(list, i)
		}
	}
	s.generation++
	written := newBehind()
	var err error
	for i := 0; i < len(list) && err == nil; i++ {
		if i+1 < len(list) {
			next := list[i+1]
			go readSoon(s.layoutFile(next), s.tokensFile(next, s.parts[next].generation))
		}
		if err = s.load(list[i], restored); err == nil {
			err = s.active.Round(ctx, at, s.rows.frozen(), priors)
		}
		if err == nil {
			err = s.save(list[i], written)
		}
	}
	if err = cmp.Or(err, written.wait()); err != nil {
		return err
	}
	for _, part := range list {
		p := s.parts[part]
		p.generation, p.ends, p.newEnds = s.generation, p.newEnds, nil
	}
	return s.rows.merge()
}

// EachTopics implements Sampler, part by part.
func (s *parts) EachTopics(f func(begin int, z []uint32) error) error {
	var z []uint32
	for i, p := range s.parts {
		if err := s.load(i, 0); err != nil {
			return err
		}
		z = slices.Grow(z[:0], p.span.Tokens())[:p.span.Tokens()]
		s.active.Topics(z)
		if err := f(p.span.Begin, z); err != nil {
			return err
		}
	}
	return nil
}

func (s *parts) Histograms() *counts.Histograms {
	h := &counts.Histograms{Topic: make([][]uint32, s.p.K), TopicTotals: slices.Clone(s.rows.totals)}
	for i := range s.parts {
		if err := s.load(i, 0); err != nil {
			s.keep(err)
			return h
		}
		s.active.AddDocs(h)
	}
	s.keep(s.countRows(h))
	return h
}

// countRows adds the histogram of n_wk to h.
func (s *parts) countRows(h *counts.Histograms) error {
	sums := make([]wordTopics, s.threads())
	err := eachTask(s.p.Threads, len(s.rows.slices)-1, func(thread, slice int) error {
		opened, done, err := s.rows.openRows(slice)
		if err != nil {
			return err
		}
		defer done()
		for w := s.rows.slices[slice]; w < s.rows.slices[slice+1]; w++ {
			s.entries[thread] = opened.AppendRow(s.entries[thread][:0], w)
			sums[thread].add(s.entries[thread])
		}
		return nil
	})
	for _, sum := range sums {
		h.Add(&counts.Histograms{WordTopic: sum})
	}
	return err
}

func (s *parts) AppendRow(dst []counts.Entry, w int) []counts.Entry { return s.rows.AppendRow(dst, w) }

func (s *parts) TopicTotals() []uint64 { return slices.Clone(s.rows.totals) }
