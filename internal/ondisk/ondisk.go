// Package ondisk samples corpora and models that do not fit in memory, after
// LightLDA's streaming of data blocks and model slices (Yuan et al. 2015, §6).
//
// The corpus is cut into parts (sampler.Part). What a part is, its topics and its
// own counts are files in one directory. In a round the parts pass through memory
// one after the other: while one is sampled, the system reads the next into its
// cache and writes the one before from there. The counts that parts are sampled against are slices of the
// vocabulary, in memory if there is room and else read slice by slice; when all
// parts have been sampled, slices are made again as the sums of the parts' counts.
//
// Files are written beside those of the round before. State names the files that
// make up a state; once it is saved, Committed removes the others. So the files are
// the checkpoint, and whatever happens in a round, the state before it is there.
//
// Results are those of the sampler in memory, byte for byte.
package ondisk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Config is what to sample, where, and in how much memory.
type Config struct {
	Sampler string           // its name
	Problem *sampler.Problem // its words are read once, front to back
	Dir     string           // where the files are; made if need be
	Budget  *Budget          // from Fit

	// Release is told that tokens lo … hi-1 of the problem will not be read again
	// soon; nil: nobody needs to know.
	Release func(lo, hi int)
}

// Sampler is a sampler.Sampler whose state is in files. Faults met by methods that
// return no error are told by Err.
type Sampler struct {
	p       *sampler.Problem
	plan    *sampler.Plan
	budget  *Budget
	dir     string
	release func(lo, hi int)

	parts      []*partFiles
	generation uint32 // of the files written last
	rows       *rows
	active     sampler.Part // the one in memory
	layout     []byte       // its layout
	drawn      int          // iteration whose α is in the tokens' state; 0: unknown
	alpha      []float64    // K: that α

	entries  [][]counts.Entry // by goroutine: a row
	encoders []blob.Encoder   // by goroutine
	blobs    [][]byte         // blobs about to be written
	buffers  sync.Pool        // of *[]byte

	mutex sync.Mutex
	err   error // the first fault
}

// partFiles is where a part is.
type partFiles struct {
	span       sampler.Span
	generation uint32
	ends       []int64 // slices+1: where the blobs of the part's counts begin and end in their file
	newEnds    []int64 // the same for the next generation, while it is being written
}

// State names the files of a state. It is kept as JSON.
type State struct {
	Parts  []PartState `json:"parts"`
	Slices []int       `json:"slices"` // words at which slices begin, and V
}

// PartState names the files of a part.
type PartState struct {
	Blocks     int    `json:"blocks"` // of the sampler's grid
	Tokens     int    `json:"tokens"`
	Generation uint32 `json:"generation"`
}

// New prepares sampling. Start or Resume comes next.
func New(c Config) (*Sampler, error) {
	plan, err := sampler.NewPlan(c.Sampler, c.Problem)
	if err != nil {
		return nil, err
	}
	plan.ForgetChanges()
	plan.SetStage(c.Budget.Stage)
	if err := os.MkdirAll(c.Dir, 0o777); err != nil {
		return nil, fmt.Errorf("cannot make the directory for the state of the run: %w", err)
	}
	s := &Sampler{p: c.Problem, plan: plan, budget: c.Budget, dir: c.Dir, release: c.Release}
	if s.release == nil {
		s.release = func(int, int) {}
	}
	s.entries, s.encoders = make([][]counts.Entry, s.threads()), make([]blob.Encoder, s.threads())
	s.blobs = make([][]byte, wordSlices)
	s.buffers.New = func() any { return new([]byte) }
	return s, nil
}

// Err returns the first fault met by methods that return none, or nil.
func (s *Sampler) Err() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.err
}

// keep keeps the first fault.
func (s *Sampler) keep(err error) {
	if err == nil {
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.err == nil {
		s.err = err
	}
}

func (s *Sampler) threads() int { return max(1, s.p.Threads) }

// parallel calls work for every task on several goroutines, and returns the first
// error.
func (s *Sampler) parallel(tasks int, work func(thread, task int) error) error {
	var next atomic.Int64
	var group sync.WaitGroup
	faults := make([]error, s.threads())
	for thread := range faults {
		group.Go(func() {
			for faults[thread] == nil {
				task := int(next.Add(1)) - 1
				if task >= tasks {
					return
				}
				faults[thread] = work(thread, task)
			}
		})
	}
	group.Wait()
	return errors.Join(faults...)
}

// Start implements sampler.Sampler: z, in corpus order, or the sampler's own start.
func (s *Sampler) Start(z []uint32, priors *sampler.Priors) error {
	if z == nil {
		return s.StartFrom(nil, priors)
	}
	return s.StartFrom(func(own []uint32) error {
		copy(own, z)
		z = z[len(own):]
		return nil
	}, priors)
}

// StartFrom is Start with topics that come piece by piece: read fills z with the
// next ones in corpus order. A nil read stands for the sampler's own start.
func (s *Sampler) StartFrom(read func(z []uint32) error, priors *sampler.Priors) error {
	s.parts, s.active, s.drawn = nil, nil, 0
	if err := s.removeBut(nil); err != nil {
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
	s.rows = newRows(s, cutWords(frequencies), s.budget.RowsInMemory)
	s.generation = 1
	written := newBehind()
	for i, span := range spans {
		if err := s.startPart(i, span, read, priors, written); err != nil {
			return errors.Join(err, written.wait())
		}
	}
	if err := written.wait(); err != nil {
		return err
	}
	return s.rows.merge()
}

// startPart makes the first files of a part.
func (s *Sampler) startPart(i int, span sampler.Span, read func(z []uint32) error, priors *sampler.Priors, written *behind) error {
	s.active = nil // making a layout takes as much memory as a part
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
	s.active = s.plan.NewPartOf(span, layout, s.active)
	var own []uint32
	if read != nil {
		own = make([]uint32, span.Tokens())
		if err := read(own); err != nil {
			return err
		}
	}
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

// Resume goes back to a state that was saved.
func (s *Sampler) Resume(state *State) error {
	if err := s.take(state); err != nil {
		return err
	}
	if err := s.removeBut(state); err != nil {
		return err
	}
	return s.rows.merge()
}

// take checks a state and makes it the current one.
func (s *Sampler) take(state *State) error {
	s.drawn = 0
	s.parts, s.rows = nil, newRows(s, state.Slices, s.budget.RowsInMemory)
	first := 0
	for i, p := range state.Parts {
		if p.Blocks < 1 || first+p.Blocks > s.plan.Blocks() {
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
	n := len(state.Slices)
	if first != s.plan.Blocks() || n < 2 || state.Slices[0] != 0 || state.Slices[n-1] != s.p.V || !slices.IsSorted(state.Slices) {
		return fmt.Errorf("%w: the parts are not those of this corpus", ErrDamaged)
	}
	return nil
}

// State names the files of the current state.
func (s *Sampler) State() *State {
	state := &State{Slices: s.rows.slices}
	for _, p := range s.parts {
		state.Parts = append(state.Parts, PartState{Blocks: p.span.LastBlock - p.span.FirstBlock, Tokens: p.span.Tokens(), Generation: p.generation})
	}
	return state
}

// Committed removes the files that the current state does not need. It is to be
// called when State has been saved.
func (s *Sampler) Committed() error { return s.removeBut(s.State()) }

// removeBut removes all of the sampler's files but those of a state.
func (s *Sampler) removeBut(state *State) error {
	needed := map[string]bool{}
	if state != nil {
		for i, p := range state.Parts {
			for _, path := range []string{s.layoutFile(i), s.tokensFile(i, p.Generation), s.countsFile(i, p.Generation)} {
				needed[path] = true
			}
		}
		for i := range len(state.Slices) - 1 {
			needed[s.rows.file(i)] = true
		}
	}
	return removeBut(s.dir, needed)
}

// removeBut removes all files of samplers in dir but those needed.
func removeBut(dir string, needed map[string]bool) error {
	for _, pattern := range []string{"part-?????.*", "slice-?????.rows"} {
		found, err := filepath.Glob(filepath.Join(escape(dir), pattern))
		if err != nil {
			return err
		}
		for _, path := range found {
			if !needed[path] {
				if err := os.Remove(path); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// Remove removes all files that samplers keep in dir. It is no error if there are
// none.
func Remove(dir string) error { return removeBut(dir, nil) }

// Sweep implements sampler.Sampler. When it fails, the state before is still there:
// Resume goes back to it.
func (s *Sampler) Sweep(ctx context.Context, iteration int, priors *sampler.Priors) error {
	restored := 0
	if s.drawn == iteration-1 && slices.Equal(s.alpha, priors.Alpha) {
		restored = s.drawn
	}
	s.drawn = 0
	for r := range s.plan.Rounds(iteration) {
		if err := s.round(ctx, sampler.Step{Iteration: iteration, Round: r}, restored, priors); err != nil {
			return err
		}
	}
	s.drawn, s.alpha = iteration, append(s.alpha[:0], priors.Alpha...)
	return s.Err()
}

// AppendRow implements sampler.Sampler.
func (s *Sampler) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	return s.rows.AppendRow(dst, w)
}

// TopicTotals implements sampler.Sampler.
func (s *Sampler) TopicTotals() []uint64 { return slices.Clone(s.rows.totals) }
