package exchange

import (
	"slices"
	"sync"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// This file is what a worker does in place of versions.go where rows are apart: it waits for n_k of a version, and
// lets its parts fetch the rows slice by slice.

// rowsAt waits until all parts have told n_k after a version's round. Its rows may still be on their way: those of a
// slice are waited for when a part comes to it (see feed.await).
func (x *apartRows) rowsAt(version int) error {
	if x.feed != nil && x.feed.version == version {
		return nil
	}
	begin := time.Now()
	defer x.tally.spend(&x.tally.report.Waiting, begin)
	names := records.Each(x.o.Job.Parts, func(i int) string { return x.o.Job.Key.Totals(i, version) })
	if err := x.there(version, names...); err != nil {
		return err
	}
	totals, err := x.o.Job.TotalsAt(x.ctx, version)
	if err != nil {
		return err
	}
	x.feed = &feed{x: x, version: version, totals: totals, fetches: map[int]*sliceFetch{}}
	return nil
}

// there waits until everything of a version that is named is in the store. If others, or this worker, have to take
// something up for that, the error says so.
func (x *apartRows) there(version int, names ...string) (err error) {
	for pause := protocol.PauseBy(protocol.Wall); ; {
		if names, err = x.o.Job.Store.Missing(x.ctx, names...); err != nil || len(names) == 0 {
			return err
		}
		x.tally.await(records.Each(len(names), func(i int) string { return protocol.OfficeOf(names[i]) })...)
		if err := x.worker.Still(x.ctx, version, names[0]); err != nil {
			return err
		}
		if err := pause.Wait(x.ctx); err != nil {
			return err
		}
	}
}

// tokenTotals counts n_k of a part's tokens.
func (p *held) tokenTotals(topics int) []uint64 {
	totals := make([]uint64, topics)
	_ = p.part.EachTopics(func(z []uint32) error {
		for _, k := range z {
			totals[k]++
		}
		return nil
	})
	return totals
}

// putTotals writes n_k of a part when the job begins, for this round and, in a job that goes on from a checkpoint
// with staleness, for the rounds before that others still see.
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
	return x.background(func() error { return j.Put(x.ctx, writes) })
}

// earlier appends the rows of a slice before those that writes begins with, as many versions as others still see of a
// job that goes on from a checkpoint.
func (x *apartRows) earlier(writes []records.Write, slice, round int) ([]records.Write, error) {
	j := x.o.Job
	first := max(round-j.Staleness, 0)
	if j.From == 0 || first == round {
		return writes, nil
	}
	var now rows.Apart
	d, err := blob.Open(writes[0].Blob, j.BlobID(blob.Counts, round, 0)(slice))
	if err != nil {
		return nil, err
	}
	words := x.o.Cut.Words[slice]
	if err := now.Read(words, &d); err != nil {
		return nil, err
	}
	for r := round; r > first; r-- {
		sources, err := j.OpenChanges(x.ctx, slice, r, x.takers(r))
		if err != nil {
			return nil, err
		}
		if err := now.Add(&x.merger, words, sources, -1); err != nil {
			return nil, err
		}
		b := now.Encode(new(blob.Encoder), j.BlobID(blob.Counts, r-1, 0)(slice), words)
		writes = append(writes, records.Write{Head: writes[0].Head, Key: j.Key.Rows(slice, r-1), Round: r - 1, Blob: b})
	}
	return writes, nil
}

// takers are the parts that have something to do in a round. Any goroutine may ask.
func (x *core) takers(round int) (parts []int) {
	for part := range x.o.Job.Parts {
		if x.o.Takes(part, round) {
			parts = append(parts, part)
		}
	}
	return parts
}

// seenApart returns what a part sees in its next round: the rows of a version, with its own changes since, opened
// slice by slice; for a device, all of them.
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
		addTo(v.totals, own.Totals)
	}
	if x.o.Plan.On != nil {
		return v.whole()
	}
	return v.frozen(), nil
}

// tellApart tells others what a part changed in its last round, where rows are apart: slice by slice, each on its way
// while the next is encoded, so that not all are in memory and whoever has a slice can begin.
func (x *apartRows) tellApart(p *held) error {
	j, round := x.o.Job, p.Round
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
		write := j.ChangesWrite(slice, round, p.Number, b)
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
	last := j.TotalsWrite(p.Number, round, totals)
	return x.background(func() error {
		if err := j.Put(x.ctx, []records.Write{last}); err != nil {
			return err
		}
		written.Wait()
		if x.ctx.Err() != nil {
			return nil // what was written before may have failed, and has ended the session
		}
		return x.worker.Reach(x.ctx, "r", p.Number, "p", round)
	})
}
