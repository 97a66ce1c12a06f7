package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/claim"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/training"
	"github.com/topoi-lda/topoi/train"
)

// Run does all runs that have not been done, measures them and writes the tables and the page. When ctx is cancelled
// the run at work keeps its state, and the error wraps train.ErrInterrupted; what was done stays done.
func (s *Sweep) Run(ctx context.Context) (*Result, error) {
	ctx, owned, err := claim.Hold(ctx, claim.In(s.dir))
	if err != nil {
		return nil, err
	}
	defer owned.Release()
	if err := s.prune(s.options.Topics...); err != nil {
		return nil, err
	}
	pending, err := s.Pending()
	if err != nil {
		return nil, err
	}
	if len(pending) > 0 {
		if err := s.checkRoom(); err != nil {
			return nil, err
		}
	}
	if s.options.Cluster != nil {
		err = s.runByCluster(ctx, pending)
	} else {
		err = s.runHere(ctx, pending)
	}
	if err != nil {
		return nil, err
	}
	return s.finish(ctx)
}

// runHere does runs one after the other. Where a GPU trains, the cores measure a model while the next one is trained;
// it stays open, with the corpus, from run to run.
func (s *Sweep) runHere(ctx context.Context, pending []Run) error {
	defer s.shared.Close() // of a GPU that fails in this, everything of worth has been saved
	var before *completion
	for i, r := range pending {
		if ctx.Err() != nil {
			return errors.Join(training.Interrupted(ctx, train.ErrInterrupted, ""), s.await(before))
		}
		s.begin(r, pending[i:])
		m, spent, device, err := s.train(ctx, r, before)
		if err != nil {
			err = fmt.Errorf("%s: %w", r.Name(), err)
		}
		if err = errors.Join(err, s.await(before)); err != nil {
			return err
		}
		c := &completion{run: r, left: pending[i+1:], done: make(chan struct{})}
		finish := func() {
			defer close(c.done)
			defer m.Close()
			c.err = s.complete(ctx, r, m, spent)
		}
		if before = nil; beside(device) && i+1 < len(pending) {
			before = c
			guard.Go(finish)
			continue
		}
		if s.options.Keep != keepNone {
			s.options.Events.phase("save "+r.Name(), 0, 0)
		}
		finish()
		if err := s.await(c); err != nil {
			return err
		}
	}
	return nil
}

// beside reports whether models are measured while the next one is trained on a device. Tests let the CPU do both.
var beside = func(device string) bool { return device != "cpu" }

// completion is a model that is being measured and kept.
type completion struct {
	run  Run
	left []Run // those after it
	done chan struct{}
	err  error // once it is done
	told bool
}

// look tells that a run is done, once it is.
func (s *Sweep) look(c *completion) {
	if c == nil {
		return
	}
	select {
	case <-c.done:
		if c.err == nil && !c.told {
			c.told = true
			s.done(c.run, c.left)
		}
	default:
	}
}

// await waits for a completion, and tells of it.
func (s *Sweep) await(c *completion) error {
	if c == nil {
		return nil
	}
	<-c.done
	if c.err != nil {
		return fmt.Errorf("%s: %w", c.run.Name(), c.err)
	}
	s.look(c)
	return nil
}

// train trains a model, and tells on the way when the run before is done. It returns the time that was spent, and
// where it was trained.
func (s *Sweep) train(ctx context.Context, r Run, run *completion,
) (m *topoi.Model, spent time.Duration, device string, err error) {
	o := s.runOptions(r)
	before := s.spent(r)
	if _, err := os.Stat(o.Checkpoint); err != nil {
		before = 0 // it begins anew
	}
	o.Events.Start = also(o.Events.Start, func(i topoi.StartInfo) { device = i.Device })
	o.Events.Iteration = also(o.Events.Iteration, func(i topoi.IterationInfo) {
		spent = i.Training
		s.look(run)
	})
	o.Events.Checkpoint = also(o.Events.Checkpoint, func(topoi.CheckpointInfo) { s.keepTime(r, before+spent) })
	o.Events.Done = also(o.Events.Done, func(d topoi.DoneInfo) { spent = d.Training })
	m, err = train.Run(ctx, s.corpus, o)
	return m, before + spent, device, err
}

// also returns a function that calls two, of which the first may be nil.
func also[T any](first, second func(T)) func(T) {
	return func(info T) {
		if first != nil {
			first(info)
		}
		second(info)
	}
}

// checkRoom refuses runs that do not fit.
func (s *Sweep) checkRoom() error {
	if has := machineMemory(); has > 0 && s.Memory > has {
		return fmt.Errorf("the largest run needs up to %s of memory, and this machine has %s: "+
			"sweep fewer topics or a sample of the documents, or limit the memory of runs",
			human.Bytes(int64(s.Memory)), human.Bytes(int64(has)))
	}
	if free, known := freeBytes(s.dir); known && s.Disk > free {
		return fmt.Errorf("the %s need up to %s on disk, and only %s are free in %s: free some space, choose another place, "+
			"or keep fewer models",
			human.Of(s.Left, "run"), human.Bytes(int64(s.Disk)), human.Bytes(int64(free)), s.dir)
	}
	return nil
}
