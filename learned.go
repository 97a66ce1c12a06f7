package topoi

import (
	"cmp"
	"iter"
	"slices"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/topic"
)

// learned holds what a model has learned: words, counts, α and β.
type learned struct {
	has   *modelfile.Content
	beta  float64
	draws int // see Manifest.Draws
}

// NumTopics returns K.
func (l *learned) NumTopics() int { return len(l.has.Totals) }

// NumWords returns V.
func (l *learned) NumWords() int { return l.has.Words.Len() }

// Words returns the vocabulary.
func (l *learned) Words() corpus.Strings { return l.has.Words }

// Alpha returns α; the slice belongs to the model.
func (l *learned) Alpha() []float64 { return l.has.Alpha }

// Beta returns β.
func (l *learned) Beta() float64 { return l.beta }

// TopicTotals returns n_k, pseudo-counts included; the slice belongs to the model.
func (l *learned) TopicTotals() []uint64 { return l.has.Totals }

// Row returns the non-zero n_wk of word w, pseudo-counts included, in increasing topic order; the slice
// belongs to the model.
func (l *learned) Row(w int) []TopicCount { return l.has.Rows().Row(w) }

// Columns yields topics with their non-zero n_wk in increasing word order. It yields the given topics in the given
// order, or all of them if topics is nil. A slice is valid until the next one. See [topic.Rows.Columns].
func (l *learned) Columns(topics []int) iter.Seq2[int, []topic.WordCount] {
	return l.has.Rows().Columns(topics)
}

// AppendRow appends the non-zero n_wk of word w in increasing topic order.
func (l *learned) AppendRow(dst []TopicCount, w int) []TopicCount { return append(dst, l.Row(w)...) }

// PseudoCounts returns the pseudo-counts with which the model was trained, or nil.
func (l *learned) PseudoCounts() *PseudoCounts { return l.has.Pseudo }

// TopicTokens returns the number of training tokens of every topic: TopicTotals without pseudo-counts.
func (l *learned) TopicTokens() []uint64 { return l.has.TopicTokens() }

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

// WordWeight says how much a word weighs in a topic.
type WordWeight struct {
	Word  int     `json:"word"`  // id in the vocabulary
	Term  string  `json:"term"`  // the word itself
	Count uint32  `json:"count"` // n_wk
	Phi   float64 `json:"phi"`   // φ_wk = (n_wk + β)/(n_k + Vβ)
}

// TopWords returns the top words of topic k, as [Model.Summary] does for many topics. It searches every row.
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
	for i, e := range best {
		list[i] = WordWeight{
			Word:  int(e.Word),
			Term:  l.has.Words.At(int(e.Word)),
			Count: uint32(Manifest{Draws: l.draws}.PerDraw(uint64(e.Count))),
			Phi:   l.phi(e.Count, k),
		}
	}
	return list
}

// phi returns φ_wk for n_wk = count. The outer conversion forbids fused
// multiply-add, so that all machines give the same bits.
func (l *learned) phi(count uint32, k int) float64 {
	return (float64(count) + l.Beta()) / (float64(l.has.Totals[k]) + float64(float64(l.NumWords())*l.Beta()))
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
