package cluster

import (
	"context"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Reader reads the state of a job at a barrier. What its methods return is there
// after the Fetch of the same kind.
type Reader struct {
	ctx        context.Context
	job        *Job
	spans      []sampler.Span
	model      *rows.Model
	histograms *counts.Histograms // of the documents
	topics     []uint32           // N, corpus order
}

// NewReader returns a reader of a job whose training documents have the given word
// frequencies and parts.
func NewReader(ctx context.Context, j *Job, frequencies []uint64, spans []sampler.Span) *Reader {
	return newReader(ctx, j, rows.NewCut(frequencies, j.Slices), spans)
}

func newReader(ctx context.Context, j *Job, c *rows.Cut, spans []sampler.Span) *Reader {
	r := &Reader{ctx: ctx, job: j, spans: spans, model: rows.NewModel(c, j.Topics)}
	r.model.Round = -1
	return r
}

// FetchRows fetches the rows of all words at a barrier.
func (r *Reader) FetchRows(round int) error {
	if r.model.Round == round {
		return nil
	}
	r.model.Round = -1
	return r.job.loadRows(r.ctx, r.model, round)
}

// loadRows reads the rows of a barrier into m.
func (j *Job) loadRows(ctx context.Context, m *rows.Model, round int) error {
	names := make([]string, j.Slices)
	for i := range names {
		names[i] = j.keys.rows(i, round)
	}
	blobs, err := j.store.Get(ctx, names...)
	if err != nil {
		return err
	}
	if err := firstMissing(names, blobs); err != nil {
		return err
	}
	return m.Load(round, blobs, j.blobID(blob.Counts, round, 0), func(slice int, err error) error { return damaged(names[slice], err) })
}

// FetchHistograms fetches and adds up the documents' histograms of all parts.
func (r *Reader) FetchHistograms(round int) error {
	r.histograms = nil
	sum := &counts.Histograms{Topic: make([][]uint32, r.job.Topics)}
	for part := range r.spans {
		key := r.job.keys.histograms(part, round)
		b, err := r.job.store.Get(r.ctx, key)
		if err != nil {
			return err
		}
		if b[0] == nil {
			return missing(key)
		}
		h, err := blob.DecodeHistograms(b[0], r.job.partID(part, round), r.job.Topics)
		if err != nil {
			return damaged(key, err)
		}
		sum.Add(h)
	}
	r.histograms = sum
	return nil
}

// FetchTopics fetches the topics of all tokens.
func (r *Reader) FetchTopics(round int) error {
	r.topics = make([]uint32, r.job.Tokens)
	for part, span := range r.spans {
		key := r.job.keys.topics(part, round)
		b, err := r.job.store.Get(r.ctx, key)
		if err != nil {
			return err
		}
		if b[0] == nil {
			return missing(key)
		}
		if err := blob.DecodeTopics(r.topics[span.Begin:span.End], b[0], r.job.partID(part, round), r.job.Topics); err != nil {
			return damaged(key, err)
		}
	}
	return nil
}

// Topics implements sampler.Sampler after FetchTopics, once.
func (r *Reader) Topics(z []uint32) {
	copy(z, r.topics)
	r.topics = nil
}

// AppendRow implements sampler.Sampler after FetchRows.
func (r *Reader) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	return r.model.AppendRow(dst, w)
}

// TopicTotals implements sampler.Sampler after FetchRows.
func (r *Reader) TopicTotals() []uint64 { return append([]uint64(nil), r.model.Totals...) }

// Histograms implements sampler.Sampler after FetchRows and FetchHistograms.
func (r *Reader) Histograms() *counts.Histograms {
	h := *r.histograms
	h.TopicTotals = r.TopicTotals()
	h.WordTopic = r.model.CountCounts()
	return &h
}
