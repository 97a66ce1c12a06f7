package doctopics

import (
	"fmt"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/topic"
)

// spread gives token i the topic 7919 i modulo K.
type spread struct{ docs *corpus.Corpus }

func (spread) NumTopics() int                  { return 10_007 }
func (s spread) Docs() (*corpus.Corpus, error) { return s.docs, nil }
func (s spread) topicOf(i int) uint32          { return uint32(i * 7919 % s.NumTopics()) }
func (s spread) AppendTopics(dst []uint32, lo, hi int) []uint32 {
	for i := lo; i < hi; i++ {
		dst = append(dst, s.topicOf(i/2)) // two tokens each
	}
	return dst
}

// Runs must come in order and count what a map counts, by rising topic, also of empty documents.
func TestRuns(t *testing.T) {
	lists := make([][]uint32, 9000)
	for d := range lists {
		lists[d] = make([]uint32, d%50)
	}
	docs := corpus.FromIDs([]string{"word"}, lists)
	s, next, token := spread{docs}, 0, 0
	err := Runs(t.Context(), s, docs, func(first int, lists [][]topic.Count) {
		if first != next {
			t.Fatalf("run begins with document %d, want %d", first, next)
		}
		for d, got := range lists {
			counts := map[uint32]uint32{}
			for range (first + d) % 50 {
				counts[s.topicOf(token/2)]++
				token++
			}
			var want []topic.Count
			for k, n := range counts {
				want = append(want, topic.Count{Topic: k, Count: n})
			}
			slices.SortFunc(want, func(a, b topic.Count) int { return int(a.Topic) - int(b.Topic) })
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("document %d: got %v, want %v", first+d, got, want)
			}
		}
		next += len(lists)
	})
	if err != nil || next != docs.NumDocs() {
		t.Errorf("%d documents were read, %v", next, err)
	}
}
