package exchange

import (
	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/counts"
)

// coder is what one goroutine needs to encode, decode and add up changes.
type coder struct {
	merger rows.Merger
	totals []uint64 // K: changes of n_k, zero at rest
	room   []int32  // K, for a row that is not wanted
}

// eachSlice calls work for every slice, and adds what it puts into coders' totals to
// the model's.
func (x *wholeRows) eachSlice(work func(c *coder, slice int) error) error {
	return x.share(x.o.Job.Slices, x.model.Totals, work)
}

// share calls work for the numbers below n on as many goroutines as the worker has
// threads, and adds the coders' totals to totals.
func (x *wholeRows) share(n int, totals []uint64, work func(c *coder, i int) error) error {
	if x.coders == nil {
		x.coders = make([]*coder, max(1, x.o.Threads))
		for i := range x.coders {
			x.coders[i] = &coder{totals: make([]uint64, x.o.Job.Topics)}
		}
	}
	errs := make([]error, len(x.coders))
	rows.Spread(len(x.coders), n, func(goroutine, i int) {
		if errs[goroutine] == nil {
			errs[goroutine] = work(x.coders[goroutine], i)
		}
	})
	for i, c := range x.coders {
		for k, n := range c.totals {
			totals[k] += n // modulo 2^64, as changes are
		}
		clear(c.totals)
		if errs[i] != nil {
			return errs[i]
		}
	}
	return nil
}

// collect encodes what the last round of a part changed, one blob per slice, and
// notes it where the part will see it in the next. Words are taken in increasing
// order, as their tokens lie in memory: slice by slice takes twice as long.
func (x *wholeRows) collect(p *held, round int) ([][]byte, error) {
	ahead := x.isAhead(p)
	own := x.ownOf(p, round) // nil unless the part is to see it beside the model
	var totals []uint64
	if own != nil {
		totals = own.Totals
	} else {
		totals = x.model.Totals
	}
	x.beginBlobs(p, round)
	var err error
	if x.o.Threads <= 1 {
		err = x.share(1, totals, func(c *coder, _ int) error {
			x.encodeWords(c, x.encoders, p, own, 0, len(p.part.Words()))
			return nil
		})
	} else {
		err = x.encodeTogether(p, round, own, totals)
	}
	if err != nil {
		return nil, err
	}
	blobs := x.endBlobs()
	if ahead {
		x.model.Applied = round
	}
	if own != nil {
		own.Blobs = blobs
	}
	return blobs, nil
}

// isAhead says whether the model, if there is one, is ahead with a part.
func (x *wholeRows) isAhead(p *held) bool { return x.model != nil && x.model.Ahead == p.Number }

// ownOf returns what is to hold the changes of a part in a round beside the model; nil if the model
// takes them.
func (x *wholeRows) ownOf(p *held, round int) *rows.Own {
	if j := x.o.Job; j.Staleness > 0 && !x.isAhead(p) {
		return p.next(j.Staleness, round, x.placed(p), j.Topics)
	}
	return nil
}

// placed is how many words' places in blobs are kept with what a part changed.
func (x *core) placed(p *held) int {
	if x.o.Job.Apart {
		return 0
	}
	return len(p.part.Words())
}

// addTo adds n to sum, modulo 2^64.
func addTo(sum, n []uint64) {
	for k, x := range n {
		sum[k] += x
	}
}

// encodeWords encodes what changed in the part's words lo … hi-1.
func (x *wholeRows) encodeWords(c *coder, encoders []blob.Encoder, p *held, own *rows.Own, lo, hi int) {
	ahead := x.isAhead(p)
	if own != nil && c.room == nil {
		c.room = make([]int32, x.o.Job.Topics)
	}
	p.part.ChangesByTopic(lo, hi, func(w uint32, changes []counts.Change) {
		e := &encoders[x.cut.Slice[w]]
		x.encode(e, w, changes, ahead, c.totals)
		if own != nil {
			p.note(own, w, e)
			rows.AddTotals(c.totals, changes)
		}
	}, func(w uint32, delta []int32) {
		e := &encoders[x.cut.Slice[w]]
		if own == nil {
			x.encodeByTopic(e, w, delta, ahead, c.totals)
			return
		}
		e.ChangesByTopic(w, delta, c.room, c.totals) // only the totals are wanted
		p.note(own, w, e)
	})
}

// note notes where in its blob the changes of a word are, which were just encoded.
func (p *held) note(own *rows.Own, w uint32, e *blob.Encoder) {
	if len(own.Places) > 0 {
		own.Places[p.place[w]-1] = e.Place()
	}
}

// encodeTogether encodes what changed in all of the part's words by several goroutines:
// each has runs of words with blobs of their own, which are then joined slice by slice.
func (x *wholeRows) encodeTogether(p *held, round int, own *rows.Own, totals []uint64) error {
	id := x.o.Job.BlobID(blob.Changes, round, p.Number)
	words, slices := p.part.Words(), len(x.encoders)
	runs := min(8*x.o.Threads, len(words))
	for len(x.fragments) < runs {
		x.fragments = append(x.fragments, make([]blob.Encoder, slices))
	}
	begin := func(run int) int { return len(words) * run / runs }
	err := x.share(runs, totals, func(c *coder, run int) error {
		for i := range slices {
			x.fragments[run][i].Again(id(i))
		}
		x.encodeWords(c, x.fragments[run], p, own, begin(run), begin(run+1))
		return nil
	})
	if err != nil {
		return err
	}
	shifts := make([]int, runs*slices)
	err = x.share(slices, totals, func(_ *coder, slice int) error {
		for run := range runs {
			shifts[run*slices+slice] = x.encoders[slice].Join(&x.fragments[run][slice])
		}
		return nil
	})
	if err != nil || own == nil || len(own.Places) == 0 {
		return err
	}
	return x.share(runs, totals, func(_ *coder, run int) error {
		for at := begin(run); at < begin(run+1); at++ {
			own.Places[at] = own.Places[at].Shifted(shifts[run*slices+int(x.cut.Slice[words[at]])])
		}
		return nil
	})
}

// beginBlobs begins the blobs of what a part changed in a round.
func (x *wholeRows) beginBlobs(p *held, round int) {
	id := x.o.Job.BlobID(blob.Changes, round, p.Number)
	for i := range x.encoders {
		x.encoders[i].Begin(make([]byte, 0, p.size+p.size/8), id(i))
	}
}

// encode writes the changes of a word, and adds them to its dense row, if it has one,
// in a model that is ahead with the part.
func (x *wholeRows) encode(e *blob.Encoder, w uint32, changes []counts.Change, ahead bool, totals []uint64) {
	e.Changes(w, changes)
	if !ahead {
		return
	}
	if row := x.model.DenseRow(int(w), nil); row != nil {
		rows.AddDense(row, changes, 1, totals)
	}
}

// encodeByTopic is encode for changes by topic.
func (x *wholeRows) encodeByTopic(e *blob.Encoder, w uint32, delta []int32, ahead bool, totals []uint64) {
	var row []int32
	if ahead {
		row = x.model.DenseRow(int(w), nil)
	}
	e.ChangesByTopic(w, delta, row, totals)
}

// endBlobs returns the blobs that beginBlobs began.
func (x *wholeRows) endBlobs() [][]byte {
	blobs := make([][]byte, len(x.encoders))
	for i := range blobs {
		blobs[i] = x.encoders[i].Finish()
	}
	return blobs
}
