package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/cluster/barrier"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/store"
	"github.com/topoi-lda/topoi/internal/training"
	"github.com/topoi-lda/topoi/internal/wholefile"
	"github.com/topoi-lda/topoi/topic"
)

// ship puts the corpus of a new job, or the frequencies of its words, into the store, or else removes the job.
func (j Job) ship(ctx context.Context, st *store.Store, open func() (io.ReadCloser, error)) error {
	err := func() error {
		job, err := records.Open(ctx, st, j.Name, records.Build{Version: j.Program})
		if err != nil {
			return err
		}
		f, err := open()
		if err != nil {
			return fmt.Errorf("cannot ship the corpus: %w", err)
		}
		defer f.Close()
		return job.Ship(ctx, f)
	}()
	if err == nil {
		return nil
	}
	// Even if it was interrupted, leave nothing.
	_, fault := records.Remove(context.WithoutCancel(ctx), st, j.Name)
	return errors.Join(err, fault)
}

// ReceiveCorpus writes the corpus that was shipped with the job to path, whole or not at all, and checks it.
func (j Job) ReceiveCorpus(ctx context.Context, path string) error {
	st, err := j.open(ctx)
	if err != nil {
		return err
	}
	defer st.Close()
	job, err := records.Open(ctx, st, j.Name, records.Build{Version: j.Program})
	if err != nil {
		return err
	}
	if job.Shipped == 0 {
		return fmt.Errorf("the corpus of job %s was not shipped: it is at %s on the machine that submitted it", j.Name,
			job.CorpusPath)
	}
	f, err := wholefile.CreateShared(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := job.Receive(ctx, f, cmp.Or(j.Patience, time.Minute)); err != nil {
		return wholefile.Explain(path, err)
	}
	if err := f.Commit(); err != nil {
		return err
	}
	return checkReceived(path, job)
}

// checkReceived removes a corpus that is not the job's.
func checkReceived(path string, job *records.Job) error {
	c, err := corpus.Open(path)
	if err != nil {
		return errors.Join(err, os.Remove(path))
	}
	defer c.Close()
	if err := c.Verify(); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	if c.Fingerprint() != job.Corpus {
		return errors.Join(fmt.Errorf("the corpus that was shipped with job %s is not the one it was submitted with: "+
			"submit it again", job.Name), os.Remove(path))
	}
	return nil
}

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
		return nil, found.Explain(err)
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
