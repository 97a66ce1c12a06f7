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
	p.size = 0
	for _, b := range blobs {
		p.size = max(p.size, len(b))
	}
	return blobs, err
}

// collectAtOnce is collect for one goroutine.
func (s *session) collectAtOnce(p *held, round int, own *ownChanges) [][]byte {
	m := s.model
	tilted := m.tilt == p.number
	totals := m.totals
	if own != nil {
		totals = own.totals
		if s.room == nil {
			s.room = make([]int32, m.topics)
		}
	}
	id := s.o.Job.blobID(blob.Changes, round, p.number)
	for i := range s.encoders {
		s.encoders[i].Begin(make([]byte, 0, p.size+p.size/8), id(i))
	}
	p.part.ChangesByTopic(0, len(p.part.Words()), func(w uint32, changes []counts.Change) {
		e := &s.encoders[s.cut.slice[w]]
		e.Changes(w, changes)
		if own != nil {
			own.places[p.place[w]-1] = e.Place()
			own.add(changes)
		} else if row := m.denseRow(w); tilted && row != nil {
			addDense(row, changes, 1, totals)
		}
	}, func(w uint32, delta []int32) {
		var row []int32
		switch {
		case own != nil:
			row = s.room // only the totals are wanted
		case tilted:
			row = m.denseRow(w)
		}
		e := &s.encoders[s.cut.slice[w]]
		e.ChangesByTopic(w, delta, row, totals)
		if own != nil {
			own.places[p.place[w]-1] = e.Place()
		}
	})
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
