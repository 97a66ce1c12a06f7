package ondisk

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Engine implements engine.Engine and engine.Counts. It keeps the state of a run in files, within a memory budget.
type Engine struct {
	Sampler
	config Config
}

// NewEngine returns an engine that works from files.
func NewEngine(c Config) (*Engine, error) {
	s, err := New(c)
	return &Engine{s, c}, err
}

func (f *Engine) Place() string { return "cpu" }

func (f *Engine) Start(priors *sampler.Priors) error { return f.Sampler.Start(nil, priors) }

func (f *Engine) Restore(state *engine.State, priors *sampler.Priors) error {
	if state.Given {
		return f.Sampler.Start(state.Topics.Wide, priors)
	}
	if state.Files == nil {
		return engine.Elsewhere("a run that kept everything in memory: resume without a memory budget, or with a larger one")
	}
	files, err := parseState(state.Files)
	switch {
	case err != nil:
		return err
	case !files.Fits(f.config.Budget):
		return engine.Elsewhere("a run that was begun with a larger memory budget, whose parts do not fit this one: " +
			"resume with the same budget")
	}
	return f.Sampler.Resume(files)
}

func (f *Engine) Sweep(ctx context.Context, iteration int, priors *sampler.Priors) error {
	if err := f.Sampler.Sweep(ctx, iteration, priors); err != nil {
		return engine.Mend{Fault: err}
	}
	return nil
}

func (f *Engine) Wait() error { return nil }

func (f *Engine) Statistics() (*counts.Histograms, error) {
	h := f.Sampler.Histograms()
	if err := f.Err(); err != nil {
		return nil, engine.Mend{Fault: err}
	}
	return h, nil
}

func (f *Engine) Counts(func() []uint32) (engine.Counts, error) { return f, f.Err() }

// Topics implements engine.Engine. EachTopics takes less memory.
func (f *Engine) Topics() (engine.Topics, error) {
	z := make([]uint32, 0, f.config.Problem.N())
	err := f.EachTopics(func(_ int, own []uint32) error {
		z = append(z, own...)
		return nil
	})
	return engine.Topics{Wide: z}, errors.Join(err, f.Err())
}

func (f *Engine) Save() (*engine.State, error) {
	files, err := json.Marshal(f.Sampler.State())
	return &engine.State{Files: files}, errors.Join(err, f.Err())
}

// SaveEvery implements engine.Engine. It returns 1, since every iteration writes files anyway.
func (f *Engine) SaveEvery(int) int { return 1 }

func (f *Engine) Keep(saved json.RawMessage) error {
	state, err := parseState(saved)
	if err != nil {
		return err
	}
	return f.Sampler.Keep(state)
}

// ExtraBytes implements engine.Engine. There is no state beside the topics.
func (f *Engine) ExtraBytes() int64 { return 0 }

func (f *Engine) Sync() error { return f.Sampler.Settle() }

// Close implements engine.Engine. The files stay.
func (f *Engine) Close() error { return nil }
