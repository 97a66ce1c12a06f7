// Package mend repairs a job of which the store has lost something. protocol.Mender decides what happens when; this
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
)

// Options are the job and what a worker knew of it.
type Options struct {
	records.Task
	Known  *protocol.State // the last state of which this worker knew; nil for none
	Mended string          // the mark of the last mending of which it knew

	// Create puts the job anew into a store from which it has been removed; nil if that is not possible.
	Create func() error
}

// Result describes what was mended.
type Result struct {
	protocol.Outcome
	Job *records.Job // as it is now
}

// mender mends a job.
type mender struct {
	o   Options
	job *records.Job // as it is now
}

// Job repairs a job of which the store has lost something, or waits until another worker has.
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

// machine returns the protocol.Mender that decides what is done.
func (m *mender) machine() *protocol.Mender {
	j, random := m.o.Job, func() string { return strconv.FormatUint(rand.Uint64()|1, 16) }
	steps := &protocol.Mender{
		Job: &j.Layout, Control: records.Control{Job: j}, Repair: records.Repair{Job: j}, Clock: protocol.Wall,
		Known: m.o.Known, Mended: m.o.Mended, Again: m.again, Whole: m.check,
		Owner: random(), Nobody: -1 - rand.Int64N(1<<62), Mark: random(),
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

// create removes what is left of the job and creates it anew.
func (m *mender) create(ctx context.Context) (*protocol.State, error) {
	if err := m.o.Job.RemoveKeys(ctx); err != nil {
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

// check reads everything that a barrier consists of, and returns the keys: rows and, where they are apart, n_k, both
// also of some versions before; topics; the changes before the barrier that others do not see yet.
func (m *mender) check(ctx context.Context, state *protocol.State) (keep []string, err error) {
	j := m.o.Job
	see := func(key string, open func(b []byte) error) {
		if err != nil {
			return
		}
		var b []byte
		if b, err = j.ReadBlob(ctx, key); err == nil {
			keep, err = append(keep, key), protocol.Damaged(key, open(b))
		}
	}
	seeBlob := func(key string, id blob.ID) {
		see(key, func(b []byte) error {
			_, err := blob.Open(b, id)
			return err
		})
	}
	for round := max(state.Round-j.VersionsKept(), 0); round <= state.Round; round++ {
		for i := range j.Slices {
			seeBlob(j.Key.Rows(i, round), j.BlobID(blob.Counts, round, 0)(i))
		}
		for part := 0; part < j.Parts && j.Apart; part++ {
			seeBlob(j.Key.Totals(part, round), j.TotalsID(part, round))
		}
	}
	for part, span := range m.o.Spans {
		if key, round := j.BeginsWith(part, state); key != "" {
			z := make([]uint32, span.Tokens())
			see(key, func(b []byte) error { return blob.DecodeTopics(z, b, j.PartID(part, round), j.Topics) })
		}
	}
	for _, l := range j.Late(state, m.o.Takes) {
		seeBlob(l.Key, j.BlobID(blob.Changes, l.Round, l.Part)(l.Slice))
	}
	return keep, err
}
