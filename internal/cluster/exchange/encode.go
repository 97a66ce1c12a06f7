package exchange

import (
	"context"
	"sort"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/parallel"
)

// coder encodes, decodes and adds up changes in one goroutine.
type coder struct {
	encoder blob.Encoder
	merger  rows.Merger
	totals  []uint64 // K: changes of n_k, zero at rest
	spare   []int32  // K, for a row that is not wanted
}

// share calls work for the numbers below n, with one goroutine per thread of the worker. Then it adds the coders'
// totals to totals.
func (x *core) share(n int, totals []uint64, work func(c *coder, i int) error) error {
	for len(x.coders) < max(1, x.o.Threads) {
		x.coders = append(x.coders, &coder{
			totals: make([]uint64, x.o.Job.Topics),
			spare:  make([]int32, x.o.Job.Topics),
		})
	}
	errs := make([]error, len(x.coders))
	_ = parallel.Do(context.Background(), len(x.coders), n, func(goroutine, i int) {
		if errs[goroutine] == nil {
			errs[goroutine] = work(x.coders[goroutine], i)
		}
	})
	for i, c := range x.coders {
		counts.Add(totals, c.totals) // modulo 2^64: changes may be negative
		clear(c.totals)
		if errs[i] != nil {
			return errs[i]
		}
	}
	return nil
}

// encodeSlice encodes the changes of a part's last round in a slice. A model that is ahead with the part gets the
// changes of words with dense rows. If beside is true, the coder's totals count all changes. own, unless it is nil,
// gets their places.
func (x *core) encodeSlice(c *coder, p *held, round, slice int, ahead *rows.Model, beside bool, own *rows.Own) []byte {
	e := &c.encoder
	e.Begin(make([]byte, 0, p.size+p.size/8), x.o.Job.BlobID(blob.Changes, round, p.Number)(slice))
	words, begins := p.part.Words(), x.o.Cut.Begins[slice:slice+2]
	at := func(w int) int { return sort.Search(len(words), func(i int) bool { return int(words[i]) >= w }) }
	dense := func(w uint32) []int32 {
		if ahead != nil {
			return ahead.DenseRow(int(w), nil)
		}
		return nil
	}
	note := func(w uint32) {
		if own != nil && len(own.Places) > 0 {
			own.Places[p.place[w]-1] = e.Place()
		}
	}
	p.part.ChangesByTopic(at(begins[0]), at(begins[1]), func(w uint32, changes []counts.Change) {
		e.Changes(w, changes)
		if row := dense(w); row != nil {
			rows.AddDense(row, changes, c.totals)
		} else if beside {
			rows.AddTotals(c.totals, changes, 1)
		}
		note(w)
	}, func(w uint32, delta []int32) {
		row := dense(w)
		if beside {
			row = c.spare // only the totals are wanted
		}
		e.ChangesByTopic(w, delta, row, c.totals)
		note(w)
	})
	return e.Finish()
}
