package cluster

import (
	"sync"
	"sync/atomic"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
)

// coder is what one goroutine needs to encode, decode and add up changes.
type coder struct {
	merger merger
	totals []uint64 // K: changes of n_k, zero at rest
}

// eachSlice calls work for every slice on as many goroutines as the worker has
// threads, and adds the coders' totals to the model's.
func (s *session) eachSlice(work func(c *coder, slice int) error) error {
	if s.coders == nil {
		s.coders = make([]*coder, max(1, min(s.o.Threads, s.o.Job.Slices)))
		for i := range s.coders {
			s.coders[i] = &coder{totals: make([]uint64, s.o.Job.Topics)}
		}
	}
	var next atomic.Int64
	var group sync.WaitGroup
	errs := make([]error, len(s.coders))
	run := func(i int) {
		for errs[i] == nil {
			slice := int(next.Add(1)) - 1
			if slice >= s.o.Job.Slices {
				return
			}
			errs[i] = work(s.coders[i], slice)
		}
	}
	for i := range s.coders[1:] {
		group.Go(func() { run(i + 1) })
	}
	run(0)
	group.Wait()
	for i, c := range s.coders {
		for k, n := range c.totals {
			s.model.totals[k] += n // modulo 2^64, as changes are
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
	tilted := s.model.tilt == p.number
	var own *ownChanges // nil unless the part is to see it beside the model
	if !tilted && s.o.Job.Staleness > 0 {
		own = p.next(s.o.Job.Staleness, round, s.o.Job.Topics)
	}
	var blobs [][]byte
	var err error
	if s.o.Threads <= 1 {
		blobs = s.collectAtOnce(p, round, own)
	} else {
		rows := &changeRows{}
		rows.collect(p.part, s.o.Threads)
		blobs, err = s.encodeRows(p, round, rows, own)
	}
	if tilted {
		s.model.applied = round
	}
	if own != nil {
		own.blobs = blobs
	}
	return blobs, err
}

// collectAtOnce is collect for one goroutine.
func (s *session) collectAtOnce(p *held, round int, own *ownChanges) [][]byte {
	tilted := s.model.tilt == p.number
	if own != nil && s.room == nil {
		s.room = make([]int32, s.model.topics)
	}
	s.beginBlobs(p, round)
	p.part.ChangesByTopic(0, len(p.part.Words()), func(w uint32, changes []counts.Change) {
		s.encode(w, changes, tilted)
		if own != nil {
			own.places[p.place[w]-1] = s.encoders[s.cut.slice[w]].Place()
			own.add(changes)
		}
	}, func(w uint32, delta []int32) {
		if own == nil {
			s.encodeByTopic(w, delta, tilted)
			return
		}
		e := &s.encoders[s.cut.slice[w]]
		e.ChangesByTopic(w, delta, s.room, own.totals) // only the totals are wanted
		own.places[p.place[w]-1] = e.Place()
	})
	return s.endBlobs()
}

// beginBlobs begins the blobs of what a part changed in a round.
func (s *session) beginBlobs(p *held, round int) {
	id := s.o.Job.blobID(blob.Changes, round, p.number)
	for i := range s.encoders {
		s.encoders[i].Begin(make([]byte, 0, p.size+p.size/8), id(i))
	}
}

// encode writes the changes of a word, and adds them to its dense row, if it has one,
// in a model that is tilted towards the part.
func (s *session) encode(w uint32, changes []counts.Change, tilted bool) {
	s.encoders[s.cut.slice[w]].Changes(w, changes)
	if row := s.model.denseRow(w); row != nil && tilted {
		addDense(row, changes, 1, s.model.totals)
	}
}

// encodeByTopic is encode for changes by topic.
func (s *session) encodeByTopic(w uint32, delta []int32, tilted bool) {
	var row []int32
	if tilted {
		row = s.model.denseRow(w)
	}
	s.encoders[s.cut.slice[w]].ChangesByTopic(w, delta, row, s.model.totals)
}

// endBlobs returns the blobs that beginBlobs began.
func (s *session) endBlobs() [][]byte {
	blobs := make([][]byte, len(s.encoders))
	for i := range blobs {
		blobs[i] = s.encoders[i].Finish()
	}
	return blobs
}

// encodeRows encodes changes slice by slice.
func (s *session) encodeRows(p *held, round int, rows *changeRows, own *ownChanges) ([][]byte, error) {
	blobs := make([][]byte, s.o.Job.Slices)
	id := s.o.Job.blobID(blob.Changes, round, p.number)
	tilted := s.model.tilt == p.number
	if own != nil {
		own.add(rows.entries)
	}
	err := s.eachSlice(func(c *coder, slice int) error {
		e := &s.encoders[slice]
		e.Begin(make([]byte, 0, p.size+p.size/8), id(slice))
		for _, w := range s.cut.words[slice] {
			at := int(p.place[w])
			if at == 0 {
				continue
			}
			changes := rows.row(at - 1)
			e.Changes(w, changes)
			if own != nil {
				own.places[at-1] = e.Place()
			} else if row := s.model.denseRow(w); tilted && row != nil {
				addDense(row, changes, 1, c.totals)
			}
		}
		blobs[slice] = e.Finish()
		return nil
	})
	return blobs, err
}
