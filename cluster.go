package topoi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"time"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/cluster"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/store"
)

// Cluster says where a job is and how it is cut. A job is one training run done by
// many workers around a Redis or Valkey store; its model has the bytes that Train
// would have given it with the same options.
type Cluster struct {
	// Store is the store's URL: redis://user:password@host:6379, rediss:// for TLS,
	// unix:// for a socket. Required.
	Store string

	// Job is the job's name, unique in the store. Required.
	Job string

	// Program is the version of the program. Workers of a job must agree in it, and in
	// what they make of a small corpus with every sampler, which they find out by
	// themselves.
	Program string

	// Patience is how long the store may be away before workers give up.
	// Default one minute.
	Patience time.Duration

	// The rest is used by SubmitJob alone.

	// CorpusPath is where workers are told to look for the corpus.
	CorpusPath string

	// Ship puts the corpus file at CorpusPath into the store, for workers that do
	// not see it; ReceiveCorpus takes it out there. Default false.
	Ship bool

	// Workers is the number of workers expected: the first waits a few seconds for
	// the others. Default 1. More may join and some may leave at any time.
	Workers int

	// Parts is the number of parts into which the documents are cut, the most
	// workers that can have something to do. It never changes the result unless
	// Tuning.Staleness is set, and is then Tuning.Parts. Default: Workers, at
	// least 8 if no number of workers is given.
	Parts int

	// Slices is the number of slices into which the vocabulary is cut: the units in
	// which rows travel. It never changes the result. Default 16.
	Slices int

	// Lease is how long a worker that says nothing counts as alive. Default 10 s.
	Lease time.Duration
}

// jobOptions are the options of a job, as its workers get them.
type jobOptions struct {
	Run             RunOptions    `json:"run"`
	TimeLimit       time.Duration `json:"time_limit,omitempty"`
	Checkpoint      string        `json:"checkpoint,omitempty"`
	CheckpointEvery int           `json:"checkpoint_every,omitempty"`
}

// options returns them as Train takes them.
func (o *jobOptions) options() Options {
	r := o.Run
	return Options{
		Topics: r.Topics, Sampler: r.Sampler, Tuning: r.Tuning, AlphaSum: r.AlphaSum, Beta: r.Beta,
		OptimizeInterval: r.OptimizeInterval, BurnIn: r.BurnIn, Iterations: r.Iterations, Seed: r.Seed,
		EvaluateEvery: r.EvaluateEvery, Holdout: r.Holdout,
		HoldoutLast: r.Holdout > 0 && !r.HoldoutSampled, HoldoutSeed: r.HoldoutSeed, UntilLL: r.UntilLL, UntilHeldout: r.UntilHeldout,
		Tolerance: r.Tolerance, TimeLimit: o.TimeLimit, Device: "cpu",
		Checkpoint: o.Checkpoint, CheckpointEvery: o.CheckpointEvery,
	}
}

// ErrNoJob is wrapped by errors about a job that the store does not hold.
var ErrNoJob = cluster.ErrNoJob

// SubmitJob puts a job into the store, for workers to begin: from the start, or
// from opts.Checkpoint if opts.Resume is set and the file is there. Checkpoints
// are written by the worker that leads, on its own disk or on one that all share.
func SubmitJob(ctx context.Context, c *corpus.Corpus, opts Options, where Cluster) error {
	if err := opts.Validate(); err != nil {
		return err
	}
	st, err := where.open(ctx)
	if err != nil {
		return err
	}
	defer st.Close()
	p, err := planJob(c, opts.WithDefaults(), where.Parts, where.Workers)
	if err != nil {
		return err
	}
	if path := &p.run.opts.Checkpoint; *path != "" { // workers run elsewhere
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	state, err := p.run.readCheckpoint()
	if err != nil {
		return err
	}
	build, err := where.build()
	if err != nil {
		return err
	}
	shipped, err := where.shipment()
	if err != nil {
		return err
	}
	spec := cluster.Spec{
		ID: rand.Uint64(), Protocol: cluster.Protocol, Program: build.Version, Results: build.Results,
		Corpus: c.Fingerprint(), CorpusPath: where.CorpusPath, Shipped: shipped,
		Sampler: p.run.record.Sampler, Topics: opts.Topics, Words: c.NumWords(), Tokens: p.run.docs.NumTokens(),
		Parts: len(p.spans), Slices: or(where.Slices, 16), Staleness: p.run.record.Tuning.Staleness,
		Workers: where.Workers, Lease: or(where.Lease, 10*time.Second), Submitted: time.Now().UTC(),
	}
	spec.Slices = min(spec.Slices, spec.Words)
	spec.Options, err = json.Marshal(jobOptions{
		Run: p.run.record, TimeLimit: p.run.opts.TimeLimit, Checkpoint: p.run.opts.Checkpoint, CheckpointEvery: p.run.opts.CheckpointEvery,
	})
	if err != nil {
		return err
	}
	if err := refuseEviction(ctx, st); err != nil {
		return err
	}
	if err := p.create(ctx, st, where.Job, spec, state); err != nil {
		return err
	}
	return where.ship(ctx, st)
}

// refuseEviction refuses a store that throws keys away when it is full.
func refuseEviction(ctx context.Context, st *store.Store) error {
	info, err := st.Info(ctx, "memory")
	if err != nil {
		return err
	}
	for _, fields := range info {
		if policy := fields["maxmemory_policy"]; policy != "" && policy != "noeviction" && fields["maxmemory"] != "0" {
			return fmt.Errorf("store %s throws keys away when it is full (maxmemory-policy %s), and would lose the model: set maxmemory-policy noeviction", st.Name(), policy)
		}
	}
	return nil
}

// or returns value, or the default when value is not set.
func or[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}

// open connects to the store.
func (w Cluster) open(ctx context.Context) (*store.Store, error) {
	if err := cluster.CheckName(w.Job); err != nil {
		return nil, err
	}
	return store.Open(ctx, store.Options{URL: w.Store, Patience: w.Patience})
}

// build says which program this is.
func (w Cluster) build() (cluster.Build, error) {
	digest, err := results()
	return cluster.Build{Version: w.Program, Results: digest}, err
}

// jobPlan is a run and its cut into parts.
type jobPlan struct {
	run         *run
	problem     *sampler.Problem
	plan        *sampler.Plan
	spans       []sampler.Span
	frequencies []uint64
}

// planJob cuts the corpus.
func planJob(c *corpus.Corpus, opts Options, parts, workers int) (*jobPlan, error) {
	r, name, problem, err := planRun(c, opts, false)
	if err != nil {
		return nil, err
	}
	plan, err := sampler.NewPlan(name, problem)
	if err != nil {
		return nil, fmt.Errorf("this cannot be trained by a cluster: %w", err)
	}
	if parts == 0 {
		if parts = workers; parts == 0 {
			parts = 8
		}
	}
	if t := r.record.Tuning; t.Staleness > 0 {
		parts = or(t.Parts, sampler.DefaultParts)
		if t.Parts == 0 && workers > parts {
			return nil, fmt.Errorf("%d workers are more than the %d parts into which a corpus is cut with staleness unless told otherwise: give a number of parts, %d or more", workers, parts, workers)
		}
	}
	return &jobPlan{r, problem, plan, plan.Cut(parts), frequencies(r.docs)}, nil
}

// frequencies counts the tokens of every word.
func frequencies(docs *corpus.Corpus) []uint64 {
	const piece = 1 << 22
	sum := make([]uint64, docs.NumWords())
	for lo := 0; lo < docs.NumTokens(); lo += piece {
		for _, w := range docs.TokensBetween(lo, min(docs.NumTokens(), lo+piece)) {
			sum[w]++
		}
	}
	return sum
}

// create puts the job into the store, at the beginning or at a checkpoint.
func (p *jobPlan) create(ctx context.Context, st *store.Store, name string, spec cluster.Spec, from *checkpoint) error {
	r := p.run
	r.initialPriors()
	var origin *cluster.Origin
	training := trainingState{}
	spec.From = 0
	if from != nil {
		spec.From = from.Iteration
		r.priors.Alpha, r.priors.Beta = from.Alpha, from.Beta
		training.History, training.Stopped = from.History, from.ended(r.record)
		origin = &cluster.Origin{Topics: func(part int) []uint32 {
			return from.Topics.wide[p.spans[part].Begin:p.spans[part].End]
		}}
	}
	for t := 1; t <= spec.From; t++ {
		spec.Start += p.plan.Rounds(t)
	}
	if origin != nil && spec.Staleness > 0 {
		late, err := cluster.ReadLate(from.Extra, spec.Start, spec.Staleness, len(p.spans), spec.Topics, spec.Words)
		if err != nil {
			return err
		}
		origin.Changes = late
	}
	state := cluster.State{Round: -1, Iteration: spec.From, Until: spec.From}
	state.SetPriors(r.priors)
	var err error
	if state.Training, err = json.Marshal(training); err != nil {
		return err
	}
	_, err = cluster.Create(ctx, st, name, spec, state, origin, p.frequencies)
	return err
}

// CancelJob removes a job and everything that carries its name from the store, and
// returns the number of keys removed. Its workers stop.
func CancelJob(ctx context.Context, where Cluster) (keys int, err error) {
	st, err := where.open(ctx)
	if err != nil {
		return 0, err
	}
	defer st.Close()
	return cluster.Remove(ctx, st, where.Job)
}

// JobStatus is how a job stands.
type JobStatus = cluster.Status

// StatusOfJob returns how a job stands. If only the state of a job is lost, there is
// both an error and what is known of the job without it.
func StatusOfJob(ctx context.Context, where Cluster) (*JobStatus, error) {
	st, err := where.open(ctx)
	if err != nil {
		return nil, err
	}
	defer st.Close()
	job, err := cluster.Open(ctx, st, where.Job, cluster.Build{})
	if err != nil {
		return nil, err
	}
	return job.Status(ctx)
}

// WatchJob calls see with how a job stands, again and again over one connection, until
// see wants no more or an error ends it. It waits between calls for the time given.
func WatchJob(ctx context.Context, where Cluster, every time.Duration, see func(*JobStatus) (more bool, err error)) error {
	st, err := where.open(ctx)
	if err != nil {
		return err
	}
	defer st.Close()
	for {
		job, err := cluster.Open(ctx, st, where.Job, cluster.Build{})
		if err != nil {
			return err
		}
		status, err := job.Status(ctx)
		if err != nil {
			return err
		}
		if more, err := see(status); err != nil || !more {
			return err
		}
		select {
		case <-time.After(every):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// CollectJob returns the model of a job that is complete. It leaves the job in the
// store; CancelJob removes it once the model is safe.
func CollectJob(ctx context.Context, c *corpus.Corpus, where Cluster) (*Model, error) {
	st, err := where.open(ctx)
	if err != nil {
		return nil, err
	}
	defer st.Close()
	job, p, err := openJob(ctx, c, st, where)
	if err != nil {
		return nil, err
	}
	state, err := job.State(ctx)
	switch {
	case err != nil:
		return nil, err
	case state == nil || !state.Finished:
		iteration := 0
		if state != nil {
			iteration = state.Iteration
		}
		return nil, fmt.Errorf("job %s is not complete: it has passed iteration %d of at most %d; wait for its workers, or start some with topoi cluster work",
			where.Job, iteration, p.run.opts.Iterations)
	}
	reader := cluster.NewReader(ctx, job, p.frequencies, p.spans)
	err = reader.FetchRows(state.Round)
	if err == nil {
		err = reader.FetchTopics(state.Round)
	}
	if errors.Is(err, cluster.ErrGone) {
		err = fmt.Errorf("%w, and with it the model of job %s: remove the job with topoi cluster cancel and submit it again, from its checkpoint if there is one", err, where.Job)
	}
	if err != nil {
		return nil, err
	}
	if err := p.run.resume(state.Iteration, state.Priors(), state.Training); err != nil {
		return nil, err
	}
	z := make([]uint32, p.problem.N())
	reader.Topics(z)
	m := newModel(p.run, assignments{wide: z}, reader)
	if err := p.run.checkModel(m); err != nil {
		return nil, err
	}
	return m, nil
}

// openJob finds a job and cuts the corpus for it.
func openJob(ctx context.Context, c *corpus.Corpus, st *store.Store, where Cluster) (*cluster.Job, *jobPlan, error) {
	build, err := where.build()
	if err != nil {
		return nil, nil, err
	}
	job, err := cluster.Open(ctx, st, where.Job, build)
	if err != nil {
		return nil, nil, err
	}
	if job.Corpus != c.Fingerprint() {
		return nil, nil, fmt.Errorf("job %s is about another corpus: its fingerprint is %s and that of the one given is %s; give the corpus that was submitted", where.Job, job.Corpus, c.Fingerprint())
	}
	var o jobOptions
	if err := json.Unmarshal(job.Options, &o); err != nil {
		return nil, nil, fmt.Errorf("the options of job %s cannot be read: %w", where.Job, err)
	}
	opts := o.options()
	opts.Program = where.Program
	p, err := planJob(c, opts.WithDefaults(), job.Parts, 0)
	return job, p, err
}
