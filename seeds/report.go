package seeds

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/topic"
)

// Outcome describes a seeded topic after training.
type Outcome struct {
	Topic int
	Name  string
	Share float64 // share of the topic's tokens that are seed words
	Seeds int     // number of seed words in the corpus
	Top   int     // number of them among the TopWords most frequent words of the topic
}

// TopWords is the number of a topic's words that Outcome.Top considers.
const TopWords = 20

// RanAway reports whether the topic is about other words than its seeds: less than half of the seeds, or of
// TopWords if there are more, are among its most frequent words.
func (o Outcome) RanAway() bool { return 2*o.Top < min(o.Seeds, TopWords) }

// Outcomes describes the seeded topics of a model after training.
func (s *Seeded) Outcomes(m *topoi.Model) []Outcome {
	topics := make([]int, len(s.Topics))
	for i := range topics {
		topics[i] = i
	}
	var list []Outcome
	for k, column := range m.Columns(topics) {
		o := Outcome{Topic: k, Name: s.Topics[k].Name, Seeds: len(s.Found[k])}
		slices.SortStableFunc(column, func(a, b topic.WordCount) int { return cmp.Compare(b.Count, a.Count) })
		tokens, of := uint64(0), uint64(0)
		for i, e := range column {
			n := uint64(e.Count - counts.CountIn(m.PseudoCounts().Row(int(e.Word)), uint32(k)))
			tokens += n
			if _, seed := slices.BinarySearch(s.Found[k], e.Word); seed {
				of += n
				if i < TopWords {
					o.Top++
				}
			}
		}
		if tokens > 0 {
			o.Share = float64(of) / float64(tokens)
		}
		list = append(list, o)
	}
	return list
}

// Suggest proposes n seed words for every label of a labelled corpus, with labels in alphabetical order.
// They are the words w with the largest
//
//	tf-idf = log(1 + n_lw) · log(L / l_w)
//
// where n_lw is how often w occurs in documents with label l, and l_w in how many of the L labels it
// occurs. A word that occurs with every label is never proposed.
func Suggest(c *corpus.Corpus, n int) []Topic {
	used := map[string]map[uint32]int{} // how often words occur, by label
	for d := range c.NumDocs() {
		label := c.Label(d)
		if label == "" {
			continue
		}
		if used[label] == nil {
			used[label] = map[uint32]int{}
		}
		for _, w := range c.Doc(d) {
			used[label][w]++
		}
	}
	in := map[uint32]int{} // in how many labels a word occurs
	for _, words := range used {
		for w := range words {
			in[w]++
		}
	}
	labels := slices.Sorted(maps.Keys(used))
	var list []Topic
	for _, label := range labels {
		if words := best(used[label], in, len(labels), n); len(words) > 0 {
			t := Topic{Name: label}
			for _, w := range words {
				t.Words = append(t.Words, Word{Pattern: c.Words().At(int(w))})
			}
			list = append(list, t)
		}
	}
	return list
}

// best returns the n words of a label with the largest tf-idf.
func best(counts map[uint32]int, in map[uint32]int, labels, n int) []uint32 {
	score := map[uint32]float64{}
	var words []uint32
	for w, count := range counts {
		if score[w] = math.Log1p(float64(count)) * math.Log(float64(labels)/float64(in[w])); score[w] > 0 {
			words = append(words, w)
		}
	}
	slices.SortFunc(words, func(a, b uint32) int { return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(a, b)) })
	return words[:min(n, len(words))]
}
