package topoi

import (
	"cmp"
	"context"
	"runtime"
	"slices"

	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/batch"
	"github.com/topoi-lda/topoi/internal/sampler/gibbs"
	"github.com/topoi-lda/topoi/topic"
)

// Prior returns the prior with which the model was trained, as Options.Prior names it, and the formula of the columns
// that it depends on: "" for a prior that depends on none.
func (m *Model) Prior() (name, formula string) {
	if c := m.manifest.Covariates; c != nil {
		return m.manifest.Options.Prior, c.Coding.Formula
	}
	if m.manifest.ShapedBy != "" {
		return "covariates", m.manifest.ShapedBy
	}
	return m.manifest.Options.Prior, ""
}

// columnlessSweeps is the number of sweeps after which topics no longer show which columns their documents have, as far
// as tests of them can tell.
const columnlessSweeps = 100

// WithoutColumns returns the training documents with topics that no column had a say in, for models trained with the
// prior "covariates". That prior draws topics towards what the columns of a document let it expect, so that shares are no
// evidence for an effect of these columns: columns of random numbers would have one too. Here all documents have the prior
// of one with mean columns, and topics are drawn again for a number of sweeps, which it returns, by the sampler
// that "auto" chooses for such models: "gibbs" for small corpora, "batch" for others. The result depends on the model
// alone. It takes as long as so many sweeps of training.
func (m *Model) WithoutColumns(ctx context.Context, threads int) (without topic.Documents, sweeps int, err error) {
	if m.of != nil {
		whole, sweeps, err := m.of.WithoutColumns(ctx, threads)
		if err != nil || m.condition == "" {
			return whole, sweeps, err
		}
		part, err := whole.(*Model).Where(ctx, m.condition)
		return part, sweeps, err
	}
	docs, z, err := m.Trained()
	if err != nil {
		return nil, 0, err
	}
	p := &sampler.Problem{
		Offsets: sampler.Rebase(docs.Offsets()), Words: docs.Tokens(), V: m.NumWords(), K: m.NumTopics(),
		Seed: m.manifest.Options.Seed, Threads: cmp.Or(threads, runtime.GOMAXPROCS(0)), Pseudo: m.PseudoCounts(),
		Tuning: sampler.Tuning(m.manifest.Options.Tuning),
	}
	priors := &sampler.Priors{Alpha: slices.Clone(m.Alpha()), Beta: m.Beta()}
	info := batch.Info
	if p.N() < sampler.GroupTokens || p.K > info.MaxK {
		info = gibbs.Info
	}
	s, err := info.Make(p)
	if err != nil {
		return nil, 0, err
	}
	if err := s.Start(z, priors); err != nil {
		return nil, 0, err
	}
	for i := range columnlessSweeps {
		if err := s.Sweep(ctx, m.manifest.Iterations+i+1, priors); err != nil {
			return nil, 0, err
		}
	}
	s.Topics(z)
	has, err := m.has.Of(ctx, docs, z)
	if err != nil {
		return nil, 0, err
	}
	return newModel(m.manifest, has, m.docs, m.stored), columnlessSweeps, nil
}

// EditedFrom returns a model that was put together of what another one holds as what that model has become: it adds up as
// many draws, if its pseudo-counts are those of the other one, and knows which columns had a say in its topics. It is for
// package guide, and takes over what it is called on.
func (m *Model) EditedFrom(old *Model, sameDraws bool) *Model {
	manifest := m.manifest
	if sameDraws {
		manifest.Draws, manifest.Options.Draws = old.manifest.Draws, old.manifest.Draws
	}
	_, manifest.ShapedBy = old.Prior()
	return newModel(manifest, m.has, m.docs, m.stored)
}
