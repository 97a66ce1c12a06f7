package topic

import (
	"iter"

	"github.com/topoi-lda/topoi/corpus"
)

// Model is a topic model as packages below analysis need it: its counts n_wk, priors and vocabulary. *topoi.Model
// implements it.
type Model interface {
	NumTopics() int        // K
	NumWords() int         // V
	Alpha() []float64      // K values α_k
	Beta() float64         // β
	TopicTotals() []uint64 // K values n_k
	Words() corpus.Strings // the vocabulary

	// AppendRow appends the non-zero n_wk of word w in increasing topic order.
	AppendRow(dst []Count, w int) []Count

	// Columns yields topics with their non-zero n_wk in increasing word order.
	Columns(topics []int) iter.Seq2[int, []WordCount]
}

// Documents is a model with the documents that it was trained on. *topoi.Model implements it.
type Documents interface {
	NumTopics() int                                 // K
	Alpha() []float64                               // K values α_k
	Docs() (*corpus.Corpus, error)                  // the training documents
	AppendTopics(dst []uint32, lo, hi int) []uint32 // topics of the training tokens lo, …, hi-1
}
