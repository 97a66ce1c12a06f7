// Package mend puts a job right of which the store has lost something. What is done when is decided by protocol.Mender; this
// package reads barriers and creates jobs.
package mend

import (
	"context"
	"math/rand/v2"
	"strconv"
	"sync"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Options say what to mend, and with what.
type Options struct {
	Job    *records.Job
	Plan   *sampler.Plan   // how the training documents are cut for the job's sampler
	Spans  []sampler.Span  // the job's parts
	Known  *protocol.State // the last state of which this worker knew; nil for none
	Mended string          // the mark of the last mending of which it knew

	// Create puts the job anew into a store from which it has been removed; nil if that is not possible.
	Create func() error
}

// Result is what there was to mend, and how.
type Result struct {
	protocol.Outcome
	Job *records.Job // as it is now
}

// mender is a job that is being mended.
type mender struct {
	o   Options
	job *records.Job // as it is now
}

// Job puts a job right of which the store has lost something, or waits until another worker has.
func Job(ctx context.Context, o Options) (*Result, error) {
	m := &mender{o: o, job: o.Job}
	steps := m.machine()
	ctx, stop := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() { steps.Hold(ctx) })
	done, err := steps.Mend(ctx)
	stop()
	group.Wait()
	if err != nil {
		return nil, err
	}
	if !done.Others && !done.Created {
		m.job = o.Job // which this worker has put back, whatever it found before
	}
	return &Result{*done, m.job}, nil
}

// machine returns the one that decides what is done.
func (m *mender) machine() *protocol.Mender {
	steps := &protocol.Mender{
		Job: &m.o.Job.Layout, Control: records.Control{Job: m.o.Job}, Repair: records.Repair{Job: m.o.Job}, Clock: protocol.Wall,
		Known: m.o.Known, Mended: m.o.Mended,
		Owner: strconv.FormatUint(rand.Uint64(), 16), Nobody: -1 - rand.Int64N(1<<62), Mark: strconv.FormatUint(rand.Uint64()|1, 16),
		Again: m.again, Whole: m.check,
	}
	if m.o.Create != nil {
		steps.Create = m.create
	}
	return steps
}

// again reads the job as others may have put it back.
func (m *mender) again(ctx context.Context) (*protocol.State, string, error) {
	now, err := m.o.Job.Again(ctx)
	if err != nil {
		return nil, "", err
	}
	m.job = now
	return now.Read(ctx)
}

// create removes what is left of the job and puts it into the store anew.
func (m *mender) create(ctx context.Context) (*protocol.State, error) {
	if err := records.RemoveKeys(ctx, m.o.Job.Store, m.o.Job.Name); err != nil {
		return nil, err
	}
	if err := m.o.Create(); err != nil {
		return nil, err
	}
	state, _, err := m.again(ctx)
	if err == nil && state == nil {
		err = protocol.Missing(m.job.Key.State())
	}
	return state, err
}

// check reads all that a barrier consists of, and returns its keys.
func (m *mender) check(ctx context.Context, state *protocol.State) (keep []string, err error) {
	j := m.o.Job
	see := func(key string, open func(b []byte) error) error {
		b, err := j.GetTopics(ctx, key)
		if err != nil {
			return err
		}
		keep = append(keep, key)
		return protocol.Damaged(key, open(b))
	}
	if state.Round >= 0 {
		if err := m.checkRows(state, see); err != nil {
			return nil, err
		}
	}
	for part, span := range m.o.Spans {
		key, round := j.BeginsWith(part, state)
		if key == "" {
			break
		}
		z := make([]uint32, span.Tokens())
		if err := see(key, func(b []byte) error { return blob.DecodeTopics(z, b, j.PartID(part, round), j.Topics) }); err != nil {
			return nil, err
		}
	}
	return keep, m.checkLate(state, see)
}

// checkRows reads the rows of a barrier, and n_k where rows are apart, which have some versions before
// it as well.
func (m *mender) checkRows(state *protocol.State, see func(key string, open func(b []byte) error) error) error {
	j := m.o.Job
	for round := max(state.Round-j.VersionsKept(), 0); round <= state.Round; round++ {
		for i := range j.Slices {
			id := j.BlobID(blob.Counts, round, 0)(i)
			if err := see(j.Key.Rows(i, round), func(b []byte) error { return openable(b, id) }); err != nil {
				return err
			}
		}
		for part := range j.Parts {
			if !j.Apart {
				break
			}
			id := j.TotalsID(part, round)
			if err := see(j.Key.Totals(part, round), func(b []byte) error { return openable(b, id) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkLate reads the changes before a barrier that others do not see yet.
func (m *mender) checkLate(state *protocol.State, see func(key string, open func(b []byte) error) error) error {
	steps := protocol.Rounds{Plan: m.o.Plan}
	takes := func(part, round int) bool { return m.o.Plan.Takes(m.o.Spans[part], steps.Step(round)) }
	return m.o.Job.EachLate(state, takes, func(slice, round, part int) error {
		id := m.o.Job.BlobID(blob.Changes, round, part)(slice)
		return see(m.o.Job.Key.Changes(slice, round, part), func(b []byte) error { return openable(b, id) })
	})
}

func openable(b []byte, id blob.ID) error {
	_, err := blob.Open(b, id)
	return err
}
