package topoi

import (
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/hyper"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/topics"
	"github.com/topoi-lda/topoi/topic"
)

// labelled is the prior of a run with PriorLabels.
type labelled struct{ *prior.Labels }

// groupsOfDocs returns the group of each document; nil where all have the same prior.
func (r *run) groupsOfDocs() []uint32 {
	switch {
	case r.labels != nil:
		return r.labels.Groups
	case r.regression != nil:
		return r.regression.of
	}
	return nil
}

// groupPriors returns the priors of all groups of documents; nil where there are none.
func (r *run) groupPriors() []sampler.Group {
	switch {
	case r.labels != nil:
		return r.labels.Of(r.priors.Alpha)
	case r.regression != nil:
		return r.regression.priors()
	}
	return nil
}

// readLabels finds the labels of the training documents, and the number of topics that follows.
func (r *run) readLabels() error {
	if r.opts.Prior != PriorLabels {
		return nil
	}
	labels, err := prior.NewLabels(r.docs.NumDocs(), r.docs.Label, r.opts.Free)
	if err != nil {
		return err
	}
	r.labels, r.opts.Topics = &labelled{labels}, labels.Topics
	return nil
}

// startLabels returns the state that a run with labels begins with: every token has a topic that its document may have.
func (r *run) startLabels() *checkpoint {
	p := &sampler.Problem{Offsets: rebase(r.docs.Offsets()), Groups: r.labels.Groups, Seed: r.opts.Seed}
	z := sampler.StartInGroups(p, r.labels.Of(r.priors.Alpha))
	return &checkpoint{Options: r.record, Alpha: slices.Clone(r.priors.Alpha), Beta: r.priors.Beta, Topics: topics.List{Wide: z}, Given: true}
}

// keepAlpha learns β alone. Documents with one label say nothing about α.
func keepAlpha(alpha []float64, beta float64, h *counts.Histograms, vocabulary int, _ float64, _ int) (nextAlpha []float64, nextBeta float64) {
	return alpha, hyper.Beta(beta, h, vocabulary)
}

// groupTerm returns what the joint likelihood has more because documents have groups.
func (r *run) groupTerm() float64 {
	if r.labels == nil {
		return 0
	}
	offsets := r.docs.Offsets()
	same := prior.DocTerm([]sampler.Group{{Alpha: r.priors.Alpha}}, make([]uint32, r.docs.NumDocs()), offsets)
	return prior.DocTerm(r.priors.Groups, r.labels.Groups, offsets) - same
}

// nameTopics gives the topics of labels their names.
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
