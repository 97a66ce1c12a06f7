package exchange

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/guard"
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

// feed fetches the rows of a version from the store, each slice while those before it are sampled. All parts of a
// worker take from one feed, one after the other.
type feed struct {
	x       *apartRows
	version int
	totals  []uint64 // K: n_k of the version, read-only

	mutex   sync.Mutex          // guards fetches: whoever opens slices asks for the next one meanwhile
	fetches map[int]*sliceFetch // by slice: asked for and not taken
}

// sliceFetch fetches the rows of a slice.
type sliceFetch struct {
	done chan struct{} // closed when blob and err are set
	blob []byte
	err  error
}

// ask begins to fetch a slice, unless that has begun.
func (f *feed) ask(slice int) *sliceFetch {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if x := f.fetches[slice]; x != nil {
		return x
	}
	x := &sliceFetch{done: make(chan struct{})}
	f.fetches[slice] = x
	guard.Go(func() {
		defer close(x.done)
		x.err = guard.Try(func() (err error) {
			x.blob, err = f.x.o.Job.ReadBlob(f.x.ctx, f.x.o.Job.Key.Rows(slice, f.version))
			return err
		})
	})
	return x
}

// take waits for a slice, and fetches the next one meanwhile. Another part of the same worker fetches the slice again.
func (f *feed) take(slice int) ([]byte, error) {
	x := f.ask(slice)
	if slice+1 < f.x.o.Job.Slices {
		f.ask(slice + 1)
	}
	<-x.done
	f.mutex.Lock()
	delete(f.fetches, slice)
	f.mutex.Unlock()
	if !errors.Is(x.err, protocol.ErrMissing) {
		return x.blob, x.err
	}
	return f.awaitRows(slice)
}

// awaitRows waits in the middle of a round for a slice whose rows are not published yet. If this worker or others must
// take something up first, the round is given up, and the part begins again at the last barrier.
func (f *feed) awaitRows(slice int) (b []byte, err error) {
	x, key := f.x, f.x.o.Job.Key.Rows(slice, f.version)
	begin := time.Now()
	defer x.tally.update(func(r *protocol.Report) {
		waited := time.Since(begin)
		r.Waiting += waited
		r.Sampling -= waited // in which it happens
		r.Awaits = nil
	})
	err = x.await(f.version, []string{key}, func(_ int, value []byte) error {
		b = value
		return nil
	})
	return b, err
}

// madeSlice is a slice at its last version. Its rows stay here as they are in the store: the next version needs no
// fetch.
type madeSlice struct {
	version int
	rows    []byte // nil if they must be fetched
}

// makeRows makes the next rows of a slice from the changes of all parts in a round. Slices may be made at the same
// time.
func (x *apartRows) makeRows(_ context.Context, slice, round int) error {
	j, last := x.o.Job, &x.made[slice]
	sources, err := j.OpenChanges(x.ctx, slice, round, x.takers(round))
	if err != nil {
		return err
	}
	begin := time.Now()
	if last.rows == nil || last.version != round-1 {
		b, err := j.ReadBlob(x.ctx, j.Key.Rows(slice, round-1))
		if err != nil {
			return err
		}
		*last = madeSlice{round - 1, b}
	}
	maker := x.makers.Get().(*sliceMaker)
	defer x.makers.Put(maker)
	if err := maker.read(x.core, last.rows, slice, round-1, sources); err != nil {
		return err
	}
	*last = madeSlice{round, maker.encode(x.core, slice, round)}
	x.tally.spend(&x.tally.report.Coding, begin)
	return j.Put(x.ctx, []records.Write{{Key: j.Key.Rows(slice, round), Round: round, Blob: last.rows}})
}

// loseSlice forgets a slice that another worker has now.
func (x *apartRows) loseSlice(slice int) { x.made[slice] = madeSlice{} }

// sliceMaker holds an open slice, and makes its next version, in one goroutine.
type sliceMaker struct {
	rows    rows.OpenSlice
	merger  rows.Merger
	encoder blob.Encoder
}

// read reads the rows of a slice at a version from a blob, and adds changes.
func (m *sliceMaker) read(x *core, b []byte, slice, version int, sources []rows.Source) error {
	words := x.o.Cut.Words[slice]
	d, err := x.o.Job.OpenRows(b, slice, version)
	if err == nil {
		err = m.rows.Read(words, &d)
	}
	if err != nil {
		return protocol.Damaged(x.o.Job.Key.Rows(slice, version), err)
	}
	return m.rows.Add(&m.merger, words, sources, 1)
}

// encode returns the rows as a blob of a version.
func (m *sliceMaker) encode(x *core, slice, version int) []byte {
	return m.rows.Encode(&m.encoder, x.o.Job.BlobID(blob.Counts, version, 0)(slice), x.o.Cut.Words[slice])
}

// apartView gives a part its rows in a round where rows are apart.
type apartView struct {
	*feed
	part   *localPart
	totals []uint64 // K: n_k with the part's own changes
}

// frozen returns the view in the form that parts read.
func (v *apartView) frozen() *sampler.Frozen {
	return &sampler.Frozen{Totals: v.totals, Sliced: &sampler.Sliced{Begins: v.x.o.Cut.Begins, Open: v.open}}
}

// open opens a slice, for sampler.Sliced.
func (v *apartView) open(slice int) (counts.Rows, func(), error) {
	maker := v.x.makers.Get().(*sliceMaker)
	if err := v.read(maker, slice); err != nil {
		return nil, nil, err
	}
	return &maker.rows, func() { v.x.makers.Put(maker) }, nil
}

// read reads the rows of a slice, and adds the part's own changes since.
func (v *apartView) read(m *sliceMaker, slice int) error {
	b, err := v.take(slice)
	if err != nil {
		return err
	}
	sources, err := v.own(slice)
	if err != nil {
		return err
	}
	return m.read(v.x.core, b, slice, v.version, sources)
}

// own opens the part's changes of a slice since the version.
func (v *apartView) own(slice int) ([]rows.Source, error) {
	var sources []rows.Source
	for i, own := range v.part.recent {
		if own.Blobs == nil {
			continue // it was not in that round
		}
		round := v.part.recentTo - len(v.part.recent) + 1 + i
		d, err := v.x.o.Job.OpenChange(own.Blobs[slice], slice, round, v.part.Number)
		if err != nil {
			return nil, err
		}
		sources = append(sources, rows.Source{Decoder: d})
	}
	return sources, nil
}

// whole opens all slices at once.
func (v *apartView) whole() (*sampler.Frozen, error) {
	w := &rows.OpenSlices{Cut: v.x.o.Cut, Slices: make([]*rows.OpenSlice, v.x.o.Job.Slices), Totals: v.totals}
	for i := range w.Slices {
		maker := new(sliceMaker)
		if err := v.read(maker, i); err != nil {
			return nil, err
		}
		w.Slices[i] = &maker.rows
	}
	return w.Frozen(), nil
}
