package cluster

import (
	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

// summing is the sums that a worker makes of the slices it has.
type summing struct {
	s      *session
	rounds *protocol.Rounds
	summer blob.Summer
	slices map[int]*sliceSum
}

// sliceSum is a sum in the making.
type sliceSum struct {
	round int      // the round
	parts []int    // whose changes are needed
	blobs [][]byte // those that have come, nil for the others
}

// sums makes the sums of this worker's slices, round by round, until the session
// ends. It is one of the session's goroutines.
func (s *session) sums() {
	g := &summing{s: s, rounds: &protocol.Rounds{Plan: s.o.Plan}, slices: map[int]*sliceSum{}}
	for pause := protocol.NewPause(); ; {
		worked, err := g.step(s.view())
		if err == nil && !worked {
			err = pause.Wait(s.ctx)
		} else {
			pause = protocol.NewPause()
		}
		if err != nil {
			if s.ctx.Err() == nil {
				s.cancel(err)
			}
			return
		}
	}
}

// step makes the sums that can be made, and says whether there were any.
func (g *summing) step(v *view) (worked bool, err error) {
	if v.state == nil || v.state.Round < 0 {
		return false, nil
	}
	end := g.rounds.End(v.state.Until)
	for _, slice := range v.slices {
		sum := g.slices[slice]
		if sum == nil || sum.round <= v.state.Round {
			sum = g.begin(slice, v.state.Round+1)
		}
		if sum.round > end {
			continue
		}
		whole, err := g.gather(slice, sum)
		if err != nil || !whole {
			if err != nil {
				return false, err
			}
			continue
		}
		if err := g.write(slice, sum); err != nil {
			return false, err
		}
		g.s.noteSum(slice, sum.round)
		g.begin(slice, sum.round+1)
		worked = true
	}
	return worked, nil
}

// begin begins the sum of a round.
func (g *summing) begin(slice, round int) *sliceSum {
	sum := &sliceSum{round: round}
	step := g.rounds.Step(round)
	for part, span := range g.s.o.Spans {
		if g.s.o.Plan.Takes(span, step) {
			sum.parts = append(sum.parts, part)
		}
	}
	sum.blobs = make([][]byte, len(sum.parts))
	g.slices[slice] = sum
	return sum
}

// gather asks for the changes that have not come, and says whether all have.
func (g *summing) gather(slice int, sum *sliceSum) (whole bool, err error) {
	j := g.s.o.Job
	var names []string
	var places []int
	for i, b := range sum.blobs {
		if b == nil {
			names, places = append(names, j.Key.Changes(slice, sum.round, sum.parts[i])), append(places, i)
		}
	}
	values, err := j.Store.Get(g.s.ctx, names...)
	if err != nil {
		return false, err
	}
	whole = true
	for i, v := range values {
		sum.blobs[places[i]] = v
		whole = whole && v != nil
	}
	return whole, nil
}

// write adds up and writes a sum.
func (g *summing) write(slice int, sum *sliceSum) error {
	j := g.s.o.Job
	decoders := make([]blob.Decoder, len(sum.parts))
	for i, part := range sum.parts {
		var err error
		if decoders[i], err = blob.Open(sum.blobs[i], j.BlobID(blob.Changes, sum.round, part)(slice)); err != nil {
			return protocol.Damaged(j.Key.Changes(slice, sum.round, part), err)
		}
	}
	b, err := g.summer.Merge(nil, j.BlobID(blob.Changes, sum.round, j.AllParts())(slice), decoders)
	if err != nil {
		return err
	}
	return j.Put(g.s.ctx, []protocol.Write{{Head: j.Key.Slice(slice, "head"), Key: j.Key.Sum(slice, sum.round), Round: sum.round, Blob: b}})
}

// noteSum notes the last sum that was written of a slice.
func (s *session) noteSum(slice, round int) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.summed[slice] = round
}

// others returns what changed in a round, less the changes of the part
// with which the model is ahead.
func (s *session) others(round int) ([]*roundChanges, error) {
	changes, err := s.changes(round)
	if err != nil {
		return nil, err
	}
	ahead := s.model.Ahead
	if !changes.sum {
		return []*roundChanges{changes.without(ahead)}, nil
	}
	if ahead < 0 {
		return []*roundChanges{changes}, nil
	}
	own, err := s.ownChanges(round, ahead)
	if err != nil {
		return nil, err
	}
	own.taken, own.applied = true, false
	return []*roundChanges{changes, own}, nil
}
