package train

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/internal/sampler/fold"
)

func trainThemed(t *testing.T) *topoi.Model {
	t.Helper()
	m, err := Run(t.Context(), themed(90), topoi.Options{Topics: 3, Sampler: "gibbs", Iterations: 200, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// thetas infers all documents and returns copies of their θ.
func thetas(t *testing.T, m *topoi.Model, docs *corpus.Corpus, opts topoi.InferOptions) [][]float64 {
	t.Helper()
	var all [][]float64
	err := m.Infer(t.Context(), docs, opts, func(d *topoi.DocTopics) error {
		if d.Doc != len(all) {
			return fmt.Errorf("document %d came as number %d", d.Doc, len(all))
		}
		all = append(all, d.Theta(nil))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Documents of one theme must get the topic that holds the theme's words.
func TestInferFindsTheTheme(t *testing.T) {
	m := trainThemed(t)
	c := themed(90)
	for d, theta := range thetas(t, m, c, topoi.InferOptions{Iterations: 50}) {
		total, best := 0.0, 0
		for k, p := range theta {
			total += p
			if p > theta[best] {
				best = k
			}
		}
		if math.Abs(total-1) > 1e-9 {
			t.Fatalf("document %d: shares add up to %v", d, total)
		}
		word := m.Words().At(m.TopWords(best, 1)[0].Word)
		if want := string('a' + rune(d%3)); !strings.HasPrefix(word, want) {
			t.Errorf("document %d is about %q but its main topic begins with %q", d, want, word)
		}
	}
}

// The result depends neither on threads nor on the documents around.
func TestInferDependsOnTheDocumentAlone(t *testing.T) {
	m := trainThemed(t)
	c := themed(90)
	all := thetas(t, m, c, topoi.InferOptions{Iterations: 10, Threads: 1})
	if again := thetas(t, m, c, topoi.InferOptions{Iterations: 10, Threads: 3}); !equal(all, again) {
		t.Error("the result depends on the number of threads")
	}
	for _, d := range []int{0, 17, 89} {
		if alone := thetas(t, m, c.Docs(d, d+1), topoi.InferOptions{Iterations: 10}); !equal(alone, all[d:d+1]) {
			t.Errorf("document %d alone gets %v, among others %v", d, alone[0], all[d])
		}
	}
	if other := thetas(t, m, c, topoi.InferOptions{Iterations: 10, Seed: 1}); equal(all, other) {
		t.Error("the seed has no effect")
	}
}

func equal(a, b [][]float64) bool { return slices.EqualFunc(a, b, slices.Equal) }

// A document without known words has the prior's shares.
func TestInferEmptyDocument(t *testing.T) {
	m := trainThemed(t)
	empty := corpus.FromIDs(words(m), [][]uint32{{}})
	theta := thetas(t, m, empty, topoi.InferOptions{})[0]
	for k, p := range theta {
		if want := m.Alpha()[k] / prior.Sum(m.Alpha()); math.Abs(p-want) > 1e-12 {
			t.Errorf("topic %d has share %v, want %v", k, p, want)
		}
	}
}

func words(m *topoi.Model) []string {
	list := make([]string, m.NumWords())
	for w := range list {
		list[w] = m.Words().At(w)
	}
	return list
}

// With one word per document θ has a closed form: the token's topic has
// probability ∝ α_k φ_wk, and θ averages over it.
func TestInferMatchesClosedForm(t *testing.T) {
	m := trainThemed(t)
	const w = 2
	docs := corpus.FromIDs(words(m), [][]uint32{{w}})
	const sweeps = 40000
	theta := thetas(t, m, docs, topoi.InferOptions{Iterations: sweeps, BurnIn: -1})[0]
	want, total := make([]float64, 3), 0.0
	for k := range want {
		n := 0.0
		for _, e := range m.Row(w) {
			if int(e.Topic) == k {
				n = float64(e.Count)
			}
		}
		want[k] = m.Alpha()[k] * (n + m.Beta()) / (float64(m.TopicTotals()[k]) + float64(m.NumWords())*m.Beta())
		total += want[k]
	}
	for k := range want {
		p := want[k] / total
		expect := (p + m.Alpha()[k]) / (1 + prior.Sum(m.Alpha()))
		// Draws are independent for a single token: five standard errors.
		if bound := 5 * math.Sqrt(p*(1-p)/sweeps) / (1 + prior.Sum(m.Alpha())); math.Abs(theta[k]-expect) > bound+1e-9 {
			t.Errorf("topic %d: share %.5f, want %.5f ± %.5f", k, theta[k], expect, bound)
		}
	}
}

func TestInferOptionsValidate(t *testing.T) {
	err := topoi.InferOptions{Iterations: -1, Threads: -2}.Validate()
	if err == nil || !strings.Contains(err.Error(), "iterations is -1") || !strings.Contains(err.Error(), "threads is -2") {
		t.Errorf("got %v", err)
	}
	if err := (topoi.InferOptions{Iterations: 5, BurnIn: 5}).Validate(); err == nil {
		t.Error("a burn-in of all iterations was accepted")
	}
	m := trainThemed(t)
	if err := m.Infer(t.Context(), corpus.FromTokens([][]string{{"x"}}), topoi.InferOptions{}, nil); err == nil || !strings.Contains(err.Error(), "other words than the model") {
		t.Errorf("other vocabulary: got %v", err)
	}
}

// One text has the topics that it has in a corpus.
func TestInferText(t *testing.T) {
	texts := []string{"red apple, green apple", "fast car; slow car", "red car", ""}
	c, err := corpus.FromTexts(texts, corpus.ImportOptions{MinDF: 1, MaxDF: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	m := mustTrain(t, c, topoi.Options{Topics: 3, Sampler: "gibbs", Iterations: 20})
	opts := topoi.InferOptions{Iterations: 20, Threads: 1}
	for _, again := range []bool{false, true} {
		err = m.Infer(t.Context(), c, opts, func(want *topoi.DocTopics) error {
			got, err := m.InferText(t.Context(), texts[want.Doc]+" never-seen", opts)
			if err != nil {
				return err
			}
			if got.Tokens != want.Tokens || !slices.Equal(got.Topics, want.Topics) {
				t.Errorf("text %d, again %v: %+v, want %+v", want.Doc, again, got, want)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// θ and φ follow from the counts.
func TestThetaAndPhi(t *testing.T) {
	c := themed(20)
	m := mustTrain(t, c, topoi.Options{Topics: 4, Sampler: "gibbs", Iterations: 10, Holdout: 0.2, HoldoutLast: true})
	for d := range m.Manifest().Docs {
		theta, err := m.Theta(nil, d)
		if err != nil {
			t.Fatal(err)
		}
		begin, end := int(c.Offsets()[d]), int(c.Offsets()[d+1])
		for k, got := range theta {
			n := 0
			for i := begin; i < end; i++ {
				if m.Topic(i) == uint32(k) {
					n++
				}
			}
			if want := (float64(n) + m.Alpha()[k]) / (float64(end-begin) + prior.Sum(m.Alpha())); math.Abs(got-want) > 1e-12 {
				t.Errorf("document %d, topic %d: %v, want %v", d, k, got, want)
			}
		}
	}
	if _, err := m.Theta(nil, m.Manifest().Docs); err == nil {
		t.Error("a document that was held out has no θ")
	}
	for k, phi := range m.Phi([]int{2, 0}) {
		if total := prior.Sum(phi); math.Abs(total-1) > 1e-12 {
			t.Errorf("φ of topic %d sums to %v", k, total)
		}
		for w, p := range phi {
			count := float64(counts.CountIn(m.Row(w), uint32(k)))
			want := (count + m.Beta()) / (float64(m.TopicTotals()[k]) + float64(float64(m.NumWords())*m.Beta()))
			if p != want {
				t.Errorf("φ of word %d in topic %d is %v, want %v", w, k, p, want)
			}
		}
	}
}

// Top leaves the first topics of each document, however they are chosen.
func TestInferTop(t *testing.T) {
	m, docs := trainThemed(t), themed(90).Docs(0, 20)
	for _, iterations := range []int{0, 10} {
		var all [][]topoi.TopicShare
		keep := func(d *topoi.DocTopics) error {
			all = append(all, slices.Clone(d.Topics))
			return nil
		}
		if err := m.Infer(t.Context(), docs, topoi.InferOptions{Iterations: iterations}, keep); err != nil {
			t.Fatal(err)
		}
		for _, top := range []int{1, 2, fold.MostTop + 1} {
			check := func(d *topoi.DocTopics) error {
				if want := all[d.Doc][:min(top, len(all[d.Doc]))]; !slices.Equal(d.Topics, want) {
					t.Errorf("%d iterations, top %d: document %d has %v, want %v", iterations, top, d.Doc, d.Topics, want)
				}
				return nil
			}
			if err := m.Infer(t.Context(), docs, topoi.InferOptions{Iterations: iterations, Top: top}, check); err != nil {
				t.Fatal(err)
			}
		}
	}
}
