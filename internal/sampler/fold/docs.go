package fold

import (
	"context"
	"io"

	"github.com/topoi-lda/topoi/internal/conveyor"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/parallel"
)

// someDocs are documents that one goroutine folds.
type someDocs struct {
	first, last int
	foldResult
}

// eachDoc folds documents one by one. While emit takes some, other goroutines go on with the next ones.
func (f *Fold) eachDoc(ctx context.Context, offsets []uint64, words []uint32,
	fold func(worker int, dst []counts.Entry, doc []uint32) []counts.Entry, emit func(doc int, sums []counts.Entry) error,
) error {
	const tokens = 1 << 13 // in someDocs, if a document has fewer
	n, next := len(offsets)-1, 0
	c := conveyor.Conveyor[*someDocs]{
		Threads: parallel.Workers(f.Threads, min(n, len(words)/tokens+1)),
		Fill: func(s *someDocs) error {
			if next == n {
				return io.EOF
			}
			s.first, s.last = next, next+1
			for s.last < n && offsets[s.last+1]-offsets[s.first] <= tokens {
				s.last++
			}
			next = s.last
			return nil
		},
		Work: func(worker int, s *someDocs) error {
			s.ends, s.sums = s.ends[:0], s.sums[:0]
			for d := s.first; d < s.last; d++ {
				s.sums = fold(worker, s.sums, words[offsets[d]:offsets[d+1]])
				s.ends = append(s.ends, len(s.sums))
			}
			return nil
		},
		Drain: func(s *someDocs) error { return s.emit(s.first, emit) },
	}
	for range 4 * c.Threads {
		c.Jobs = append(c.Jobs, new(someDocs))
	}
	return c.Run(ctx)
}
