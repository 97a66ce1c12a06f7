package exchange

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// rowsAt waits until all parts have written n_k of a version. Its rows may come later: a part waits for those of a
// slice when it gets there (see feed.await).
func (x *apartRows) rowsAt(version int) error {
	if x.feed != nil && x.feed.version == version {
		return nil
	}
	begin := time.Now()
	defer x.tally.spend(&x.tally.report.Waiting, begin)
	j := x.o.Job
	totals := j.NewTotals(version)
	if err := x.await(version, totals.Names, totals.Add); err != nil {
		return err
	}
	x.feed = &feed{x: x, version: version, totals: totals.Sum, fetches: map[int]*sliceFetch{}}
	return nil
}

// putTotals writes n_k of a part when the job begins. If the job continues from a checkpoint with staleness, it also
// writes n_k of the earlier rounds that others still see.
func (x *apartRows) putTotals(p *held, round int) error {
	j := x.o.Job
	writes := []records.Write{j.TotalsWrite(p.Number, round, p.totals)}
	if j.From == 0 {
		p.recentTo = round // nothing was changed before
	} else if err := x.recall(p); err != nil {
		return err
	}
	totals := slices.Clone(p.totals)
	for i, own := range slices.Backward(p.recent) {
		for k, n := range own.Totals {
			totals[k] -= n
		}
		writes = append(writes, j.TotalsWrite(p.Number, round-len(p.recent)+i, totals))
	}
	return x.put(writes, nil)
}

// earlier appends the rows of a slice before those of the first write: as many versions as others still see in a job
// that continues from a checkpoint.
func (x *apartRows) earlier(writes []records.Write, slice, round int) ([]records.Write, error) {
	j := x.o.Job
	first := max(round-j.Staleness, 0)
	if j.From == 0 || first == round {
		return writes, nil
	}
	var now room
	if err := now.read(x.core, writes[0].Blob, slice, round, nil); err != nil {
		return nil, err
	}
	for r := round; r > first; r-- {
		sources, err := j.OpenChanges(x.ctx, slice, r, x.takers(r))
		if err == nil {
			err = now.rows.Add(&now.merger, x.o.Cut.Words[slice], sources, -1)
		}
		if err != nil {
			return nil, err
		}
		b := now.encode(x.core, slice, r-1)
		writes = append(writes, records.Write{Key: j.Key.Rows(slice, r-1), Round: r - 1, Blob: b})
	}
	return writes, nil
}

// seenApart returns the rows that a part sees in its next round, with its own changes since. They are opened slice by
// slice, or all at once for a device.
func (x *apartRows) seenApart(p *held) (*sampler.Frozen, error) {
	if x.o.Job.Staleness > 0 {
		if err := x.recall(p); err != nil {
			return nil, err
		}
	}
	v := &apartView{feed: x.feed, part: p, totals: x.feed.totals}
	if len(p.recent) > 0 {
		v.totals = slices.Clone(v.totals)
	}
	for _, own := range p.recent {
		counts.Add(v.totals, own.Totals)
	}
	if x.o.Plan.On != nil {
		return v.whole()
	}
	return v.frozen(), nil
}

// tell sends the changes of a part's last round to others slice by slice, each while the next is encoded. So not all
// of them are in memory, and the owner of a slice can begin early.
func (x *apartRows) tell(p *held) error {
	j, round, begin := x.o.Job, p.Round, time.Now()
	defer x.tally.spend(&x.tally.report.Coding, begin)
	totals := make([]uint64, j.Topics)
	counted := p.part.TokenTotals(totals)
	if !counted {
		copy(totals, p.totals)
	}
	blobs, sizes := make([][]byte, j.Slices), make([]int, j.Slices)
	written := new(sync.WaitGroup)
	err := x.share(j.Slices, totals, func(c *coder, slice int) error {
		b := x.encodeSlice(c, p, round, slice, nil, !counted, nil)
		if sizes[slice] = len(b); j.Staleness > 0 {
			blobs[slice] = b // the part is to see it in the next rounds beside the rows
		}
		write := records.Write{Key: j.Key.Changes(slice, round, p.Number), Round: round, Blob: b}
		written.Add(1)
		return x.background(func() error {
			defer written.Done()
			err := j.Put(x.ctx, []records.Write{write})
			select {
			case x.wrote <- struct{}{}:
			default:
			}
			return err
		})
	})
	if err != nil {
		return err
	}
	if j.Staleness > 0 {
		own := p.next(j.Staleness, round, 0, j.Topics)
		own.Blobs = blobs
		for k, n := range totals {
			own.Totals[k] = n - p.totals[k] // modulo 2^64
		}
	}
	p.totals, p.Told, p.size = totals, round, slices.Max(sizes)
	return x.put([]records.Write{j.TotalsWrite(p.Number, round, totals)}, func() error {
		if written.Wait(); x.ctx.Err() != nil {
			return nil // a write before may have failed, which has ended the session
		}
		return x.reached(p, round)()
	})
}

// make makes the next rows of a slice from the changes of all parts in a round. Slices may be made at the same time.
func (x *apartRows) make(_ context.Context, slice, round int) error {
	j, kept := x.o.Job, &x.kept[slice]
	sources, err := j.OpenChanges(x.ctx, slice, round, x.takers(round))
	if err != nil {
		return err
	}
	begin := time.Now()
	if kept.rows == nil || kept.version != round-1 {
		b, err := j.ReadBlob(x.ctx, j.Key.Rows(slice, round-1))
		if err != nil {
			return err
		}
		*kept = keptSlice{round - 1, b}
	}
	room := x.rooms.Get().(*room)
	defer x.rooms.Put(room)
	if err := room.read(x.core, kept.rows, slice, round-1, sources); err != nil {
		return err
	}
	*kept = keptSlice{round, room.encode(x.core, slice, round)}
	x.tally.spend(&x.tally.report.Coding, begin)
	return j.Put(x.ctx, []records.Write{{Key: j.Key.Rows(slice, round), Round: round, Blob: kept.rows}})
}

// lose forgets a slice that another worker has now.
func (x *apartRows) lose(slice int) { x.kept[slice] = keptSlice{} }
