package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	"github.com/topoi-lda/topoi/train"
)

// Submit puts the job into the store, from the start or, if opts.Resume is set and the file exists, from
// opts.Checkpoint. The worker that leads writes checkpoints, on its own disk or on a shared one.
func (j Job) Submit(ctx context.Context, c *corpus.Corpus, opts topoi.Options, how SubmitOptions) error {
	st, p, spec, err := j.prepare(ctx, c, opts, how)
	if err != nil {
		return err
	}
	defer st.Close()
	if err := p.create(ctx, st, j.Name, spec); errors.Is(err, protocol.ErrGone) {
		return fmt.Errorf("job %s was removed from the store while it was submitted (%w): submit it again", j.Name, err)
	} else if err != nil {
		return err
	}
	if spec.Shipped == 0 {
		return nil
	}
	if c.Ranged() {
		return j.ship(ctx, st, func() (io.ReadCloser, error) { return packed(p.counted), nil })
	}
	return j.ship(ctx, st, func() (io.ReadCloser, error) { return os.Open(how.CorpusPath) })
}

// prepare decides how to cut and store the job, and opens the store.
func (j Job) prepare(ctx context.Context, c *corpus.Corpus, opts topoi.Options, how SubmitOptions,
) (st *store.Store, p *plan, spec protocol.Spec, err error) {
	if err := train.Validate(opts); err != nil {
		return nil, nil, spec, err
	}
	if err := how.Layout.check(); err != nil {
		return nil, nil, spec, err
	}
	if opts.Tuning.Staleness > 0 && !how.exactly {
		opts.Tuning.Parts = cmp.Or(opts.Tuning.Parts, how.Layout.Parts)
	}
	if opts.Checkpoint != "" { // workers run elsewhere
		if opts.Checkpoint, err = filepath.Abs(opts.Checkpoint); err != nil {
			return nil, nil, spec, err
		}
	}
	if st, err = j.open(ctx); err != nil {
		return nil, nil, spec, err
	}
	nodes, err := records.Nodes(ctx, st)
	if err == nil {
		err = refuseEviction(st, nodes)
	}
	if err == nil {
		p, err = newPlan(c, opts.WithDefaults(), nil, how)
	}
	if err == nil {
		spec, err = j.spec(c, p, how, nodes)
	}
	if err != nil {
		st.Close()
	}
	return st, p, spec, err
}

// spec returns the description of the job.
func (j Job) spec(c *corpus.Corpus, p *plan, how SubmitOptions, nodes []records.NodeStatus,
) (spec protocol.Spec, err error) {
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
	if spec.Apart && how.Layout.Parts == 0 && spec.Staleness == 0 && how.Workers > 0 {
		p.spans = p.plan.Cut(how.Workers) // a worker fetches rows for each of its parts
		if spec.Parts = len(p.spans); how.cutRows(p, &spec) != nil {
			return spec, how.cutRows(p, &spec)
		}
	}
	how.ranged = c.Ranged()
	if err := how.settle(j.Store, o.Checkpoint, nodes, storeNeeds(p, &spec), &spec); err != nil {
		return spec, err
	}
	spec.Protocol = protocol.Protocol
	shared := *o
	shared.Device = "" // every worker has its own
	spec.Options, err = json.Marshal(shared)
	return spec, err
}

// storeNeeds returns the most bytes of rows and topics that the store has to hold, beside changes. Two barriers exist
// for a moment.
func storeNeeds(p *plan, spec *protocol.Spec) int64 {
	bytes := 2 * keptBytes * needsOf(p, 1, 1).entries
	topic := int64(2)
	if spec.Topics > 1<<16 {
		topic = 4
	}
	if spec.State == "" {
		bytes += 2 * topic * int64(spec.Tokens)
	}
	return bytes
}

// refuseEviction returns an error if the store drops keys when it is full.
func refuseEviction(st *store.Store, nodes []records.NodeStatus) error {
	for _, n := range nodes {
		if n.Most > 0 && n.Policy != "" && n.Policy != "noeviction" {
			return fmt.Errorf("store %s throws keys away when it is full (maxmemory-policy %s), and would lose the model: "+
				"set maxmemory-policy noeviction", st.Name(), n.Policy)
		}
	}
	return nil
}

// Plan describes how a job would be cut and stored.
type Plan struct {
	Sampler      string `json:"sampler"`
	Topics       int    `json:"topics"`        // K
	Tokens       int    `json:"tokens"`        // N in training
	Staleness    int    `json:"staleness"`     // rounds after which changes reach others
	Layout       Layout `json:"layout"`        // with all that was chosen
	WorkerMemory int64  `json:"worker_memory"` // bytes that a worker needs at most
	StoreMemory  int64  `json:"store_memory"`  // bytes of topics and rows that the store needs at most, beside changes
	StoreRoom    int64  `json:"store_room"`    // bytes that it may still take, 0 for no limit
}

// Plan returns how Submit would cut and keep the job, without submitting it.
func (j Job) Plan(ctx context.Context, c *corpus.Corpus, opts topoi.Options, how SubmitOptions) (*Plan, error) {
	st, p, spec, err := j.prepare(ctx, c, opts, how)
	if err != nil {
		return nil, err
	}
	defer st.Close()
	plan := &Plan{
		Sampler: spec.Sampler, Topics: spec.Topics, Tokens: spec.Tokens, Staleness: spec.Staleness,
		Layout:      layoutOf(&spec),
		StoreMemory: storeNeeds(p, &spec),
	}
	n := needsOf(p, max(1, how.Workers), max(1, how.Threads))
	plan.WorkerMemory = max(n.laying, n.tokens+n.whole)
	if spec.Apart {
		plan.WorkerMemory = max(n.laying, n.tokens+n.share+2*entryBytes*n.entries/int64(spec.Slices))
	}
	nodes, err := records.Nodes(ctx, st)
	if room, bounded := storeRoom(nodes); bounded {
		plan.StoreRoom = max(room, 1)
	}
	return plan, err
}

// Lines returns the plan for people: one line for each decision and its reason. The last line is a layout that gives
// the same plan.
func (p *Plan) Lines() []string {
	l := p.Layout
	lines := []string{fmt.Sprintf("parts: %d, the most workers that have something to do", l.Parts)}
	if p.Staleness > 0 {
		lines[0] += "; with staleness they are part of the model's options"
	}
	if l.Rows == rowsApart {
		lines = append(lines, fmt.Sprintf("rows: fetched in %s, because all of them do not fit a worker's memory, "+
			"or there are many workers", human.Of(l.Slices, "slice")))
	} else {
		lines = append(lines, fmt.Sprintf("rows: all of them in every worker; changes travel in %s",
			human.Of(l.Slices, "slice")))
	}
	if l.Topics == inStore {
		lines = append(lines, "topics of tokens: in the store")
	} else {
		lines = append(lines, "topics of tokens: in files below "+l.Topics)
	}
	if l.Corpus == inStore {
		lines = append(lines, "corpus: sent through the store to workers that do not see its path")
	} else {
		lines = append(lines, "corpus: workers see its path, or have a copy")
	}
	lines = append(lines, fmt.Sprintf("memory of a worker: at most %s", human.Bytes(p.WorkerMemory)))
	store := fmt.Sprintf("memory of the store: at most %s and the changes between two barriers",
		human.Bytes(p.StoreMemory))
	if p.StoreRoom > 0 {
		store += fmt.Sprintf("; it may take %s more", human.Bytes(p.StoreRoom))
	}
	return append(lines, store, "layout: "+l.String())
}
