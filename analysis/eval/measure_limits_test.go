package eval

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/metrics"
	"github.com/topoi-lda/topoi/internal/tablemodel"
)

// small is the first reference model.
func small(t *testing.T) *sampled {
	t.Helper()
	ref := references(t)[0]
	return ref.model(ref.Topics)
}

// Weights of documents are summed over more than one run of them, whatever the number of goroutines: L_k = Σ_d N_d
// θ_dk.
func TestWeightsOfManyDocuments(t *testing.T) {
	const docs = 2*weightDocs + 5
	m := &sampled{
		Model: &tablemodel.Model{Prior: 0.1, Counts: [][]uint32{{9, 8, 7}, {1, 2, 3}}},
		alpha: []float64{0.5, 1, 2.5},
	}
	texts, want := make([][]uint32, docs), make([]float64, 3)
	for d := range texts {
		counts := make([]float64, 3)
		for i := range d % 5 {
			texts[d] = append(texts[d], uint32(i%2))
			m.z = append(m.z, uint32((d+i*i)%3))
			counts[(d+i*i)%3]++
		}
		n := float64(len(texts[d]))
		for k, a := range m.alpha {
			want[k] += n * (counts[k] + a) / (n + 4)
		}
	}
	m.docs = corpus.FromIDs([]string{"a", "b"}, texts)
	one, err := documentWeights(t.Context(), m, 1)
	if err != nil {
		t.Fatal(err)
	}
	three, err := documentWeights(t.Context(), m, 3)
	if err != nil || !slices.Equal(one, three) {
		t.Errorf("one goroutine %v, three %v, %v", one, three, err)
	}
	for k := range want {
		if !near(one[k], want[k], 1e-11) {
			t.Errorf("topic %d weighs %v, want %v", k, one[k], want[k])
		}
	}
}

// A score needs one token that is scored; without any there is none.
func TestHeldOutOfFewTokens(t *testing.T) {
	m := small(t)
	words := references(t)[0].vocabulary()
	for _, c := range []struct {
		docs [][]uint32
		has  bool
	}{{[][]uint32{{0, 1}}, true}, {[][]uint32{{0}, {1}, {}}, false}, {nil, false}} {
		r, err := Measure(t.Context(), m, MeasureOptions{WithoutCoherence: true, Heldout: corpus.FromIDs(words, c.docs)})
		if err != nil {
			t.Fatal(err)
		}
		v, has := r.Values[metrics.HeldOut]
		if has != c.has || has && !(v < 0) || has != !math.IsNaN(r.Value(metrics.HeldOut)) {
			t.Errorf("%v: held-out %v, %v", c.docs, v, has)
		}
	}
	if _, err := Measure(t.Context(), m, MeasureOptions{WithoutCoherence: true, Heldout: corpus.FromTokens([][]string{{"other"}})}); err == nil {
		t.Error("documents of other words are scored")
	}
}

// There are ten words a topic for coherence and diversity, twenty that are kept.
func TestNumbersOfWords(t *testing.T) {
	m := small(t)
	r, err := Measure(t.Context(), m, MeasureOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for k, list := range r.Top {
		if len(list) != 20 || len(firsts(r.Top)[k]) != 10 || !slices.Equal(firsts(r.Top)[k], list[:10]) {
			t.Errorf("topic %d has %d words", k, len(list))
		}
	}
	if got := firsts([][]int{{1, 2}, nil}); len(got) != 2 || !slices.Equal(got[0], []int{1, 2}) || len(got[1]) != 0 {
		t.Errorf("few words: %v", got)
	}
	if !slices.Equal(r.Totals, m.TopicTotals()) {
		t.Errorf("totals %v", r.Totals)
	}
	distinct := map[int]bool{}
	for _, list := range firsts(r.Top) {
		for _, w := range list {
			distinct[w] = true
		}
	}
	if want := float64(len(distinct)) / float64(10*len(r.Top)); r.Value(metrics.Diversity) != want {
		t.Errorf("diversity %v, want %v", r.Value(metrics.Diversity), want)
	}
}

// As many models are measured together as have words whose documents fit in memory as bits, at least one.
func TestModelsTogether(t *testing.T) {
	defer func(n int) { mostSets = n }(mostSets)
	docs := corpus.FromIDs([]string{"a"}, make([][]uint32, 800)) // 164 bytes a word
	results := []*Measured{
		{Top: [][]int{{1, 2}, {2, 3}}},
		{Top: [][]int{{1, 2, 3}}},
		{Top: [][]int{{4}}},
		{Top: [][]int{{5, 6}}},
	}
	for most, want := range map[int]int{
		0: 1, 3*164 - 1: 1, 3 * 164: 2, 4*164 - 1: 2, 4 * 164: 3, 6*164 - 1: 3,
		6 * 164: 4,
	} {
		mostSets = most
		if got := together(docs, results); got != want {
			t.Errorf("in %d bytes: %d models, want %d", most, got, want)
		}
	}
}

// Only numbers are values; a mean leaves out what is none.
func TestValues(t *testing.T) {
	nan := math.NaN()
	r := &Measured{Values: map[string]float64{}, ByTopic: map[string]Numbers{}}
	for _, x := range []float64{nan, math.Inf(1), math.Inf(-1)} {
		r.Set("none", x)
	}
	r.Set("zero", 0)
	r.SetTopics("some", []float64{1, nan, 4})
	r.SetTopics("nothing", []float64{nan})
	if len(r.Values) != 2 || r.Value("some") != 2.5 || r.Value("zero") != 0 || !math.IsNaN(r.Value("none")) ||
		!math.IsNaN(r.Value("nothing")) {
		t.Errorf("%v", r.Values)
	}
	b, err := json.Marshal(r.ByTopic["some"])
	if err != nil || string(b) != "[1,null,4]" {
		t.Errorf("%s, %v", b, err)
	}
	var back Numbers
	if err := json.Unmarshal(b, &back); err != nil || len(back) != 3 || back[0] != 1 || !math.IsNaN(back[1]) ||
		back[2] != 4 {
		t.Errorf("%v, %v", back, err)
	}
	if err := json.Unmarshal([]byte(`["x"]`), &back); err == nil {
		t.Error("a text is read as a number")
	}
	if !math.IsNaN(griffiths2004(nil)) {
		t.Error("no states have a mean")
	}
}

// Overlaps of three lists, two of which share an element.
func TestMeanRBO(t *testing.T) {
	lists := [][]int{{1, 2, 3}, {3, 1, 4}, {5, 6, 7}, {7}}
	want := (rbo(lists[0], lists[1], 0.9) + rbo(lists[2], lists[3], 0.9)) / 6
	if got := meanRBO(lists, 0.9); !near(got, want, 1e-15) || want < 0.01 {
		t.Errorf("%v, want %v", got, want)
	}
	if !math.IsNaN(meanRBO(lists[:1], 0.9)) || meanRBO([][]int{{1}, {1}}, 0.9) != 1 ||
		meanRBO([][]int{nil, nil}, 0.9) != 0 {
		t.Error("of one list there is no mean; the same lists overlap, empty ones do not")
	}
}

// failing is a model without documents.
type failing struct{ *sampled }

var errNoDocs = errors.New("no documents")

func (failing) Docs() (*corpus.Corpus, error) { return nil, errNoDocs }

func TestErrorsOfMeasures(t *testing.T) {
	m := small(t)
	if _, err := Measure(t.Context(), failing{m}, MeasureOptions{}); !errors.Is(err, errNoDocs) {
		t.Errorf("measured without documents: %v", err)
	}
	if _, err := Measure(t.Context(), failing{m}, MeasureOptions{WithoutCoherence: true}); !errors.Is(err, errNoDocs) {
		t.Errorf("weights without documents: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Measure(ctx, m, MeasureOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := documentWeights(ctx, m, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("weights: %v", err)
	}
	r, err := Measure(t.Context(), m, MeasureOptions{WithoutCoherence: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := AddCoherence(ctx, m.docs, []*Measured{r}); !errors.Is(err, context.Canceled) || r.ByTopic[metrics.NPMI] != nil {
		t.Errorf("coherence: %v", err)
	}
	many := failing{&sampled{Model: tablemodel.Random(1, 1, mostArun+1, 0)}} // nothing of it is looked at
	if got, err := arun2010(t.Context(), many, 1); !math.IsNaN(got) || err != nil {
		t.Errorf("of %d topics: %v, %v", mostArun+1, got, err)
	}
	many = failing{&sampled{Model: tablemodel.Random(1, 1, mostArun, 0)}}
	if _, err := arun2010(t.Context(), many, 1); !errors.Is(err, errNoDocs) {
		t.Errorf("of %d topics: %v", mostArun, err)
	}
}

// Metrics have names of their own, and say which values are better.
func TestMetrics(t *testing.T) {
	names := map[string]bool{}
	for _, m := range Metrics() {
		if names[m.Name] || m.Title == "" || m.Formula == "" || m.Better != "higher" && m.Better != "lower" {
			t.Errorf("%+v", m)
		}
		names[m.Name] = true
	}
	for _, name := range []string{
		metrics.HeldOut, metrics.NPMI, metrics.CV, metrics.UMass, metrics.Exclusivity, metrics.Diversity, metrics.InvertedRBO, metrics.Stability, metrics.CaoJuan, metrics.Arun, metrics.Deveaud, metrics.Griffiths, metrics.Seconds,
	} {
		if !names[name] {
			t.Errorf("%s is not described", name)
		}
	}
	if len(names) != 13 {
		t.Errorf("%d metrics", len(names))
	}
}
