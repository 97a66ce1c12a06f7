package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/store"
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
	// a barrier is passed. Default "": as TopicsAt says.
	State string

	// TopicsAt says where the topics of tokens are if State does not: TopicsInStore, the default, or TopicsOnDisks, on each
	// worker's own disk (WorkOptions.Scratch) with a copy on another's. Then workers stay after the end until the model is collected.
	TopicsAt string

	// Lease is how long a worker that says nothing counts as alive. Default 10 s.
	Lease time.Duration
}

// Where the topics of tokens are, in SubmitOptions.TopicsAt.
const (
	TopicsInStore = "store"   // which survives the loss of any worker at once
	TopicsOnDisks = "workers" // on the disks of two workers each
)

// Submit puts the job into the store, for workers to begin: from the start, or from
// opts.Checkpoint if opts.Resume is set and the file is there. Checkpoints are written
// by the worker that leads, on its own disk or on one that all share.
func (j Job) Submit(ctx context.Context, c *corpus.Corpus, opts topoi.Options, how SubmitOptions) error {
	if err := opts.Validate(); err != nil {
		return err
	}
	st, err := j.open(ctx)
	if err != nil {
		return err
	}
	defer st.Close()
	if opts.Checkpoint != "" { // workers run elsewhere
		if opts.Checkpoint, err = filepath.Abs(opts.Checkpoint); err != nil {
			return err
		}
	}
	p, err := newPlan(c, opts.WithDefaults(), how.Parts, how.Workers)
	if err != nil {
		return err
	}
	spec, err := j.spec(c, p, how)
	if err != nil {
		return err
	}
	if err := refuseEviction(ctx, st); err != nil {
		return err
	}
	if err := p.create(ctx, st, j.Name, spec); err != nil {
		return err
	}
	if !how.Ship {
		return nil
	}
	return j.ship(ctx, st, how.CorpusPath)
}

// spec says what the job is.
func (j Job) spec(c *corpus.Corpus, p *plan, how SubmitOptions) (spec protocol.Spec, err error) {
	build, err := j.build()
	if err != nil {
		return spec, err
	}
	o := p.options()
	spec = protocol.Spec{
		ID: rand.Uint64(), Protocol: protocol.Protocol, Program: build.Version, Results: build.Results,
		Corpus: c.Fingerprint(), CorpusPath: how.CorpusPath,
		Sampler: o.Sampler, Topics: o.Topics, Words: c.NumWords(), Tokens: p.run.Docs().NumTokens(),
		Parts: len(p.spans), Staleness: o.Tuning.Staleness,
		Workers: how.Workers, Lease: cmp.Or(how.Lease, 10*time.Second), Submitted: time.Now().UTC(),
	}
	if err := how.cutRows(p, &spec); err != nil {
		return spec, err
	}
	switch {
	case how.TopicsAt != "" && how.TopicsAt != TopicsInStore && how.TopicsAt != TopicsOnDisks:
		return spec, fmt.Errorf("topics at %q are not known: use %s or %s, or name a directory that all workers see", how.TopicsAt, TopicsInStore, TopicsOnDisks)
	case how.State != "" && how.TopicsAt != "":
		return spec, fmt.Errorf("topics cannot be in directory %s and at %q: choose one of them", how.State, how.TopicsAt)
	}
	spec.Disks = how.TopicsAt == TopicsOnDisks
	if spec.Plain = spec.Apart && j.tellsPlainly(p, &spec); spec.Plain && how.Slices == 0 {
		spec.Slices = min(max(spec.Slices, travelSlices(p, max(1, how.Workers))), spec.Words)
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
	shared := *o
	shared.Device = "" // every worker has its own
	spec.Options, err = json.Marshal(shared)
	return spec, err
}

// tellsPlainly says whether tokens travel between the workers of a job whose rows are apart, and no rows. Of very many topics a row has about as
// many entries as its word has tokens, and everybody would need it. Tokens are more bytes than changes once topics settle,
// which costs little where all workers are on the store's machine.
func (j Job) tellsPlainly(p *plan, spec *protocol.Spec) bool {
	return strings.HasPrefix(j.Store, "unix://") && p.plan.InHalves() && spec.Staleness == 0
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
