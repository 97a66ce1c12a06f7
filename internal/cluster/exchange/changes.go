package exchange

import (
	"slices"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/rows"
)

// change has the changes of a part in a round.
type change struct {
	round, part int
	blobs       [][]byte // by slice
	applied     bool     // the changes of dense rows are in the model already
}

// open opens the blobs of a slice.
func (x *wholeRows) open(list []change, slice int) (sources []rows.Source, err error) {
	for _, c := range list {
		d, err := x.o.Job.OpenChange(c.blobs[slice], slice, c.round, c.part)
		if err != nil {
			return nil, err
		}
		sources = append(sources, rows.Source{Decoder: d, Applied: c.applied})
	}
	return sources, nil
}

// appendOwn appends the changes in a round of the part with which the model is ahead, from memory or from the store.
func (x *wholeRows) appendOwn(list []change, round int) ([]change, error) {
	part := x.model.Ahead
	if !x.o.Takes(part, round) {
		return list, nil
	}
	c := change{round: round, part: part, blobs: x.own[round][part], applied: round <= x.model.Applied}
	if c.blobs == nil {
		b, err := x.o.Job.GetChanges(x.ctx, round, part)
		if err != nil {
			return nil, err
		}
		c.blobs, c.applied = b, false
	}
	return append(list, c), nil
}

// others returns the changes of a round, without those of the part with which the model is ahead. It waits for the
// changes of other workers.
func (x *wholeRows) others(round int) (list []change, err error) {
	x.prefetch(round)
	f := x.fetches[round]
	begin := time.Now()
	defer x.tally.spend(&x.tally.report.Waiting, begin)
	if err := x.until(f); err != nil {
		return nil, err
	}
	if f.err != nil {
		delete(x.fetches, round)
		return nil, f.err
	}
	for part := range x.o.Job.Parts { // in order, though no sum depends on it
		b := x.own[round][part]
		if place := slices.Index(f.parts, part); place >= 0 {
			b = f.blobs[place]
		}
		if b != nil && part != x.model.Ahead {
			list = append(list, change{round: round, part: part, blobs: b})
		}
	}
	return list, nil
}

// until waits for a fetch, unless there is something else to do: all may be waiting for a part or slice that this
// worker is given meanwhile.
func (x *wholeRows) until(f *fetch) error {
	select {
	case <-f.done: // the usual case
		return nil
	default:
	}
	ticker := time.NewTicker(x.o.Job.Lease / 8)
	defer ticker.Stop()
	for {
		select {
		case <-f.done:
			return nil
		case <-x.ctx.Done():
			return x.ctx.Err()
		case <-ticker.C:
			if awaited := f.awaited.Load(); awaited != nil {
				x.tally.await(*awaited...)
			}
			if err := x.worker.Look(x.ctx); err != nil {
				return err
			}
		}
	}
}

// prefetch begins to fetch the changes that others make in a round.
func (x *wholeRows) prefetch(round int) {
	if x.fetches[round] != nil {
		return
	}
	parts := slices.DeleteFunc(x.takers(round), func(part int) bool { return x.own[round][part] != nil })
	x.fetches[round] = startFetch(x.ctx, x.o.Job, round, parts)
}
