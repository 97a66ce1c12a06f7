package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/store"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// SubmitOptions say how a job is cut and found. The zero value is a good default where
// all workers see the corpus. Nothing of it changes the model.
type SubmitOptions struct {
	// CorpusPath is where workers are told to look for the corpus.
	CorpusPath string

	// Ship puts the corpus file at CorpusPath into the store, for workers that do
	// not see it; ReceiveCorpus takes it out there. Default false.
	Ship bool

	// Workers is the number of workers expected: the first waits a few seconds for
	// the others. Default 1. More may join and some may leave at any time.
	Workers int

	// Parts is the number of parts into which the documents are cut, the most
	// workers that can have something to do. With Tuning.Staleness it is Tuning.Parts,
	// which is part of the result. Default: Workers, at least 8 if no number of
	// workers is given.
	Parts int

	// Slices is the number of slices into which the vocabulary is cut: the units in
	// which rows travel. Default 16, or as many as Memory asks for.
	Slices int

	// Memory is how many bytes of memory a worker may use. If the rows n_wk do not fit there beside
	// its tokens, they are apart (see Rows), in as many slices as that needs. Default: what it takes.
	Memory int64

	// Threads is the number of threads of a worker that Memory is to hold. Default 1.
	Threads int

	// Rows says where the rows are: RowsWhole, all of them in every worker; RowsApart, in the
	// workers that have the slices, from where others get them by slice (warp and light);
	// or RowsAuto, the default, apart if Memory asks for it.
	Rows string

	// State is a directory on a disk that all workers see under the same path, for the topics of tokens,
	// which are otherwise in the store: 2 bytes a token, 4 beyond 65,536 topics, twice while
	// a barrier is passed. Default "": they are in the store.
	State string

	// Lease is how long a worker that says nothing counts as alive. Default 10 s.
	Lease time.Duration

	// Names are the labels of topics that the model gets, by topic. Default nil: none.
	Names map[int]string
}

// Submit puts the job into the store, for workers to begin: from the start, or from
// opts.Checkpoint if opts.Resume is set and the file is there. Checkpoints are written
// by the worker that leads, on its own disk or on one that all share.
func (j Job) Submit(ctx context.Context, c *corpus.Corpus, opts topoi.Options, how SubmitOptions) error {
	st, p, spec, err := j.prepare(ctx, c, opts, how)
	if err != nil {
		return err
	}
	defer st.Close()
	if err := p.create(ctx, st, j.Name, spec); err != nil {
		return err
	}
	if !how.Ship {
		return nil
	}
	return j.ship(ctx, st, how.CorpusPath)
}

// prepare decides what the job is, and opens the store.
func (j Job) prepare(ctx context.Context, c *corpus.Corpus, opts topoi.Options, how SubmitOptions) (st *store.Store, p *plan, spec protocol.Spec, err error) {
	if err := opts.Validate(); err != nil {
		return nil, nil, spec, err
	}
	if opts.Checkpoint != "" { // workers run elsewhere
		if opts.Checkpoint, err = filepath.Abs(opts.Checkpoint); err != nil {
			return nil, nil, spec, err
		}
	}
	if st, err = j.open(ctx); err != nil {
		return nil, nil, spec, err
	}
	p, err = newPlan(c, opts.WithDefaults(), nil, how.Parts, how.Workers)
	if err == nil {
		spec, err = j.spec(c, p, how)
	}
	if err == nil {
		err = refuseEviction(ctx, st)
	}
	if err != nil {
		st.Close()
	}
	return st, p, spec, err
}

// spec says what the job is.
func (j Job) spec(c *corpus.Corpus, p *plan, how SubmitOptions) (spec protocol.Spec, err error) {
	o := p.options()
	digest, err := results(o.Sampler)
	if err != nil {
		return spec, err
	}
	spec = protocol.Spec{
		ID: rand.Uint64(), Program: j.Program, Results: digest, Guide: p.run.Guide(), Names: how.Names,
		Corpus: c.Fingerprint(), CorpusPath: how.CorpusPath,
		Sampler: o.Sampler, Topics: o.Topics, Words: c.NumWords(), Tokens: p.run.Docs().NumTokens(),
		Parts: len(p.spans), Staleness: o.Tuning.Staleness,
		Workers: how.Workers, Lease: cmp.Or(how.Lease, 10*time.Second), Submitted: time.Now().UTC(),
	}
	if err := how.cutRows(p, &spec); err != nil {
		return spec, err
	}
	if how.State != "" {
		if spec.State, err = filepath.Abs(how.State); err != nil {
			return spec, err
		}
	}
	if how.Ship {
		if spec.Shipped, err = shipment(how.CorpusPath); err != nil {
			return spec, err
		}
	}
	spec.Protocol = protocol.Protocol
	shared := *o
	shared.Device = "" // every worker has its own
	spec.Options, err = json.Marshal(shared)
	return spec, err
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

// Plan is how a job would be cut and kept.
type Plan struct {
	Sampler      string `json:"sampler"`
	Topics       int    `json:"topics"`        // K
	Tokens       int    `json:"tokens"`        // N in training
	Parts        int    `json:"parts"`         // of the documents: the most workers that have something to do
	Slices       int    `json:"slices"`        // of the vocabulary
	Staleness    int    `json:"staleness"`     // rounds after which changes reach others
	Apart        bool   `json:"apart"`         // rows come slice by slice from the workers that have the slices
	Summed       bool   `json:"summed"`        // workers read sums of all parts' changes
	State        string `json:"state"`         // directory of the topics of tokens; "" if they are in the store
	Shipped      bool   `json:"shipped"`       // the corpus is sent through the store
	WorkerMemory int64  `json:"worker_memory"` // bytes that a worker needs at most
	StoreMemory  int64  `json:"store_memory"`  // bytes of topics and rows that the store needs at most, beside changes
	StoreLimit   uint64 `json:"store_limit"`   // bytes that it may have, 0 for no limit
}

// Plan returns how Submit would cut and keep the job, without submitting it.
func (j Job) Plan(ctx context.Context, c *corpus.Corpus, opts topoi.Options, how SubmitOptions) (*Plan, error) {
	st, p, spec, err := j.prepare(ctx, c, opts, how)
	if err != nil {
		return nil, err
	}
	defer st.Close()
	plan := &Plan{
		Sampler: spec.Sampler, Topics: spec.Topics, Tokens: spec.Tokens, Parts: spec.Parts, Slices: spec.Slices, Staleness: spec.Staleness,
		Apart: spec.Apart, Summed: records.Summed(&spec), State: spec.State, Shipped: spec.Shipped > 0,
	}
	n := needsOf(p, max(1, how.Workers), max(1, how.Threads))
	plan.WorkerMemory = max(n.laying, n.tokens+n.whole)
	if spec.Apart {
		plan.WorkerMemory = max(n.laying, n.tokens+n.share+2*entryBytes*n.entries/int64(spec.Slices))
	}
	plan.StoreMemory = 2 * keptBytes * n.entries // two barriers exist for a moment
	if spec.State == "" {
		topic := int64(2)
		if spec.Topics > 1<<16 {
			topic = 4
		}
		plan.StoreMemory += 2 * topic * int64(spec.Tokens)
	}
	nodes, err := records.Nodes(ctx, st)
	for _, node := range nodes {
		plan.StoreLimit += node.Most
	}
	return plan, err
}

// Lines returns the plan for people, a decision and its reason a line.
func (p *Plan) Lines() []string {
	lines := []string{fmt.Sprintf("parts: %d, the most workers that have something to do", p.Parts)}
	if p.Apart {
		lines = append(lines, fmt.Sprintf("rows: fetched in %s, because all of them do not fit a worker's memory", human.Of(p.Slices, "slice")))
	} else {
		lines = append(lines, fmt.Sprintf("rows: all of them in every worker; changes travel in %s", human.Of(p.Slices, "slice")))
	}
	if p.Summed {
		lines = append(lines, "changes: summed by the worker that has the slice, because there are many parts and workers")
	}
	topics := "in the store"
	if p.State != "" {
		topics = "in files below " + p.State
	}
	lines = append(lines, "topics of tokens: "+topics)
	if p.Shipped {
		lines = append(lines, "corpus: sent through the store")
	}
	lines = append(lines, fmt.Sprintf("memory of a worker: at most %s", human.Bytes(p.WorkerMemory)))
	store := fmt.Sprintf("memory of the store: at most %s and the changes between two barriers", human.Bytes(p.StoreMemory))
	if p.StoreLimit > 0 {
		store += fmt.Sprintf("; it may have %s", human.Bytes(int64(p.StoreLimit)))
	}
	return append(lines, store)
}

// shipment is the number of keys that a corpus file takes in the store.
func shipment(path string) (int, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, fmt.Errorf("cannot ship the corpus: %w", err)
	}
	return records.Chunks(info.Size()), nil
}

// ship puts the corpus of the job, which was just made, into the store. If that fails
// the job is removed.
func (j Job) ship(ctx context.Context, st *store.Store, path string) error {
	err := func() error {
		job, err := records.Open(ctx, st, j.Name, records.Build{Version: j.Program})
		if err != nil {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return fmt.Errorf("cannot ship the corpus: %w", err)
		}
		defer f.Close()
		return job.Ship(ctx, f)
	}()
	if err == nil {
		return nil
	}
	// Even if it was interrupted, leave nothing.
	_, fault := records.Remove(context.WithoutCancel(ctx), st, j.Name)
	return errors.Join(err, fault)
}

// ReceiveCorpus writes the corpus that was shipped with the job to path, whole or
// not at all, and checks it.
func (j Job) ReceiveCorpus(ctx context.Context, path string) error {
	st, err := j.open(ctx)
	if err != nil {
		return err
	}
	defer st.Close()
	job, err := records.Open(ctx, st, j.Name, records.Build{Version: j.Program})
	if err != nil {
		return err
	}
	if job.Shipped == 0 {
		return fmt.Errorf("the corpus of job %s was not shipped: it is at %s on the machine that submitted it", j.Name, job.CorpusPath)
	}
	f, err := wholefile.CreateShared(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := job.Receive(ctx, f, cmp.Or(j.Patience, time.Minute)); err != nil {
		return wholefile.Explain(path, err)
	}
	if err := f.Commit(); err != nil {
		return err
	}
	return checkReceived(path, job)
}

// checkReceived removes a corpus that is not the job's.
func checkReceived(path string, job *records.Job) error {
	c, err := corpus.Open(path)
	if err != nil {
		return errors.Join(err, os.Remove(path))
	}
	defer c.Close()
	if err := c.Verify(); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	if c.Fingerprint() != job.Corpus {
		return errors.Join(fmt.Errorf("the corpus that was shipped with job %s is not the one it was submitted with: submit it again", job.Name), os.Remove(path))
	}
	return nil
}
