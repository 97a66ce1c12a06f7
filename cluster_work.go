package topoi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/cluster"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Worker says how a worker works. The zero value is a good default.
type Worker struct {
	// Threads is the number of goroutines; it never changes the result.
	// Default: all cores.
	Threads int

	// Device says where to sample: "cpu", "cuda" or "cuda:N" for a GPU, or "auto" for
	// the first GPU if there is one, the job's sampler has a form for it and its
	// corpus is large enough. It never changes the result. Default "auto".
	Device string

	// DeviceMemory is how many bytes of a GPU's memory to use. Default: what is free.
	DeviceMemory int64

	// Name is what status shows. Default: host and process.
	Name string

	// Tell is called with what happens to the worker, in one line each, from any
	// goroutine.
	Tell func(text string)

	// Reports is called with the worker's numbers now and then, from any goroutine.
	Reports func(WorkerReport)

	// Events are told what happens in training while this worker leads.
	Events Events

	open func(ordinal int) (*device.Device, error) // opens a GPU, in tests another device; nil: device.Open
}

// Validate returns all faults of the options.
func (how Worker) Validate() error {
	var faults []error
	if how.Threads < 0 {
		faults = append(faults, fmt.Errorf("the number of threads is %d: it must be 0 or more", how.Threads))
	}
	return errors.Join(append(faults, where(or(how.Device, "auto"), how.DeviceMemory).Validate())...)
}

// WorkerReport is what a worker says of itself.
type WorkerReport = cluster.Report

// WorkJob takes part in a job until its model is complete or ctx ends. c is the
// corpus that was submitted.
func WorkJob(ctx context.Context, c *corpus.Corpus, where Cluster, how Worker) error {
	if err := how.Validate(); err != nil {
		return err
	}
	how.Device = or(how.Device, "auto")
	st, err := where.open(ctx)
	if err != nil {
		return err
	}
	defer st.Close()
	job, p, err := openJob(ctx, c, st, where)
	if err != nil {
		return err
	}
	birth, err := births(ctx, st)
	if err != nil {
		return err
	}
	place, err := how.place(p)
	if err != nil {
		return err
	}
	defer place.leave()
	m := &mending{how: how, store: st, plan: p, birth: birth, furthest: -2}
	for {
		lost, err := cluster.Work(ctx, how.options(job, p, place))
		if place.replace(err, how) {
			continue
		}
		if !m.can(ctx, err) {
			return err
		}
		if job, err = m.mend(ctx, how.options(lost.Job, p, place), lost, err); err != nil {
			return err
		}
	}
}

// options are what a worker works with.
func (how Worker) options(job *cluster.Job, p *jobPlan, place *workplace) cluster.WorkOptions {
	how.Threads = or(how.Threads, Options{}.WithDefaults().Threads)
	p.run.opts.Threads, p.run.opts.Events = how.Threads, how.Events
	p.problem.Threads = how.Threads
	if how.Name == "" {
		host, _ := os.Hostname() // a name for people: any will do
		how.Name = fmt.Sprintf("%s/%d", host, os.Getpid())
	}
	return cluster.WorkOptions{
		Job: job, Plan: p.plan, Spans: p.spans, Frequencies: p.frequencies,
		Words: func(part int) ([]uint32, error) {
			return p.run.docs.TokensBetween(p.spans[part].Begin, p.spans[part].End), nil
		},
		Name: how.Name, Device: place.name, Threads: how.Threads,
		Lead: p.run.lead, Tell: how.Tell, Reports: how.Reports,
	}
}

// trainingState is what a new leader must know beyond iteration and priors.
type trainingState struct {
	History []Score    `json:"history,omitempty"`
	Stopped StopReason `json:"stopped,omitempty"`
	Warning string     `json:"warning,omitempty"` // why the last checkpoint could not be written
}

// resume sets the run to a state of the job.
func (r *run) resume(iteration int, priors *sampler.Priors, training json.RawMessage) error {
	var t trainingState
	if err := json.Unmarshal(training, &t); err != nil {
		return fmt.Errorf("the job's history in the store cannot be read: %w", err)
	}
	r.iteration, r.saved, r.priors = iteration, iteration, priors
	r.history, r.stopped = t.History, t.Stopped
	return nil
}

// lead trains with all workers of the cluster as the sampler.
func (r *run) lead(ctx context.Context, l *cluster.Leader) error {
	iteration, priors, training := l.Resume()
	if err := r.resume(iteration, priors, training); err != nil {
		return err
	}
	r.engine, r.began = engine.ByWorkers(l, r.docs.NumTokens()), l.Submitted()
	l.Context(ctx)
	l.Next = r.nextBarrier
	l.Training = func() (json.RawMessage, error) {
		return json.Marshal(trainingState{History: r.history, Stopped: r.stopped, Warning: r.warning})
	}
	r.tellStart()
	if err := r.timed(func() error { return r.engine.Start(r.priors) }); err != nil {
		return err
	}
	for r.stopped == "" {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := r.iterate(ctx); err != nil {
			return err
		}
	}
	if err := r.keepLast(); err != nil {
		return err
	}
	if err := l.Finish(r.priors); err != nil {
		return err
	}
	r.tellDone()
	return nil
}

// nextBarrier returns the next iteration after which something is due, and whether
// that needs the documents' histograms.
func (r *run) nextBarrier(iteration int) (until int, histograms bool) {
	o := r.opts
	for until = iteration + 1; ; until++ {
		evaluate := until%o.EvaluateEvery == 0 || until >= o.Iterations
		optimize := o.OptimizeInterval > 0 && until > o.BurnIn && until%o.OptimizeInterval == 0
		checkpoint := o.Checkpoint != "" && until%o.CheckpointEvery == 0
		if evaluate || optimize || checkpoint || o.TimeLimit > 0 {
			return until, evaluate || optimize
		}
	}
}
