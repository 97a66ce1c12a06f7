package cluster

import (
	"context"
	"encoding/json"
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
	birth    string // of the store's processes when they last had the job
	furthest int    // the last barrier from which the job went on
	vain     int    // how often it was mended since without getting further
}

// mostVain is how often a job is mended without getting further. A machine with broken memory sees damage everywhere,
// and must not disturb the others for ever.
const mostVain = 5

// can reports whether err is about something that can be mended. A job that vanished while this worker was away may
// have been removed by somebody, unless the store has been replaced since.
func (m *mending) can(ctx context.Context, err error) bool {
	if !errors.Is(err, workers.ErrVanished) {
		return errors.Is(err, protocol.ErrGone)
	}
	now, fault := births(ctx, m.store)
	return fault == nil && now != m.birth
}

// births identifies the processes of the store. A store that comes back without its data is another one.
func births(ctx context.Context, st *store.Store) (string, error) {
	info, err := st.Info(ctx, "server")
	if err != nil {
		return "", err
	}
	ids := map[string]string{}
	for address, fields := range info {
		ids[address] = fields["run_id"]
	}
	text, err := json.Marshal(ids) // with sorted keys
	return string(text), err
}

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
	// Not after mending: a store that comes back as another one meanwhile has lost the job again.
	if now, err := births(ctx, m.store); err == nil { // else as before
		m.birth = now
	}
	done, err := mend.Job(ctx, mend.Options{
		Task: m.plan.task(lost.Job), Known: lost.State, Mended: lost.Mended, Create: create,
	})
	if create == nil && errors.Is(err, protocol.ErrGone) {
		return nil, m.hopeless(lost.Job, err)
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
		m.report(fmt.Sprintf("%s: job %s goes on from the checkpoint of iteration %d", what, name, done.State.Iteration))
	default:
		m.report(fmt.Sprintf("%v: job %s goes on from its last barrier, after iteration %d", why, name,
			done.State.Iteration))
	}
}
