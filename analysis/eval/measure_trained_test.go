package eval_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/eval"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/metrics"
	"github.com/topoi-lda/topoi/train"
)

func TestModelsOfOneTopicAndOfSameTopics(t *testing.T) {
	one, err := train.Run(t.Context(), corpus.FromTokens([][]string{{"a", "b"}, {"b", "c"}}), topoi.Options{Topics: 1, Iterations: 2})
	if err != nil {
		t.Fatal(err)
	}
	r, err := eval.Measure(t.Context(), one, eval.MeasureOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{metrics.CaoJuan, metrics.Arun, metrics.Deveaud, metrics.InvertedRBO, metrics.Griffiths, metrics.HeldOut} {
		if v, has := r.Values[name]; has {
			t.Errorf("one topic has %s %v", name, v)
		}
	}
	if len(r.Values) != 5 || len(r.Top) != 1 {
		t.Errorf("one topic has %v", r.Values)
	}
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back eval.Measured
	if err := json.Unmarshal(b, &back); err != nil || !slices.Equal(back.ByTopic[metrics.NPMI], r.ByTopic[metrics.NPMI]) {
		t.Errorf("%s became %+v, %v", b, back, err)
	}
	// Two empty topics are the same, and φ has not full rank: still a number.
	many, err := train.Run(t.Context(), corpus.FromTokens([][]string{{"a", "b"}, {"b", "c"}}), topoi.Options{Topics: 9, Iterations: 2})
	if err != nil {
		t.Fatal(err)
	}
	if r, err = eval.Measure(t.Context(), many, eval.MeasureOptions{}); err != nil || !(r.Value(metrics.Arun) > 0) {
		t.Errorf("arun2010 of same topics is %v, %v", r.Value(metrics.Arun), err)
	}
}
