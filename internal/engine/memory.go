package engine

import (
	"context"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/training"
)

// memory keeps the state in this process.
type memory struct {
	resident
	sampler sampler.Sampler
	can     sampler.Capabilities
	tokens  int             // N
	start   func() []uint32 // the topics to begin with; nil: the sampler's own
}

// InMemory makes an engine that samples by the CPU, all in memory.
func InMemory(info sampler.Info, p *sampler.Problem) (Engine, error) {
	s, err := info.Make(p)
	if err != nil {
		return nil, err
	}
	m := keep(s, info, p)
	return &m, nil
}

// keep returns the state of a sampler of p.
func keep(s sampler.Sampler, info sampler.Info, p *sampler.Problem) memory {
	return memory{sampler: s, can: s.Capabilities(), tokens: p.N(), start: startOf(info, p)}
}

// startOf returns what makes the topics to begin with, where they are not the sampler's own.
func startOf(info sampler.Info, p *sampler.Problem) func() []uint32 {
	return func() []uint32 {
		if info.Cutting == nil {
			return nil
		}
		return sampler.FirstTopics(p, 0, p.Words)
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
	if m.can.LoadExtra == nil || state.Given {
		return nil
	}
	return m.can.LoadExtra(state.Extra)
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
	if m.can.NarrowTopics != nil {
		z := make([]uint16, m.tokens)
		m.can.NarrowTopics(z)
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

func (m *memory) ExtraBytes() int64 {
	if m.can.ExtraBytes == nil {
		return 0
	}
	return m.can.ExtraBytes()
}

// saved is the state with the given topics.
func (m *memory) saved(z Topics) *State {
	state := &State{Topics: z}
	if m.can.SaveExtra != nil {
		state.Extra = m.can.SaveExtra()
	}
	return state
}

func (m *memory) Close() error { return nil }

// remote has its sweeps done by all workers of a cluster. The state is in their store.
type remote struct {
	resident
	leader training.Leader
	tokens int // N
}

// ByWorkers makes an engine of a cluster that this process leads. tokens is N.
func ByWorkers(leader training.Leader, tokens int) Engine {
	return &remote{leader: leader, tokens: tokens}
}

func (r *remote) Place() string { return "cluster" }

func (r *remote) Start(priors *sampler.Priors) error { return r.leader.Start(nil, priors) }

// Restore implements Engine: the job has what it began with in the store.
func (r *remote) Restore(_ *State, priors *sampler.Priors) error { return r.Start(priors) }

func (r *remote) Sweep(ctx context.Context, iteration int, priors *sampler.Priors) error {
	return r.leader.Sweep(ctx, iteration, priors)
}

func (r *remote) Wait() error { return nil }

func (r *remote) Statistics() (*counts.Histograms, error) {
	if err := r.leader.Fetch(); err != nil {
		return nil, err
	}
	return r.leader.Histograms(), nil
}

func (r *remote) Counts(words func() []uint32) (Counts, error) {
	return sound{r.leader, r.leader.TopicTotals}, r.leader.FetchCounts(words)
}

func (r *remote) Topics() (Topics, error) {
	if err := r.leader.FetchTopics(); err != nil {
		return Topics{}, err
	}
	z := make([]uint32, r.tokens)
	r.leader.Topics(z)
	return Topics{Wide: z}, nil
}

func (r *remote) Save() (*State, error) {
	z, err := r.Topics()
	return &State{Topics: z, Extra: r.leader.SaveExtra()}, err
}

func (r *remote) Close() error { return nil }
