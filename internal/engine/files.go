package engine

import (
	"context"
	"errors"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/ondisk"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Files keeps the state in files, within a memory budget: see package ondisk.
type Files struct {
	sampler ondisk.Sampler
	config  ondisk.Config
}

// InFiles makes an engine that works from files.
func InFiles(c ondisk.Config) (*Files, error) {
	s, err := ondisk.New(c)
	return &Files{s, c}, err
}

// Place implements Engine.
func (f *Files) Place() string { return cpu }

// Start implements Engine.
func (f *Files) Start(priors *sampler.Priors) error { return f.sampler.Start(nil, priors) }

// Restore implements Engine.
func (f *Files) Restore(state *State, _ *sampler.Priors) error {
	switch {
	case state.Files == nil:
		return Elsewhere("a run that kept everything in memory: resume without a memory budget, or with a larger one")
	case !state.Files.Fits(f.config.Budget):
		return Elsewhere("a run that was begun with a larger memory budget, whose parts do not fit this one: resume with the same budget")
	}
	return f.sampler.Resume(state.Files)
}

// ErrMend is wrapped by errors of Sweep that have to do with files. What was saved
// before is still there: a run can be resumed when that is mended.
var ErrMend = errors.New("files could not be read or written")

// mend wraps an error without changing its text.
type mend struct{ error }

func (m mend) Unwrap() []error { return []error{m.error, ErrMend} }

// Sweep implements Engine.
func (f *Files) Sweep(ctx context.Context, iteration int, priors *sampler.Priors) error {
	if err := f.sampler.Sweep(ctx, iteration, priors); err != nil {
		return mend{err}
	}
	return nil
}

// Wait implements Engine.
func (f *Files) Wait() error { return nil }

// Statistics implements Engine.
func (f *Files) Statistics() (*counts.Histograms, error) {
	h := f.sampler.Histograms()
	if err := f.Err(); err != nil {
		return nil, mend{err}
	}
	return h, nil
}

// Counts implements Engine.
func (f *Files) Counts(func() []uint32) (Counts, error) { return f, f.Err() }

// AppendRow gives n_wk.
func (f *Files) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	return f.sampler.AppendRow(dst, w)
}

// TopicTotals gives n_k.
func (f *Files) TopicTotals() []uint64 { return f.sampler.TopicTotals() }

// Err returns the first fault that kept something from being read, or nil.
func (f *Files) Err() error { return f.sampler.Err() }

// Topics implements Engine. EachTopics takes less memory.
func (f *Files) Topics() (Topics, error) {
	z := make([]uint32, f.config.Problem.N())
	f.sampler.Topics(z)
	return Topics{Wide: z}, f.Err()
}

// EachTopics calls with the topics of the tokens begin, begin+1, … piece by piece in
// corpus order. The slice is valid until call returns.
func (f *Files) EachTopics(call func(begin int, z []uint32) error) error {
	return f.sampler.EachTopics(call)
}

// Save implements Engine.
func (f *Files) Save() (*State, error) { return &State{Files: f.sampler.State()}, f.Err() }

// SaveEvery implements Engine: files are written in every iteration anyway.
func (f *Files) SaveEvery(int) int { return 1 }

// Keep implements Engine.
func (f *Files) Keep(saved *ondisk.State) error { return f.sampler.Keep(saved) }

// Sync implements Engine.
func (f *Files) Sync() error { return f.sampler.Settle() }

// Close implements Engine. The files stay.
func (f *Files) Close() error { return nil }
