package topoi

import (
	"github.com/topoi-lda/topoi/internal/hyper"
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
	length := float64(r.docs.NumTokens()) / float64(r.docs.NumDocs())
	learn := hyper.Learn
	if r.opts.SymmetricAlpha {
		learn = hyper.LearnSymmetric
	}
	alpha, beta := learn(r.priors.Alpha, r.priors.Beta, h, r.corpus.NumWords(), length, r.opts.Threads)
	r.priors = &sampler.Priors{Alpha: alpha, Beta: beta}
	return nil
}
