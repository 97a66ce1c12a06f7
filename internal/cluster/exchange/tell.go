package exchange

import (
	"sort"
	"sync"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/counts"
)

// tellApart tells others what a part changed in its last round, where rows are apart: slice by slice, each on its way
// while the next is encoded, so that not all are in memory and whoever has a slice can begin.
func (x *apartRows) tellApart(p *held) error {
	j, round := x.o.Job, p.Round
	totals := make([]uint64, j.Topics)
	counted := p.part.TokenTotals(totals)
	if !counted {
		copy(totals, p.totals)
	}
	var blobs [][]byte // what the part is to see in the next rounds beside the rows
	if j.Staleness > 0 {
		blobs = make([][]byte, j.Slices)
	}
	written := new(sync.WaitGroup)
	size := 0
	for slice := range j.Slices {
		b := x.encodeSlice(p, round, slice, totals, counted)
		size = max(size, len(b))
		if blobs != nil {
			blobs[slice] = b
		}
		write := records.Write{Head: j.Key.Slice(slice, "head"), Key: j.Key.Changes(slice, round, p.Number), Round: round, Blob: b}
		written.Add(1)
		err := x.background(func() error {
			defer written.Done()
			err := j.Put(x.ctx, []records.Write{write})
			select {
			case x.wrote <- struct{}{}:
			default:
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	if blobs != nil {
		own := p.next(j.Staleness, round, 0, j.Topics)
		own.Blobs = blobs
		for k, n := range totals {
			own.Totals[k] = n - p.totals[k] // modulo 2^64
		}
	}
	p.totals, p.Told, p.size = totals, round, size
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

// encodeSlice encodes what a part tells of a slice after its last round. Unless n_k are counted already, it adds the
// changes to totals.
func (x *apartRows) encodeSlice(p *held, round, slice int, totals []uint64, counted bool) []byte {
	id := x.o.Job.BlobID(blob.Changes, round, p.Number)(slice)
	lo, hi := p.placesIn(x.cut, slice)
	runs := 1
	if x.o.Threads > 1 {
		runs = min(8*x.o.Threads, hi-lo)
	}
	if runs <= 1 {
		e := &x.encoders[0]
		e.Begin(make([]byte, 0, p.size+p.size/16), id)
		encodeChanges(e, p, lo, hi, totals, counted)
		return e.Finish()
	}
	for len(x.fragments) < runs {
		x.fragments = append(x.fragments, make([]blob.Encoder, 1))
	}
	sums := make([][]uint64, x.o.Threads) // of n_k, by goroutine
	rows.Spread(x.o.Threads, runs, func(goroutine, run int) {
		if sums[goroutine] == nil && !counted {
			sums[goroutine] = make([]uint64, len(totals))
		}
		e := &x.fragments[run][0]
		e.Again(id)
		encodeChanges(e, p, lo+(hi-lo)*run/runs, lo+(hi-lo)*(run+1)/runs, sums[goroutine], counted)
	})
	for _, sum := range sums {
		addTo(totals, sum)
	}
	e := &x.encoders[0]
	e.Begin(make([]byte, 0, p.size+p.size/16), id)
	for run := range runs {
		e.Join(&x.fragments[run][0])
	}
	return e.Finish()
}

// encodeChanges encodes what changed in the part's words lo … hi-1.
func encodeChanges(e *blob.Encoder, p *held, lo, hi int, totals []uint64, counted bool) {
	p.part.Changes(lo, hi, func(w uint32, changes []counts.Change) {
		e.Changes(w, changes)
		if !counted {
			rows.AddTotals(totals, changes)
		}
	})
}

// placesIn returns which of the part's words are in a slice.
func (p *held) placesIn(c *rows.Cut, slice int) (lo, hi int) {
	words := p.part.Words()
	at := func(w int) int { return sort.Search(len(words), func(i int) bool { return int(words[i]) >= w }) }
	return at(c.Begins[slice]), at(c.Begins[slice+1])
}
