package cluster

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/child"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
	"github.com/topoi-lda/topoi/internal/training"
	"github.com/topoi-lda/topoi/internal/wholefile"
	"github.com/topoi-lda/topoi/train"
)

// Local trains with worker processes on this machine, around a store in this process.
type Local struct {
	// Workers is the number of processes. Required. Options.Memory is what each may use: where the rows do not fit,
	// they are apart (see Layout.Rows), and topics of tokens go to files in Options.WorkDir.
	Workers int

	// Command returns the command of a worker process: a program that calls Work of the given job with so many
	// threads. It is started again if it is killed. Required.
	Command func(job Job, threads int) *exec.Cmd

	// Program is Job.Program.
	Program string

	// Tell is called with one line about each event. It may be nil.
	Tell func(text string)
}

// WorkerError describes how a worker of Local failed.
type WorkerError struct {
	Worker int    // counted from 1
	Err    error  // how its process ended
	Said   string // the last line that it wrote on standard error
	Code   int    // what it exited with; 0 if it was killed
}

// Error tells which worker failed, and how.
func (e *WorkerError) Error() string {
	return fmt.Sprintf("worker %d failed (%v): %s", e.Worker, e.Err, e.Said)
}

// Unwrap returns how the process ended.
func (e *WorkerError) Unwrap() error { return e.Err }

// Train trains on c, the corpus in the file at path, and returns the model, which c must outlive. It calls
// opts.Events for evaluations, warnings and the end. When ctx ends the error wraps [train.ErrInterrupted], and the
// last checkpoint is kept.
func (l Local) Train(ctx context.Context, c *corpus.Corpus, path string, opts topoi.Options) (*topoi.Model, error) {
	store, err := startLocalStore()
	if err != nil {
		return nil, err
	}
	defer store.close()
	w := &localRun{Local: l, options: opts, begin: time.Now(), job: Job{
		Store: store.url, Name: "train", Program: l.Program, Patience: 10 * time.Second,
	}}
	how := SubmitOptions{Workers: l.Workers, CorpusPath: path, Lease: 3 * time.Second, exactly: true}
	how.Layout.Parts = l.Workers
	if opts.Memory > 0 {
		state, remove, err := w.stateDir()
		if err != nil {
			return nil, err
		}
		defer remove()
		how.Memory, how.Threads, how.Layout.Topics = opts.Memory, w.each(), state
		opts.Memory = 0 // it is the workers'
	}
	if err := w.job.Submit(ctx, c, opts, how); err != nil {
		return nil, err
	}
	defer w.stop()
	for range l.Workers {
		if err := w.start(&localWorker{}); err != nil {
			return nil, err
		}
	}
	if err := w.watch(ctx, c); err != nil {
		return nil, err
	}
	return w.job.Collect(ctx, c)
}

// localRun has the workers of one run.
type localRun struct {
	Local
	job     Job
	options topoi.Options
	workers []*localWorker
	begin   time.Time
	told    int    // scores that were shown
	warned  string // the last warning that was shown
}

// localWorker is one of the processes.
type localWorker struct {
	process *child.Process
	stderr  bytes.Buffer // to be read when the process has ended
	starts  int
}

// mostStarts is how often a worker that was killed is replaced.
const mostStarts = 5

// threads returns the number of threads of all workers together.
func (w *localRun) threads() int { return w.options.WithDefaults().Threads }

// each returns the number of threads of a worker.
func (w *localRun) each() int { return max(1, w.threads()/w.Workers) }

// stateDir makes a directory for the topics of tokens, where a run within a memory budget has its files.
func (w *localRun) stateDir() (dir string, remove func(), err error) {
	beside := w.options.WorkDir
	if beside == "" && w.options.Checkpoint != "" {
		beside = w.options.Checkpoint + ".parts"
	}
	made, err := wholefile.MakeDir(cmp.Or(beside, filepath.Join(os.TempDir(), "topoi-workers")))
	if err != nil {
		return "", nil, err
	}
	return made.Temporary, made.Abort, nil
}

// start starts a worker, for the first time or again.
func (w *localRun) start(x *localWorker) (err error) {
	cmd := w.Command(w.job, w.each())
	x.stderr.Reset()
	cmd.Stderr = &x.stderr
	if x.process, err = child.Start(cmd); err != nil {
		return fmt.Errorf("cannot start a worker: %w", err)
	}
	if x.starts++; x.starts == 1 {
		w.workers = append(w.workers, x)
	}
	return nil
}

// stop ends all workers.
func (w *localRun) stop() {
	for _, x := range w.workers {
		x.process.Signal(syscall.SIGKILL)
		<-x.process.Exited()
	}
}

// watch reports the progress of training until it has ended, and replaces workers that were killed.
func (w *localRun) watch(ctx context.Context, c *corpus.Corpus) error {
	started := false
	err := w.job.Watch(ctx, 200*time.Millisecond, func(s *Status) (more bool, err error) {
		if !started && w.options.Events.Start != nil {
			w.options.Events.Start(w.startInfo(c, s))
		}
		started = true
		w.tell(s)
		return !s.Complete, w.replace()
	})
	if err != nil && ctx.Err() != nil {
		return training.Interrupted(ctx, train.ErrInterrupted, "")
	}
	return err
}

// startInfo returns what is trained.
func (w *localRun) startInfo(c *corpus.Corpus, s *Status) topoi.StartInfo {
	held := int(float64(c.NumDocs()) * w.options.Holdout)
	reason := ""
	if o := w.options.WithDefaults(); o.Sampler == "auto" {
		reason = registry.Choose(&sampler.Problem{
			K: s.Topics, Offsets: []uint64{0, uint64(s.Tokens)},
			Tuning: sampler.Tuning(o.Tuning),
		},
			registry.Run{Learnt: o.OptimizeInterval > 0, Guided: o.Pseudo != nil, ByWorkers: true}).Reason
	}
	return topoi.StartInfo{
		Sampler: s.Sampler, Reason: reason, Device: fmt.Sprintf("%d local workers", w.Workers), Threads: w.threads(),
		Docs: c.NumDocs() - held, HeldOut: held, Words: s.Words, Tokens: s.Tokens, Topics: s.Topics,
		Iteration: s.From, Iterations: s.Iterations,
	}
}

// tell reports new evaluations, a warning, and the end.
func (w *localRun) tell(s *Status) {
	events, elapsed := w.options.Events, time.Since(w.begin)
	for ; w.told < len(s.History); w.told++ {
		score := s.History[w.told]
		if score.Iteration <= s.From || events.Iteration == nil {
			continue // of an earlier run
		}
		events.Iteration(topoi.IterationInfo{
			Iteration: score.Iteration, Iterations: s.Iterations, Elapsed: elapsed, Training: elapsed,
			TokensPerSecond: float64(s.Tokens) * float64(score.Iteration-s.From) / elapsed.Seconds(), Score: &score,
		})
	}
	if s.Warning != w.warned && s.Warning != "" && events.Warning != nil {
		events.Warning(topoi.WarningInfo{Iteration: s.Iteration, Err: errors.New(s.Warning)})
	}
	w.warned = s.Warning
	if !s.Complete || events.Done == nil {
		return
	}
	done := topoi.DoneInfo{Iteration: s.Iteration, Reason: s.Stopped, Elapsed: elapsed, Training: elapsed}
	if n := len(s.History); n > 0 {
		done.Score = &s.History[n-1]
	}
	events.Done(done)
}

// replace starts another worker for each that was killed. A worker that failed ends the run.
func (w *localRun) replace() error {
	for i, x := range w.workers {
		select {
		case <-x.process.Exited():
		default:
			continue
		}
		err := x.process.Status()
		var exit *exec.ExitError
		switch {
		case err == nil: // the model is complete
			continue
		case errors.As(err, &exit) && exit.ExitCode() < 0 && x.starts < mostStarts:
			if w.Tell != nil {
				w.Tell(fmt.Sprintf("worker %d was killed (%v): another takes its place", i+1, err))
			}
			if err := w.start(x); err != nil {
				return err
			}
		default:
			fault := &WorkerError{Worker: i + 1, Err: err, Said: lastLine(x.stderr.String())}
			if exit != nil {
				fault.Code = max(0, exit.ExitCode())
			}
			return fault
		}
	}
	return nil
}

// lastLine returns the last line of a worker's output, without the program's name.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimPrefix(lines[len(lines)-1], "topoi: ")
}
