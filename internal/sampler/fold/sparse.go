package fold

import (
	"context"
	"io"
	"slices"

	"github.com/topoi-lda/topoi/internal/conveyor"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/foldin"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// runSparse is Run for very many topics: a draw weighs the topics of the document one by one, those of the word and
// all others in sums made beforehand. A token has the words 2i and 2i+1 of its document's random words of a sweep.
func (f *Fold) runSparse(ctx context.Context, emit func(doc int, sums []counts.Entry) error) error {
	table := foldin.NewTable(foldin.Model{
		Rows: f.Rows, Totals: f.Totals, Alpha: f.Priors.Alpha, Beta: f.Priors.Beta, V: f.V,
	}, f.Words)
	folders := make([]sparseFolder, f.Threads)
	for i := range folders {
		folders[i] = sparseFolder{f: f, chain: foldin.NewChain(table)}
	}
	return f.eachDoc(ctx, func(worker int, dst []counts.Entry, doc []uint32) []counts.Entry {
		return folders[worker].fold(dst, doc)
	}, emit)
}

// sparseFolder is one goroutine's scratch.
type sparseFolder struct {
	f      *Fold
	chain  *foldin.Chain
	random []uint32
}

// fold draws a document and appends its sums.
func (w *sparseFolder) fold(dst []counts.Entry, doc []uint32) []counts.Entry {
	w.chain.Load(doc)
	counter := foldCounter(doc)
	w.deal(len(doc), counter, 0)
	for i := range doc {
		w.chain.Extend(w.uniform(i))
	}
	sweeps, skip := w.f.draws()
	for sweep := range sweeps {
		w.deal(len(doc), counter, sweep+1)
		for i := range doc {
			w.chain.Resample(i, w.uniform(i))
		}
		if sweep >= skip {
			w.chain.Tally()
		}
	}
	return w.chain.Totals(dst)
}

// deal fills the random words of a sweep.
func (w *sparseFolder) deal(n int, counter uint64, sweep int) {
	size := (2*n + 3) / 4 * 4
	w.random = slices.Grow(w.random[:0], size)[:size]
	rng.NewKey(w.f.Seed).Fill(w.random, counter, uint32(sweep), uint32(sampler.ForFold))
}

// uniform returns token i's number in [0, 1).
func (w *sparseFolder) uniform(i int) float64 { return rng.Float64(w.random[2*i], w.random[2*i+1]) }

// someDocs are documents that one goroutine folds.
type someDocs struct {
	first, last int
	foldResult
}

// eachDoc folds documents one by one. While emit takes some, other goroutines go on with the next ones.
func (f *Fold) eachDoc(ctx context.Context, fold func(worker int, dst []counts.Entry, doc []uint32) []counts.Entry,
	emit func(doc int, sums []counts.Entry) error,
) error {
	const tokens = 1 << 13 // in someDocs, if a document has fewer
	offsets, words := f.Offsets, f.Words
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
