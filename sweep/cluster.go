package sweep

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cluster"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/claim"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/training"
	"github.com/topoi-lda/topoi/train"
)

// patience is how long nobody begins a run before that is told.
const patience = 5 * time.Second

// crowd is the runs of a sweep that are in the store.
type crowd struct {
	*Sweep
	*Cluster
	board  *board
	began  map[Run]time.Time // of those in the store; zero while nobody is at it
	active []Run
	all    []Run // that are left, for estimates
	since  time.Time
	told   bool
}

// job is where a run is in the store.
func (c *Cluster) job(r Run) cluster.Job {
	j := c.Where
	j.Name += "-" + r.Name()
	return j
}

// runByCluster keeps a few runs in the store until all are done.
func (s *Sweep) runByCluster(ctx context.Context, pending []Run) (err error) {
	defer func() {
		if err != nil && ctx.Err() != nil {
			err = training.Interrupted(ctx, train.ErrInterrupted, "")
		}
	}()
	c := s.options.Cluster
	b, err := openBoard(ctx, c.Where.Store, c.Where.Name, c.Where.Patience)
	if err != nil {
		return err
	}
	defer b.close()
	w := &crowd{
		Sweep: s, Cluster: c, board: b, began: map[Run]time.Time{}, all: slices.Clone(pending),
		since: time.Now(),
	}
	for len(pending) > 0 || len(w.active) > 0 {
		for len(pending) > 0 && len(w.active) < cmp.Or(c.AtOnce, 8) {
			if err := w.submit(ctx, pending[0]); err != nil {
				return err
			}
			pending = pending[1:]
		}
		if err := w.look(ctx); err != nil {
			return err
		}
		if err := claim.Pause(ctx, cmp.Or(c.Poll, time.Second/2)); err != nil {
			return err
		}
	}
	return b.post(ctx, posted{Ended: true})
}

// submit puts a run into the store, unless it is there from before.
func (w *crowd) submit(ctx context.Context, r Run) error {
	job := w.job(r)
	path, err := filepath.Abs(Dir(w.dir).Corpus())
	if err != nil {
		return err
	}
	if _, err := job.Status(ctx); errors.Is(err, cluster.ErrNoJob) {
		o := w.runOptions(r)
		o.Checkpoint, o.Resume, o.CheckpointEvery, o.Shared, o.Events = "", false, 0, nil, topoi.Events{}
		how := cluster.SubmitOptions{CorpusPath: path, Layout: w.Layout, Lease: w.Lease, Workers: 1}
		if o.Tuning.Staleness == 0 {
			how.Layout.Parts = cmp.Or(how.Layout.Parts, 1)
		}
		if err := job.Submit(ctx, w.corpus, o, how); err != nil {
			return fmt.Errorf("%s: %w", r.Name(), err)
		}
	} else if err != nil {
		return err
	}
	if !slices.Contains(w.active, r) {
		w.active = append(w.active, r)
	}
	return w.list(ctx)
}

// list returns which runs are to be done.
func (w *crowd) list(ctx context.Context) error {
	return w.board.post(ctx, posted{Jobs: lists.Of(w.active, func(r Run) string { return w.job(r).Name })})
}

// look collects the runs that are done.
func (w *crowd) look(ctx context.Context) error {
	for _, r := range slices.Clone(w.active) {
		status, err := w.job(r).Status(ctx)
		switch {
		case errors.Is(err, cluster.ErrNoJob): // a store that lost it: from the start
			if err := w.submit(ctx, r); err != nil {
				return err
			}
			continue
		case err != nil:
			return err
		}
		if w.began[r].IsZero() && len(status.Workers) > 0 {
			w.began[r] = time.Now()
			w.begin(r, w.all)
		}
		if !status.Complete {
			continue
		}
		if err := w.collect(ctx, r); err != nil {
			return fmt.Errorf("%s: %w", r.Name(), err)
		}
	}
	if len(w.began) == 0 && !w.told && w.Waiting != nil && time.Since(w.since) > patience {
		w.told = true
		w.Waiting()
	}
	return nil
}

// collect takes the model of a run out of the store.
func (w *crowd) collect(ctx context.Context, r Run) error {
	m, err := w.job(r).Collect(ctx, w.corpus)
	if err != nil {
		return err
	}
	defer m.Close()
	spent := time.Duration(0)
	if began := w.began[r]; !began.IsZero() {
		spent = time.Since(began)
	}
	if err := w.complete(ctx, r, m, spent); err != nil {
		return err
	}
	if _, err := w.job(r).Cancel(ctx); err != nil {
		return err
	}
	w.active = slices.DeleteFunc(w.active, func(x Run) bool { return x == r })
	w.all = slices.DeleteFunc(w.all, func(x Run) bool { return x == r })
	w.done(r, w.all)
	return w.list(ctx)
}

// Work does runs of the sweep called where.Name, one after the other, until the sweep has ended or ctx does. A worker
// that dies is replaced by another. open opens the corpus of a job; it is called once.
func Work(ctx context.Context, where cluster.Job, how cluster.WorkOptions,
	open func(job cluster.Job) (*corpus.Corpus, error),
) error {
	b, err := openBoard(ctx, where.Store, where.Name, where.Patience)
	if err != nil {
		return err
	}
	defer b.close()
	w := &hand{board: b, where: where, how: how, open: open, token: rand.Text()}
	defer w.close()
	for {
		p, err := b.read(ctx)
		if err != nil || p.Ended {
			return err
		}
		worked, err := w.workOne(ctx, p.Jobs)
		if err != nil {
			return err
		}
		if !worked {
			if err := claim.Pause(ctx, time.Second/4); err != nil {
				return err
			}
		}
	}
}

// hand is a worker of a sweep.
type hand struct {
	board  *board
	where  cluster.Job
	how    cluster.WorkOptions
	open   func(job cluster.Job) (*corpus.Corpus, error)
	token  string
	corpus *corpus.Corpus // once it was needed
}

func (w *hand) close() {
	if w.corpus != nil {
		_ = w.corpus.Close() // it was only read
	}
}

// workOne does the first job that nobody is at, if there is one.
func (w *hand) workOne(ctx context.Context, jobs []string) (worked bool, err error) {
	for _, job := range jobs {
		if mine, err := w.board.claim(ctx, job, w.token); err != nil {
			return false, err
		} else if mine {
			return true, w.work(ctx, job)
		}
	}
	return false, nil
}

// work does a job and keeps others away from it meanwhile. One that was collected or cancelled is no fault: the list
// will say so.
func (w *hand) work(ctx context.Context, job string) (err error) {
	where := w.where
	where.Name = job
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		for claim.Pause(ctx, claimLife/3) == nil {
			_, _ = w.board.claim(ctx, job, w.token) // if it fails another may take part, with the same result
		}
	}()
	if w.corpus == nil {
		if w.corpus, err = w.open(where); err != nil {
			return errors.Join(err, w.board.release(context.WithoutCancel(ctx), job))
		}
	}
	err = where.Work(ctx, w.corpus, w.how)
	switch {
	case err == nil, errors.Is(err, cluster.ErrNoJob), errors.Is(err, protocol.ErrCancelled),
		errors.Is(err, protocol.ErrGone):
		return nil
	}
	return errors.Join(err, w.board.release(context.WithoutCancel(ctx), job))
}
