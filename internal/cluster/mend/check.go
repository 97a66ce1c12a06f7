package mend

import (
	"context"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

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
