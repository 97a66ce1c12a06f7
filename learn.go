package topoi

import (
	"context"
	"math"

	"github.com/topoi-lda/topoi/internal/hyper"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// optimize re-estimates the priors when it is due.
func (r *run) optimize() error {
	interval := r.opts.OptimizeInterval
	if interval < 0 || r.iteration <= r.opts.BurnIn || r.iteration%interval != 0 {
		return nil
	}
	h, err := r.statistics()
	if err != nil {
		return err
	}
	next := &sampler.Priors{}
	_ = parallel.Do(context.Background(), r.opts.Threads, 2, func(_, task int) {
		if task == 0 { // which cannot be shared
			next.Beta = hyper.Beta(r.priors.Beta, h, r.corpus.NumWords())
			return
		}
		next.Alpha = atLeast(hyper.Alpha(r.priors.Alpha, h, r.opts.Threads), r.leastAlphaSum())
	})
	r.priors = next
	return nil
}

// leastAlphaSum is the value below which learning does not take Σα:
//
//	min(√K, mean length of the documents) / 2
//
// The estimate itself is the most likely Σα for the topics that the training documents
// have, and these have settled on fewer topics each than new documents call for, the
// more so the more topics there are: with K = 1000 the estimate ends at 3 to 6 on
// KOS, 20 Newsgroups and elife20, and held-out scores are best around 15. Very short
// documents have one topic or two whatever K is.
func (r *run) leastAlphaSum() float64 {
	length := float64(r.docs.NumTokens()) / float64(r.docs.NumDocs())
	return min(math.Sqrt(float64(r.opts.Topics)), length) / 2
}

// atLeast scales alpha up to the given sum if its own is smaller.
func atLeast(alpha []float64, least float64) []float64 {
	if has := sum(alpha); has < least {
		for k := range alpha {
			alpha[k] = float64(alpha[k] * (least / has))
		}
	}
	return alpha
}
