package cluster

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
func (s *session) eachSlice(work func(c *coder, slice int) error) error {
	return s.share(s.o.Job.Slices, s.model.Totals, work)
}

// share calls work for the numbers below n on as many goroutines as the worker has
// threads, and adds the coders' totals to totals.
func (s *session) share(n int, totals []uint64, work func(c *coder, i int) error) error {
	if s.coders == nil {
		s.coders = make([]*coder, max(1, s.o.Threads))
		for i := range s.coders {
			s.coders[i] = &coder{totals: make([]uint64, s.o.Job.Topics)}
		}
	}
	errs := make([]error, len(s.coders))
	rows.Spread(len(s.coders), n, func(goroutine, i int) {
		if errs[goroutine] == nil {
			errs[goroutine] = work(s.coders[goroutine], i)
		}
	})
	for i, c := range s.coders {
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
func (s *session) collect(p *held, round int) ([][]byte, error) {
	if s.onDevice() {
		return s.collectDevice(p, round), nil
	}
	ahead := s.isAhead(p)
	own := s.ownOf(p, round) // nil unless the part is to see it beside the model
	var totals []uint64
	if own != nil {
		totals = own.Totals
	} else {
		totals = s.model.Totals
	}
	s.beginBlobs(p, round)
	var err error
	if s.o.Threads <= 1 {
		err = s.share(1, totals, func(c *coder, _ int) error {
			s.encodeWords(c, s.encoders, p, own, 0, len(p.part.Words()))
			return nil
		})
	} else {
		err = s.encodeTogether(p, round, own, totals)
	}
	if err != nil {
		return nil, err
	}
	blobs := s.endBlobs()
	if ahead {
		s.model.Applied = round
	}
	if own != nil {
		own.Blobs = blobs
	}
	return blobs, nil
}

// isAhead says whether the model, if there is one, is ahead with a part.
func (s *session) isAhead(p *held) bool { return s.model != nil && s.model.Ahead == p.number }

// ownOf returns what is to hold the changes of a part in a round beside the model; nil if the model
// takes them.
func (s *session) ownOf(p *held, round int) *rows.Own {
	if j := s.o.Job; j.Staleness > 0 && !s.isAhead(p) {
		return p.next(j.Staleness, round, s.placed(p), j.Topics)
	}
	return nil
}

// placed is how many words' places in blobs are kept with what a part changed.
func (s *session) placed(p *held) int {
	if s.o.Job.Apart || s.onDevice() {
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
func (s *session) encodeWords(c *coder, encoders []blob.Encoder, p *held, own *rows.Own, lo, hi int) {
	ahead := s.isAhead(p)
	if own != nil && c.room == nil {
		c.room = make([]int32, s.o.Job.Topics)
	}
	p.part.ChangesByTopic(lo, hi, func(w uint32, changes []counts.Change) {
		e := &encoders[s.cut.Slice[w]]
		s.encode(e, w, changes, ahead, c.totals)
		if own != nil {
			p.note(own, w, e)
			rows.AddTotals(c.totals, changes)
		}
	}, func(w uint32, delta []int32) {
		e := &encoders[s.cut.Slice[w]]
		if own == nil {
			s.encodeByTopic(e, w, delta, ahead, c.totals)
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
func (s *session) encodeTogether(p *held, round int, own *rows.Own, totals []uint64) error {
	id := s.o.Job.BlobID(blob.Changes, round, p.number)
	words, slices := p.part.Words(), len(s.encoders)
	runs := min(8*s.o.Threads, len(words))
	for len(s.fragments) < runs {
		s.fragments = append(s.fragments, make([]blob.Encoder, slices))
	}
	begin := func(run int) int { return len(words) * run / runs }
	err := s.share(runs, totals, func(c *coder, run int) error {
		for i := range slices {
			s.fragments[run][i].Again(id(i))
		}
		s.encodeWords(c, s.fragments[run], p, own, begin(run), begin(run+1))
		return nil
	})
	if err != nil {
		return err
	}
	shifts := make([]int, runs*slices)
	err = s.share(slices, totals, func(_ *coder, slice int) error {
		for run := range runs {
			shifts[run*slices+slice] = s.encoders[slice].Join(&s.fragments[run][slice])
		}
		return nil
	})
	if err != nil || own == nil || len(own.Places) == 0 {
		return err
	}
	return s.share(runs, totals, func(_ *coder, run int) error {
		for at := begin(run); at < begin(run+1); at++ {
			own.Places[at] = own.Places[at].Shifted(shifts[run*slices+int(s.cut.Slice[words[at]])])
		}
		return nil
	})
}

// beginBlobs begins the blobs of what a part changed in a round.
func (s *session) beginBlobs(p *held, round int) {
	id := s.o.Job.BlobID(blob.Changes, round, p.number)
	for i := range s.encoders {
		s.encoders[i].Begin(make([]byte, 0, p.size+p.size/8), id(i))
	}
}

// encode writes the changes of a word, and adds them to its dense row, if it has one,
// in a model that is ahead with the part.
func (s *session) encode(e *blob.Encoder, w uint32, changes []counts.Change, ahead bool, totals []uint64) {
	e.Changes(w, changes)
	if !ahead {
		return
	}
	if row := s.model.DenseRow(int(w), nil); row != nil {
		rows.AddDense(row, changes, 1, totals)
	}
}

// encodeByTopic is encode for changes by topic.
func (s *session) encodeByTopic(e *blob.Encoder, w uint32, delta []int32, ahead bool, totals []uint64) {
	var row []int32
	if ahead {
		row = s.model.DenseRow(int(w), nil)
	}
	e.ChangesByTopic(w, delta, row, totals)
}

// endBlobs returns the blobs that beginBlobs began.
func (s *session) endBlobs() [][]byte {
	blobs := make([][]byte, len(s.encoders))
	for i := range blobs {
		blobs[i] = s.encoders[i].Finish()
	}
	return blobs
}
