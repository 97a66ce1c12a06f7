package sweep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/claim"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// Events are called as things happen, from the goroutine that called Run. Any of them may be nil.
type Events struct {
	Begin func(RunInfo)         // before a run
	Done  func(RunInfo)         // after it, with its record
	Phase func(topoi.PhaseInfo) // work that is no run
	Train topoi.Events          // of the run that is at work; runs of a cluster tell nothing
}

// RunInfo is told about a run.
type RunInfo struct {
	Run
	Number, Of int           // this is run Number, from 1, of all
	Left       time.Duration // estimated for this run and those after it, or those after it when done; 0: not known
	Record     *Record       // when done: without coherence and stability, which need all runs
}

func (e Events) phase(name string, done, total int) {
	if e.Phase != nil {
		e.Phase(topoi.PhaseInfo{Name: name, Done: int64(done), Total: int64(total)})
	}
}

// Run does all runs that have not been done, measures them and writes the tables and the page. When ctx is cancelled
// the run at work keeps its state, and the error wraps topoi.ErrInterrupted; what was done stays done.
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
		if err := s.Needs.check(s.dir); err != nil {
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
			return errors.Join(topoi.ErrInterrupted, s.await(before))
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
		if s.options.Keep != KeepNone {
			s.options.Events.phase("save "+r.Name(), 0, 0)
		}
		finish()
		if err := s.await(c); err != nil {
			return err
		}
	}
	return nil
}

// beside says whether models are measured while the next one is trained on a device. Tests let the CPU do both.
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
	m, err = topoi.Train(ctx, s.corpus, o)
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

// complete measures a model and keeps it. The record comes last: a run that has one is done, and all of it can be
// done again until then.
func (s *Sweep) complete(ctx context.Context, r Run, m *topoi.Model, spent time.Duration) error {
	rec, err := s.measure(ctx, r, m)
	if err != nil {
		return err
	}
	if s.options.Keep != KeepNone {
		if err := m.Save(s.modelDir(r), topoi.SaveOptions{Overwrite: true}); err != nil {
			return err
		}
	}
	s.keepTime(r, spent)
	if err := writeSealed(s.runFile(r, ".json"), rec); err != nil {
		return err
	}
	if err := s.tidy(r); err != nil {
		return err
	}
	return s.prune(r.Topics)
}

// tidy removes what a run that is done had kept to go on from, and what kills have left of it.
func (s *Sweep) tidy(r Run) error {
	wholefile.Clear(s.runFile(r, ".checkpoint"))
	wholefile.Clear(s.runFile(r, ".json"))
	return topoi.RemoveState(s.runOptions(r))
}

// prune removes models that are not to be kept.
func (s *Sweep) prune(topics ...int) error {
	if s.options.Keep == KeepAll {
		return nil
	}
	for _, k := range topics {
		records, err := s.recordsOf(k)
		if err != nil {
			return err
		}
		keep := best(records)
		for _, rec := range records {
			if s.options.Keep == KeepBest && rec == keep {
				continue
			}
			if err := os.RemoveAll(s.modelDir(rec.Run())); err != nil {
				return err
			}
		}
	}
	return nil
}

// recordsOf returns the records of the runs with k topics that have been done, by seed.
func (s *Sweep) recordsOf(k int) ([]*Record, error) {
	var list []*Record
	for _, r := range s.Runs() {
		if r.Topics != k {
			continue
		}
		rec, err := s.readRecord(r)
		if err == nil {
			list = append(list, rec)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return list, nil
}

// best returns the record of the run that predicts best, the first of equals; nil if there are none.
func best(records []*Record) *Record {
	if len(records) == 0 {
		return nil
	}
	return slices.MaxFunc(records, func(a, b *Record) int {
		return cmp.Or(cmp.Compare(a.predicts(), b.predicts()), cmp.Compare(b.Seed, a.Seed))
	})
}

// begin tells that a run begins.
func (s *Sweep) begin(r Run, left []Run) {
	if s.options.Events.Begin != nil {
		s.options.Events.Begin(RunInfo{Run: r, Number: s.number(r), Of: len(s.Runs()), Left: s.estimate(left)})
	}
}

// done tells that a run is done.
func (s *Sweep) done(r Run, left []Run) {
	if s.options.Events.Done == nil {
		return
	}
	rec, err := s.readRecord(r)
	if err != nil {
		return // it was written a moment ago: who removed it will be told later
	}
	s.options.Events.Done(RunInfo{Run: r, Number: s.number(r), Of: len(s.Runs()), Left: s.estimate(left), Record: rec})
}

func (s *Sweep) number(r Run) int { return slices.Index(s.Runs(), r) + 1 }

// estimate says how long runs will take, from those that are done: a time that rises with the number of topics by a
// straight line, the least squares of what was seen.
func (s *Sweep) estimate(left []Run) time.Duration {
	var n, sx, sy, sxx, sxy float64
	for _, r := range s.Runs() {
		rec, err := s.readRecord(r)
		if err != nil || rec.Seconds == 0 {
			continue
		}
		x, y := float64(r.Topics), rec.Seconds
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	if n == 0 {
		return 0
	}
	slope := 0.0
	if d := n*sxx - sx*sx; d > 0 {
		slope = max(0, (n*sxy-sx*sy)/d)
	}
	seconds := 0.0
	for _, r := range left {
		seconds += max(sy/n/10, sy/n+slope*(float64(r.Topics)-sx/n))
	}
	return time.Duration(seconds * float64(time.Second))
}
