package train

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/topics"
	"github.com/topoi-lda/topoi/internal/training"
)

// Led is a training run whose sampling is done by the workers of a cluster. It is for package cluster only:
// other programs cannot construct what its methods take. They train on a cluster through that package.
type Led struct {
	run     *run
	problem *sampler.Problem
	guide   json.RawMessage
}

// guide holds what determines a led run beside the options in JSON.
type guide struct {
	Pseudo  string           `json:"pseudo,omitempty"`  // hash of Options.Pseudo
	Started string           `json:"started,omitempty"` // hash of Options.Start
	Lineage []topoi.Ancestor `json:"lineage,omitempty"` // Options.Lineage
}

// PlanLed prepares a run that a cluster will train: it splits the corpus and chooses the sampler. opts must have their
// defaults filled in. by is nil when the run is submitted; workers pass what Guide returned there.
func PlanLed(c *corpus.Corpus, opts topoi.Options, by json.RawMessage) (*Led, error) {
	if opts.Draws > 1 {
		return nil, errors.New("a cluster keeps the last state only: leave out Options.Draws, or train in one process")
	}
	r, problem, err := planRun(c, options{opts}, false)
	if err != nil {
		return nil, err
	}
	g := guide{opts.Pseudo.Hash(), r.started, opts.Lineage}
	if by == nil {
		by, err = json.Marshal(g)
	} else if err = json.Unmarshal(by, &g); err == nil && g.Pseudo != opts.Pseudo.Hash() {
		err = errors.New("the store has lost the pseudo-counts of the job, or has others: submit the job again")
	}
	if err != nil {
		return nil, err
	}
	r.opts.Lineage, r.started = g.Lineage, g.Started
	r.opts.Sampler, r.opts.Tuning = r.record.Sampler, r.record.Tuning
	return &Led{r, problem, by}, nil
}

// Guide returns what workers must know of Options.Pseudo, Options.Start and Options.Lineage, or nil if all are empty.
func (l *Led) Guide() json.RawMessage {
	if string(l.guide) == "{}" {
		return nil
	}
	return l.guide
}

// Options returns the options of the run, with what "auto" chose. Threads, Events and Resume may be changed
// before Begin and Lead.
func (l *Led) Options() *topoi.Options { return &l.run.opts.Options }

// Docs returns the training documents.
func (l *Led) Docs() *corpus.Corpus { return l.run.docs.Train }

// Frequencies returns for every word the number of its training tokens and pseudo-counts.
func (l *Led) Frequencies() []uint64 {
	return l.run.opts.Pseudo.AddFrequencies(modelfile.Frequencies(l.run.docs.Train))
}

// Sample returns the documents that Lead scores if none are held out.
func (l *Led) Sample() *corpus.Corpus { return l.run.docs.Sample() }

// Info describes the sampler.
func (l *Led) Info() sampler.Info { return l.run.chosen.Sampler }

// Problem returns the problem that the sampler gets.
func (l *Led) Problem() *sampler.Problem { return l.problem }

// history holds what a new leader must know beside iteration and priors. Package cluster shows it in a job's status.
type history struct {
	Scores  []topoi.Score    `json:"history,omitempty"`
	Stopped topoi.StopReason `json:"stopped,omitempty"`
	Warning string           `json:"warning,omitempty"` // why the last checkpoint could not be written
}

// Begin returns the state in which the run begins: its checkpoint if Options.Resume is set and there is
// one, else Options.Start, else iteration 0.
func (l *Led) Begin() (*training.State, error) {
	r := l.run
	from, err := r.initial()
	switch {
	case err != nil:
		return nil, err
	case from == nil && r.started != "":
		return nil, errors.New("the job began with topics that nobody has any more, because there is no checkpoint yet: submit it again")
	}
	r.priors.SetGroups()
	s := &training.State{Priors: r.priors.Now}
	var h history
	if from != nil {
		s.Iteration, s.Priors = from.Iteration, &sampler.Priors{
			Alpha: from.Alpha, Beta: from.Beta,
			Lambda: lambda(from.Columns),
		}
		s.Topics, s.Extra, s.Given = from.Topics.Wide, from.Extra, from.Given
		h.Scores, h.Stopped = from.History, from.ended(r.record)
	}
	s.History, err = json.Marshal(h)
	return s, err
}

// resumeLed sets the run to a state of the job.
func (r *run) resumeLed(at *training.State) error {
	var h history
	if err := json.Unmarshal(at.History, &h); err != nil {
		return fmt.Errorf("the job's history in the store cannot be read: %w", err)
	}
	r.position = position{iteration: at.Iteration, history: h.Scores, stopped: h.Stopped}
	r.priors.Resume(at.Priors.Alpha, at.Priors.Beta, at.Priors.Lambda)
	r.saver.saved = at.Iteration
	return nil
}

// Lead trains from the given state on, until training ends, ctx ends or an error occurs. The workers of the
// cluster do the sampling.
func (l *Led) Lead(ctx context.Context, from *training.State, by training.Leader) error {
	r := l.run
	r.use(engine.ByWorkers(by, r.docs.Train.NumTokens()))
	if err := r.resumeLed(from); err != nil {
		return err
	}
	r.saver.counted = true
	r.clock.Began, r.priors.Threads = by.Submitted(), r.opts.Threads
	by.Join(ctx, r.nextBarrier, func() (json.RawMessage, error) {
		return json.Marshal(history{r.history, r.stopped, r.saver.warning})
	})
	r.tellStart()
	if err := training.Timed(&r.clock.Training, func() error { return r.engine.Start(r.priors.Now) }); err != nil {
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
	if err := r.saver.keepLast(); err != nil {
		return err
	}
	if err := by.Finish(r.priors.Now); err != nil {
		return err
	}
	r.tellDone()
	return nil
}

// nextBarrier returns the next iteration after which something is due, and whether that needs the documents'
// histograms. brief means that it needs nothing else: priors are estimated from histograms alone.
func (r *run) nextBarrier(iteration int) (until int, histograms, brief bool) {
	o := r.opts
	for until = iteration + 1; ; until++ {
		evaluate := o.evaluates(until) || until > o.Iterations
		optimize := r.priors.Due(until)
		checkpoint := o.Checkpoint != "" && until%o.checkpointEvery() == 0
		if evaluate || optimize || checkpoint || o.TimeLimit > 0 {
			return until, evaluate || optimize, !evaluate && !checkpoint && o.TimeLimit == 0
		}
	}
}

// Model returns the model of a run that has ended in the given state.
func (l *Led) Model(at *training.State, of training.Trained) (*topoi.Model, error) {
	r := l.run
	if err := r.resumeLed(at); err != nil {
		return nil, err
	}
	z := make([]uint32, r.docs.Train.NumTokens())
	of.Topics(z)
	return r.newModel(topics.List{Wide: z}, of.TopicTotals(), of)
}
