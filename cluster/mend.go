package cluster

import (
	"context"
	"errors"
	"fmt"

	workers "github.com/topoi-lda/topoi/internal/cluster"
	"github.com/topoi-lda/topoi/internal/cluster/mend"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/store"
)

// mending repairs a job of which the store has lost something.
type mending struct {
	report   func(text string) // tells what was done; may be nil
	store    *store.Store
	plan     *plan
	furthest int // the last barrier from which the job went on
	vain     int // how often it was mended since without getting further
}

// mostVain is how often a job is mended without getting further. A machine with broken memory sees damage everywhere,
// and must not disturb the others for ever.
const mostVain = 5

// mend repairs the job, or finds that another worker has.
func (m *mending) mend(ctx context.Context, lost workers.Lost, why error) (*records.Job, error) {
	if m.vain++; m.vain > mostVain {
		return nil, fmt.Errorf("%w, after job %s was mended %d times: see that this machine and the store are sound, "+
			"and start the worker again", why, lost.Job.Name, mostVain)
	}
	create := func() error {
		m.plan.options().Resume = true
		return m.plan.create(ctx, m.store, lost.Job.Name, lost.Job.Spec)
	}
	if m.plan.options().Checkpoint == "" {
		create = nil
	}
	done, err := mend.Job(ctx, mend.Options{
		Task: m.plan.task(lost.Job), Known: lost.State, Mended: lost.Mended, Create: create,
	})
	if create == nil && errors.Is(err, protocol.ErrGone) {
		return nil, m.hopeless(lost.Job, err)
	}
	if errors.Is(err, protocol.ErrGone) {
		return nil, fmt.Errorf("job %s could not be put back into store %s (%w): see that the store is sound, and start "+
			"the worker again; if no worker is left, submit the job again, from its checkpoint", lost.Job.Name,
			m.store.Name(), err)
	}
	if err != nil {
		return nil, err
	}
	if done.State.Round > m.furthest {
		m.furthest, m.vain = done.State.Round, 0
	}
	m.tell(done, why)
	return done.Job, nil
}

// hopeless returns the error about a job that cannot continue.
func (m *mending) hopeless(job *records.Job, err error) error {
	return fmt.Errorf("store %s has lost its memory, or some of it, and with it job %s, "+
		"of which there is no checkpoint (%w): submit it again, with a checkpoint file",
		m.store.Name(), job.Name, err)
}

// tell reports what was done.
func (m *mending) tell(done *mend.Result, why error) {
	if m.report == nil {
		return
	}
	name, what := done.Job.Name, fmt.Sprintf("store %s has lost its memory", m.store.Name())
	switch {
	case (done.Created || done.Others) && done.State.Iteration == 0:
		m.report(fmt.Sprintf("%s: job %s goes on from the beginning, because there is no checkpoint yet", what, name))
	case done.Created, done.Others && done.State.Round < 0:
		m.report(fmt.Sprintf("%s: job %s goes on from the checkpoint of iteration %d", what, name,
			done.State.Iteration))
	default:
		m.report(fmt.Sprintf("%v: job %s goes on from its last barrier, after iteration %d", why, name,
			done.State.Iteration))
	}
}
