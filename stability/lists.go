package stability

import (
	"cmp"
	"iter"
	"slices"

	"github.com/topoi-lda/topoi/compare"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/topic"
)

// Lists returns topics that are known by their top words alone, most probable first, as a
// model to be matched by compare.TopWords: what is left of a model that was not kept.
func Lists(topics [][]string) compare.Model {
	l := &lists{columns: make([][]topic.WordCount, len(topics)), totals: make([]uint64, len(topics))}
	number := map[string]uint32{}
	var words []string
	for k, list := range topics {
		for i, word := range list {
			n, known := number[word]
			if !known {
				n = uint32(len(words))
				number[word], words = n, append(words, word)
			}
			c := uint32(len(list) - i) // the order is all that matters
			l.columns[k], l.totals[k] = append(l.columns[k], topic.WordCount{Word: n, Count: c}), l.totals[k]+uint64(c)
		}
		slices.SortFunc(l.columns[k], func(a, b topic.WordCount) int { return cmp.Compare(a.Word, b.Word) })
	}
	l.words = corpus.MakeStrings(words)
	return l
}

// lists is a model whose counts only say which word comes before which.
type lists struct {
	words   corpus.Strings
	columns [][]topic.WordCount
	totals  []uint64
}

func (l *lists) NumTopics() int        { return len(l.columns) }
func (l *lists) NumWords() int         { return l.words.Len() }
func (l *lists) Beta() float64         { return 0.01 }
func (l *lists) TopicTotals() []uint64 { return l.totals }
func (l *lists) Words() corpus.Strings { return l.words }

// Columns implements compare.Model.
func (l *lists) Columns(topics []int) iter.Seq2[int, []topic.WordCount] {
	return func(yield func(int, []topic.WordCount) bool) {
		if topics == nil {
			for k, c := range l.columns {
				if !yield(k, c) {
					return
				}
			}
			return
		}
		for _, k := range topics {
			if !yield(k, l.columns[k]) {
				return
			}
		}
	}
}
