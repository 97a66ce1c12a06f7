// Package ondisk samples corpora and models that do not fit in memory, after LightLDA's streaming
// of data blocks and model slices (Yuan et al. 2015, §6).
//
// With light the corpus is cut into parts (sampler.Part). A part's layout, topics and own counts are files in one
// directory. In a round the parts pass through memory one after the other: while one is sampled, the system reads the
// next into its cache and writes the one before. Parts are sampled against slices of the vocabulary, which are in
// memory if there is room and else are read one by one. When all parts have been sampled, each slice is computed
// again as the sum of the parts' counts.
//
// With warp all tokens are in one file, block after block. The word phase goes through the vocabulary slice by slice:
// it reads a slice's tokens, a tile from every block, and writes them to a new file. The doc phase goes through that
// file block by block. Rows are counted from the tokens at hand, as in memory, and n_wk is never stored.
//
// A round writes its files beside those of the round before. State names the files of a state,
// which may be one between two rounds of an iteration. After it is saved, Keep removes the other
// files. So the files are the checkpoint: if a round fails, the state before it is still there.
//
// Results are those of the sampler in memory, byte for byte.
package ondisk

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// Sampler is a sampler.Chain whose state is in files. EachTopics takes the place of Topics.
type Sampler interface {
	Start(z []uint32, priors *sampler.Priors) error
	Sweep(ctx context.Context, iteration int, priors *sampler.Priors) error
	counts.Rows
	TopicTotals() []uint64
	Histograms() *counts.Histograms

	// Resume restores a saved state. It is called instead of Start.
	Resume(state *State) error

	// State names the files of the current state.
	State() *State

	// Keep removes all files except those of the current state and of saved, which may be nil. If
	// the current state is not on the disk yet, it also keeps the state before.
	Keep(saved *State) error

	// Settle waits until the current state is durable on the disk. Writing the next state waits for that too.
	Settle() error

	// EachTopics calls f with the topics of the tokens begin, begin+1, …, piece by piece in corpus
	// order. The slice is valid until f returns.
	EachTopics(f func(begin int, z []uint32) error) error

	// Err returns the first error of the methods that return none, or nil.
	Err() error
}

// New returns a sampler from files. Call Start or Resume next.
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

// Remove removes all files of samplers in dir, if there are any.
func Remove(dir string) error { return removeBut(dir, nil) }

// Has reports whether dir has files of samplers.
func Has(dir string) bool { return len(filesIn(dir)) > 0 }

// RunFile is a file in a work directory that the user has named. It holds the path of the
// checkpoint to which the directory's files belong.
const RunFile = "run"

// Enter records in RunFile that a work directory belongs to a checkpoint. It returns an error if
// the directory holds the files of another run that can still be resumed.
func Enter(dir, checkpoint string) error {
	checkpoint, err := filepath.Abs(checkpoint)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, RunFile)
	if b, err := os.ReadFile(path); err == nil && string(b) != checkpoint && Has(dir) {
		if info, err := os.Stat(string(b)); err == nil && info.Mode().IsRegular() {
			return fmt.Errorf("%s holds the files of an unfinished run, whose checkpoint is %s: "+
				"resume that one or remove its checkpoint, or choose another work directory", dir, b)
		}
	}
	if err := wholefile.Put(path, []byte(checkpoint)); err != nil {
		return fmt.Errorf("cannot make the directory for the state of the run: %w", err)
	}
	return nil
}
