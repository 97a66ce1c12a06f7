package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/store"
	"github.com/topoi-lda/topoi/internal/wholefile"
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
	if err := c.File().Verify(); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	if c.Fingerprint() != job.Corpus {
		return errors.Join(fmt.Errorf("the corpus that was shipped with job %s is not the one it was submitted with: "+
			"submit it again", job.Name), os.Remove(path))
	}
	return nil
}
