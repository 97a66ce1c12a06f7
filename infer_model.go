package topoi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/topoi-lda/topoi/analysis/eval"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/hyper"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/fold"
	"github.com/topoi-lda/topoi/topic"
)

// Infer finds the topics of documents that the model was not trained on. It calls emit for each document,
// in order; the value is valid until emit returns. The documents must have the model's vocabulary: read
// them with the options of [Model.ImportOptions]. The result for a document depends only on the model, its
// words, the number of iterations and, for draws, the seed; with the prior "covariates" also on its columns.
func (m *Model) Infer(ctx context.Context, docs *corpus.Corpus, opts InferOptions, emit func(*DocTopics) error) error {
	if m.byColumns(docs) {
		return m.inferGroups(ctx, docs, opts, emit)
	}
	return m.infer(ctx, m.Alpha(), docs, opts, emit, runFold)
}

// infer checks documents and options. It lets run draw topics with the prior alpha, and emits what run adds.
func (m *Model) infer(ctx context.Context, alpha []float64, docs *corpus.Corpus, opts InferOptions,
	emit func(*DocTopics) error, run folding,
) error {
	if err := opts.Validate(); err != nil {
		return err
	}
	if m.of != nil {
		m = m.of
	}
	opts = opts.withDefaults()
	if err := m.fit(docs); err != nil {
		return err
	}
	const mostTop = fold.MostTop
	fold := &fold.Fold{
		Offsets: sampler.Rebase(docs.PieceOffsets()), Words: docs.Tokens(),
		Rows: m, Totals: m.TopicTotals(), Priors: sampler.Priors{Alpha: alpha, Beta: m.Beta()}, V: m.NumWords(),
		Seed: opts.Seed, Threads: opts.Threads, Sweeps: opts.Iterations, Skip: opts.BurnIn,
	}
	batch := &inferred{
		counted: float64(fold.Parts()), alpha: alpha, sum: prior.Sum(alpha), docs: docs, opts: opts,
		emit: emit,
	}
	add := batch.add
	if len(fold.Offsets) != docs.NumDocs()+1 {
		batch.pieces, batch.ends, add = fold.Offsets, sampler.Rebase(docs.Offsets()), batch.addPiece
	} else if opts.Top <= mostTop {
		fold.Top, fold.AlphaSum = opts.Top, batch.sum
	}
	if err := run(ctx, fold, opts, add); err != nil {
		return err
	}
	return batch.flush()
}

// fit returns an error if the model is closed, or if documents are closed or have another vocabulary.
func (m *Model) fit(docs *corpus.Corpus) error {
	if err := m.open(); err != nil {
		return err
	}
	if _, err := usable(docs); err != nil {
		return err
	}
	if !docs.Words().Equal(m.Words()) {
		return errors.New("the documents have other words than the model, or number them in another way: " +
			"read them with the options of Model.ImportOptions")
	}
	return nil
}

// InferText finds the topics of one text. It cuts the text into words as the training documents were cut,
// and gives the result that [Model.Infer] gives for the same text in a file.
func (m *Model) InferText(ctx context.Context, text string, opts InferOptions) (*DocTopics, error) {
	return m.inferOne(ctx, opts, func(e *corpus.Encoder) corpus.Encoded { return e.Cut([]byte(text)) })
}

// InferTokens finds the topics of one document that is already cut into words, by the caller's own tokenizer. Words are
// compared with the vocabulary as they are; those that the model has never seen are left out.
func (m *Model) InferTokens(ctx context.Context, tokens []string, opts InferOptions) (*DocTopics, error) {
	words := make([][]byte, len(tokens))
	for i, token := range tokens {
		words[i] = []byte(token)
	}
	return m.inferOne(ctx, opts, func(e *corpus.Encoder) (out corpus.Encoded) {
		out.Words, out.Unknown = e.Tokens(words)
		return out
	})
}

// inferOne finds the topics of the document that encode returns.
func (m *Model) inferOne(ctx context.Context, opts InferOptions, encode func(e *corpus.Encoder) corpus.Encoded,
) (*DocTopics, error) {
	if err := m.open(); err != nil {
		return nil, err
	}
	docs, err := m.texts.encode(encode, m.ImportOptions)
	if err != nil {
		return nil, err
	}
	var found *DocTopics
	err = m.Infer(ctx, docs, opts, func(d *DocTopics) error {
		found = d
		return nil
	})
	return found, err
}

// ImportOptions returns options with which [corpus.Load] and [corpus.Import] treat new input as the
// training documents were treated: they cut it into words by the same text options and number the words by
// the model's vocabulary. Words that the model has never seen are left out and counted in the report.
func (m *Model) ImportOptions() (corpus.ImportOptions, error) {
	if err := m.open(); err != nil {
		return corpus.ImportOptions{}, err
	}
	o := corpus.ImportOptions{Vocabulary: m.has.Words}
	if len(m.manifest.Pipeline) > 0 {
		if err := json.Unmarshal(m.manifest.Pipeline, &o.Text); err != nil {
			return o, fmt.Errorf("the text options of the model cannot be read: %w", err)
		}
	}
	return o, nil
}

// byColumns reports whether the model's prior depends on columns and docs has columns.
func (m *Model) byColumns(docs *corpus.Corpus) bool {
	return m.manifest.Covariates != nil && len(docs.Columns()) > 0
}

// EachPrior groups documents by their prior and calls f once for each group, with a model whose Alpha is
// the prior of that group. numbers are the group's document numbers in docs. There is a single group if the
// model was trained without the prior "covariates", or if docs has no columns.
func (m *Model) EachPrior(docs *corpus.Corpus, f func(m eval.Model, docs *corpus.Corpus,
	numbers []uint32) error,
) error {
	if m.of != nil {
		m = m.of
	}
	if err := m.open(); err != nil {
		return err
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
		if err := f(&learned{&has, m.beta, m.draws, m.closed}, docs.Select(lists[g]), lists[g]); err != nil {
			return err
		}
	}
	return nil
}

// inferGroups is Infer for documents whose prior depends on their columns.
func (m *Model) inferGroups(ctx context.Context, docs *corpus.Corpus, opts InferOptions,
	emit func(*DocTopics) error,
) error {
	results, done, progress := make([]DocTopics, docs.NumDocs()), 0, opts.Progress
	opts.Progress = nil
	err := m.EachPrior(docs, func(with eval.Model, group *corpus.Corpus, numbers []uint32) error {
		keep := func(d *DocTopics) error {
			number := int(numbers[d.Doc])
			results[number] = *d
			results[number].Doc, results[number].Topics = number, slices.Clone(d.Topics)
			return nil
		}
		err := m.infer(ctx, with.Alpha(), group, opts, keep, runFold)
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

// Inferrer keeps a GPU open for inference with any number of models. It is meant for servers, which infer a
// few documents at a time. It is safe for use by many goroutines; their calls run one after the other.
type Inferrer struct {
	where engine.Where

	mu  sync.Mutex
	gpu *device.Device // nil after a failed call; the next call opens it again
}

// NewInferrer opens the GPU with the given name, "cuda" or "cuda:N". It uses at most memory bytes of the
// GPU's memory; 0 means all that is free.
func NewInferrer(name string, memory int64) (*Inferrer, error) {
	i := &Inferrer{where: where(name, memory)}
	if !i.where.Asked() || where(name, 0).Validate() != nil {
		return nil, fmt.Errorf("the device %q is not a GPU: use cuda or cuda:N", name)
	}
	if err := i.where.Validate(); err != nil {
		return nil, err
	}
	if err := i.ready(); err != nil {
		return nil, err
	}
	return i, nil
}

// ready opens the GPU if it is not open.
func (i *Inferrer) ready() error {
	if i.gpu != nil {
		return nil
	}
	_, _, err := i.where.Place(true, func(d *device.Device, _ string) error {
		i.gpu = d
		return nil
	})
	return err
}

// Infer does the same as [Model.Infer] of m, on the GPU. Results are the same. Device and DeviceMemory of the
// options are ignored. Documents whose columns determine their prior are left to the CPU. After an error the
// next call opens the GPU again, so that a GPU that has recovered is used again.
func (i *Inferrer) Infer(ctx context.Context, m *Model, docs *corpus.Corpus, opts InferOptions,
	emit func(*DocTopics) error,
) error {
	if opts.Device, opts.DeviceMemory = "cuda", 0; m.byColumns(docs) {
		opts.Device = "cpu"
		return m.Infer(ctx, docs, opts, emit)
	}
	return m.infer(ctx, m.Alpha(), docs, opts, emit, func(ctx context.Context, fold *fold.Fold, _ InferOptions,
		add func(int, []topic.Count) error,
	) error {
		i.mu.Lock()
		defer i.mu.Unlock()
		if err := i.ready(); err != nil {
			return err
		}
		err := fold.RunOn(ctx, i.gpu, add)
		if err != nil && ctx.Err() == nil {
			_ = i.gpu.Close() // a lost device cannot be closed properly; ignore that second fault
			i.gpu = nil
		}
		return err
	})
}

// Name returns the product name of the GPU, or "" while it is not open.
func (i *Inferrer) Name() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.gpu == nil {
		return ""
	}
	return i.gpu.Name()
}

// Close releases the GPU.
func (i *Inferrer) Close() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.gpu == nil {
		return nil
	}
	err := i.gpu.Close()
	i.gpu = nil
	return err
}
