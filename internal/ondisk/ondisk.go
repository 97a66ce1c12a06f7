// Package ondisk samples corpora and models that do not fit in memory, after
// LightLDA's streaming of data blocks and model slices (Yuan et al. 2015, §6).
//
// light: the corpus is cut into parts (sampler.Part). What a part is, its topics and its
// own counts are files in one directory. In a round the parts pass through memory
// one after the other: while one is sampled, the system reads the next into its
// cache and writes the one before from there. The counts that parts are sampled against are slices of the
// vocabulary, in memory if there is room and else read slice by slice; when all
// parts have been sampled, slices are made again as the sums of the parts' counts.
//
// warp: tokens are in one file, block after block. The word phase goes through the
// vocabulary slice by slice: a slice's tokens are read, a tile from every
// block, go through the phase, and are written to a new file. The doc phase goes
// through that block by block. Rows are counted from the tokens at hand, as in
// memory, and n_wk is never kept.
//
// Files are written beside those of the round before. State names the files that
// make up a state, which may be one between two rounds of an iteration; once it is
// saved, Keep removes the others. So the files are
// the checkpoint, and whatever happens in a round, the state before it is there.
//
// Results are those of the sampler in memory, byte for byte.
package ondisk

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// Config is what to sample, where, and in how much memory.
type Config struct {
	Sampler sampler.Info
	Problem *sampler.Problem // its words are read once, front to back
	Dir     string           // where the files are; made if need be
	Budget  *Budget          // from Fit

	// Release is told that tokens lo … hi-1 of the problem will not be read again
	// soon; nil: nobody needs to know.
	Release func(lo, hi int)

	// Round is called between two rounds of an iteration, when State names files that
	// are on the disk. It may save that and call Keep. nil: nobody does.
	Round func() error
}

// Sampler is a sampler.Chain whose state is in files.
type Sampler interface {
	sampler.Chain

	// Resume goes back to a state that was saved, instead of Start.
	Resume(state *State) error

	// State names the files of the current state.
	State() *State

	// Keep removes the files that neither the current state nor a saved one needs, nor,
	// where the current state is not on the disk yet, the one before. saved may be
	// nil: there is none.
	Keep(saved *State) error

	// Settle waits until the current state is on the disk, whatever happens to the
	// machine then. A new state is begun no sooner than the one before has settled.
	Settle() error

	// EachTopics calls f with the topics of the tokens begin, begin+1, … piece by
	// piece in corpus order. The slice is valid until f returns.
	EachTopics(f func(begin int, z []uint32) error) error

	// Err returns the first fault met by methods that return none, or nil.
	Err() error
}

// New prepares sampling. Start or Resume comes next.
func New(c Config) (Sampler, error) {
	if err := os.MkdirAll(c.Dir, 0o777); err != nil {
		return nil, fmt.Errorf("cannot make the directory for the state of the run: %w", err)
	}
	if c.Release == nil {
		c.Release = func(int, int) {}
	}
	if c.Round == nil {
		c.Round = func() error { return nil }
	}
	if c.Sampler.Files.Stream != nil {
		return newStreamed(c)
	}
	return newParts(c)
}

// State names the files of a state. It is kept as JSON.
type State struct {
	Parts  []PartState `json:"parts,omitempty"`
	Warp   *WarpState  `json:"warp,omitempty"`
	Slices []int       `json:"slices"`           // words at which slices begin, and V
	Rounds int         `json:"rounds,omitempty"` // done of the iteration after the last whole one
}

// parseState reads what State is kept as; nil of nothing.
func parseState(kept json.RawMessage) (*State, error) {
	if kept == nil {
		return nil, nil
	}
	state := &State{}
	if err := json.Unmarshal(kept, state); err != nil {
		return nil, fmt.Errorf("%w: the names of the files cannot be read: %w", ErrDamaged, err)
	}
	return state, nil
}

// Fits says whether a run in this state keeps a budget: whether no part that could
// be smaller, and no slice, is larger than the budget's would be.
func (s *State) Fits(b *Budget) bool {
	for _, p := range s.Parts {
		if p.Blocks > 1 && p.Tokens > b.PartTokens {
			return false
		}
	}
	return s.Warp == nil || s.Warp.Largest <= b.SliceBytes
}

// PartState names the files of a part.
type PartState struct {
	Blocks     int    `json:"blocks"` // of the sampler's grid
	Tokens     int    `json:"tokens"`
	Generation uint32 `json:"generation"`
}

// fault keeps the first fault of methods that return none.
type fault struct {
	mutex sync.Mutex
	err   error
}

// Err returns the first fault met by methods that return none, or nil.
func (s *fault) Err() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.err
}

// keep keeps the first fault.
func (s *fault) keep(err error) {
	if err == nil {
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.err == nil {
		s.err = err
	}
}

// eachTask calls work for every task on so many goroutines. It begins no more tasks
// after an error, and returns one of those that there are.
func eachTask(threads, tasks int, work func(thread, task int) error) error {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	_ = parallel.Do(ctx, threads, tasks, func(thread, task int) {
		if err := work(thread, task); err != nil {
			cancel(err)
		}
	})
	return context.Cause(ctx)
}

// Remove removes all files that samplers keep in dir. It is no error if there are
// none.
func Remove(dir string) error { return removeBut(dir, nil) }

// removeBut removes all files of samplers in dir but those needed.
func removeBut(dir string, needed map[string]bool) error {
	for _, pattern := range patterns {
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

// patterns are the names of samplers' files.
var patterns = []string{"part-?????.*", "slice-?????.*", "warp-tokens.*", "warp-places"}

// Has says whether samplers keep files in dir.
func Has(dir string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		found, err := filepath.Glob(filepath.Join(escape(dir), pattern))
		return err == nil && len(found) > 0
	})
}

// RunFile is in a work directory that somebody has named, and holds the path of the checkpoint that its files belong to.
const RunFile = "run"

// Enter notes that a work directory belongs to a checkpoint, or refuses one that holds the files of another run that can
// still go on.
func Enter(dir, checkpoint string) error {
	checkpoint, err := filepath.Abs(checkpoint)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, RunFile)
	if b, err := os.ReadFile(path); err == nil && string(b) != checkpoint && Has(dir) {
		if info, err := os.Stat(string(b)); err == nil && info.Mode().IsRegular() {
			return fmt.Errorf("%s holds the files of an unfinished run, whose checkpoint is %s: resume that one or remove its checkpoint, or choose another work directory", dir, b)
		}
	}
	if err := wholefile.Put(path, []byte(checkpoint)); err != nil {
		return fmt.Errorf("cannot make the directory for the state of the run: %w", err)
	}
	return nil
}
