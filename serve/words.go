package serve

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/topoi-lda/topoi"
)

// wordTopic says which topic a word of a document belongs to.
type wordTopic struct {
	Word  string  `json:"word"`
	Count int     `json:"count"` // in the document
	Topic int     `json:"topic"` // with the largest φ_wk θ_dk, the lowest one among equals
	Share float32 `json:"share"` // φ_wk θ_dk / Σ_j φ_wj θ_dj
}

// wordTopics returns the topics of a document's distinct words, by falling count, then by
// word. It costs K for a word.
func wordTopics(t *tools, m *topoi.Model, words []uint32, d *topoi.DocTopics) []wordTopic {
	t.theta = d.Theta(t.theta)
	list := []wordTopic{}
	for i := 0; i < len(words); {
		j := i + 1
		for j < len(words) && words[j] == words[i] {
			j++
		}
		topic, share := topicOf(m, int(words[i]), t.theta)
		list = append(list, wordTopic{Word: m.Words().At(int(words[i])), Count: j - i, Topic: topic, Share: float32(share)})
		i = j
	}
	slices.SortStableFunc(list, func(a, b wordTopic) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Word, b.Word))
	})
	return list
}

// topicOf returns the topic that a word of a document most likely has, and how likely.
// The conversions forbid fused multiply-add, so that all machines give the same bits.
func topicOf(m *topoi.Model, word int, theta []float64) (topic int, share float64) {
	row, totals := m.Row(word), m.TopicTotals()
	vbeta := float64(float64(m.NumWords()) * m.Beta())
	sum, best := 0.0, -1.0
	for k, n := range totals {
		count := m.Beta()
		if len(row) > 0 && int(row[0].Topic) == k {
			count, row = count+float64(row[0].Count), row[1:]
		}
		weight := float64(theta[k] * (count / (float64(n) + vbeta)))
		sum += weight
		if weight > best {
			topic, best = k, weight
		}
	}
	return topic, best / sum
}

// withWords puts the topics of words at the end of a document's line.
func withWords(line []byte, list []wordTopic) []byte {
	words, _ := json.Marshal(list) // strings and finite numbers always can be encoded
	line = append(line[:len(line)-len("}\n")], `,"words":`...)
	return append(append(line, words...), "}\n"...)
}
