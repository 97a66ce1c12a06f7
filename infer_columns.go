package topoi

import (
	"context"
	"slices"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/eval"
	"github.com/topoi-lda/topoi/internal/hyper"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/internal/sampler/fold"
)

// byColumns reports whether the model's prior depends on columns and docs has columns.
func (m *Model) byColumns(docs *corpus.Corpus) bool {
	return m.manifest.Covariates != nil && len(docs.Columns()) > 0
}

// EachPrior groups documents by their prior and calls f once for each group, with a model whose Alpha is
// the prior of that group. numbers are the group's document numbers in docs. There is a single group if the
// model was trained without PriorCovariates, or if docs has no columns.
func (m *Model) EachPrior(docs *corpus.Corpus, f func(m eval.Model, docs *corpus.Corpus, numbers []uint32) error) error {
	if m.of != nil {
		m = m.of
	}
	if !m.byColumns(docs) {
		return f(m, docs, nil)
	}
	c := m.manifest.Covariates
	rows, of, err := (*prior.Columns)(c).Groups(docs)
	if err != nil {
		return err
	}
	lists := make([][]uint32, len(rows))
	for d, g := range of {
		lists[g] = append(lists[g], uint32(d))
	}
	for g, alpha := range (hyper.Regression{Rows: rows, Threads: 1}).Alpha(c.Lambda) {
		has := *m.has
		has.Alpha = alpha
		if err := f(&learned{&has, m.beta}, docs.Select(lists[g]), lists[g]); err != nil {
			return err
		}
	}
	return nil
}

// inferGroups is Infer for documents whose prior depends on their columns.
func (m *Model) inferGroups(ctx context.Context, docs *corpus.Corpus, opts InferOptions, emit func(*DocTopics) error) error {
	results, done, progress := make([]DocTopics, docs.NumDocs()), 0, opts.Progress
	opts.Progress = nil
	err := m.EachPrior(docs, func(with eval.Model, group *corpus.Corpus, numbers []uint32) error {
		keep := func(d *DocTopics) error {
			number := int(numbers[d.Doc])
			results[number] = *d
			results[number].Doc, results[number].Topics = number, slices.Clone(d.Topics)
			return nil
		}
		err := m.infer(with.Alpha(), group, opts, keep, func(fold *fold.Fold, opts InferOptions, add func(int, []TopicCount) error) error {
			return runFold(ctx, fold, group, opts, add)
		})
		if done += len(numbers); progress != nil {
			progress(done, docs.NumDocs())
		}
		return err
	})
	for i := range results {
		if err == nil {
			err = emit(&results[i])
		}
	}
	return err
}
