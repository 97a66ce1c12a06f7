package cluster

import (
	"fmt"
	"slices"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// A part that its worker has alone need not be asked for its changes at the end of
// a round. Its next round comes by all tokens anyway, word by word, and tells the
// model then; what others are told so half a round later they need for the round after
// that at the earliest. Where the next round does not follow at once, as at a barrier,
// the changes are collected by themselves (see session.settle).

// trailing is what such a part sees: the model, without the changes of its last round
// until the sampler tells of them.
type trailing struct {
	*rows.Model
	s      *session
	p      *held
	totals []uint64 // K: n_k with those changes

	word    int             // the last word with a sparse row that was told, -1 for none
	row     []counts.Entry  // its row with the changes
	changes []counts.Change // room for those that come by topic

	err error
}

// newTrailing makes what a part sees that has not told of its last round.
func (s *session) newTrailing(p *held) *trailing {
	t := &trailing{Model: s.model, s: s, p: p, word: -1, totals: append([]uint64(nil), s.model.Totals...)}
	p.part.(sampler.Tells).AddTotals(t.totals)
	s.beginBlobs(p, p.round)
	return t
}

// TopicTotals implements sampler.Frozen.
func (t *trailing) TopicTotals() []uint64 { return t.totals }

// AppendRow implements sampler.Frozen.
func (t *trailing) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	if t.word == w {
		return append(dst, t.row...)
	}
	return t.Model.AppendRow(dst, w)
}

func (t *trailing) encoder(w uint32) *blob.Encoder { return &t.s.encoders[t.s.cut.Slice[w]] }

// Some implements sampler.Trailing.
func (t *trailing) Some(w uint32, changes []counts.Change) {
	t.s.encode(t.encoder(w), w, changes, true, t.Model.Totals)
	if t.IsDense(w) {
		return
	}
	row, ok := t.Renew(w, changes)
	if !ok {
		t.err = fmt.Errorf("changes of part %d do not belong to the rows in the store: a count of word %d would fall below zero", t.p.number, w)
	}
	t.word, t.row = int(w), row
}

// All implements sampler.Trailing.
func (t *trailing) All(w uint32, delta []int32) {
	if t.IsDense(w) {
		t.s.encodeByTopic(t.encoder(w), w, delta, true, t.Model.Totals)
		return
	}
	t.changes = counts.AppendChanges(t.changes[:0], delta)
	t.Some(w, t.changes)
}

// Told implements sampler.Trailing.
func (t *trailing) Told() {
	t.Tilted, t.Applied = t.p.round, t.p.round
	err := t.s.send(t.p, t.p.round, t.s.endBlobs())
	t.s.prefetch(t.p.round)
	if t.err == nil {
		t.err = err
	}
}

// mayTrail says whether a part may keep the changes of the round that it has just
// sampled to itself until the next. A sum of them would come too late.
func (s *session) mayTrail(p *held, state *State) bool {
	j := s.o.Job
	part, ok := p.part.(sampler.Tells)
	return ok && part.CanTell() && j.Staleness > 0 && !j.Summed && p.round < s.trailEnd(state)
}

// trailEnd returns the round up to which a part tells in each round of the one before:
// that of the next barrier, if this worker has no other part.
func (s *session) trailEnd(state *State) int {
	if len(s.parts) != 1 {
		return 0
	}
	return s.rounds.end(state.Until)
}

// settle collects what parts will not tell a model, because the last round they sampled
// is the given one or a later one.
func (s *session) settle(end int) error {
	for _, p := range s.parts {
		if p.told < p.round && p.round >= end {
			if err := s.tell(p); err != nil {
				return err
			}
		}
	}
	return nil
}

// told says whether this worker's parts have told of a round.
func (s *session) told(round int) bool {
	return !slices.ContainsFunc(s.parts, func(p *held) bool { return p.told < round })
}
