package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/store"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// shipment is the number of keys that a corpus file takes in the store.
func shipment(path string) (int, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, fmt.Errorf("cannot ship the corpus: %w", err)
	}
	return records.Chunks(info.Size()), nil
}

// ship puts the corpus of the job, which was just made, into the store. If that fails
// the job is removed.
func (j Job) ship(ctx context.Context, st *store.Store, path string) error {
	err := func() error {
		job, err := records.Open(ctx, st, j.Name, records.Build{Version: j.Program})
		if err != nil {
			return err
		}
		f, err := os.Open(path)
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

// ReceiveCorpus writes the corpus that was shipped with the job to path, whole or
// not at all, and checks it.
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
		return fmt.Errorf("the corpus of job %s was not shipped: it is at %s on the machine that submitted it", j.Name, job.CorpusPath)
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
		return errors.Join(fmt.Errorf("the corpus that was shipped with job %s is not the one it was submitted with: submit it again", job.Name), os.Remove(path))
	}
	return nil
}
