package eval

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/coherence"
	"github.com/topoi-lda/topoi/internal/counts"
)

// slow is a model of two topics and a document of its word 0 alone, with φ 0.525 and 0.5: a step of EM multiplies the
// ratio of its topics by 1.05, so that after t steps θ_0/θ_1 = 1.05^t. So the number of steps shows in the score.
func slow() (*tableModel, *corpus.Corpus) {
	m := &tableModel{
		counts: [][]uint32{{525_000_000, 500_000_000}, {475_000_000, 500_000_000}},
		alpha:  []float64{1e-9, 1e-9}, beta: 1e-3,
	}
	return m, corpus.FromIDs([]string{"a", "b"}, [][]uint32{make([]uint32, 100)})
}

// Scores are those after 60 steps, brief ones those after 20, and so are those of documents left out, from which next
// to nothing is taken here. One step more or less changes them by 1e-4.
func TestStepsOfEM(t *testing.T) {
	m, docs := slow()
	after := func(steps int) float64 {
		ratio := math.Pow(1.05, float64(steps))
		return math.Log((0.525*ratio + 0.5) / (ratio + 1))
	}
	for variant, steps := range map[string]int{"": 60, "brief": 20, "leave-out": 20} {
		each := 0.0
		o := Options{Variant: variant, EachDoc: func(_ int, x float64) { each += x }}
		got, err := Completion(t.Context(), m, docs, o)
		if err != nil || got.Scored != 50 || math.Abs(got.PerToken-after(steps)) > 1e-5 || each/50 != got.PerToken {
			t.Errorf("%q: %+v and %v, %v; want %v", variant, got, each, err, after(steps))
		}
	}
	if _, err := Completion(t.Context(), m, docs, Options{Variant: "breif"}); err == nil ||
		err.Error() != `unknown variant of completion "breif": did you mean "brief"?` {
		t.Error(err)
	}
	for name, score := range map[int]func(f *sparseFolder) float64{
		60: func(f *sparseFolder) float64 { return f.complete(docs.Doc(0), foldSteps) },
		20: func(f *sparseFolder) float64 { return f.leaveOut(docs.Doc(0)) },
	} {
		if got := score(newSparseFolder(newMoments(m, docs, 1))) / 50; math.Abs(got-after(name)) > 1e-5 {
			t.Errorf("many topics, %d steps: %v, want %v", name, got, after(name))
		}
	}
}

// The prior alone expects α/Σα, whatever is in a document.
func TestPriorOnly(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	m, docs := randomModel(r, 30, 9, 0.3), randomDocs(r, 12, 30, 21)
	sum := 0.0
	for _, a := range m.alpha {
		sum += a
	}
	want, scored := 0.0, 0
	for d := range docs.NumDocs() {
		for i, w := range docs.Doc(d) {
			if i%2 == 1 {
				want += math.Log(dot64(m.alpha, m.phi()[w]) / sum)
				scored++
			}
		}
	}
	for _, threads := range []int{1, 3} {
		got, err := Completion(t.Context(), m, docs, Options{Variant: "prior", Threads: threads})
		if err != nil || got.Scored != scored || math.Abs(got.PerToken-want/float64(scored)) > 1e-12 {
			t.Errorf("%+v, %v; want %v over %d", got, err, want/float64(scored), scored)
		}
	}
	if _, err := Completion(t.Context(), newListModel(1, 5, denseTopics+1), docs, Options{Variant: "prior"}); err == nil ||
		err.Error() != "scores by the prior alone are for at most 65536 topics" {
		t.Error(err)
	}
}

// The defaults are those that the options name.
func TestDefaultsOfSamples(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	m, docs := randomModel(r, 20, 4, 0.4), randomDocs(r, 6, 20, 15)
	for _, c := range []struct {
		estimate func(context.Context, Model, *corpus.Corpus, Options) (CompletionResult, error)
		given    Options
		other    Options
		name     string
	}{
		{TestLikelihood, Options{Sweeps: 50}, Options{Sweeps: 51}, "test set"},
		{LeftToRight, Options{Particles: 20}, Options{Particles: 21}, "left to right"},
	} {
		var got [4]float64
		for i, o := range []Options{{}, {Sweeps: -1, Particles: -1}, c.given, c.other} {
			x, err := c.estimate(t.Context(), m, docs, o)
			if err != nil || x.Scored != docs.NumTokens() {
				t.Errorf("%+v, %v", x, err)
			}
			got[i] = x.PerToken
		}
		if got[0] != got[2] || got[1] != got[2] || got[3] == got[2] {
			t.Errorf("%s: %v", c.name, got)
		}
		seeded, err := c.estimate(t.Context(), m, docs, Options{Seed: 1})
		if err != nil || seeded.PerToken == got[0] {
			t.Errorf("%s: the seed does not matter: %v", c.name, err)
		}
	}
}

// Estimators of no tokens have nothing per token; those that are cancelled or of other words have an error.
func TestErrorsOfEstimators(t *testing.T) {
	m := randomModel(rand.New(rand.NewPCG(3, 3)), 2, 3, 1)
	empty := corpus.FromIDs([]string{"a", "b"}, [][]uint32{{}, {}})
	full := corpus.FromIDs([]string{"a", "b"}, [][]uint32{{0, 1}, {0}})
	other := corpus.FromTokens([][]string{{"a"}})
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	var each []float64
	o := Options{EachDoc: func(_ int, x float64) { each = append(each, x) }}
	for name, estimate := range map[string]func(ctx context.Context, docs *corpus.Corpus) (float64, error){
		"test": func(ctx context.Context, docs *corpus.Corpus) (float64, error) {
			r, err := TestLikelihood(ctx, m, docs, o)
			return r.PerToken, err
		},
		"left to right": func(ctx context.Context, docs *corpus.Corpus) (float64, error) {
			r, err := LeftToRight(ctx, m, docs, o)
			return r.PerToken, err
		},
		"prior only": func(ctx context.Context, docs *corpus.Corpus) (float64, error) {
			r, err := Completion(ctx, m, docs, Options{Variant: "prior", Threads: 1})
			return r.PerToken, err
		},
		"leave out": func(ctx context.Context, docs *corpus.Corpus) (float64, error) {
			r, err := Completion(ctx, m, docs, Options{Variant: "leave-out", Threads: 1})
			return r.PerToken, err
		},
	} {
		if x, err := estimate(t.Context(), empty); x != 0 || err != nil {
			t.Errorf("%s of nothing: %v, %v", name, x, err)
		}
		if x, err := estimate(t.Context(), full); !(x < 0) || err != nil {
			t.Errorf("%s: %v, %v", name, x, err)
		}
		if x, err := estimate(cancelled, full); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled: %v, %v", name, x, err)
		}
		if _, err := estimate(t.Context(), other); err == nil || err.Error() !=
			"the vocabulary of the documents has 1 words and that of the model 2: they must be the same" {
			t.Errorf("%s of other words: %v", name, err)
		}
	}
	if len(each) != 8 || !slices.Equal(each[:2], []float64{0, 0}) && !slices.Equal(each[2:4], []float64{0, 0}) {
		t.Errorf("documents have %v", each)
	}
}

// named is a model that knows its words, and has a source of its rows that counts.
type named struct {
	*tableModel
	words []string
	asked int
}

func (m *named) Words() corpus.Strings { return corpus.MakeStrings(m.words) }

func (m *named) Rows() counts.Rows { m.asked++; return m.tableModel }

// Words are compared where the model names them, and rows come from its source.
func TestModelsWithWords(t *testing.T) {
	m := &named{tableModel: randomModel(rand.New(rand.NewPCG(3, 4)), 2, 3, 1), words: []string{"a", "b"}}
	docs := corpus.FromIDs([]string{"a", "b"}, [][]uint32{{0, 1, 1}})
	want, err := Completion(t.Context(), m.tableModel, docs, Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Completion(t.Context(), m, docs, Options{Threads: 1}); err != nil || got != want || m.asked != 1 {
		t.Errorf("%v, %v; want %v; rows were asked for %d times", got, err, want, m.asked)
	}
	swapped := corpus.FromIDs([]string{"b", "a"}, [][]uint32{{0, 1, 1}})
	if _, err := Completion(t.Context(), m, swapped, Options{Threads: 1}); err == nil ||
		!strings.HasPrefix(err.Error(), "the documents have other words than the model, or number them in another way") {
		t.Error(err)
	}
}

// Only words with tokens to fold in are folded in; they come first.
func TestFoldedWords(t *testing.T) {
	m := randomModel(rand.New(rand.NewPCG(3, 6)), 4, 3, 0.6)
	f := newFolder(newRows(m, corpus.FromIDs([]string{"a", "b", "c", "d"}, [][]uint32{{0, 1, 2, 3}}), 1))
	for n, words := range [][]wordCount{
		{{2, 0}},
		{{0, 2}, {1, 0}, {3, 0}},
		{{0, 2}, {1, 1}, {3, 0}},
		{{0, 2}, {1, 1}, {3, 5}},
	} {
		f.load(words)
		if f.folded != n {
			t.Errorf("%v: %d are folded in, want %d", words, f.folded, n)
		}
	}
}

// A goroutine makes its scratch space once, however many documents it works on.
func TestOneWorkerPerThread(t *testing.T) {
	made, done := 0, make([]int, 50)
	if err := eachDoc(t.Context(), 50, 1, func() func(int) { made++; return func(d int) { done[d]++ } }); err != nil {
		t.Fatal(err)
	}
	if made != 1 || slices.Min(done) != 1 || slices.Max(done) != 1 {
		t.Errorf("%d workers did %v", made, done)
	}
}

// Documents shorter than a window are windows, so C_V of both kinds is the same; and it is that of the definition.
func TestCVOfDocuments(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	topics := [][]int{{0, 1, 2, 3, 4}, {5, 0, 9}, {7, 8}, {6}, {29, 28, 1}}
	texts := make([][]uint32, 40)
	for d := range texts {
		for range 1 + r.IntN(20) {
			texts[d] = append(texts[d], uint32(30*r.Float64()*r.Float64()))
		}
	}
	words := make([]string, 30)
	for w := range words {
		words[w] = fmt.Sprint(w)
	}
	docs, c := corpus.FromIDs(words, texts), coherence.NewWindows(topics)
	for d := range docs.NumDocs() {
		c.Add(docs.Doc(d))
	}
	got, err := Coherence(t.Context(), docs, topics)
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range c.Measure().CV {
		if x := got.CV[k]; math.Abs(x-want) > 1e-12 || math.IsNaN(x) != (k == 3) || math.IsNaN(want) != (k == 3) {
			t.Errorf("topic %d: %v, want %v", k, x, want)
		}
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := Coherence(cancelled, docs, topics); !errors.Is(err, context.Canceled) || got.CV != nil {
		t.Errorf("cancelled: %v, %v", got, err)
	}
}

// Lists that share elements at their ends, in the middle and nowhere.
func TestCommon(t *testing.T) {
	long := []uint32{1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21}
	for _, c := range []struct {
		short []uint32
		want  int
	}{
		{nil, 0},
		{[]uint32{1}, 1},
		{[]uint32{21}, 1},
		{[]uint32{0, 22}, 0},
		{[]uint32{1, 3, 5}, 3},
		{[]uint32{2, 4, 20}, 0},
		{[]uint32{0, 1, 2, 11, 12, 21, 22, 23}, 3},
		{[]uint32{9, 11, 12, 13}, 3},
		{long, 11},
	} {
		if got := common(c.short, long); got != c.want {
			t.Errorf("%v: %d, want %d", c.short, got, c.want)
		}
		if got := common(long, c.short); len(c.short) > 0 && got != c.want {
			t.Errorf("%v, the other way round: %d, want %d", c.short, got, c.want)
		}
	}
}

// Words at every second place are counted, from the first or, for the scored ones, the second.
func TestEveryOther(t *testing.T) {
	doc := []uint32{4, 4, 4, 5, 6, 6, 6, 6, 9}
	for skip, want := range [][]wordCount{{{4, 2}, {6, 2}, {9, 1}}, {{4, 1}, {5, 1}, {6, 2}}} {
		if got := countEveryOther(nil, doc[skip:]); !slices.Equal(got, want) {
			t.Errorf("from place %d: %v, want %v", skip, got, want)
		}
	}
	f := &folder{}
	words, own := f.everyWord(doc)
	if !slices.Equal(words, []wordCount{{4, 2}, {6, 2}, {9, 1}, {5, 0}}) || !slices.Equal(own, []float32{3, 4, 1, 1}) {
		t.Errorf("%v with %v tokens", words, own)
	}
	if words, own := f.everyWord([]uint32{2}); !slices.Equal(words, []wordCount{{2, 1}}) ||
		!slices.Equal(own, []float32{1}) {
		t.Errorf("one token: %v with %v tokens", words, own)
	}
}
