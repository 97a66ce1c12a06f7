package compare

import (
	"context"
	"math"
	"reflect"
	"testing"

	"github.com/topoi-lda/topoi/topic"
)

// Run 0 has a topic between those of runs 1 and 2, which have another one in common: a family is made about its
// founder.
func TestFamiliesAreTheDefinition(t *testing.T) {
	const third = 1.0 / 3
	none := Member{Topic: -1}
	models := []topic.Model{
		lists3("3 4 5 6", "z"), lists3("1 2 3 4", "x y"), lists3("5 6 7 8", "x y"), // 2 of 6 words are common to 0 and 1
	}
	r, err := Runs(t.Context(), models, Options{Threshold: third})
	if err != nil {
		t.Fatal(err)
	}
	// Run 1 agrees with run 0 by (1/3 + 0)/2 and with run 2 by (0 + 1)/2. So does run 2, but run 1 comes first.
	agreement := [][]float64{{1, third / 2, third / 2}, {third / 2, 1, 0.5}, {third / 2, 0.5, 1}}
	runs := []float64{third / 2, (third/2 + 0.5) / 2, (third/2 + 0.5) / 2}
	topics := [][]float64{{third, 0}, {third / 2, 0.5}, {third / 2, 0.5}}
	for i := range models {
		if math.Abs(r.Runs[i]-runs[i]) > 1e-15 || !reflect.DeepEqual(r.Topics[i], topics[i]) {
			t.Errorf("run %d: %v and %v, want %v and %v", i, r.Runs[i], r.Topics[i], runs[i], topics[i])
		}
	}
	if !reflect.DeepEqual(r.Agreement, agreement) || r.Typical != 1 || math.Abs(r.Mean-(third+0.5)/3) > 1e-15 {
		t.Errorf("%v, %d is typical, mean %v", r.Agreement, r.Typical, r.Mean)
	}
	// Topic 0 of run 2 is as like topic 0 of run 0 as the threshold asks, but this one belongs to run 1 already.
	want := []Family{
		{Run: 1, Topic: 1, Members: []Member{none, {1, 1}, {1, 1}}, Runs: 2, Similarity: 1},
		{Run: 1, Topic: 0, Members: []Member{{0, third}, {0, 1}, none}, Runs: 2, Similarity: third},
		{Run: 2, Topic: 0, Members: []Member{none, none, {0, 1}}, Runs: 1},
		{Run: 0, Topic: 1, Members: []Member{{1, 1}, none, none}, Runs: 1},
	}
	if !reflect.DeepEqual(r.Families, want) {
		t.Errorf("got  %+v\nwant %+v", r.Families, want)
	}
	if r.Measure != topWords || r.Words != 20 || r.Threshold != third {
		t.Errorf("%s of %d words from %v", r.Measure, r.Words, r.Threshold)
	}
}

// The options are those of the comparisons.
func TestOptionsOfComparisons(t *testing.T) {
	models := []topic.Model{lists3("a b c", "d e f"), lists3("a x y", "d z w")}
	r, err := Runs(t.Context(), models, Options{Words: 1, Threads: 1})
	if err != nil || r.Mean != 1 || r.Words != 1 {
		t.Errorf("one word: %+v, %v", r, err)
	}
	if r, err = Runs(t.Context(), models, Options{Words: 3}); err != nil || r.Mean != 0.2 || len(r.Families) != 2 {
		t.Errorf("three words: %+v, %v", r, err)
	}
	c, err := Models(t.Context(), models[0], models[1], Options{Measure: jensenShannon})
	if err != nil {
		t.Fatal(err)
	}
	r, err = Runs(t.Context(), models, Options{Measure: jensenShannon})
	if err != nil || r.Mean != c.Mean || r.Mean == 0.2 || r.Measure != jensenShannon ||
		r.Threshold != c.Threshold {
		t.Errorf("distributions: %+v, %v; want the mean %v", r, err, c.Mean)
	}
	if _, err := Runs(t.Context(), models, Options{Measure: "nothing"}); err == nil {
		t.Error("an unknown measure is taken")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Runs(ctx, models, Options{}); err == nil {
		t.Error("a cancelled comparison has a result")
	}
}

// Words keep their order: the first has most tokens.
func TestListsKeepOrder(t *testing.T) {
	m := lists3("b a", "c b d")
	want := map[string][]uint32{"a": {1, 0}, "b": {2, 2}, "c": {0, 3}, "d": {0, 1}}
	for k, column := range m.Columns([]int{0, 1}) {
		for _, e := range column {
			word := m.Words().At(int(e.Word))
			if e.Count != want[word][k] {
				t.Errorf("%s has %d tokens of topic %d, want %d", word, e.Count, k, want[word][k])
			}
			want[word][k] = 0
		}
	}
	for word, left := range want {
		if left[0]+left[1] != 0 {
			t.Errorf("%s is missing: %v", word, left)
		}
	}
	if totals := m.TopicTotals(); !reflect.DeepEqual(totals, []uint64{3, 6}) || m.Beta() != 0.01 {
		t.Errorf("totals %v, β %v", totals, m.Beta())
	}
}
