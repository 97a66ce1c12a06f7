package ondisk

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Config describes what to sample, where, and in how much memory.
type Config struct {
	Sampler sampler.Info
	Problem *sampler.Problem // its words are read once, front to back
	Dir     string           // directory of the files; created if it is missing
	Budget  *Budget          // from Fit

	// Release is called when tokens lo … hi-1 of the problem will not be read again soon. It may be nil.
	Release func(lo, hi int)

	// Round is called between two rounds of an iteration, when the files that State names are on
	// the disk. It may save the state and call Keep. It may be nil.
	Round func() error
}

// State names the files of a state. It is stored as JSON.
type State struct {
	Parts  []PartState `json:"parts,omitempty"`
	Warp   *WarpState  `json:"warp,omitempty"`
	Slices []int       `json:"slices"`           // the first word of every slice, then V
	Rounds int         `json:"rounds,omitempty"` // completed rounds of the unfinished iteration
}

// PartState names the files of a part.
type PartState struct {
	Blocks     int    `json:"blocks"` // of the sampler's grid
	Tokens     int    `json:"tokens"`
	Generation uint32 `json:"generation"`
}

// WarpState names the files of a state of warp.
type WarpState struct {
	Generation uint32 `json:"generation"`
	Largest    int    `json:"largest_slice"`        // bytes
	Tokens     []int  `json:"slice_tokens"`         // of each slice
	Sum        string `json:"tokens_sum,omitempty"` // of the file of tokens; "" in states of earlier versions
}

// parseState parses a stored State; it returns nil for nil.
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

// Fits reports whether a run in this state keeps a budget: no part of several blocks, and no slice,
// is larger than the budget allows.
func (s *State) Fits(b *Budget) bool {
	for _, p := range s.Parts {
		if p.Blocks > 1 && p.Tokens > b.PartTokens {
			return false
		}
	}
	return s.Warp == nil || s.Warp.Largest <= b.SliceBytes
}

// fault stores the first error of methods that return none.
type fault struct {
	mutex sync.Mutex
	err   error
}

// Err returns the stored error, or nil.
func (s *fault) Err() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.err
}

// keep stores err if it is the first error.
func (s *fault) keep(err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.err = cmp.Or(s.err, err)
}

// eachTask calls work for every task on the given number of goroutines. After an error it starts no
// more tasks, and returns the error.
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

// removeBut removes all files of samplers in dir except those in needed.
func removeBut(dir string, needed map[string]bool) error {
	for _, path := range filesIn(dir) {
		if !needed[path] {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	return nil
}

// filesIn returns the paths of all files of samplers in dir.
func filesIn(dir string) (paths []string) {
	for _, pattern := range patterns {
		names, _ := fs.Glob(os.DirFS(dir), pattern) // every pattern is valid
		for _, name := range names {
			paths = append(paths, filepath.Join(dir, name))
		}
	}
	return paths
}

// patterns match the names of samplers' files.
var patterns = []string{"part-?????.*", "slice-?????.*", "warp-tokens.*", "warp-places"}
