package compare

import (
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/topic"
)

// Two topics are linked from the threshold on, and not below: with half of their words in common, at 0.5.
func TestLinksAtTheThreshold(t *testing.T) {
	a, b := table("a b c d"), table("a b x y")
	similarity := models(t, a, b, Options{Measure: topWords}).Matches[0].Similarity
	for threshold, links := range map[float64]int{similarity: 1, similarity * (1 + 1e-12): 0, similarity / 2: 1} {
		r := models(t, a, b, Options{Measure: topWords, Threshold: threshold})
		if len(r.Links) != links {
			t.Errorf("a similarity of %v and a threshold of %v: links %v", similarity, threshold, r.Links)
		}
		want := []Fate{Lost, New}
		if links == 1 {
			want = []Fate{Kept, Kept}
		}
		if got := []Fate{r.A[0], r.B[0]}; !slices.Equal(got, want) {
			t.Errorf("a similarity of %v and a threshold of %v: %v, want %v", similarity, threshold, got, want)
		}
	}
}

// Each topic's best partners have at least the threshold; the first of several equal ones counts.
func TestBestPartners(t *testing.T) {
	s := &similarities{a: 3, b: 3, rows: [][]entry{
		{{0, 0.5}, {1, 0.7}, {2, 0.7}},
		{{0, 0.5}, {1, 0.2}, {2, 0.7}},
		{{0, 0.4999}},
	}}
	ofA, ofB := s.best(0.5)
	if !slices.Equal(ofA, []int{1, 2, -1}) || !slices.Equal(ofB, []int{0, 0, 0}) {
		t.Errorf("best %v and %v", ofA, ofB)
	}
	if ofA, _ = s.best(0); !slices.Equal(ofA, []int{1, 2, 0}) {
		t.Errorf("best without a threshold %v", ofA)
	}
}

// A greedy matching takes the most similar pair that is left, the first of equal ones, and lists matches by topic.
func TestGreedyTakesTheMostSimilar(t *testing.T) {
	s := &similarities{a: 3, b: 2, rows: [][]entry{{{0, 0.9}, {1, 0.8}}, {{0, 0.9}, {1, 0.1}}, {{0, 0.1}, {1, 0.3}}}}
	want := []Pair{{A: 0, B: 0, Similarity: 0.9}, {A: 2, B: 1, Similarity: 0.3}}
	if got := s.greedy(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	best := []Pair{{A: 0, B: 1, Similarity: 0.8}, {A: 1, B: 0, Similarity: 0.9}}
	if got := s.hungarian(); !slices.Equal(got, best) {
		t.Errorf("%v, want %v", got, best)
	}
}

// The fate of a topic follows from its links and those of its partners.
func TestFateOfLinks(t *testing.T) {
	for _, c := range []struct {
		links, others int
		want          Fate
	}{{1, 1, Kept}, {2, 1, Split}, {1, 2, Merged}, {2, 2, Split}} {
		if got := fate(c.links, c.others, Split, Merged); got != c.want {
			t.Errorf("%d links, %d of the other: %v", c.links, c.others, got)
		}
	}
}

// The threshold lies between 0 and 1, both of which it may be.
func TestThresholdsThatAreTaken(t *testing.T) {
	for threshold, ok := range map[float64]bool{-0.1: false, 0: true, 1: true, 1.1: false} {
		if err := (&Options{Threshold: threshold}).Validate(); (err == nil) != ok {
			t.Errorf("%v: %v", threshold, err)
		}
	}
}

// Candidates are the topics that share most words, listed by number; words of very many topics say nothing.
func TestTopicsThatShareMost(t *testing.T) {
	topics := map[uint32][]int{1: {4, 9}, 2: {2, 9}, 3: {4, 9}, 7: make([]int, candidateTopics+1)}
	if got := mostShared([]uint32{1, 2, 3, 7}, topics); !slices.Equal(got, []int{2, 4, 9}) {
		t.Errorf("topics %v", got)
	}
	many := map[uint32][]int{}
	for b := range candidatesEach + 5 {
		many[1] = append(many[1], b)
		if b >= 5 {
			many[2] = append(many[2], b)
		}
	}
	if got := mostShared([]uint32{1, 2}, many); len(got) != candidatesEach || got[0] != 5 || !slices.IsSorted(got) {
		t.Errorf("topics %v", got)
	}
}

// Models of at most as many topics as all pairs of can be compared are compared exactly.
func TestAllPairsOrCandidates(t *testing.T) {
	before := allPairs
	defer func() { allPairs = before }()
	three, two := table("a b", "c d", "e f"), table("a b", "c d")
	for limit, exact := range map[int]bool{2: false, 3: true, 4: true} {
		allPairs = limit
		for _, pair := range [][2]topic.Model{{three, two}, {two, three}} {
			if r := models(t, pair[0], pair[1], Options{}); r.Exact != exact || len(r.Matches) != 2 {
				t.Errorf("at most %d topics: exact %v, %d matches", limit, r.Exact, len(r.Matches))
			}
		}
	}
}
