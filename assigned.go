package topoi

import (
	"fmt"
	"sync/atomic"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/internal/training"
)

// assigned holds what a model has learned with the documents of training and the topics of their tokens.
type assigned struct {
	learned
	docs   training.Documents         // empty for a model opened from disk
	stored *storedModel               // the directory with the arrays; nil for a model in memory
	joined atomic.Pointer[joinedDocs] // documents joined from pieces; nil if there are no pieces, or nobody has asked
}

// Docs returns the training documents. A model opened from disk opens them at the first call; only exports
// of documents need them. Documents that were cut into pieces for training are joined again.
//
// The error wraps [ErrClosed] if the model was closed, or the corpus on which it was trained in this process.
func (a *assigned) Docs() (*corpus.Corpus, error) {
	docs, err := a.trained()
	if err != nil || !docs.HasPieces() {
		return docs, err
	}
	if a.joined.Load() == nil {
		var j joinedDocs
		j.docs, j.topics = docs.JoinPieces(a.has.Topics.Append)
		a.joined.CompareAndSwap(nil, &j)
	}
	return a.joined.Load().docs, nil
}

// joinedDocs are documents joined from pieces, with z of their tokens.
type joinedDocs struct {
	docs   *corpus.Corpus
	topics []uint32
}

// trained returns the documents as training saw them, in pieces if they were cut.
func (a *assigned) trained() (*corpus.Corpus, error) {
	if err := a.open(); err != nil {
		return nil, err
	}
	if a.stored != nil {
		return a.stored.docs()
	}
	return usable(a.docs.Train)
}

// usable returns a corpus, or an error if it was closed.
func usable(c *corpus.Corpus) (*corpus.Corpus, error) {
	if c != nil && c.Closed() {
		return nil, fmt.Errorf("the corpus with the documents: %w: close it when its documents are no longer needed",
			ErrClosed)
	}
	return c, nil
}

// Topic returns z of training token i, in the order of [Model.Docs].
func (a *assigned) Topic(i int) uint32 {
	if j := a.joined.Load(); j != nil {
		return j.topics[i]
	}
	return a.content().Topics.At(i)
}

// AppendTopics appends z of the training tokens lo, …, hi-1 to dst, in the order of [Model.Docs].
// A closed model has none.
func (a *assigned) AppendTopics(dst []uint32, lo, hi int) []uint32 {
	if a.open() != nil {
		return dst
	}
	if j := a.joined.Load(); j != nil {
		return append(dst, j.topics[lo:hi]...)
	}
	return a.has.Topics.Append(dst, lo, hi)
}

// Trained returns the documents as training saw them, in pieces if they were cut, and z of their tokens.
func (a *assigned) Trained() (docs *corpus.Corpus, z []uint32, err error) {
	docs, err = a.trained()
	if err != nil {
		return nil, nil, err
	}
	return docs, a.has.Topics.Append(nil, 0, a.has.Topics.Len()), nil
}

// Heldout returns the documents that were left out of training and scored instead, or nil if there are
// none. [corpus.Corpus.Number] returns their numbers in the corpus.
func (a *assigned) Heldout() (*corpus.Corpus, error) {
	if err := a.open(); err != nil {
		return nil, err
	}
	if a.stored == nil || a.stored.heldout == nil {
		return usable(a.docs.Heldout)
	}
	return a.stored.heldout()
}

// Theta sets dst to θ_d of training document d, with one share for each of the K topics, and returns it:
//
//	θ_dk = (n_dk + α_k)/(N_d + Σα)
//
// Documents are numbered as in [Model.Docs].
func (a *assigned) Theta(dst []float64, d int) ([]float64, error) {
	docs, err := a.Docs()
	if err != nil {
		return nil, err
	}
	if d < 0 || d >= docs.NumDocs() {
		return nil, fmt.Errorf("there is no document %d among %d training documents", d, docs.NumDocs())
	}
	dst = append(dst[:0], a.has.Alpha...)
	begin, end := int(docs.Offsets()[d]), int(docs.Offsets()[d+1])
	for _, k := range a.AppendTopics(nil, begin, end) {
		dst[k]++
	}
	scale := float64(end-begin) + prior.Sum(a.has.Alpha)
	for k := range dst {
		dst[k] /= scale
	}
	return dst, nil
}
