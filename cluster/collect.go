package cluster

import (
	"context"
	"errors"
	"fmt"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/cluster/barrier"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/training"
	"github.com/topoi-lda/topoi/topic"
)

// Collect returns the model of a complete job. c is the corpus that was submitted, and must outlive the model. The
// job stays in the store: call Cancel once the model is safe.
func (j Job) Collect(ctx context.Context, c *corpus.Corpus) (*topoi.Model, error) {
	st, err := j.open(ctx)
	if err != nil {
		return nil, err
	}
	defer st.Close()
	found, p, err := j.find(ctx, c, st)
	if err != nil {
		return nil, err
	}
	state, err := found.State(ctx)
	switch {
	case err != nil:
		return nil, err
	case state == nil || !state.Finished:
		iteration := 0
		if state != nil {
			iteration = state.Iteration
		}
		return nil, fmt.Errorf("job %s is not complete: it has passed iteration %d of at most %d; "+
			"wait for its workers, or start some with Job.Work", j.Name, iteration, p.options().Iterations)
	}
	reader := barrier.NewReader(ctx, p.task(found))
	err = reader.FetchRows(state.Round)
	if err == nil {
		err = reader.FetchTopics(state.Round)
	}
	if errors.Is(err, protocol.ErrGone) {
		err = fmt.Errorf("%w, and with it the model of job %s: remove the job with Job.Cancel and submit it again, "+
			"from its checkpoint if there is one", err, j.Name)
	}
	if err != nil {
		return nil, err
	}
	at := training.State{Iteration: state.Iteration, Priors: state.Priors.Decode(found.Topics), History: state.Training}
	m, err := p.run.Model(&at, reader)
	if err != nil || len(found.Names) == 0 {
		return m, err
	}
	return m, m.SetLabels(topic.Labels{Names: found.Names})
}
