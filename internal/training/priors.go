package training

import (
	"context"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/hyper"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Priors holds the priors of a run and estimates them from its counts.
type Priors struct {
	Now        *sampler.Priors   // after the last estimation; never changed in place
	Labels     *prior.Labels     // the topics of documents' labels; nil without labels
	Regression *prior.Regression // on columns of documents; nil without columns

	Every, BurnIn int            // iterations between estimations, and before the first; Every ≤ 0: never
	Rarer         bool           // estimations become rarer: see Due
	HDP           bool           // draw α of a hierarchical Dirichlet process
	Symmetric     bool           // keep α equal for all topics
	Seed          uint64         // of draws
	Words         int            // V
	Length        float64        // mean number of tokens in a training document
	Pseudo        *counts.Pseudo // nil without pseudo-counts
	Threads       int

	pseudo *counts.Histograms // of Pseudo; nil until needed
}

// Begin sets the priors with which a run begins.
func (p *Priors) Begin(topics int, alphaSum, beta float64) {
	p.Now = &sampler.Priors{Alpha: make([]float64, topics), Beta: beta}
	for k := range p.Now.Alpha {
		p.Now.Alpha[k] = alphaSum / float64(topics)
	}
}

// Resume sets the priors of a saved state. lambda is nil if these do not depend on columns.
func (p *Priors) Resume(alpha []float64, beta float64, lambda [][]float64) {
	p.Now = &sampler.Priors{Alpha: alpha, Beta: beta}
	if p.Regression != nil && lambda != nil {
		p.Regression.Lambda = lambda
	}
	p.SetGroups()
}

// Columns returns a copy of the present regression, or nil if priors do not depend on columns.
func (p *Priors) Columns() *prior.Columns {
	if p.Regression == nil {
		return nil
	}
	now := *p.Regression.Columns
	return &now
}

// Describe sets what a problem says about groups of documents, if there are groups.
func (p *Priors) Describe(problem *sampler.Problem) {
	switch {
	case p.Labels != nil:
		problem.Groups, problem.Few = p.Labels.Groups, true
		problem.GroupsOf = func(now *sampler.Priors) []sampler.Group { return p.Labels.Of(now.Alpha) }
	case p.Regression != nil:
		problem.Groups, problem.Rows = p.Regression.Of, p.Regression.Rows()
		problem.GroupsOf = func(now *sampler.Priors) []sampler.Group { return p.Regression.GroupsOf(now.Lambda) }
	}
}

// SetGroups sets the priors of all groups of documents, if there are groups.
func (p *Priors) SetGroups() {
	switch {
	case p.Labels != nil:
		p.Now.Groups = p.Labels.Of(p.Now.Alpha)
	case p.Regression != nil:
		p.Now.Groups, p.Now.Lambda = p.Regression.Priors(), p.Regression.Lambda
	}
}

// Large reports whether a corpus is so large that an estimation of its priors takes longer than a sweep on a GPU. Its
// priors change little after the first sweeps.
func Large(docs *corpus.Corpus) bool { return docs.NumTokens() >= 1<<25 }

// Due reports whether the priors are estimated after an iteration. If Rarer is set, the number of iterations between
// estimations doubles whenever the run becomes twice as long, from 200 iterations on.
func (p *Priors) Due(iteration int) bool {
	every := p.Every
	for length := 200; p.Rarer && iteration > length; length *= 2 {
		every *= 2
	}
	return every > 0 && iteration > p.BurnIn && iteration%every == 0
}

// Learn estimates the priors from the counts after an iteration: β beside α, for which a device may be busy.
func (p *Priors) Learn(iteration int, h *counts.Histograms) (err error) {
	was := p.Now
	next := &sampler.Priors{Alpha: was.Alpha, Groups: was.Groups}
	_ = parallel.Do(context.Background(), p.Threads, 2, func(_, task int) {
		switch {
		case task == 0: // whose sums cannot be shared
			next.Beta = hyper.Beta(was.Beta, h, p.Words)
		case p.Regression != nil:
			next.Alpha, next.Groups, err = p.Regression.Learn(h)
			next.Lambda = p.Regression.Lambda
		case p.Labels != nil: // documents with one label say nothing about α
		case p.HDP:
			draw := hyper.HDP{
				Key: rng.NewKey(p.Seed), Iteration: uint32(iteration), Gamma: 1,
				Tables: sampler.ForTables, Weights: sampler.ForWeights, Threads: p.Threads,
			}
			next.Alpha = draw.Alpha(was.Alpha, h, p.Length)
		case p.Symmetric:
			next.Alpha = hyper.LearnSymmetric(was.Alpha, h, p.Length)
		default:
			next.Alpha = hyper.Learn(was.Alpha, h, p.Length, p.Threads)
		}
	})
	if err == nil {
		p.Now = next
	}
	return err
}

// LogLikelihoods returns the joint log p(w, z | α, β) and its part log p(w | z, β), in nats. Both are about the tokens
// of the corpus given the pseudo-counts.
func (p *Priors) LogLikelihoods(h *counts.Histograms) (joint, words float64, err error) {
	joint, words = hyper.LogLikelihoods(h, p.Now.Alpha, p.Now.Beta, p.Words, p.Threads)
	if p.Pseudo != nil {
		if p.pseudo == nil {
			p.pseudo = counts.HistogramsOf(p.Pseudo)
		}
		_, pseudo := hyper.LogLikelihoods(p.pseudo, nil, p.Now.Beta, p.Words, p.Threads)
		joint, words = joint-pseudo, words-pseudo
	}
	if p.Labels != nil || p.Regression != nil {
		groups := p.Now.Groups
		if groups == nil { // a device has them
			groups = p.Regression.GroupsOf(p.Now.Lambda)
		}
		bins, err := h.Bins()
		if err != nil {
			return 0, 0, err
		}
		joint = words + prior.DocTerms(bins, len(p.Now.Alpha), groups)
	}
	return joint, words, nil
}
