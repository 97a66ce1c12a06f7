package topoi

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/cluster"
	"github.com/topoi-lda/topoi/internal/store"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// shipment is the number of keys that the corpus takes in the store, 0 if it is
// not shipped.
func (w Cluster) shipment() (int, error) {
	if !w.Ship {
		return 0, nil
	}
	info, err := os.Stat(w.CorpusPath)
	if err != nil {
		return 0, fmt.Errorf("cannot ship the corpus: %w", err)
	}
	return cluster.Chunks(info.Size()), nil
}

// ship puts the corpus of a job that was just made into the store. If that fails
// the job is removed.
func (w Cluster) ship(ctx context.Context, st *store.Store) error {
	if !w.Ship {
		return nil
	}
	err := func() error {
		job, err := cluster.Open(ctx, st, w.Job, cluster.Build{Version: w.Program})
		if err != nil {
			return err
		}
		f, err := os.Open(w.CorpusPath)
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
	_, fault := cluster.Remove(context.WithoutCancel(ctx), st, w.Job)
	return errors.Join(err, fault)
}

// ReceiveCorpus writes the corpus that was shipped with a job to path, whole or
// not at all, and checks it.
func ReceiveCorpus(ctx context.Context, where Cluster, path string) error {
	st, err := where.open(ctx)
	if err != nil {
		return err
	}
	defer st.Close()
	job, err := cluster.Open(ctx, st, where.Job, cluster.Build{Version: where.Program})
	if err != nil {
		return err
	}
	if job.Shipped == 0 {
		return fmt.Errorf("the corpus of job %s was not shipped: it is at %s on the machine that submitted it", where.Job, job.CorpusPath)
	}
	f, err := wholefile.Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := job.Receive(ctx, f, or(where.Patience, time.Minute)); err != nil {
		return wholefile.Explain(path, err)
	}
	if err := f.Commit(); err != nil {
		return err
	}
	return checkReceived(path, job)
}

// checkReceived removes a corpus that is not the job's.
func checkReceived(path string, job *cluster.Job) error {
	c, err := corpus.Open(path)
	if err != nil {
		return errors.Join(err, os.Remove(path))
	}
	defer c.Close()
	if err := c.Verify(); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	if c.Fingerprint() != job.Corpus {
		return errors.Join(fmt.Errorf("the corpus that was shipped with job %s is not the one it was submitted with: submit it again", job.Name), os.Remove(path))
	}
	return nil
}
