package fold

import (
	"context"
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/foldin"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// runSparse is Run for very many topics: a draw weighs the topics of the document one by one, those of the word and
// all others in sums made beforehand. A token has the words 2i and 2i+1 of its document's random words of a sweep.
func (f *Fold) runSparse(ctx context.Context, offsets []uint64, words []uint32, emit func(doc int, sums []counts.Entry) error) error {
	table := foldin.NewTable(foldin.Model{
		Rows: f.Rows, Totals: f.Totals, Alpha: f.Priors.Alpha, Beta: f.Priors.Beta, V: f.V,
	}, words)
	folders := make([]sparseFolder, f.Threads)
	for i := range folders {
		folders[i] = sparseFolder{f: f, chain: foldin.NewChain(table)}
	}
	return f.eachDoc(ctx, offsets, words, func(worker int, dst []counts.Entry, doc []uint32) []counts.Entry {
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
