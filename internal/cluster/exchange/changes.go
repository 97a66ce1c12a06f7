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
	skipDense   bool     // dense rows of the model have them already
}

// open opens the blobs of a slice.
func (x *wholeRows) open(list []change, slice int) (sources []rows.Source, err error) {
	for _, c := range list {
		d, err := x.o.Job.OpenChange(c.blobs[slice], slice, c.round, c.part)
		if err != nil {
			return nil, err
		}
		sources = append(sources, rows.Source{Decoder: d, SkipDense: c.skipDense})
	}
	return sources, nil
}

// soloChange returns the changes of the solo part in a round: one, or none if it had nothing to do. They come from
// memory, or from the store if this worker did not make them itself.
func (x *wholeRows) soloChange(round int) ([]change, error) {
	part := x.model.Solo
	if !x.o.Takes(part, round) {
		return nil, nil
	}
	if b := x.own[round][part]; b != nil {
		return []change{{round: round, part: part, blobs: b, skipDense: round <= x.model.SoloDense}}, nil
	}
	b, err := x.o.Job.GetChanges(x.ctx, round, part)
	if err != nil {
		return nil, err
	}
	return []change{{round: round, part: part, blobs: b}}, nil
}

// changesOfOthers returns the changes of a round of all parts but the solo one. It waits for those of other workers.
func (x *wholeRows) changesOfOthers(round int) (list []change, err error) {
	x.prefetch(round)
	f := x.fetches[round]
	begin := time.Now()
	defer x.tally.spend(&x.tally.report.Waiting, begin)
	if err := x.await(f); err != nil {
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
		if b != nil && part != x.model.Solo {
			list = append(list, change{round: round, part: part, blobs: b})
		}
	}
	return list, nil
}

// await waits for a fetch, unless there is something else to do: all may be waiting for a part or slice that this
// worker is given meanwhile.
func (x *wholeRows) await(f *fetch) error {
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
				x.tally.awaits(*awaited...)
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
