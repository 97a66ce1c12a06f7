package mallet

import (
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/train"
)

// checked returns the error of a command's check.
func checked(t *testing.T, c Command, args string) error {
	t.Helper()
	fs := flagsOf(c)
	list, err := Arguments(fs, strings.Fields(args))
	if err != nil {
		t.Fatal(err)
	}
	if err := fs.Parse(list); err != nil {
		t.Fatal(err)
	}
	return c.Check(fs)
}

// Where 0 has a meaning of its own to MALLET, topoi gets what means that: no estimation of priors, and one from the
// beginning.
func TestZeroOfTrainTopics(t *testing.T) {
	for args, want := range map[string][2]int{ // interval and burn-in
		"":                      {-1, 200},
		"--optimize-interval 0": {-1, 200},
		"--optimize-interval 7": {7, 200},
		"--optimize-interval 7 --optimize-burn-in 0": {7, -1},
		"--optimize-interval 7 --optimize-burn-in 1": {7, 1},
		"--optimize-burn-in 0":                       {-1, -1},
	} {
		c := &TrainTopics{}
		if err := checked(t, c, "--input a --output-model m "+args); err != nil {
			t.Errorf("%s: %v", args, err)
		}
		if got := [2]int{c.options.OptimizeInterval, c.options.BurnIn}; got != want {
			t.Errorf("%s: interval and burn-in %v, want %v", args, got, want)
		}
		if c.options.Draws != 1 || c.options.Tolerance != -1 || c.options.EvaluateEvery != 10 {
			t.Errorf("%s: %+v", args, c.options)
		}
	}
	for args, want := range map[string]string{
		"--num-topics 0": "--num-topics must be above 0", "--num-iterations 0": "--no-inference needs a model",
		"--alpha 0": "--alpha must be above 0", "--beta 0": "--beta must be above 0", "--alpha NaN": "--alpha must be above 0",
	} {
		if err := checked(t, &TrainTopics{}, "--input a --output-model m "+args); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", args, err)
		}
	}
	if err := checked(t, &TrainTopics{}, "--input a --output-model m --num-topics 1 --num-iterations 1"); err != nil {
		t.Error(err)
	}
}

// The burn-in of an inference leaves at least one sweep, as MALLET does; 0 means none.
func TestBurnInOfInferTopics(t *testing.T) {
	for args, want := range map[string][2]int{ // sweeps and burn-in
		"":                                {100, 10},
		"--burn-in 0":                     {100, -1},
		"--num-iterations 10":             {10, 9},
		"--num-iterations 11":             {11, 10},
		"--num-iterations 1":              {1, -1},
		"--num-iterations 5 --burn-in 3":  {5, 3},
		"--num-iterations 5 --burn-in 99": {5, 4},
	} {
		c := &InferTopics{}
		if err := checked(t, c, "--input a --inferencer m --output-doc-topics o "+args); err != nil {
			t.Errorf("%s: %v", args, err)
		}
		if got := [2]int{c.how.Iterations, c.how.BurnIn}; got != want {
			t.Errorf("%s: sweeps and burn-in %v, want %v", args, got, want)
		}
	}
	if err := checked(t, &InferTopics{}, "--input a --inferencer m --output-doc-topics o --num-iterations 0"); err == nil {
		t.Error("no sweeps are accepted")
	}
}

// Titles of topics are made of the first 19 words and of phrases that occur more than 20 times, which count a hundred times
// as much; words that a chosen phrase has are left out.
func TestTitles(t *testing.T) {
	c := corpus.FromIDs([]string{"deep", "sea", "fish", "shark"}, [][]uint32{{0, 1, 2, 3}})
	m, err := train.Run(t.Context(), c, topoi.Options{Topics: 1, Iterations: 1})
	if err != nil {
		t.Fatal(err)
	}
	for count, want := range map[int]string{20: `titles="deep, sea, fish, shark"`, 21: `titles="deep sea, fish, shark"`} {
		p := &phrases{docs: c, model: m, counts: []map[string]int{{"deep sea": count, "sea fish": 3}}}
		top := []topoi.WordWeight{{Term: "deep", Count: 9}, {Term: "sea", Count: 8}, {Term: "fish", Count: 7}, {Term: "shark", Count: 6}}
		var b strings.Builder
		p.writeTopic(&b, 0, 2, top)
		if !strings.Contains(b.String(), want) || strings.Count(b.String(), "<phrase ") != 2 {
			t.Errorf("%d times: %s", count, b.String())
		}
	}
	var words []topoi.WordWeight
	for i := range 25 {
		words = append(words, topoi.WordWeight{Term: string(rune('a' + i)), Count: uint32(i)})
	}
	p := &phrases{docs: c, model: m, counts: []map[string]int{{}}}
	var b strings.Builder
	p.writeTopic(&b, 0, 0, words) // the 19th, s, has most of those that may be in a title
	if !strings.Contains(b.String(), `titles="s, r, q, p, o, n, m, l, k, j"`) {
		t.Error(b.String())
	}
}

// Layouts of topics of documents: a column each without a threshold, else topics by falling share.
func TestFormatOfDocTopics(t *testing.T) {
	if f, o := docTopicsFormat(0, 5, "dense", "listed"); f != "dense" || o.MinTheta != 0 || o.Top != 0 {
		t.Errorf("%s %+v", f, o)
	}
	for most, top := range map[int]int{-1: 0, 0: 0, 1: 1, 5: 5} {
		if f, o := docTopicsFormat(0.25, most, "dense", "listed"); f != "listed" || o.MinTheta != 0.25 || o.Top != top {
			t.Errorf("at most %d: %s %+v", most, f, o)
		}
	}
	o := outputs{model: "m", inferencer: "i", evaluator: "m"}
	if got := o.models(); !slices.Equal(got, []string{"m", "i"}) {
		t.Errorf("models %q", got)
	}
}

// The last word of a command line may be an option of any kind, without what it takes.
func TestArgumentsThatEndEarly(t *testing.T) {
	for _, c := range []struct {
		command    Command
		args, want string
	}{
		{&ImportFile{}, "--input a --config", "--input a --config"},
		{&ImportFile{}, "--input a --keep-sequence", "--input a --keep-sequence"},
		{&ImportFile{}, "--keep-sequence true --output", "--keep-sequence=true --output"},
		{&ImportDir{}, "--output d --input", "--output d"},
		{&ImportDir{}, "--input a b", "--input=a --input=b"},
	} {
		got, err := Arguments(flagsOf(c.command), strings.Fields(c.args))
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, %v; want %q", c.args, got, err, c.want)
		}
	}
}
