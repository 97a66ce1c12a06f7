package exchange

import (
	"slices"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
)

// This file brings a worker's model from version to version, with the changes that
// it made itself and those that come from the store.

// modelAt brings the model to a version: forwards with the changes of the rounds
// between, backwards by way of the last barrier's rows. A part that this worker has
// alone finds its own changes in it up to the last round it has told of.
func (x *wholeRows) modelAt(state *protocol.State, version int) error {
	ahead, aheadTo := -1, 0
	if len(x.parts) == 1 {
		ahead, aheadTo = x.parts[0].Number, x.parts[0].Told
	}
	m := x.model
	kept := state.Round - x.o.Job.Staleness // changes after this round are there
	if m == nil || m.Round > version || m.Round < kept || m.Ahead >= 0 && (m.Ahead != ahead || max(m.AheadTo, m.Applied) > aheadTo) {
		if err := x.worker.Settle(x.ctx); err != nil { // while there is a model that can take it
			return err
		}
		if ahead >= 0 {
			aheadTo = x.parts[0].Told
		}
		if err := x.loadModel(state); err != nil {
			return err
		}
		m = x.model
	}
	if ahead >= 0 && m.Ahead < 0 {
		m.Ahead, m.AheadTo = ahead, m.Round // as rows of a barrier have them
	}
	for m.Round > version {
		if err := x.shift(-1, m.Round, 0); err != nil {
			return err
		}
	}
	for m.Round < version || ahead >= 0 && m.AheadTo < aheadTo {
		others, own := 0, 0
		if m.Round < version {
			others = m.Round + 1
		}
		if ahead >= 0 && m.AheadTo < aheadTo {
			own = m.AheadTo + 1
		}
		if err := x.shift(1, others, own); err != nil {
			return err
		}
	}
	return nil
}

// loadModel reads the rows of the last barrier.
func (x *wholeRows) loadModel(state *protocol.State) error {
	begin := time.Now()
	defer x.tally.spend(&x.tally.report.Waiting, begin)
	if x.model == nil {
		x.model = rows.NewModel(x.cut, x.o.Job.Topics)
	}
	err := x.o.Job.LoadRows(x.ctx, x.model, state.Round)
	if err != nil {
		x.model = nil
	}
	return err
}

// shift adds the changes of a round to the model, or takes them out: those of all
// parts but the one with which it is ahead, whose changes of round own it adds.
// A round of 0 means none.
func (x *wholeRows) shift(sign int32, round, own int) error {
	m := x.model
	var lists []*roundChanges
	if round > 0 {
		others, err := x.others(round)
		if err != nil {
			return err
		}
		lists = others
	}
	if own > 0 {
		changes, err := x.ownChanges(own, m.Ahead)
		if err != nil {
			return err
		}
		lists = append(lists, changes)
	}
	begin := time.Now()
	err := x.apply(lists, sign)
	if err != nil {
		x.model = nil // some slices have moved
		return err
	}
	switch {
	case sign < 0:
		m.Round--
	case round > 0:
		m.Round = round
	}
	if own > 0 {
		m.AheadTo = own
	}
	x.forget(m.Round)
	x.tally.spend(&x.tally.report.Coding, begin)
	return nil
}

// apply adds the changes of lists to the model's rows (sign 1), or takes them out (sign -1).
func (x *wholeRows) apply(lists []*roundChanges, sign int32) error {
	return x.eachSlice(func(c *coder, slice int) error {
		sources, err := openAll(lists, x.o.Job, slice)
		if err != nil {
			return err
		}
		return c.merger.Shift(x.model, slice, sources, sign, c.totals)
	})
}

// roundChanges are the blobs of all that changed in a round, by part.
type roundChanges struct {
	round   int
	sum     bool // they are the sum of all parts'
	parts   []int
	blobs   [][][]byte // by place in parts, by slice
	applied bool       // their changes of dense rows are in the model already
	taken   bool       // see source
}

// without returns the changes of all parts but one.
func (c *roundChanges) without(part int) *roundChanges {
	rest := &roundChanges{round: c.round}
	for i, p := range c.parts {
		if p != part {
			rest.parts, rest.blobs = append(rest.parts, p), append(rest.blobs, c.blobs[i])
		}
	}
	return rest
}

// open appends the blobs of a slice to sources.
func (c *roundChanges) open(sources []rows.Source, j *records.Job, slice int) ([]rows.Source, error) {
	for i, part := range c.parts {
		d, err := blob.Open(c.blobs[i][slice], j.BlobID(blob.Changes, c.round, part)(slice))
		if err != nil {
			return nil, protocol.Damaged(j.ChangesKey(slice, c.round, part), err)
		}
		sources = append(sources, rows.Source{Decoder: d, Applied: c.applied, Taken: c.taken})
	}
	return sources, nil
}

// openAll opens the blobs of a slice in all lists.
func openAll(lists []*roundChanges, j *records.Job, slice int) (sources []rows.Source, err error) {
	for _, list := range lists {
		if sources, err = list.open(sources, j, slice); err != nil {
			return nil, err
		}
	}
	return sources, nil
}

// ownChanges returns what a part of this worker changed in a round: from memory,
// or from the store.
func (x *wholeRows) ownChanges(round, part int) (*roundChanges, error) {
	c := &roundChanges{round: round}
	if !x.o.Plan.Takes(x.o.Spans[part], x.rounds.Step(round)) {
		return c, nil
	}
	c.parts = []int{part}
	if b := x.own[round][part]; b != nil {
		c.blobs = [][][]byte{b}
		c.applied = round <= x.model.Applied
		return c, nil
	}
	b, err := x.o.Job.GetChanges(x.ctx, round, part)
	c.blobs = [][][]byte{b}
	return c, err
}

// changes returns what changed in a round: this worker's own parts' at once, the
// others' when they have come.
func (x *wholeRows) changes(round int) (*roundChanges, error) {
	x.prefetch(round)
	f := x.fetches[round]
	begin := time.Now()
	defer x.tally.spend(&x.tally.report.Waiting, begin)
	if err := x.until(f.done, func() { x.tally.await("p", f.waitsFor()) }); err != nil {
		return nil, err
	}
	if f.err != nil {
		delete(x.fetches, round)
		return nil, f.err
	}
	c := &roundChanges{round: round, sum: f.sum, parts: slices.Clone(f.parts), blobs: slices.Clone(f.blobs)}
	if f.sum {
		return c, nil
	}
	for part := range x.o.Job.Parts { // in order, though no sum depends on it
		if b := x.own[round][part]; b != nil && !slices.Contains(f.parts, part) {
			c.parts, c.blobs = append(c.parts, part), append(c.blobs, b)
		}
	}
	return c, nil
}

// until waits for others, as long as there is nothing else to do: an office that
// this worker is given meanwhile may be what all are waiting for. Now and then note is called.
func (x *core) until(done <-chan struct{}, note func()) error {
	select {
	case <-done: // the usual case
		return nil
	default:
	}
	ticker := time.NewTicker(x.o.Job.Lease / 8)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			return nil
		case <-x.ctx.Done():
			return x.ctx.Err()
		case <-ticker.C:
			note()
			if err := x.worker.Look(x.ctx); err != nil {
				return err
			}
		}
	}
}

// prefetch begins to fetch the changes that others make in a round. Up to the last
// barrier those of each part are asked for, never sums: they are what a barrier keeps,
// and nobody makes a lost sum again.
func (x *wholeRows) prefetch(round int) {
	late := round <= x.worker.Acting().Round
	if f := x.fetches[round]; f != nil {
		if !late || !f.sum || !f.pending() {
			return
		}
		f.stop()
	}
	step := x.rounds.Step(round)
	var parts []int
	if x.o.Job.Summed && !late {
		x.fetches[round] = startFetch(x.ctx, x.o.Job, round, []int{x.o.Job.AllParts()})
		return
	}
	for part, span := range x.o.Spans {
		if x.own[round][part] == nil && x.o.Plan.Takes(span, step) {
			parts = append(parts, part)
		}
	}
	x.fetches[round] = startFetch(x.ctx, x.o.Job, round, parts)
}

// forget drops the changes that the model has, and with which it never goes back:
// beyond the staleness they are asked from the store again.
func (x *wholeRows) forget(version int) {
	for round := range x.own {
		if round <= version-x.o.Job.Staleness-1 {
			delete(x.own, round)
		}
	}
	for round := range x.fetches {
		if round <= version-x.o.Job.Staleness-1 {
			delete(x.fetches, round)
		}
	}
}

// others returns what changed in a round, less the changes of the part
// with which the model is ahead.
func (x *wholeRows) others(round int) ([]*roundChanges, error) {
	changes, err := x.changes(round)
	if err != nil {
		return nil, err
	}
	ahead := x.model.Ahead
	if !changes.sum {
		return []*roundChanges{changes.without(ahead)}, nil
	}
	if ahead < 0 {
		return []*roundChanges{changes}, nil
	}
	own, err := x.ownChanges(round, ahead)
	if err != nil {
		return nil, err
	}
	own.taken, own.applied = true, false
	return []*roundChanges{changes, own}, nil
}
