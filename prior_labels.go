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
	r.labels, r.opts.Topics = labels, labels.Topics
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

// countDocs returns the group of every document and the topics that it has now.
func (r *run) countDocs() ([]hyper.DocCounts, error) {
	z, err := r.engine.Topics()
	if err != nil {
		return nil, err
	}
	docs, offsets, ndk := make([]hyper.DocCounts, r.docs.NumDocs()), r.docs.Offsets(), make([]uint32, r.opts.Topics)
	for d, group := range r.groupsOfDocs() {
		doc := z.Append(nil, int(offsets[d]-offsets[0]), int(offsets[d+1]-offsets[0]))
		docs[d] = hyper.DocCounts{Group: int(group), Length: len(doc)}
		for _, k := range doc {
			ndk[k]++
		}
		for _, k := range doc {
			if ndk[k] > 0 {
				docs[d].Topics = append(docs[d].Topics, TopicCount{Topic: k, Count: ndk[k]})
				ndk[k] = 0
			}
		}
	}
	return docs, nil
}

// docTerms returns log p(z | α) of the present state, where groups of documents have priors of their own.
func (r *run) docTerms() (float64, error) {
	docs, err := r.countDocs()
	sums := make([]float64, len(r.priors.Groups))
	for g, group := range r.priors.Groups {
		sums[g] = sum(group.Alpha)
	}
	return hyper.DocTerms(docs, sums, func(g int, k uint32) float64 {
		if r.labels != nil {
			return r.priors.Alpha[k]
		}
		return r.priors.Groups[g].Alpha[k]
	}), err
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
