package exchange

import (
	"cmp"
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
	totals  []uint64 // K: changes of n_k; zero outside share
	spare   []int32  // K, for a row that is not wanted
}

// share calls work for the numbers below n, with one goroutine per thread of the worker. Then it adds the coders'
// totals to totals. After an error, totals are of no use.
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
	for _, c := range x.coders { // all of them: none may keep anything for the next time
		counts.Add(totals, c.totals) // modulo 2^64: changes may be negative
		clear(c.totals)
	}
	return cmp.Or(errs...)
}

// encoding says what else is done with the changes of a part's last round when they are encoded for others: going
// through them a second time would take as long again. Either model or count may be set.
type encoding struct {
	part  *localPart
	round int

	// model is the model of which the part is the solo one, or nil. Its dense rows get their changes, and the coder's
	// totals count these.
	model *rows.Model

	count   bool            // the coder's totals count all changes
	changes *rows.ChangeSet // gets the places of words in the blobs; may be nil
}

// encodeSlice encodes the changes of a part's last round in a slice.
func (x *core) encodeSlice(c *coder, how encoding, slice int) []byte {
	e, p := &c.encoder, how.part
	e.Begin(make([]byte, 0, p.size+p.size/8), x.o.Job.BlobID(blob.Changes, how.round, p.Number)(slice))
	words, begins := p.part.Words(), x.o.Cut.Begins[slice:slice+2]
	at := func(w int) int { return sort.Search(len(words), func(i int) bool { return int(words[i]) >= w }) }
	dense := func(w uint32) []int32 {
		if how.model == nil {
			return nil
		}
		return how.model.DenseRow(int(w), nil)
	}
	note := func(w uint32) {
		if how.changes != nil && len(how.changes.Places) > 0 {
			how.changes.Places[p.place[w]-1] = e.Place()
		}
	}
	p.part.ChangesByTopic(at(begins[0]), at(begins[1]), func(w uint32, changes []counts.Change) {
		e.Changes(w, changes)
		if row := dense(w); row != nil {
			rows.AddDense(row, changes, c.totals)
		} else if how.count {
			rows.AddTotals(c.totals, changes, 1)
		}
		note(w)
	}, func(w uint32, delta []int32) {
		row := dense(w)
		if how.count {
			row = c.spare // only the totals are wanted
		}
		e.ChangesByTopic(w, delta, row, c.totals)
		note(w)
	})
	return e.Finish()
}
