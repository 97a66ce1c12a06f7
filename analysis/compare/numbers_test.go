package compare

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/tablemodel"
)

// A word of a table may stand there several times, which makes it more probable.
func TestTopWordsByNumber(t *testing.T) {
	a, b := table("a a a b b c", "x x y"), table("b b b a a d", "y y x z")
	for n, want := range map[int][2]float64{ // similarity of the first topics, of the second
		1: {0, 0},
		2: {1, 1},
		3: {0.5, 2.0 / 3},
		9: {0.5, 2.0 / 3},
	} {
		r := models(t, a, b, Options{Measure: topWords, Words: n})
		for k, m := range r.Matches {
			if m.A != m.B && want[0] > 0 || math.Abs(m.Similarity-want[k]) > 1e-15 {
				t.Errorf("%d words: %+v, want %v", n, m, want[k])
			}
			if shared := map[int]int{1: 0, 2: 2, 3: 2, 9: 2}[n]; m.Shared != shared {
				t.Errorf("%d words: %d are shared, want %d", n, m.Shared, shared)
			}
		}
		if mean := (want[0] + want[1]) / 2; math.Abs(r.Mean-mean) > 1e-15 || r.Words != n {
			t.Errorf("%d words: mean %v of %d, want %v", n, r.Mean, r.Words, mean)
		}
	}
}

// Shares of common words are those of tokens, on each side.
func TestVocabularies(t *testing.T) {
	a, b := table("a a b c", "c d"), table("c e e e", "a f")
	v := models(t, a, b, Options{}).Vocabulary
	if v.A != 4 || v.B != 4 || v.Common != 2 || v.TokensA != 4.0/6 || v.TokensB != 2.0/6 {
		t.Errorf("%+v", v)
	}
	empty := &tablemodel.Model{Prior: 0.1, Terms: []string{"a"}, Counts: [][]uint32{{0}}}
	v = models(t, empty, b, Options{}).Vocabulary
	if v.Common != 1 || v.TokensA != 0 || v.TokensB != 1.0/6 {
		t.Errorf("without tokens: %+v", v)
	}
	r := models(t, empty, empty, Options{Measure: topWords})
	if r.Matches[0].Similarity != 0 || r.Mean != 0 || r.A[0] != Lost {
		t.Errorf("topics without words: %+v", r)
	}
}

// Defaults are those that the options name.
func TestDefaults(t *testing.T) {
	o := Options{}.withDefaults()
	if o.Measure != jensenShannon || o.Words != 20 || o.Threshold != 0.4 || o.Threads < 1 {
		t.Errorf("%+v", o)
	}
	o = Options{Measure: topWords, Threads: -3}.withDefaults()
	if o.Measure != topWords || o.Threshold != 0.2 || o.Threads < 1 {
		t.Errorf("%+v", o)
	}
	if got := measureNames(); !slices.Equal(got, []string{"jensen-shannon", "words"}) {
		t.Errorf("measures %q", got)
	}
	err := Options{Measure: "x", Words: -2, Threshold: math.NaN()}.Validate()
	if err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("all faults at once: %v", err)
	}
}

// Among assignments of the same cost low numbers find theirs first.
func TestEqualCosts(t *testing.T) {
	for _, c := range []struct {
		n, m int
		want []int
	}{{3, 3, []int{0, 1, 2}}, {2, 4, []int{0, 1}}, {0, 2, nil}} {
		got := assign(c.n, c.m, func(int, int) float64 { return -0.5 })
		if !slices.Equal(got, c.want) {
			t.Errorf("%d of %d: %v", c.n, c.m, got)
		}
	}
	// The second row must take the first column from the first row, which the third column suits as well.
	costs := [][]float64{{0, 5, 0}, {0, 9, 9}, {9, 0, 1}}
	if got := assign(3, 3, func(i, j int) float64 { return costs[i][j] }); !slices.Equal(got, []int{2, 0, 1}) {
		t.Errorf("%v", got)
	}
}

// Of matchings with the same sum that counts which the topics of the first model find first, also where both have as
// many.
func TestEqualMatchings(t *testing.T) {
	s := &similarities{a: 3, b: 3, rows: [][]entry{
		{{0, 0}, {1, 1}, {2, 1}}, {{0, 1}, {1, 0}, {2, 1}}, {{0, 1}, {1, 1}, {2, 0}},
	}}
	want := []Pair{{A: 0, B: 1, Similarity: 1}, {A: 1, B: 2, Similarity: 1}, {A: 2, B: 0, Similarity: 1}}
	if got := s.hungarian(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	s = &similarities{a: 2, b: 3, rows: [][]entry{{{0, 0.5}, {1, 0.2}, {2, 0.1}}, {{0, 0.1}, {1, 0.1}, {2, 0.3}}}}
	ofA, ofB := s.best(0.3)
	if !slices.Equal(ofA, []int{0, 2}) || !slices.Equal(ofB, []int{0, -1, 1}) {
		t.Errorf("best %v and %v", ofA, ofB)
	}
}

// Candidates share some of 50 top words; a word of 4,096 topics still counts.
func TestLimitsOfCandidates(t *testing.T) {
	topics := map[uint32][]int{7: make([]int, candidateTopics)}
	for i := range topics[7] {
		topics[7][i] = i
	}
	if got := mostShared([]uint32{7}, topics); len(got) != candidatesEach || got[9] != 9 {
		t.Errorf("topics %v", got)
	}
	defer func(n int) { allPairs = n }(allPairs)
	allPairs = 0
	var words strings.Builder
	for i := range 60 { // the i-th word stands there 60 - i times
		words.WriteString(strings.Repeat(fmt.Sprintf("w%02d ", i), 60-i))
	}
	for last, want := range map[string]int{"w49": 1, "w50": 0} {
		r := models(t, table(words.String()), table(last), Options{Words: 60})
		if len(r.Matches) != want || r.Exact {
			t.Errorf("with word %s in common: %d matches", last, len(r.Matches))
		}
		if want == 1 && r.Matches[0].Shared != 1 {
			t.Errorf("%+v", r.Matches)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	defer func(n int) { allPairs = n }(allPairs)
	for _, allPairs = range []int{0, 9} {
		if _, err := Models(ctx, table("a b"), table("a"), Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("at most %d topics: %v", allPairs, err)
		}
	}
}

// Several links: the largest similarity of each topic and the matches that reach the threshold, by topics.
func TestLinks(t *testing.T) {
	s := &similarities{a: 3, b: 3, rows: [][]entry{
		{{0, 0.9}, {1, 0.6}, {2, 0.55}},
		{{0, 0.5}, {1, 0.45}, {2, 0.1}},
		{{0, 0.3}, {1, 0.2}, {2, 0.1}},
	}}
	j, err := newJob(t.Context(), table("a", "b", "c"), table("a", "b", "c"), Options{}.withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	r := &Result{Threshold: 0.4, Matches: []Pair{{A: 0, B: 2}, {A: 1, B: 1}, {A: 2, B: 0}}}
	r.link(s, j)
	// 0-0, 0-1 and 0-2 are the best for their topics, 1-0 is the best for topic 1, 1-1 is a match; 2-0 is below the
	// threshold.
	want := []Pair{{0, 0, 0.9, 1}, {0, 1, 0.6, 0}, {0, 2, 0.55, 0}, {1, 0, 0.5, 0}, {1, 1, 0.45, 1}}
	if !slices.Equal(r.Links, want) {
		t.Errorf("links %v, want %v", r.Links, want)
	}
	if !slices.Equal(r.A, []Fate{Split, Split, Lost}) || !slices.Equal(r.B, []Fate{Merged, Merged, Split}) {
		t.Errorf("fates %v and %v", r.A, r.B)
	}
}
