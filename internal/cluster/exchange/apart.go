package exchange

import (
	"slices"
	"sync"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// apartRows are rows that come slice by slice, and the slices that this worker owns.
type apartRows struct {
	*core
	feed  *feed         // of the rows that parts see; nil before the first round; the worker
	wrote chan struct{} // 1: changes of a slice have been written; any goroutine

	made   []madeSlice // by slice; the owner, with one goroutine a slice at a time
	makers sync.Pool   // of *sliceMaker; any goroutine
}

// rowsAt waits until all parts have written n_k of a version. Its rows may come later: a part waits for those of a
// slice when it gets there (see feed.awaitRows).
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

// await fetches the values of keys of a version when the store has them, and calls take with each. The error says if
// this worker or others must take something up first.
func (x *apartRows) await(version int, names []string, take func(i int, b []byte) error) error {
	left := make([]int, len(names)) // places in names
	for i := range left {
		left[i] = i
	}
	for pause := protocol.PauseBy(protocol.Wall); ; {
		var absent []int
		for some := range slices.Chunk(left, x.o.Job.AtOnce()) {
			keys := records.Each(len(some), func(i int) string { return names[some[i]] })
			values, err := x.o.Job.Store.Get(x.ctx, keys...)
			for i := 0; i < len(some) && err == nil; i++ {
				if values[i] == nil {
					absent = append(absent, some[i])
				} else {
					err = take(some[i], values[i])
				}
			}
			if err != nil {
				return err
			}
		}
		if left = absent; len(left) == 0 {
			return nil
		}
		x.tally.awaits(records.Each(len(left), func(i int) string { return protocol.OfficeOf(names[left[i]]) })...)
		if err := x.worker.Still(x.ctx, version, names[left[0]]); err != nil {
			return err
		}
		if err := pause.Wait(x.ctx); err != nil {
			return err
		}
	}
}

// seenApart returns the rows that a part sees in its next round, with its own changes since. They are opened slice by
// slice, or all at once for a device.
func (x *apartRows) seenApart(p *localPart) (*sampler.Frozen, error) {
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

// send sends the changes of a part's last round to others slice by slice, each while the next is encoded. So not all
// of them are in memory, and the owner of a slice can begin early.
func (x *apartRows) send(p *localPart) error {
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
		b := x.encodeSlice(c, encoding{part: p, round: round, count: !counted}, slice)
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
	p.totals, p.Sent, p.size = totals, round, slices.Max(sizes)
	return x.put([]records.Write{j.TotalsWrite(p.Number, round, totals)}, func() error {
		if written.Wait(); x.ctx.Err() != nil {
			return nil // a write before may have failed, which has ended the session
		}
		return x.reached(p, round)()
	})
}
