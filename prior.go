package topoi

import (
	"slices"

	"github.com/topoi-lda/topoi/effects"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/hyper"
	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/topics"
	"github.com/topoi-lda/topoi/topic"
)

// Values of Options.Prior.
const (
	PriorHDP    = "hdp"    // a hierarchical Dirichlet process finds the number of topics
	PriorLabels = "labels" // the topics of a document are those of its labels

	PriorCovariates = "covariates" // the topics of a document depend on its columns
)

// Priors lists the values of Options.Prior.
func Priors() []string { return []string{PriorHDP, PriorLabels, PriorCovariates} }

// MaxTopicsHDP is the default of Options.Topics with PriorHDP.
const MaxTopicsHDP = 1000

// drawHDP returns the next α and β of a hierarchical Dirichlet process. See [hyper.HDP].
func (r *run) drawHDP(
	alpha []float64, beta float64, h *counts.Histograms, vocabulary int, length float64, threads int,
) (nextAlpha []float64, nextBeta float64) {
	p := hyper.HDP{
		Key: rng.NewKey(r.opts.Seed), Iteration: uint32(r.iteration), Gamma: 1,
		Tables: sampler.ForTables, Weights: sampler.ForWeights, Threads: threads,
	}
	return p.Alpha(alpha, h, length), hyper.Beta(beta, h, vocabulary)
}

// liveTopics removes topics without tokens from a model of a hierarchical Dirichlet process. It returns the
// new numbers of the others, or nil if all topics stay as they are.
func (r *run) liveTopics(m *Model) modelfile.Renumbering {
	if r.opts.Prior != PriorHDP {
		return nil
	}
	now := m.has.DropEmpty()
	m.manifest.Topics = len(m.has.Totals)
	return now
}

// groupsOfDocs returns the group of each document, or nil if all have the same prior.
func (r *run) groupsOfDocs() []uint32 {
	switch {
	case r.labels != nil:
		return r.labels.Groups
	case r.regression != nil:
		return r.regression.Of
	}
	return nil
}

// groupPriors returns the priors of all groups of documents, or nil if there are no groups.
func (r *run) groupPriors() []sampler.Group {
	switch {
	case r.labels != nil:
		return r.labels.Of(r.priors.Alpha)
	case r.regression != nil:
		return r.regression.Priors()
	}
	return nil
}

// readLabels reads the labels of the training documents. They determine the number of topics.
func (r *run) readLabels() error {
	if r.opts.Prior != PriorLabels {
		return nil
	}
	labels, err := prior.NewLabels(r.docs.NumDocs(), r.docs.Label, r.opts.Free)
	if err != nil {
		return err
	}
	r.labels, r.opts.Topics = labels, labels.Topics
	return nil
}

// startLabels returns the initial state of a run with labels: every token has a topic that its document may have.
func (r *run) startLabels() *checkpoint {
	p := &sampler.Problem{Offsets: sampler.Rebase(r.docs.Offsets()), Groups: r.labels.Groups, Seed: r.opts.Seed}
	z := sampler.StartInGroups(p, r.labels.Of(r.priors.Alpha))
	return &checkpoint{Options: r.record, Alpha: slices.Clone(r.priors.Alpha), Beta: r.priors.Beta, Topics: topics.List{Wide: z}, Given: true}
}

// keepAlpha estimates β alone. Documents with one label say nothing about α.
func keepAlpha(alpha []float64, beta float64, h *counts.Histograms, vocabulary int, _ float64, _ int) (nextAlpha []float64, nextBeta float64) {
	return alpha, hyper.Beta(beta, h, vocabulary)
}

// nameTopics sets the labels of topics to the labels of documents that they stand for.
func (r *run) nameTopics(m *Model) error {
	if r.labels == nil {
		return nil
	}
	names := map[int]string{}
	for k, name := range r.labels.Names {
		names[k] = name
	}
	return m.SetLabels(topic.Labels{Names: names})
}

// Covariates is the prior of a model that was trained with PriorCovariates. A document whose columns give
// the numbers x has
//
//	α_k = exp(λ_k0 + Σ_f λ_kf (x_f − mean_f) / scale_f)
//
// A document that lacks a value has α_k = exp(λ_k0), which is Model.Alpha.
type Covariates struct {
	Coding effects.Coding `json:"coding"` // how columns become numbers
	Names  []string       `json:"names"`  // F names of the numbers; the first is the intercept
	Mean   []float64      `json:"mean"`   // F
	Scale  []float64      `json:"scale"`  // F
	Lambda [][]float64    `json:"lambda"` // K × F
}

// readCovariates reads the columns of the training documents.
func (r *run) readCovariates() (err error) {
	if r.opts.Prior == PriorCovariates {
		r.regression, err = prior.NewRegression(r.opts.Formula, r.docs, r.opts.Topics, r.opts.AlphaSum, r.opts.Threads)
	}
	return err
}

// learnCovariates re-estimates λ and β.
func (r *run) learnCovariates() error {
	h, err := r.statistics()
	if err != nil {
		return err
	}
	alpha, groups := r.regression.Learn(h.Groups)
	r.priors = &sampler.Priors{Alpha: alpha, Beta: hyper.Beta(r.priors.Beta, h, r.corpus.NumWords()), Groups: groups}
	return nil
}

// covariates returns what model and checkpoint store, or nil without covariates.
func (r *run) covariates() *Covariates {
	if r.regression == nil {
		return nil
	}
	kept := Covariates(*r.regression.Columns)
	return &kept
}
