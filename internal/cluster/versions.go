package cluster

import (
	"slices"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
)

// This file brings a worker's model from version to version, with the changes that
// it made itself and those that come from the store.

// modelAt brings the model to a version: forwards with the changes of the rounds
// between, backwards by way of the last barrier's rows. A part that this worker has
// alone finds its own changes in it up to the last round it has told of.
func (s *session) modelAt(state *protocol.State, version int) error {
	ahead, aheadTo := -1, 0
	if len(s.parts) == 1 {
		ahead, aheadTo = s.parts[0].number, s.parts[0].told
	}
	m := s.model
	kept := state.Round - s.o.Job.Staleness // changes after this round are there
	if m == nil || m.Round > version || m.Round < kept || m.Ahead >= 0 && (m.Ahead != ahead || max(m.AheadTo, m.Applied) > aheadTo) {
		if err := s.settle(); err != nil { // while there is a model that can take it
			return err
		}
		if ahead >= 0 {
			aheadTo = s.parts[0].told
		}
		if err := s.loadModel(state); err != nil {
			return err
		}
		m = s.model
	}
	if ahead >= 0 && m.Ahead < 0 {
		m.Ahead, m.AheadTo = ahead, m.Round // as rows of a barrier have them
	}
	for m.Round > version {
		if err := s.shift(-1, m.Round, 0); err != nil {
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
		if err := s.shift(1, others, own); err != nil {
			return err
		}
	}
	return nil
}

// loadModel reads the rows of the last barrier.
func (s *session) loadModel(state *protocol.State) error {
	begin := time.Now()
	defer s.spend(&s.report.Waiting, begin)
	if s.model == nil {
		if err := s.newModel(); err != nil {
			return err
		}
	}
	var err error
	if s.onDevice() {
		err = s.loadDevice(state.Round)
	} else {
		err = s.o.Job.LoadRows(s.ctx, s.model, state.Round)
	}
	if err != nil {
		s.model = nil
	}
	return err
}

// shift adds the changes of a round to the model, or takes them out: those of all
// parts but the one with which it is ahead, whose changes of round own it adds.
// A round of 0 means none.
func (s *session) shift(sign int32, round, own int) error {
	m := s.model
	var lists []*roundChanges
	if round > 0 {
		others, err := s.others(round)
		if err != nil {
			return err
		}
		lists = others
	}
	if own > 0 {
		changes, err := s.ownChanges(own, m.Ahead)
		if err != nil {
			return err
		}
		lists = append(lists, changes)
	}
	begin := time.Now()
	err := s.apply(lists, sign)
	if err != nil {
		s.model = nil // some slices have moved
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
	s.forget(m.Round)
	s.spend(&s.report.Coding, begin)
	return nil
}

// apply adds the changes of lists to the model's rows (sign 1), or takes them out (sign -1).
func (s *session) apply(lists []*roundChanges, sign int32) error {
	if s.onDevice() {
		return s.shiftDevice(lists, sign)
	}
	return s.eachSlice(func(c *coder, slice int) error {
		sources, err := openAll(lists, s.o.Job, slice)
		if err != nil {
			return err
		}
		return c.merger.Shift(s.model, slice, sources, sign, c.totals)
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
func (c *roundChanges) open(sources []rows.Source, j *protocol.Job, slice int) ([]rows.Source, error) {
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
func openAll(lists []*roundChanges, j *protocol.Job, slice int) (sources []rows.Source, err error) {
	for _, list := range lists {
		if sources, err = list.open(sources, j, slice); err != nil {
			return nil, err
		}
	}
	return sources, nil
}

// ownChanges returns what a part of this worker changed in a round: from memory,
// or from the store.
func (s *session) ownChanges(round, part int) (*roundChanges, error) {
	c := &roundChanges{round: round}
	if !s.o.Plan.Takes(s.o.Spans[part], s.rounds.Step(round)) {
		return c, nil
	}
	c.parts = []int{part}
	if b := s.own[round][part]; b != nil {
		c.blobs = [][][]byte{b}
		c.applied = round <= s.model.Applied
		return c, nil
	}
	b, err := s.o.Job.GetChanges(s.ctx, round, part)
	c.blobs = [][][]byte{b}
	return c, err
}

// changes returns what changed in a round: this worker's own parts' at once, the
// others' when they have come.
func (s *session) changes(round int) (*roundChanges, error) {
	s.prefetch(round)
	f := s.fetches[round]
	begin := time.Now()
	defer s.spend(&s.report.Waiting, begin)
	if err := s.until(f.done, func() { s.waitFor("p", f.waitsFor()) }); err != nil {
		return nil, err
	}
	if f.err != nil {
		delete(s.fetches, round)
		return nil, f.err
	}
	c := &roundChanges{round: round, sum: f.sum, parts: slices.Clone(f.parts), blobs: slices.Clone(f.blobs)}
	if f.sum {
		return c, nil
	}
	for part := range s.o.Job.Parts { // in order, though no sum depends on it
		if b := s.own[round][part]; b != nil && !slices.Contains(f.parts, part) {
			c.parts, c.blobs = append(c.parts, part), append(c.blobs, b)
		}
	}
	return c, nil
}

// until waits for others, as long as there is nothing else to do: an office that
// this worker is given meanwhile may be what all are waiting for. Now and then note is called.
func (s *session) until(done <-chan struct{}, note func()) error {
	select {
	case <-done: // the usual case
		return nil
	default:
	}
	ticker := time.NewTicker(s.o.Job.Lease / 8)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			return nil
		case <-s.ctx.Done():
			return s.ctx.Err()
		case <-ticker.C:
			note()
			if v := s.view(); !slices.Equal(v.parts, s.acting.parts) || v.version != s.acting.version {
				return errBehind
			}
			if err := s.verify(); err != nil {
				return err
			}
		}
	}
}

// prefetch begins to fetch the changes that others make in a round. Up to the last
// barrier those of each part are asked for, never sums: they are what a barrier keeps,
// and nobody makes a lost sum again.
func (s *session) prefetch(round int) {
	late := round <= s.acting.state.Round
	if f := s.fetches[round]; f != nil {
		if !late || !f.sum || !f.pending() {
			return
		}
		f.stop()
	}
	step := s.rounds.Step(round)
	var parts []int
	if s.o.Job.Summed && !late {
		s.fetches[round] = startFetch(s.ctx, s.o.Job, round, []int{s.o.Job.AllParts()})
		return
	}
	for part, span := range s.o.Spans {
		if s.own[round][part] == nil && s.o.Plan.Takes(span, step) {
			parts = append(parts, part)
		}
	}
	s.fetches[round] = startFetch(s.ctx, s.o.Job, round, parts)
}

// forget drops the changes that the model has, and with which it never goes back:
// beyond the staleness they are asked from the store again.
func (s *session) forget(version int) {
	for round := range s.own {
		if round <= version-s.o.Job.Staleness-1 {
			delete(s.own, round)
		}
	}
	for round := range s.fetches {
		if round <= version-s.o.Job.Staleness-1 {
			delete(s.fetches, round)
		}
	}
}
