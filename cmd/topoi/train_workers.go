package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/child"
	"github.com/topoi-lda/topoi/internal/redisserver"
	"github.com/topoi-lda/topoi/internal/wholefile"
	"github.com/topoi-lda/topoi/progress"
)

// localJob is the name of the job of topoi train --workers, in a store of its own.
const localJob = "train"

// crew is training by several worker processes on this machine, around a store
// that this process starts: a cluster in small.
type crew struct {
	*trainer
	store   *redisserver.Server
	where   topoi.Cluster
	corpus  string // path of the corpus file
	workers []*crewWorker
	begin   time.Time
	told    int    // scores that were shown
	warned  string // the last warning that was shown
}

// crewWorker is one of the processes.
type crewWorker struct {
	process *child.Process
	stderr  bytes.Buffer // to be read when the process has ended
	starts  int
}

// mostStarts is how often a worker that was killed is replaced.
const mostStarts = 5

// trainByWorkers trains and returns the model, which c must outlive.
func (t *trainer) trainByWorkers(ctx context.Context, c *corpus.Corpus, path string, r progress.Reporter) (*topoi.Model, error) {
	if strings.HasPrefix(t.options.Device, "cuda") {
		if _, err := topoi.Devices(); err != nil {
			return nil, err // rather than from a worker
		}
	}
	store, err := redisserver.Start(redisserver.Config{})
	if err != nil {
		return nil, err
	}
	defer store.Kill() // it holds nothing that is of use later
	address := url.URL{Scheme: "unix", Path: store.Socket}
	w := &crew{trainer: t, store: store, corpus: path, begin: time.Now(), where: topoi.Cluster{
		Store: address.String(), Job: localJob, Program: programVersion(), Patience: 10 * time.Second,
		Workers: t.workers, CorpusPath: path, Lease: 3 * time.Second,
	}}
	if err := topoi.SubmitJob(ctx, c, t.options, w.where); err != nil {
		return nil, err
	}
	defer w.stop()
	for range t.workers {
		if err := w.start(&crewWorker{}); err != nil {
			return nil, err
		}
	}
	if err := w.watch(ctx, c, r); err != nil {
		return nil, err
	}
	return topoi.CollectJob(ctx, c, w.where)
}

// start starts a worker, for the first time or again.
func (w *crew) start(x *crewWorker) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	threads := max(1, topoi.Options{Threads: w.options.Threads}.WithDefaults().Threads/w.trainer.workers)
	cmd := exec.Command(program, "cluster", "work", "--job", localJob, "--corpus", w.corpus, "--log", "none",
		"--threads", strconv.Itoa(threads), "--patience", w.where.Patience.String(),
		"--device", w.options.Device)
	if n := w.options.DeviceMemory; n > 0 {
		cmd.Args = append(cmd.Args, "--device-memory", strconv.FormatInt(n, 10))
	}
	cmd.Args[0] = os.Args[0]
	cmd.Env = append(os.Environ(), storeVariable+"="+w.where.Store)
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
func (w *crew) stop() {
	for _, x := range w.workers {
		x.process.Signal(syscall.SIGKILL)
		<-x.process.Exited()
	}
}

// watch shows how training goes on until it has ended, and replaces workers that
// were killed.
func (w *crew) watch(ctx context.Context, c *corpus.Corpus, r progress.Reporter) error {
	events := w.options.Events
	started := false
	err := awaitJob(ctx, w.where, 200*time.Millisecond, func(s *topoi.JobStatus) error {
		p, err := topoi.ProgressOfJob(s)
		if err != nil {
			return err
		}
		if !started && events.Start != nil {
			events.Start(w.startInfo(c, s, p))
		}
		started = true
		w.tell(events, s, p)
		return w.replace(r)
	})
	if err != nil && ctx.Err() != nil {
		return w.interrupted(r)
	}
	return err
}

// startInfo says what is trained.
func (w *crew) startInfo(c *corpus.Corpus, s *topoi.JobStatus, p topoi.JobProgress) topoi.StartInfo {
	held := int(float64(c.NumDocs()) * w.options.Holdout)
	return topoi.StartInfo{
		Sampler: s.Sampler, Device: fmt.Sprintf("%d local workers", w.trainer.workers),
		Threads: topoi.Options{Threads: w.options.Threads}.WithDefaults().Threads,
		Docs:    c.NumDocs() - held, HeldOut: held, Words: s.Words, Tokens: s.Tokens, Topics: s.Topics,
		Iteration: s.From, Iterations: p.Iterations,
	}
}

// tell shows evaluations that are new, and the end.
func (w *crew) tell(events topoi.Events, s *topoi.JobStatus, p topoi.JobProgress) {
	elapsed := time.Since(w.begin)
	for ; w.told < len(p.History); w.told++ {
		score := p.History[w.told]
		if score.Iteration <= s.From || events.Iteration == nil {
			continue // of an earlier run
		}
		events.Iteration(topoi.IterationInfo{
			Iteration: score.Iteration, Iterations: p.Iterations, Elapsed: elapsed, Training: elapsed,
			TokensPerSecond: float64(s.Tokens) * float64(score.Iteration-s.From) / elapsed.Seconds(), Score: &score,
		})
	}
	if p.Warning != w.warned && p.Warning != "" && events.Warning != nil {
		events.Warning(topoi.WarningInfo{Iteration: p.Iteration, Err: errors.New(p.Warning)})
	}
	w.warned = p.Warning
	if s.State == nil || !s.State.Finished || events.Done == nil {
		return
	}
	if p.Warning == "" { // the leader keeps the last iteration
		w.kept = p.Iteration
	}
	done := topoi.DoneInfo{Iteration: p.Iteration, Reason: p.Stopped, Elapsed: elapsed, Training: elapsed}
	if n := len(p.History); n > 0 {
		done.Score = &p.History[n-1]
	}
	events.Done(done)
}

// replace starts another worker for each that was killed. One that ended with a
// fault ends the run.
func (w *crew) replace(r progress.Reporter) error {
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
			r.Say(fmt.Sprintf("worker %d was killed (%v): another takes its place", i+1, err))
			if err := w.start(x); err != nil {
				return err
			}
		default:
			fault := &workerFault{fmt.Sprintf("worker %d failed (%v): %s", i+1, err, lastLine(x.stderr.String())), exitFailure}
			if exit != nil && exit.ExitCode() > 0 {
				fault.code = exit.ExitCode()
			}
			return fault
		}
	}
	return nil
}

// workerFault is the end of a worker that failed, and what it exited with.
type workerFault struct {
	text string
	code int
}

func (e *workerFault) Error() string { return e.text }

// lastLine returns the last line of what a worker said, without the program's name.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimPrefix(lines[len(lines)-1], "topoi: ")
}

// interrupted says what is left of a run that was interrupted.
func (w *crew) interrupted(r progress.Reporter) error {
	if _, err := os.Stat(w.options.Checkpoint); err == nil {
		r.Say("the run up to its last checkpoint is kept in " + w.options.Checkpoint + "; to go on:\n  " + resumeLine(w.args))
	} else {
		r.Say("there was no checkpoint yet: nothing is kept")
	}
	return topoi.ErrInterrupted
}

// corpusFile returns the path of a corpus file that holds what inputs give: theirs,
// or a temporary one, which remove removes.
func (in *inputFlags) corpusFile(ctx context.Context, inputs []string, r progress.Reporter, quiet bool) (path string, remove func(), err error) {
	nothing := func() {}
	o := in.options
	chooses := o.MinDF > 0 || o.MaxDF > 0 || o.MinCF > 0 || o.MaxWords > 0 || o.DropEmpty || o.Phrases != nil
	if len(inputs) == 1 && corpus.IsCorpus(inputs[0]) {
		if err := in.refuseFlags(inputs[0]); err != nil {
			return "", nothing, err
		}
		if !chooses {
			path, err := filepath.Abs(inputs[0])
			return path, nothing, err
		}
	}
	made, err := wholefile.TempDir("corpus")
	if err != nil {
		return "", nothing, err
	}
	dir := made.Temporary
	remove = made.Abort
	in.options.Progress = importProgress(r)
	path = filepath.Join(dir, "corpus.topoi")
	report, err := corpus.Import(ctx, inputs, path, in.options)
	if err != nil {
		remove()
		return "", nothing, err
	}
	if !quiet {
		tellImport(report, "", r)
	}
	return path, remove, nil
}
