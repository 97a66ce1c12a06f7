package topoi

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/doctopics"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/topic"
)

// TopicSummary describes one topic, as tables of topics show it.
type TopicSummary struct {
	Topic  int          `json:"topic"`
	Label  string       `json:"topic_label,omitempty"` // the name that people gave it, if any
	Alpha  float64      `json:"alpha"`                 // α_k
	Tokens uint64       `json:"tokens"`                // n_k
	Share  float64      `json:"share"`                 // n_k/N, the prevalence; 0 when there are no tokens
	Words  []WordWeight `json:"words"`                 // the top words
}

// Summary yields summaries of the given topics in the given order, or of all topics in topic order if topics is
// nil. Each has the n words with the highest n_wk; ties are in order of word id. Words that do not occur in a
// topic are left out, so there may be fewer. It needs as much time and memory as [Model.Columns].
func (m *Model) Summary(topics []int, n int) iter.Seq[TopicSummary] {
	return func(yield func(TopicSummary) bool) {
		tokens := m.TopicTokens()
		var best []topic.WordCount
		for k, column := range m.Columns(topics) {
			best = counts.Top(best[:0], column, n)
			s := TopicSummary{Topic: k, Label: m.Label(k), Alpha: m.has.Alpha[k], Tokens: tokens[k], Words: m.wordWeights(k, best)}
			if m.manifest.Tokens > 0 {
				s.Share = float64(tokens[k]) / float64(m.manifest.Tokens)
			}
			if !yield(s) {
				return
			}
		}
	}
}

// LargestTopics returns the n topics with the most tokens, largest first; ties are in order of topic
// number. It returns all topics if n is not positive.
func (m *Model) LargestTopics(n int) []int {
	topics := make([]int, m.NumTopics())
	for k := range topics {
		topics[k] = k
	}
	tokens := m.TopicTokens()
	slices.SortStableFunc(topics, func(a, b int) int { return cmp.Compare(tokens[b], tokens[a]) })
	if n > 0 {
		topics = topics[:min(n, len(topics))]
	}
	return topics
}

// DominantDocs returns for every topic the number of training documents in which it has the largest θ_dk. A
// tie counts for the lowest topic. Documents without tokens are not counted.
func (m *Model) DominantDocs() ([]int, error) {
	docs, err := m.Docs()
	if err != nil {
		return nil, err
	}
	return doctopics.Dominant(m, docs, m.has.Alpha), nil
}

// WordWeight says how much a word weighs in a topic.
type WordWeight struct {
	Word  int     `json:"word"`  // id in the vocabulary
	Term  string  `json:"term"`  // the word itself
	Count uint32  `json:"count"` // n_wk
	Phi   float64 `json:"phi"`   // φ_wk = (n_wk + β)/(n_k + Vβ)
}

// TopWords returns the top words of topic k, as [Model.Summary] does for many topics. It searches every row.
func (m *Model) TopWords(k, n int) []WordWeight {
	var column []topic.WordCount
	for w := range m.NumWords() {
		if c := counts.CountIn(m.Row(w), uint32(k)); c > 0 {
			column = append(column, topic.WordCount{Word: uint32(w), Count: c})
		}
	}
	return m.wordWeights(k, counts.Top(nil, column, n))
}

func (m *Model) wordWeights(k int, best []topic.WordCount) []WordWeight {
	list := make([]WordWeight, len(best))
	for i, e := range best {
		list[i] = WordWeight{
			Word:  int(e.Word),
			Term:  m.has.Words.At(int(e.Word)),
			Count: e.Count,
			Phi:   m.phi(e.Count, k),
		}
	}
	return list
}

// phi returns φ_wk for n_wk = count. The outer conversion forbids fused
// multiply-add, so that all machines give the same bits.
func (m *Model) phi(count uint32, k int) float64 {
	return (float64(count) + m.Beta()) / (float64(m.has.Totals[k]) + float64(float64(m.NumWords())*m.Beta()))
}

// Theta sets dst to θ_d of training document d, with one share for each of the K topics, and returns it:
//
//	θ_dk = (n_dk + α_k)/(N_d + Σα)
//
// Documents are numbered as in [Model.Docs].
func (m *Model) Theta(dst []float64, d int) ([]float64, error) {
	docs, err := m.Docs()
	if err != nil {
		return nil, err
	}
	if d < 0 || d >= docs.NumDocs() {
		return nil, fmt.Errorf("there is no document %d among %d training documents", d, docs.NumDocs())
	}
	dst = append(dst[:0], m.has.Alpha...)
	begin, end := int(docs.Offsets()[d]), int(docs.Offsets()[d+1])
	for _, k := range m.AppendTopics(nil, begin, end) {
		dst[k]++
	}
	scale := float64(end-begin) + prior.Sum(m.has.Alpha)
	for k := range dst {
		dst[k] /= scale
	}
	return dst, nil
}

// Phi yields each topic with its row of φ, V probabilities that sum to 1:
//
//	φ_wk = (n_wk + β)/(n_k + Vβ)
//
// It yields the given topics in the given order, or all topics if topics is nil. A row is valid until the
// next one. It needs as much time and memory as [Model.Columns], and V numbers for a row.
func (m *Model) Phi(topics []int) iter.Seq2[int, []float64] {
	return func(yield func(int, []float64) bool) {
		row := make([]float64, m.NumWords())
		for k, column := range m.Columns(topics) {
			absent := m.phi(0, k)
			for w := range row {
				row[w] = absent
			}
			for _, e := range column {
				row[e.Word] = m.phi(e.Count, k)
			}
			if !yield(k, row) {
				return
			}
		}
	}
}
