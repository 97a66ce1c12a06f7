package ondisk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

func newStreamed(c Config) (*streamed, error) {
	plan, err := sampler.PlanFor(c.Sampler, c.Problem)
	if err != nil {
		return nil, err
	}
	return &streamed{
		p: c.Problem, plan: plan, phases: c.Sampler.Files.Stream.Phases(c.Problem), stream: c.Sampler.Files.Stream,
		budget: c.Budget, warpDir: warpDir{c.Dir}, release: c.Release,
		workers: make([]warpWorker, max(1, c.Problem.Threads)),
	}, nil
}

func (s *streamed) Start(z []uint32, _ *sampler.Priors) error {
	s.generation, s.drawn, s.cursor = 1, 0, nil
	if err := removeBut(s.dir, nil); err != nil {
		return err
	}
	if err := s.layOut(); err != nil {
		return err
	}
	f, err := s.newTokens(s.generation)
	if err != nil {
		return err
	}
	err = s.eachBlock(s.p.Threads, nil, f, func(g int, b *sampler.TokenBlock) error {
		end := b.Begin + int(b.Offsets[len(b.Offsets)-1])
		own := sampler.FirstTopics(s.p, b.Begin, s.p.Words[b.Begin:end])
		if z != nil {
			own = z[b.Begin:end]
		}
		s.phases.Start(g, b, own)
		return nil
	})
	s.nk, s.sums = s.phases.Totals(), f.sums
	return cmp.Or(err, s.finish(f, err == nil))
}

// Resume implements Sampler. It reads all files and checks that they are undamaged and fit each other.
func (s *streamed) Resume(state *State) error {
	n := len(state.Slices)
	if state.Warp == nil || n < 2 || state.Slices[0] != 0 || state.Slices[n-1] != s.p.V ||
		!slices.IsSorted(state.Slices) {
		return fmt.Errorf("%w: the state is not one of this corpus", ErrDamaged)
	}
	if len(state.Warp.Tokens) != n-1 || !addUp(state.Warp.Tokens, s.p.N()) {
		return fmt.Errorf("%w: the state is not one of this corpus", ErrDamaged)
	}
	s.checked = make([]bool, n-1)
	s.slices, s.sizes, s.drawn = state.Slices, state.Warp.Tokens, 0
	s.most, s.generation = state.Warp.Largest, state.Warp.Generation
	if err := s.checkSlices(); err != nil {
		return err
	}
	if err := s.checkBlocks(); err != nil {
		return err
	}
	if err := state.Warp.checkSum(s.tokensFile(s.generation), s.sums); err != nil {
		return err
	}
	return s.Keep(nil)
}

func (s *streamed) State() *State {
	warp := &WarpState{Generation: s.generation, Largest: s.most, Tokens: s.sizes, Sum: sumOf(s.sums)}
	return &State{Slices: s.slices, Warp: warp}
}

// Keep implements Sampler. It keeps the tokens before the current ones, because these may not be on the disk yet.
func (s *streamed) Keep(saved *State) error {
	if saved != nil && saved.Warp != nil && saved.Warp.Generation != s.generation {
		return s.removeBut(s.generation, saved.Warp.Generation)
	}
	_ = os.Rename(s.tokensFile(s.generation-2), s.spareFile()) // it may not be there
	return s.removeBut(s.generation)
}

// removeBut removes all files except those of the given generations and of the ones before them.
func (s *streamed) removeBut(generations ...uint32) error {
	needed := map[string]bool{s.placesFile(): true, s.spareFile(): true}
	for _, g := range generations {
		needed[s.tokensFile(g)], needed[s.tokensFile(g-1)] = true, true
	}
	for i := range len(s.slices) - 1 {
		needed[s.sliceFile(i)] = true
	}
	return removeBut(s.dir, needed)
}

// Sweep implements sampler.Sampler. If it fails, the state before it is still there.
func (s *streamed) Sweep(ctx context.Context, iteration int, priors *sampler.Priors) error {
	from, err := s.openTokens()
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := s.newTokens(s.generation + 1)
	if err != nil {
		return err
	}
	err = s.runPhases(ctx, from, to, iteration, priors)
	if err = cmp.Or(err, s.finish(to, err == nil)); err != nil {
		os.Remove(to.Name()) // it is incomplete, and the disk may be full
		return err
	}
	s.generation++
	s.sums = to.sums
	s.drawn, s.alpha, s.cursor = iteration, append(s.alpha[:0], priors.Alpha...), nil
	s.nk = s.phases.Totals()
	return nil
}

// runPhases reads the tokens of an iteration from one file and writes its result to another.
func (s *streamed) runPhases(ctx context.Context, from, to *tokens, iteration int, priors *sampler.Priors) error {
	s.phases.Freeze(s.nk, priors)
	if s.drawn != iteration-1 || s.drawn == 0 || !slices.Equal(s.alpha, priors.Alpha) {
		err := s.eachBlock(s.p.Threads, from, to, func(g int, b *sampler.TokenBlock) error {
			s.phases.Propose(g, b, iteration-1)
			return ctx.Err()
		})
		if err != nil {
			return err
		}
		s.phases.Totals() // nothing has changed
		from = to
	}
	err := s.eachSlice(from, to, func(g int, w *wordSlice) error {
		s.phases.WordPhase(g, &w.WordTokens, iteration)
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	return s.eachBlock(s.p.Threads, to, to, func(g int, b *sampler.TokenBlock) error {
		s.phases.DocPhase(g, b, iteration)
		return ctx.Err()
	})
}

// finish completes a file if good, and closes it. It is durable after a call of Settle.
func (s *streamed) finish(t *tokens, good bool) error {
	err := s.Settle()
	if good && err == nil {
		err = writeSums(t.File, t.n*t.record, t.sums)
	}
	if !good || err != nil {
		return wholefile.Explain(t.Name(), errors.Join(err, t.Close()))
	}
	wrote := make(chan error, 1)
	s.wrote = wrote
	go func() { wrote <- errors.Join(t.Sync(), t.Close(), wholefile.SyncDir(s.dir)) }()
	return nil
}

func (s *streamed) Settle() error {
	if s.wrote == nil {
		return nil
	}
	err := <-s.wrote
	s.wrote = nil
	return wholefile.Explain(s.tokensFile(s.generation), err)
}

func (s *streamed) TopicTotals() []uint64 {
	totals := slices.Clone(s.nk)
	counts.AddTotals(totals, s.p.Pseudo)
	return totals
}

// AppendRow implements sampler.Sampler. Words in increasing order are fast, because each slice is then read once.
func (s *streamed) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	slice := sliceOf(s.slices, w)
	if s.cursor == nil || s.cursor.number != slice {
		from, err := s.openTokens()
		if err == nil {
			err = s.readSlice(&s.workers[0], slice, from)
			from.Close()
		}
		if err != nil {
			s.keep(err)
			return dst
		}
		s.cursor = &s.workers[0].slice
	}
	return s.phases.Row(0, dst, &s.cursor.WordTokens, w-s.slices[slice])
}

// EachTopics implements Sampler, block by block.
func (s *streamed) EachTopics(f func(begin int, z []uint32) error) error {
	s.cursor = nil
	from, err := s.openTokens()
	if err != nil {
		return err
	}
	defer from.Close()
	var z []uint32
	return s.eachBlock(1, from, nil, func(g int, b *sampler.TokenBlock) error {
		n := int(b.Offsets[len(b.Offsets)-1])
		z = slices.Grow(z[:0], n)[:n]
		s.phases.Topics(g, b, z)
		return f(b.Begin, z)
	})
}

func (s *streamed) Histograms() *counts.Histograms {
	s.cursor = nil
	from, err := s.openTokens()
	if err != nil {
		s.keep(err)
		return s.phases.Histograms()
	}
	defer from.Close()
	s.keep(s.eachBlock(s.p.Threads, from, nil, func(g int, b *sampler.TokenBlock) error {
		s.phases.CountDocs(g, b)
		return nil
	}))
	h := s.phases.Histograms()
	copy(h.TopicTotals, s.TopicTotals())
	sums := make([]wordTopics, len(s.workers))
	s.keep(s.eachSlice(from, nil, func(g int, words *wordSlice) error {
		d := &s.workers[g]
		for w := range len(words.First) - 1 {
			d.entries = s.phases.Row(g, d.entries[:0], &words.WordTokens, w)
			sums[g].add(d.entries)
		}
		return nil
	}))
	for _, sum := range sums {
		h.Add(&counts.Histograms{WordTopic: sum})
	}
	return h
}

// A resumed run reads files that may be damaged, or wrong in spite of their checksums. The checks
// below cover all that memory safety and the sums of the model depend on: every token of a block is
// in exactly one segment and has a place of its own, and topics are below K.

// addUp reports whether the sizes are not negative and add up to n.
func addUp(sizes []int, n int) bool {
	for _, size := range sizes {
		if size < 0 || size > n {
			return false
		}
		n -= size
	}
	return n == 0
}

// checkSlices checks all slices of the vocabulary, and that together they contain every token of
// every block: in a block, each slice begins where the one before ends.
func (s *streamed) checkSlices() error {
	next := make([]uint32, s.plan.Blocks())
	for i := range len(s.slices) - 1 {
		d := &s.workers[0]
		if err := s.readSlice(d, i, nil); err != nil {
			return err
		}
		if err := d.slice.follow(next); err != nil {
			return fmt.Errorf("%s: %w: %w", s.sliceFile(i), ErrDamaged, err)
		}
	}
	for b, n := range next {
		if want := s.plan.Span(b, b+1).Tokens(); int(n) != want {
			return fmt.Errorf("%s: %w: words have %d tokens in block %d, which has %d", s.dir, ErrDamaged, n, b, want)
		}
	}
	return nil
}

// checkBlocks checks the places and tokens of all blocks, and counts n_k.
func (s *streamed) checkBlocks() error {
	if err := s.readAllSums(); err != nil {
		return err
	}
	f, err := s.openTokens()
	if err != nil {
		return err
	}
	defer f.Close()
	err = s.eachBlock(s.p.Threads, f, nil, func(g int, b *sampler.TokenBlock) error {
		if err := b.CheckPlaces(); err != nil {
			return fmt.Errorf("%s: %w: block %d: %w", s.placesFile(), ErrDamaged, b.Number, err)
		}
		if err := s.phases.Count(g, b); err != nil {
			return fmt.Errorf("%s: %w: block %d: %w", f.Name(), ErrDamaged, b.Number, err)
		}
		return nil
	})
	s.nk = s.phases.Totals()
	return err
}

// readAllSums reads the checksums of places and tokens.
func (s *streamed) readAllSums() error {
	places, err := os.Open(s.placesFile())
	if err != nil {
		return fmt.Errorf("cannot read the state of the run: %w", err)
	}
	defer places.Close()
	if s.placeSums, err = readSums(places, placesBytes(s.p.N()), s.plan.Blocks()); err != nil {
		return err
	}
	f, err := s.openTokens()
	if err != nil {
		return err
	}
	defer f.Close()
	s.sums, err = readSums(f.File, f.n*f.record, s.plan.Blocks())
	return err
}
