package compare

import (
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/topic"
)

func lists3(texts ...string) topic.Model {
	var topics [][]string
	for _, t := range texts {
		topics = append(topics, strings.Fields(t))
	}
	return FromWords(topics)
}

// Three runs: one topic in all, one in two, some in one.
func TestFamilies(t *testing.T) {
	r, err := Runs(t.Context(), []topic.Model{
		lists3("red blue green", "one two three", "cat dog cow"),
		lists3("uno due tre", "blue red green", "cat dog pig"),
		lists3("x y z", "one two four", "green blue red"),
	}, Options{Threshold: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	// Run 0 shares 1 + 0.5 with run 1, 1 + 0.5 with run 2; runs 1 and 2 share 1.
	if r.Typical != 0 || r.Agreement[0][1] != 0.5 || r.Agreement[1][2] != 1.0/3 || r.Agreement[2][2] != 1 {
		t.Errorf("run %d is typical of %v", r.Typical, r.Agreement)
	}
	if want := (0.5 + 0.5 + 1.0/3) / 3; r.Mean-want > 1e-15 || want-r.Mean > 1e-15 {
		t.Errorf("the mean is %v, want %v", r.Mean, want)
	}
	if got := r.Topics[0]; got[0] != 1 || got[1] != 0.25 || got[2] != 0.25 {
		t.Errorf("topics of run 0 come back by %v", got)
	}
	var got []string
	for _, f := range r.Families {
		s := ""
		for run, m := range f.Members {
			if m.Topic >= 0 {
				s += string(rune('a'+run)) + string(rune('0'+m.Topic))
			}
		}
		got = append(got, s)
	}
	if s := strings.Join(got, " "); s != "a0b1c2 a1c1 a2b2 b0 c0" {
		t.Errorf("families %s", s)
	}
	if f := r.Families[0]; f.Runs != 3 || f.Similarity != 1 || f.Run != 0 {
		t.Errorf("the first family is %+v", f)
	}
}

func TestRunsOfOtherSizesAndOneRun(t *testing.T) {
	r, err := Runs(t.Context(), []topic.Model{lists3("a b", "c d", "e f"), lists3("c d")}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Mean != 1 || r.Topics[0][0] != 0 || r.Topics[0][1] != 1 || len(r.Families) != 3 || r.Families[0].Runs != 2 {
		t.Errorf("%+v", r)
	}
	if _, err := Runs(t.Context(), []topic.Model{lists3("a b")}, Options{}); err == nil || !strings.Contains(err.Error(), "at least two models, not 1") {
		t.Errorf("one run: %v", err)
	}
	if err := (Options{Measure: "nothing"}).Validate(); err == nil {
		t.Error("a measure that does not exist is taken")
	}
}

func TestListsYieldTopics(t *testing.T) {
	m := lists3("b a", "a c d")
	for k, column := range m.Columns([]int{1}) {
		if k != 1 || len(column) != 3 || column[0].Count != 3 || m.Words().At(int(column[0].Word)) != "a" {
			t.Errorf("topic %d is %v", k, column)
		}
	}
	for range m.Columns(nil) {
		break
	}
	if m.NumTopics() != 2 || m.NumWords() != 4 || m.TopicTotals()[1] != 6 {
		t.Errorf("%d topics, %d words, %v", m.NumTopics(), m.NumWords(), m.TopicTotals())
	}
}
