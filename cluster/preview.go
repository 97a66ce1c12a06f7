package cluster

import (
	"context"
	"fmt"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/human"
)

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
