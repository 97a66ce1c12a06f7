package engine

import (
	"context"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
)

// memory keeps the state in this process.
type memory struct {
	resident
	sampler sampler.Sampler
	tokens  int             // N
	start   func() []uint32 // the topics to begin with; nil: the sampler's own
}

// InMemory makes an engine that samples by the CPU, all in memory.
func InMemory(name string, p *sampler.Problem) (Engine, error) {
	s, err := registry.New(name, p)
	return &memory{sampler: s, tokens: p.N(), start: startOf(name, p)}, err
}

// startOf returns what makes the topics to begin with, where they are not the sampler's own.
func startOf(name string, p *sampler.Problem) func() []uint32 {
	return func() []uint32 {
		if info, _ := registry.Find(name); info.Cutting == nil || p.Tuning.StartTopics == 0 {
			return nil
		}
		z := make([]uint32, p.N())
		sampler.StartTopics(p, 0, p.Words, z)
		return z
	}
}

func (m *memory) Place() string { return cpu }

func (m *memory) Start(priors *sampler.Priors) error { return m.sampler.Start(m.start(), priors) }

func (m *memory) Restore(state *State, priors *sampler.Priors) error {
	if state.Files != nil {
		return Elsewhere("a run that kept its tokens in files: resume with the same memory budget")
	}
	if err := m.sampler.Start(state.Topics.Wide, priors); err != nil {
		return err
	}
	if extra, ok := m.sampler.(sampler.Extra); ok {
		return extra.LoadExtra(state.Extra)
	}
	return nil
}

func (m *memory) Sweep(ctx context.Context, iteration int, priors *sampler.Priors) error {
	return m.sampler.Sweep(ctx, iteration, priors)
}

func (m *memory) Wait() error { return nil }

func (m *memory) Statistics() (*counts.Histograms, error) { return m.sampler.Histograms(), nil }

func (m *memory) Counts(func() []uint32) (Counts, error) {
	return sound{m.sampler, m.sampler.TopicTotals}, nil
}

func (m *memory) Topics() (Topics, error) {
	if narrow, ok := m.sampler.(sampler.Narrow); ok {
		z := make([]uint16, m.tokens)
		narrow.NarrowTopics(z)
		return Topics{Narrow: z}, nil
	}
	z := make([]uint32, m.tokens)
	m.sampler.Topics(z)
	return Topics{Wide: z}, nil
}

func (m *memory) Save() (*State, error) {
	z, err := m.Topics()
	return m.saved(z), err
}

// ExtraBytes is how many bytes Save has to make beside the topics, if they are many.
func (m *memory) ExtraBytes() int64 {
	if weighty, ok := m.sampler.(sampler.Weighty); ok {
		return weighty.ExtraBytes()
	}
	return 0
}

// saved is the state with the given topics.
func (m *memory) saved(z Topics) *State {
	state := &State{Topics: z}
	if extra, ok := m.sampler.(sampler.Extra); ok {
		state.Extra = extra.SaveExtra()
	}
	return state
}

func (m *memory) Close() error { return nil }
