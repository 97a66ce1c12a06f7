package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/store"
)

// Status describes how a job stands.
type Status struct {
	// What the job is.

	Name       string    `json:"name"`
	Program    string    `json:"program"` // version of the program that submitted it
	Submitted  time.Time `json:"submitted"`
	Corpus     string    `json:"corpus_fingerprint"`
	CorpusPath string    `json:"corpus_path"` // where the submitter found it
	Shipped    bool      `json:"shipped"`     // the corpus is in the store
	Sampler    string    `json:"sampler"`
	Topics     int       `json:"topics"` // K
	Words      int       `json:"words"`  // V
	Tokens     int       `json:"tokens"` // N in training
	Parts      int       `json:"parts"`  // of the documents
	Slices     int       `json:"slices"` // of the vocabulary
	Apart      bool      `json:"apart"`  // rows come slice by slice from the workers that have the slices
	State      string    `json:"state"`  // directory of the topics of tokens; "" if they are in the store
	Staleness  int       `json:"staleness"`
	From       int       `json:"from"` // the iteration after which it began: 0, or that of a checkpoint

	// How far it is.

	Submitting bool             `json:"submitting"` // it is not yet all in the store
	Complete   bool             `json:"complete"`   // the model can be collected
	Iteration  int              `json:"iteration"`  // the last one at which all workers met
	Iterations int              `json:"iterations"` // the most there will be
	Rounds     []int            `json:"rounds"`     // by part: the last round sampled, -1 for none
	History    []topoi.Score    `json:"history"`    // evaluations so far, oldest first
	Stopped    topoi.StopReason `json:"stopped"`    // why training ended, "" while it has not
	Warning    string           `json:"warning"`    // why the last checkpoint could not be written, "" if it could

	// Who works on it, and where.

	Workers []Worker `json:"workers"` // those alive, oldest first
	Store   []Node   `json:"store"`   // the store's nodes, by address

	id    uint64        // of the job
	lease time.Duration // of its workers
}

// Layout returns how the job is cut and where its data are.
func (s *Status) Layout() Layout {
	shipped := 0
	if s.Shipped {
		shipped = 1
	}
	return layoutOf(&protocol.Spec{Parts: s.Parts, Slices: s.Slices, Apart: s.Apart, State: s.State, Shipped: shipped})
}

// Worker is a worker of a job as others see it.
type Worker struct {
	Leads bool  `json:"leads"` // it decides between iterations, beside its own work
	Has   []int `json:"has"`   // the parts it has

	WaitsFor []string `json:"waits_for"` // names of the workers that have what it waits for
	Report
}

// Report is a worker's report about itself.
type Report struct {
	Name     string        `json:"name"`   // WorkOptions.Name
	Device   string        `json:"device"` // "cpu", or a GPU's number and name
	Threads  int           `json:"threads"`
	Joined   time.Time     `json:"joined"`
	Parts    int           `json:"parts"`    // how many it has
	Round    int           `json:"round"`    // the last one it has sampled
	Tokens   uint64        `json:"tokens"`   // sampled since it joined
	Sampling time.Duration `json:"sampling"` // time spent in rounds
	Coding   time.Duration `json:"coding"`   // time spent on encoding, decoding and adding up changes
	Waiting  time.Duration `json:"waiting"`  // time spent waiting on the store or on other workers
	Busy     time.Duration `json:"busy"`     // all of it: since the first part was taken
	Sent     uint64        `json:"sent"`     // bytes of blobs
	Received uint64        `json:"received"` // bytes of blobs
	Rounds   int           `json:"rounds"`   // sampled since it joined
	Memory   uint64        `json:"memory"`   // bytes that are resident; 0 if the system does not tell
	Peak     uint64        `json:"peak"`     // most bytes that were
	Slices   int           `json:"slices"`   // how many it has
	Awaits   []string      `json:"awaits"`   // parts and slices that it waits for, p7 or s3
}

// Node is a node of the store.
type Node struct {
	Address string `json:"address"`
	Used    uint64 `json:"used"` // bytes of memory
	Most    uint64 `json:"most"` // maxmemory, 0 for no limit
}

// Status returns how the job stands. If only its state is lost, Status returns an error and the rest.
func (j Job) Status(ctx context.Context) (*Status, error) {
	st, err := j.open(ctx)
	if err != nil {
		return nil, err
	}
	defer st.Close()
	return j.status(ctx, st)
}

// Watch calls see with the status of the job again and again over one connection, until see returns false or an
// error. It waits between calls for the given time. If the store loses the job, Watch waits for a few leases, in which
// workers put it back from its checkpoint.
func (j Job) Watch(ctx context.Context, every time.Duration, see func(*Status) (more bool, err error)) error {
	st, err := j.open(ctx)
	if err != nil {
		return err
	}
	defer st.Close()
	w := newAwait(st, j.Name)
	for {
		status, err := j.status(ctx, st)
		if more, fault := w.restored(ctx, status, err); fault != nil {
			return fault
		} else if more {
			continue
		}
		if more, err := see(status); err != nil || !more {
			return err
		}
		if protocol.Wall.Wait(ctx, every, nil) != nil {
			return ctx.Err()
		}
	}
}

func (j Job) status(ctx context.Context, st *store.Store) (*Status, error) {
	found, err := records.Open(ctx, st, j.Name, records.Build{})
	if err != nil {
		return nil, err
	}
	raw, fault := found.Status(ctx)
	if raw == nil {
		return nil, found.Explain(fault)
	}
	s, err := newStatus(raw)
	if err != nil {
		return nil, err
	}
	return s, fault
}

// newStatus reads what the store holds of a job.
func newStatus(raw *records.Status) (*Status, error) {
	opts, err := readOptions(raw.Spec, raw.Name)
	if err != nil {
		return nil, err
	}
	s := &Status{
		Name: raw.Name, Program: raw.Program, Submitted: raw.Submitted,
		Corpus: raw.Corpus, CorpusPath: raw.CorpusPath, Shipped: raw.Shipped > 0,
		Sampler: raw.Sampler, Topics: raw.Topics, Words: raw.Words, Tokens: raw.Tokens, Staleness: raw.Staleness,
		Parts: raw.Parts, Slices: raw.Slices, Apart: raw.Apart, State: raw.Spec.State, From: raw.From,
		Submitting: raw.State == nil, Iterations: opts.Iterations, Rounds: raw.Rounds,
	}
	s.id, s.lease = raw.ID, raw.Lease
	names := map[int64]string{}
	for _, w := range raw.Workers {
		names[w.Token] = w.Name
	}
	for _, w := range raw.Workers {
		var waits []string
		for _, token := range w.WaitsFor {
			waits = append(waits, cmp.Or(names[token], "a worker that is gone"))
		}
		s.Workers = append(s.Workers, Worker{w.Token == raw.Leader, w.Has, waits, Report(w.Report)})
	}
	for _, n := range raw.Store {
		s.Store = append(s.Store, Node{n.Address, n.Used, n.Most})
	}
	if raw.State == nil {
		return s, nil
	}
	s.Iteration, s.Complete = raw.State.Since, raw.State.Finished
	// Package topoi writes these three: see lead.go there.
	if err := json.Unmarshal(raw.State.Training, &struct {
		History *[]topoi.Score    `json:"history"`
		Stopped *topoi.StopReason `json:"stopped"`
		Warning *string           `json:"warning"`
	}{&s.History, &s.Stopped, &s.Warning}); err != nil {
		return nil, fmt.Errorf("the history of job %s cannot be read: %w", s.Name, err)
	}
	return s, nil
}
