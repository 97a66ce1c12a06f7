package guide

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/topic"
)

// Weights from just above 0 up to 1000 are taken; what they leave of an old model may be nothing.
func TestBoundsOfWeights(t *testing.T) {
	c, z := small()
	m := told(t, c, []float64{1, 1, 1, 1}, z, nil)
	if _, run := asked(t, m, c, UpdateOptions{Weight: 1000}); run.Pseudo.Tokens() != 9000 {
		t.Errorf("%d pseudo-counts of weight 1000", run.Pseudo.Tokens())
	}
	if _, run := asked(t, m, c, UpdateOptions{}); run.Pseudo.Tokens() != 9 {
		t.Errorf("%d pseudo-counts of weight 1", run.Pseudo.Tokens())
	}
	if _, run := asked(t, m, c, UpdateOptions{Weight: 0.5}); run.Pseudo != nil { // no count is above 1
		t.Errorf("%d pseudo-counts are left of nothing", run.Pseudo.Tokens())
	}
	const bad = "the weight of the older model is 0: it must be above 0 and at most 1000"
	if _, err := Prior(m, c, 4, 0); err == nil || err.Error() != bad {
		t.Errorf("%v, want %s", err, bad)
	}
	if _, err := Prior(m, c, 4, 0.5); err == nil ||
		!strings.HasPrefix(err.Error(), "the older model has no word in common") {
		t.Error(err)
	}
}

// One new topic gets all words that the old model does not know, none of them without a new topic.
func TestOneNewTopic(t *testing.T) {
	c, z := small()
	m := told(t, c, []float64{1, 1, 1, 1}, z, nil)
	news := corpus.FromTokens(slices.Repeat([][]string{{"a", "comet", "comet", "comet", "b"}}, 12))
	for topics := range 3 {
		docs, run := asked(t, m, news, UpdateOptions{NewTopics: topics})
		seen := map[uint32]bool{}
		for i, w := range docs.Tokens() {
			if k := run.Start.Topics[i]; docs.Word(int(w)) == "comet" {
				seen[k] = true
			} else if k >= 4 {
				t.Errorf("%d new topics: %s has topic %d", topics, docs.Word(int(w)), k)
			}
		}
		if topics > 0 && (len(seen) != topics || !seen[4]) || topics == 0 && seen[4] {
			t.Errorf("%d new topics: an unknown word has the topics %v", topics, seen)
		}
	}
}

// A split takes the id of a topic that is gone, the first of them, also if that is 0.
func TestIdsThatAreGone(t *testing.T) {
	c, z := small() // topic 1 has 3 tokens
	m := told(t, c, []float64{1, 1, 1, 1}, z, nil)
	for drop, want := range map[int]string{0: "dropped 0; split 1 into [", 2: "dropped 2; split 1 into ["} {
		e := edited(t, m, Edits{Drop: []int{drop}, Split: []Split{{1, 2}}})
		did := e.Manifest().Lineage[0].Detail
		if e.NumTopics() != 4 || !strings.HasPrefix(did, want) || !strings.Contains(did, fmt.Sprint(drop, "]")) &&
			!strings.Contains(did, fmt.Sprint("[", drop)) {
			t.Errorf("topic %d is dropped: %d topics, %s", drop, e.NumTopics(), did)
		}
	}
	if e := edited(t, m, Edits{Split: []Split{{1, 2}}}); e.NumTopics() != 5 {
		t.Errorf("nothing is gone: %d topics", e.NumTopics())
	}
}

// Names stay with their topics, also where others are gone.
func TestNamesOfEdits(t *testing.T) {
	c, z := small()
	m := told(t, c, []float64{1, 1, 1, 1}, z, nil)
	if err := m.SetLabels(topic.Labels{Names: map[int]string{0: "zero", 1: "one", 3: "three"}}); err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		edits Edits
		want  string
	}{
		{Edits{Merge: [][]int{{1, 0}}}, "|one||three"},
		{Edits{Drop: []int{3}}, "zero|one||"},
		{Edits{Drop: []int{0}, Renumber: true}, "one||three"},
		{Edits{Split: []Split{{1, 2}}}, "zero|one||three|"},
	} {
		e := edited(t, m, k.edits)
		var got []string
		for topic := range e.NumTopics() {
			got = append(got, e.Label(topic))
		}
		if strings.Join(got, "|") != k.want {
			t.Errorf("%+v: names %q, want %s", k.edits, got, k.want)
		}
	}
}

// A training by time that is cancelled between its last slice and the documents without a time has no model.
func TestCancelledAfterSlices(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	slices := 0
	o := ByTimeOptions{Bins: "year", Options: topoi.Options{Topics: 2, Iterations: 2}}
	o.Options.Events.Done = func(topoi.DoneInfo) {
		if slices++; slices == 3 {
			cancel()
		}
	}
	if m, err := ByTime(ctx, years(), o); !errors.Is(err, context.Canceled) || m != nil {
		t.Errorf("after %d slices: %v, %v", slices, m, err)
	}
}
