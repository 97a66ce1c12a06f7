package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	workers "github.com/topoi-lda/topoi/internal/cluster"
	"github.com/topoi-lda/topoi/internal/cluster/lead"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/training"
	"github.com/topoi-lda/topoi/train"
)

// WorkOptions say how a worker works. The zero value is a good default.
type WorkOptions struct {
	// Threads is the number of goroutines; it never changes the result. Default: all cores.
	Threads int

	// Device describes where to sample: "cpu", "cuda" or "cuda:N" for a GPU, or "auto" for the first GPU if there is
	// one, the job's sampler has a form for it and its corpus is large enough. It never changes the result. Default
	// "auto".
	Device string

	// DeviceMemory is how many bytes of a GPU's memory to use. Default: what is free.
	DeviceMemory int64

	// Name is the worker's name in the status. Default: host and process.
	Name string

	// Tell is called from any goroutine with one line about each event of the worker.
	Tell func(text string)

	// Reports is called from any goroutine with the worker's numbers now and then.
	Reports func(Report)

	// Events are called for events of training while this worker leads.
	Events topoi.Events

	open func(ordinal int) (*device.Device, error) // opens a GPU, in tests another device; nil: device.Open
}

// Validate returns all faults of the options at once, joined, or nil.
func (how WorkOptions) Validate() error {
	place := engine.Where{Device: cmp.Or(how.Device, "auto"), Memory: how.DeviceMemory}
	return errors.Join(place.Validate(), train.Validate(topoi.Options{Topics: 1, Threads: how.Threads}))
}

// Work takes part in the job until its model is complete or ctx ends. c is the corpus that was submitted.
func (j Job) Work(ctx context.Context, c *corpus.Corpus, how WorkOptions) error {
	if err := how.Validate(); err != nil {
		return err
	}
	how.Device = cmp.Or(how.Device, "auto")
	st, err := j.open(ctx)
	if err != nil {
		return err
	}
	defer st.Close()
	job, p, err := j.find(ctx, c, st)
	if err != nil {
		return err
	}
	place, err := how.place(p)
	if err != nil {
		return err
	}
	defer place.leave()
	m := &mending{report: how.Tell, store: st, plan: p, furthest: -2}
	for {
		lost, err := workers.Work(ctx, how.options(job, p, place))
		if place.replace(err, how) {
			continue
		}
		if err == nil {
			return nil
		}
		if !errors.Is(err, protocol.ErrGone) {
			return err
		}
		if job, err = m.mend(ctx, lost, err); err != nil {
			return err
		}
	}
}

// options returns the options of a worker of the job.
func (how WorkOptions) options(job *records.Job, p *plan, place *workplace) workers.WorkOptions {
	how.Threads = cmp.Or(how.Threads, runtime.GOMAXPROCS(0))
	if job.Apart {
		p.plan.SetStage(stageOf(p, job.Slices))
	}
	o := p.options()
	o.Threads, o.Events = how.Threads, how.Events
	p.run.Problem().Threads = how.Threads
	if how.Name == "" {
		host, _ := os.Hostname() // a name for people: any will do
		how.Name = fmt.Sprintf("%s/%d", host, os.Getpid())
	}
	return workers.WorkOptions{
		Task: p.task(job),
		Words: func(part int) ([]uint32, error) {
			return p.run.Docs().ReadTokens(p.spans[part].Begin, p.spans[part].End)
		},
		Passed: func(part int) { p.run.Docs().Release(p.spans[part].Begin, p.spans[part].End) },
		Name:   how.Name, Device: place.name, Threads: how.Threads,
		Lead: func(ctx context.Context, l *lead.Leader) error {
			if p.counted != nil {
				if err := p.run.Sample().Gather(""); err != nil {
					return err
				}
			}
			iteration, priors, history := l.Resume()
			return p.run.Lead(ctx, &training.State{Iteration: iteration, Priors: priors, History: history}, l)
		},
		Tell: how.Tell,
		Reports: func(r protocol.Report) {
			if how.Reports != nil {
				how.Reports(Report(r))
			}
		},
	}
}

// workplace is where a worker samples its parts.
type workplace struct {
	engine.Where
	plan *sampler.Plan
	gpu  *device.Device // nil: the CPU
	name string         // for status
}

// place chooses where the worker samples. "auto" is the first GPU if there is one, the sampler supports it, and the
// job has enough tokens.
func (how WorkOptions) place(p *plan) (*workplace, error) {
	where := engine.Where{Device: how.Device, Memory: how.DeviceMemory, Open: how.open}
	w := &workplace{Where: where, plan: p.plan, name: "cpu"}
	fault := p.plan.DeviceFault()
	if w.Asked() && fault != nil {
		return nil, fault
	}
	worth := fault == nil && p.run.Problem().N() >= engine.GPUTokens
	_, why, err := w.Place(worth, func(d *device.Device, name string) error {
		if err := w.plan.PlaceOn(d); err != nil {
			return err
		}
		w.gpu, w.name = d, name
		return nil
	})
	if why != nil {
		how.tell("working without the GPU: ", why)
	}
	return w, err
}

// tell reports an error in one line.
func (how WorkOptions) tell(text string, err error) {
	if how.Tell != nil {
		first, _, _ := strings.Cut(err.Error(), "\n") // one sentence about a lost device is enough
		how.Tell(text + first)
	}
}

// leave gives the GPU back.
func (w *workplace) leave() {
	if w.gpu == nil {
		return
	}
	// A lost device cannot be left in order, and that is no second fault.
	_, _ = w.plan.PlaceHere(), w.gpu.Close()
	w.gpu, w.name = nil, "cpu"
}

// replace reports whether work that ended with err can continue elsewhere, and goes there: to the CPU, if a GPU
// failed that nobody asked for.
func (w *workplace) replace(err error, how WorkOptions) bool {
	if w.gpu == nil || !w.Replaceable(err) {
		return false
	}
	w.leave()
	how.tell("joining again without the GPU: ", err)
	return true
}
