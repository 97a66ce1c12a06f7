package cluster

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/cluster/barrier"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
	"github.com/topoi-lda/topoi/internal/store"
	"github.com/topoi-lda/topoi/internal/training"
	"github.com/topoi-lda/topoi/topic"
)

// Job says where a job is. Its methods may be called from any number of processes and goroutines.
type Job struct {
	// Store is the store's URL: redis://user:password@host:6379, rediss:// for TLS, unix:// for a socket. Required.
	Store string

	// Name is the job's name, unique in the store: up to 64 letters, digits, dots, dashes and underscores. Required.
	Name string

	// Program is the version of the program. Workers of a job must have the same one, and must make the same of a
	// small corpus with the job's sampler, which they find out by themselves. Default "": it is not compared.
	Program string

	// Patience is how long the store may be away before a call gives up. Default one minute.
	Patience time.Duration
}

// ErrNoJob is wrapped by errors about a job that the store does not hold.
var ErrNoJob = records.ErrNoJob

// open connects to the store.
func (j Job) open(ctx context.Context) (*store.Store, error) {
	if err := protocol.CheckName(j.Name); err != nil {
		return nil, err
	}
	return store.Open(ctx, store.Options{URL: j.Store, Patience: j.Patience})
}

// build identifies this program.
func (j Job) build() records.Build { return records.Build{Version: j.Program, Results: results} }

// Cancel removes the job and all keys with its name from the store, and returns the number of keys. Its workers stop.
func (j Job) Cancel(ctx context.Context) (keys int, err error) {
	st, err := j.open(ctx)
	if err != nil {
		return 0, err
	}
	defer st.Close()
	return records.Remove(ctx, st, j.Name)
}

// Collect returns the model of a complete job. c is the corpus that was submitted, and must outlive the model. The
// job stays in the store: call Cancel once the model is safe.
func (j Job) Collect(ctx context.Context, c *corpus.Corpus) (*topoi.Model, error) {
	st, err := j.open(ctx)
	if err != nil {
		return nil, err
	}
	defer st.Close()
	found, p, err := j.find(ctx, c, st)
	if err != nil {
		return nil, err
	}
	state, err := found.State(ctx)
	switch {
	case err != nil:
		return nil, err
	case state == nil || !state.Finished:
		iteration := 0
		if state != nil {
			iteration = state.Iteration
		}
		return nil, fmt.Errorf("job %s is not complete: it has passed iteration %d of at most %d; "+
			"wait for its workers, or start some with Job.Work", j.Name, iteration, p.options().Iterations)
	}
	reader := barrier.NewReader(ctx, p.task(found))
	err = reader.FetchRows(state.Round)
	if err == nil {
		err = reader.FetchTopics(state.Round)
	}
	if errors.Is(err, protocol.ErrGone) {
		err = fmt.Errorf("%w, and with it the model of job %s: remove the job with Job.Cancel and submit it again, "+
			"from its checkpoint if there is one", err, j.Name)
	}
	if err != nil {
		return nil, err
	}
	at := training.State{Iteration: state.Iteration, Priors: state.Priors.Decode(found.Topics), History: state.Training}
	m, err := p.run.Model(&at, reader)
	if err != nil || len(found.Names) == 0 {
		return m, err
	}
	return m, m.SetLabels(topic.Labels{Names: found.Names})
}

// find finds the job in the store and cuts the corpus for it.
func (j Job) find(ctx context.Context, c *corpus.Corpus, st *store.Store) (*records.Job, *plan, error) {
	found, err := records.Open(ctx, st, j.Name, j.build())
	if err != nil {
		return nil, nil, err
	}
	if found.Corpus != c.Fingerprint() {
		return nil, nil, fmt.Errorf("job %s is about another corpus: its fingerprint is %s and that of the one given is %s; "+
			"give the corpus that was submitted", j.Name, found.Corpus, c.Fingerprint())
	}
	opts, err := readOptions(found.Spec, j.Name)
	if err != nil {
		return nil, nil, err
	}
	if found.Guide != nil {
		if err := found.FetchPseudo(ctx); err != nil {
			return nil, nil, err
		}
	}
	opts.Device, opts.Program, opts.Pseudo = "cpu", j.Program, found.Pseudo
	how := SubmitOptions{Layout: Layout{Parts: found.Parts}, exactly: true}
	if corpus.Ranged(c) {
		if how.frequencies, err = j.receiveFrequencies(ctx, found); err != nil {
			return nil, nil, err
		}
	}
	p, err := newPlan(c, opts.WithDefaults(), found.Guide, how)
	return found, p, err
}

// readOptions reads the options with which a job was submitted.
func readOptions(spec protocol.Spec, name string) (opts topoi.Options, err error) {
	if err := json.Unmarshal(spec.Options, &opts); err != nil {
		return opts, fmt.Errorf("the options of job %s cannot be read: %w", name, err)
	}
	return opts, nil
}

// plan is a run and its cut into parts.
type plan struct {
	run         *topoi.Led
	plan        *sampler.Plan
	spans       []sampler.Span
	frequencies []uint64 // V: the training tokens and pseudo-counts of every word
	counted     []uint64 // V: the tokens alone, of a corpus that is read in ranges
}

// task returns a job with this plan, for a worker.
func (p *plan) task(j *records.Job) records.Task {
	return records.NewTask(j, p.plan, p.spans, p.frequencies)
}

// options are the run's.
func (p *plan) options() *topoi.Options { return p.run.Options() }

// newPlan cuts the corpus. guide is nil, or that of an existing job.
func newPlan(c *corpus.Corpus, opts topoi.Options, guide json.RawMessage, how SubmitOptions) (*plan, error) {
	run, err := topoi.PlanLed(c, opts, guide)
	if err != nil {
		return nil, err
	}
	p := &plan{run: run}
	if err := p.count(c, how.frequencies); err != nil {
		return nil, err
	}
	if p.plan, err = sampler.PlanFor(run.Info(), run.Problem()); err != nil {
		return nil, fmt.Errorf("this cannot be trained by a cluster: %w", err)
	}
	parts := cmp.Or(how.Layout.Parts, 2*how.Workers, 8)
	if t := p.options().Tuning; t.Staleness > 0 {
		parts = cmp.Or(t.Parts, sampler.DefaultParts(run.Problem().N()))
		if t.Parts == 0 && how.Workers > parts {
			if how.exactly {
				return nil, fmt.Errorf("%d workers are more than the %d parts into which a corpus of this size is cut with "+
					"staleness unless told otherwise: set Tuning.Parts to %d or more", how.Workers, parts, how.Workers)
			}
			opts.Tuning.Parts = how.Workers
			return newPlan(c, opts, guide, how)
		}
	}
	p.spans = p.plan.Cut(parts)
	return p, nil
}

// create creates the job in the store, at the beginning or at the run's checkpoint.
func (p *plan) create(ctx context.Context, st *store.Store, name string, spec protocol.Spec) error {
	from, err := p.run.Begin()
	if err != nil {
		return err
	}
	spec.From, spec.Start = from.Iteration, 0
	for t := 1; t <= spec.From; t++ {
		spec.Start += p.plan.Rounds(t)
	}
	var origin *records.Origin
	if from.Topics != nil {
		origin = &records.Origin{Topics: func(part int) []uint32 {
			return from.Topics[p.spans[part].Begin:p.spans[part].End]
		}}
		if from.Given {
			origin.Changes = barrier.NoLate(spec.Start, spec.Staleness, len(p.spans))
		} else if spec.Staleness > 0 {
			origin.Changes, err = barrier.ReadLate(from.Extra, spec.Start, spec.Staleness, len(p.spans), spec.Topics, spec.Words)
			if err != nil {
				return err
			}
		}
	}
	state := protocol.State{Round: -1, Iteration: spec.From, Since: spec.From, Until: spec.From, Training: from.History}
	state.SetPriors(from.Priors)
	_, err = records.Create(ctx, st, name, spec, state, origin, p.frequencies, p.options().Pseudo)
	return err
}

// results returns a hash of what this program makes of a small corpus with a sampler on this machine: the XXH3-64, in
// hexadecimal, of the fingerprints of the models. Programs with different hashes would give different models. It
// covers only the job's sampler, so that changes of another sampler do not divide the workers. It takes some
// hundredths of a second, once in a process.
var results = func() func(sampler string) (string, error) {
	var known sync.Map // sampler → digest
	return func(sampler string) (string, error) {
		if digest, ok := known.Load(sampler); ok {
			return digest.(string), nil
		}
		h := xxh3.New()
		c := resultsCorpus()
		for _, o := range resultsOptions(sampler) {
			m, err := topoi.Train(context.Background(), c, o)
			if err != nil {
				return "", fmt.Errorf("this program cannot do a small run of %s: %w", o.Sampler, err)
			}
			fmt.Fprintln(h, o.Sampler, m.Fingerprint())
		}
		sum := h.Sum128().Bytes()
		digest := hex.EncodeToString(sum[:8])
		known.Store(sampler, digest)
		return digest, nil
	}
}()

// resultsCorpus returns a corpus of 2,400 tokens over 150 words whose frequencies fall like Zipf's, so that there are
// rows of all kinds.
func resultsCorpus() *corpus.Corpus {
	docs := make([][]string, 60)
	state := uint32(1)
	for d := range docs {
		for range 40 {
			state = state*1664525 + 1013904223 // Numerical Recipes' generator: it must never change
			docs[d] = append(docs[d], fmt.Sprint("w", 150/(1+(state>>8)%150)*(1+uint32(d)%3)%150))
		}
	}
	return corpus.FromTokens(docs)
}

// resultsOptions returns runs of six sweeps with a sampler, with two estimations of α and β; also in parts if it has
// them.
func resultsOptions(name string) []topoi.Options {
	list := []topoi.Options{{Sampler: name}}
	if info, ok := registry.Find(name); ok && info.InParts() {
		list = append(list, topoi.Options{Sampler: name, Tuning: topoi.Tuning{Staleness: 1, Parts: 2}})
	}
	for i := range list {
		o := &list[i]
		o.Topics, o.Seed, o.Iterations, o.Threads, o.Device = 20, 1, 6, 1, "cpu"
		o.BurnIn, o.OptimizeInterval, o.EvaluateEvery, o.Tolerance = 1, 2, 6, -1
	}
	return list
}
