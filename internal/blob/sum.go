package blob

import (
	"fmt"
	"math"

	"github.com/topoi-lda/topoi/internal/counts"
)

// Summer adds up blobs. It keeps its tables (13 bytes a topic) between calls, and belongs to one goroutine.
type Summer struct {
	encoder Encoder
	sum     []int64  // [K] 0 outside a row
	touched topicSet // topics of the current row
	sources []*Decoder
	counts  []counts.Entry
	changes []counts.Change
}

// Apply appends to dst a blob of counts: the sum of base, which may be nil, and the changes. It reads the
// blobs to their ends. After an error dst is unchanged.
//
// With L entries in B blobs of R rows altogether it takes O(L + R log B) time.
func (s *Summer) Apply(dst []byte, id ID, base *Decoder, changes []Decoder) ([]byte, error) {
	if id.Kind != Counts {
		panic("blob: Apply makes a blob of counts")
	}
	sources := s.sources[:0]
	if base != nil {
		sources = append(sources, base)
	}
	return s.add(dst, id, sources, changes, func(word uint32) error {
		s.counts = s.counts[:0]
		fault := error(nil)
		s.touched.drain(func(k uint32) {
			n := s.sum[k]
			s.sum[k] = 0
			switch {
			case n < 0 || n > math.MaxUint32:
				fault = fmt.Errorf("%w: the changes do not belong to these counts: word %d would be %d times in topic %d", ErrIdentity, word, n, k)
			case n > 0:
				s.counts = append(s.counts, counts.Entry{Topic: k, Count: uint32(n)})
			}
		})
		s.encoder.Counts(word, s.counts)
		return fault
	})
}

// Merge appends to dst a blob of the sum of changes, which it reads to their ends. After an error dst is unchanged.
func (s *Summer) Merge(dst []byte, id ID, changes []Decoder) ([]byte, error) {
	if id.Kind != Changes {
		panic("blob: Merge makes a blob of changes")
	}
	return s.add(dst, id, s.sources[:0], changes, func(word uint32) error {
		s.changes = s.changes[:0]
		fault := error(nil)
		s.touched.drain(func(k uint32) {
			n := s.sum[k]
			s.sum[k] = 0
			switch {
			case n < math.MinInt32 || n > math.MaxInt32:
				fault = fmt.Errorf("%w: the changes of word %d in topic %d sum to %d, which is out of range",
					ErrDamaged, word, k, n)
			case n != 0:
				s.changes = append(s.changes, counts.Change{Topic: k, Delta: int32(n)})
			}
		})
		s.encoder.Changes(word, s.changes)
		return fault
	})
}

// add goes through the words of all sources in increasing order. For each it sums the rows into sum and
// touched and calls emit.
func (s *Summer) add(dst []byte, id ID, sources []*Decoder, changes []Decoder,
	emit func(word uint32) error,
) ([]byte, error) {
	for i := range changes {
		sources = append(sources, &changes[i])
	}
	s.sources = sources
	defer clear(sources) // keep no blob alive
	if len(s.sum) != int(id.Topics) {
		s.sum = make([]int64, id.Topics)
	}
	s.touched.resize(int(id.Topics))
	s.encoder.Begin(dst, id)
	queue, err := newQueue(sources)
	for err == nil && len(queue) > 0 {
		word := queue[0].Word()
		for err == nil && len(queue) > 0 && queue[0].Word() == word {
			s.take(queue[0])
			err = queue.advance()
		}
		if fault := emit(word); err == nil {
			err = fault
		}
	}
	if err != nil {
		return dst, err
	}
	return s.encoder.Finish(), nil
}

// take adds the current row of d.
func (s *Summer) take(d *Decoder) {
	if d.Topics > uint32(len(s.sum)) {
		panic("blob: a sum of blobs of different numbers of topics")
	}
	if d.Kind == Counts {
		s.counts = d.Counts(s.counts[:0])
		for _, x := range s.counts {
			s.sum[x.Topic] += int64(x.Count)
			s.touched.add(x.Topic)
		}
		return
	}
	s.changes = d.Changes(s.changes[:0])
	for _, x := range s.changes {
		s.sum[x.Topic] += int64(x.Delta)
		s.touched.add(x.Topic)
	}
}

// queue is a heap of decoders that have a current row, smallest word first.
type queue []*Decoder

// newQueue moves every source to its first row.
func newQueue(sources []*Decoder) (queue, error) {
	q := make(queue, 0, len(sources))
	for _, d := range sources {
		if d.Next() {
			q = append(q, d)
		} else if d.Err() != nil {
			return nil, d.Err()
		}
	}
	for i := len(q)/2 - 1; i >= 0; i-- {
		q.down(i)
	}
	return q, nil
}

// advance moves the first source to its next row.
func (q *queue) advance() error {
	d := (*q)[0]
	if !d.Next() {
		last := len(*q) - 1
		(*q)[0] = (*q)[last]
		*q = (*q)[:last]
	}
	q.down(0)
	return d.Err()
}

// down restores the order of the heap below place i.
func (q queue) down(i int) {
	for {
		least := i
		for c := 2*i + 1; c <= 2*i+2 && c < len(q); c++ {
			if q[c].Word() < q[least].Word() {
				least = c
			}
		}
		if least == i {
			return
		}
		q[i], q[least] = q[least], q[i]
		i = least
	}
}
