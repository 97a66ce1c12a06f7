package topoi

import (
	"cmp"
	"iter"
	"slices"
)

// TopicSummary is what a table of topics shows of one topic.
type TopicSummary struct {
	Topic  int          `json:"topic"`
	Label  string       `json:"topic_label,omitempty"` // the name that people gave it, if any
	Alpha  float64      `json:"alpha"`                 // α_k
	Tokens uint64       `json:"tokens"`                // n_k
	Share  float64      `json:"share"`                 // n_k/N, the prevalence; 0 when there are no tokens
	Words  []WordWeight `json:"words"`                 // the top words
}

// Summary describes every topic by its n top words, in topic order. With very
// many topics prefer [Model.EachSummary], which does not hold them all.
func (m *Model) Summary(n int) []TopicSummary {
	return slices.AppendSeq(make([]TopicSummary, 0, m.NumTopics()), m.EachSummary(nil, n))
}

// EachSummary describes the given topics in the given order, or all of them in
// topic order if topics is nil, by their n top words. It costs and takes what
// [Model.Columns] does.
func (m *Model) EachSummary(topics []int, n int) iter.Seq[TopicSummary] {
	return func(yield func(TopicSummary) bool) {
		tokens := m.TopicTokens()
		for k, words := range m.EachTopWords(topics, n) {
			s := TopicSummary{Topic: k, Label: m.Label(k), Alpha: m.has.Alpha[k], Tokens: tokens[k], Words: words}
			if m.manifest.Tokens > 0 {
				s.Share = float64(tokens[k]) / float64(m.manifest.Tokens)
			}
			if !yield(s) {
				return
			}
		}
	}
}

// LargestTopics returns the n topics with the most tokens, largest first, equal
// ones by number; all of them if n is not positive.
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

// DominantDocs returns for every topic the number of training documents in
// which it has the largest θ_dk, the lowest topic among equals. Documents
// without tokens are not counted.
func (m *Model) DominantDocs() ([]int, error) {
	docs, err := m.Docs()
	if err != nil {
		return nil, err
	}
	dominant := make([]int, m.NumTopics())
	counts := make([]uint32, m.NumTopics()) // n_dk of the document at hand
	prior := 0                              // the topic with the largest α: the best of those absent from a document, if absent itself
	for k, a := range m.has.Alpha {
		if a > m.has.Alpha[prior] {
			prior = k
		}
	}
	var z []uint32
	for d := range docs.NumDocs() {
		begin, end := int(docs.Offsets()[d]), int(docs.Offsets()[d+1])
		if begin == end {
			continue
		}
		z = m.AppendTopics(z[:0], begin, end)
		for _, k := range z {
			counts[k]++
		}
		best := prior
		weight := func(k int) float64 { return float64(counts[k]) + m.has.Alpha[k] }
		for _, k := range z {
			if w, b := weight(int(k)), weight(best); w > b || w == b && int(k) < best {
				best = int(k)
			}
		}
		dominant[best]++
		for _, k := range z {
			counts[k] = 0
		}
	}
	return dominant, nil
}
