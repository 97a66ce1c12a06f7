package topoi

import (
	"cmp"
	"errors"
	"iter"
	"slices"
	"sync/atomic"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/topic"
)

// ErrClosed is wrapped by the errors of models that were closed, or whose corpus was.
var ErrClosed = errors.New("it was closed")

// learned holds what a model has learned: words, counts, α and β.
type learned struct {
	has   *modelfile.Content
	beta  float64
	draws int // see Manifest.Draws

	closed *atomic.Bool // whether the model was closed; views share it
}

// nothing is the content of closed models, whose memory maps are gone.
var nothing modelfile.Content

// content returns what was learned, or nothing once the model is closed.
func (l *learned) content() *modelfile.Content {
	if l.closed.Load() {
		return &nothing
	}
	return l.has
}

// open returns ErrClosed once the model is closed.
func (l *learned) open() error {
	if l.closed.Load() {
		return ErrClosed
	}
	return nil
}

// NumTopics returns K.
func (l *learned) NumTopics() int { return len(l.content().Totals) }

// NumWords returns V.
func (l *learned) NumWords() int { return l.content().Words.Len() }

// Words returns the vocabulary.
func (l *learned) Words() corpus.Strings { return l.content().Words }

// Alpha returns α; the slice belongs to the model.
func (l *learned) Alpha() []float64 { return l.content().Alpha }

// Beta returns β. For a model that adds up several draws, it is the sum of theirs, on the scale of [Model.Row];
// [Manifest.BetaPerDraw] is the β of one.
func (l *learned) Beta() float64 { return l.beta }

// TopicTotals returns n_k, pseudo-counts and all draws included; the slice belongs to the model.
func (l *learned) TopicTotals() []uint64 { return l.content().Totals }

// Row returns the non-zero n_wk of word w in increasing topic order, nil for a word that the model does not have; the
// slice belongs to the model. Counts include pseudo-counts, and are sums over all draws that the model adds up
// ([Manifest.Draws]), as those of [Model.TopicTotals], [WordWeight] and β are. [Manifest.PerDraw] makes means of them.
func (l *learned) Row(w int) []topic.Count { return l.content().Rows().Row(w) }

// Columns yields topics with their non-zero n_wk in increasing word order. It yields the given topics in the given
// order, or all of them if topics is nil. A slice is valid until the next one. It takes one pass
// over all counts for every 256 MB of columns, and one more.
func (l *learned) Columns(topics []int) iter.Seq2[int, []topic.WordCount] {
	return l.content().Rows().Columns(topics)
}

// AppendRow appends the non-zero n_wk of word w in increasing topic order.
func (l *learned) AppendRow(dst []topic.Count, w int) []topic.Count { return append(dst, l.Row(w)...) }

// PseudoCounts returns the pseudo-counts with which the model was trained, or nil.
func (l *learned) PseudoCounts() *topic.PseudoCounts { return l.content().Pseudo }

// TopicTokens returns the number of training tokens of every topic: TopicTotals without pseudo-counts.
func (l *learned) TopicTokens() []uint64 { return l.content().TopicTokens() }

// LargestTopics returns the n topics with the most tokens, largest first; ties are in order of topic
// number. It returns all topics if n is not positive.
func (l *learned) LargestTopics(n int) []int {
	topics := lists.Upto(l.NumTopics())
	tokens := l.TopicTokens()
	slices.SortStableFunc(topics, func(a, b int) int { return cmp.Compare(tokens[b], tokens[a]) })
	if n > 0 {
		topics = topics[:min(n, len(topics))]
	}
	return topics
}

// WordWeight describes how much a word weighs in a topic.
type WordWeight struct {
	Word  int     `json:"word"`  // id in the vocabulary
	Term  string  `json:"term"`  // the word itself
	Count uint32  `json:"count"` // n_wk, as [Model.Row] has it
	Phi   float64 `json:"phi"`   // φ_wk = (n_wk + β)/(n_k + Vβ)
}

// TopWords returns the top words of topic k, as [Model.Summary] does for many topics, and none if there is no such
// topic. It searches every row.
func (l *learned) TopWords(k, n int) []WordWeight {
	var column []topic.WordCount
	for w := range l.NumWords() {
		if c := counts.CountIn(l.Row(w), uint32(k)); c > 0 {
			column = append(column, topic.WordCount{Word: uint32(w), Count: c})
		}
	}
	return l.wordWeights(k, counts.Top(nil, column, n))
}

func (l *learned) wordWeights(k int, best []topic.WordCount) []WordWeight {
	list := make([]WordWeight, len(best))
	words := l.content().Words
	for i, e := range best {
		list[i] = WordWeight{
			Word:  int(e.Word),
			Term:  words.At(int(e.Word)),
			Count: e.Count,
			Phi:   l.phi(e.Count, k),
		}
	}
	return list
}

// phi returns φ_wk for n_wk = count. The outer conversion forbids fused
// multiply-add, so that all machines give the same bits.
func (l *learned) phi(count uint32, k int) float64 {
	return (float64(count) + l.Beta()) / (float64(l.TopicTotals()[k]) + float64(float64(l.NumWords())*l.Beta()))
}

// Phi yields each topic with its row of φ, V probabilities that sum to 1:
//
//	φ_wk = (n_wk + β)/(n_k + Vβ)
//
// It yields the given topics in the given order, or all topics if topics is nil. A row is valid until the
// next one. It needs as much time and memory as [Model.Columns], and V numbers for a row.
func (l *learned) Phi(topics []int) iter.Seq2[int, []float64] {
	return func(yield func(int, []float64) bool) {
		row := make([]float64, l.NumWords())
		for k, column := range l.Columns(topics) {
			absent := l.phi(0, k)
			for w := range row {
				row[w] = absent
			}
			for _, e := range column {
				row[e.Word] = l.phi(e.Count, k)
			}
			if !yield(k, row) {
				return
			}
		}
	}
}
