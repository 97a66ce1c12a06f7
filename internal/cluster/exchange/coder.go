package exchange

import (
	"context"
	"math"
	"sort"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/parallel"
)

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

// next appends an empty change set for a round to recent and returns it. It reuses the oldest if there are enough.
func (p *held) next(staleness, round, words, topics int) *rows.Own {
	var own *rows.Own
	if len(p.recent) < staleness {
		own = rows.NewOwn(words, topics)
	} else {
		own, p.recent = p.recent[0], p.recent[1:]
		own.Clear()
	}
	p.recent = append(p.recent, own)
	p.recentTo = round
	return own
}

// recall fills recent with the changes of the part that its model does not have yet.
func (x *core) recall(p *held) error {
	if p.recentTo == p.Round {
		return nil
	}
	j := x.o.Job
	if err := x.Flush(x.ctx); err != nil { // some may be on their way
		return err
	}
	p.recent = nil
	for round := max(p.Round-j.Staleness, 0) + 1; round <= p.Round; round++ {
		changes := rows.NewOwn(x.placed(p), j.Topics)
		if x.o.Takes(p.Number, round) {
			blobs, err := j.GetChanges(x.ctx, round, p.Number)
			if err != nil {
				return err
			}
			if err := changes.Read(blobs, p.place, j.BlobID(blob.Changes, round, p.Number)); err != nil {
				return protocol.Damaged(j.Key.Changes(0, round, p.Number), err)
			}
		}
		p.recent = append(p.recent, changes)
	}
	p.recentTo = p.Round
	return nil
}

// noteProgress notes and returns the last round that all parts of this worker have told of.
func (x *core) noteProgress() (told int) {
	told = math.MaxInt
	for _, p := range x.parts {
		told = min(told, p.Told)
	}
	x.o.Progress.Set(told)
	return told
}

// placed returns how many words' places in blobs are kept with the changes of a part.
func (x *core) placed(p *held) int {
	if x.o.Job.Apart {
		return 0
	}
	return len(p.part.Words())
}
