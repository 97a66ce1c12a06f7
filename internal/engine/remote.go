package engine

import (
	"context"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/training"
)

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
