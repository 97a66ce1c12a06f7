package guide

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/prevalence"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/topic"
)

// uniform returns documents of ten tokens each over the words a to e.
func uniform(docs int) *corpus.Corpus {
	lists := make([][]uint32, docs)
	for d := range lists {
		for w := range uint32(5) {
			lists[d] = append(lists[d], w, w)
		}
	}
	return corpus.FromIDs([]string{"a", "b", "c", "d", "e"}, lists)
}

// asked returns the corpus and the options with which an update would train.
func asked(t *testing.T, old *topoi.Model, docs *corpus.Corpus, o UpdateOptions) (c *corpus.Corpus, run topoi.Options) {
	t.Helper()
	stop := errors.New("stop")
	o.Train = func(_ context.Context, docs *corpus.Corpus, options topoi.Options) (*topoi.Model, error) {
		c, run = docs, options
		return nil, stop
	}
	if _, err := Update(t.Context(), old, docs, o); !errors.Is(err, stop) {
		t.Fatal(err)
	}
	return c, run
}

// α and β stay fixed where the documents have fewer than half of the tokens that the old model counts, unless the options
// say when to learn them.
func TestUpdateLearnsPriorsFromManyDocuments(t *testing.T) {
	old := trained(t, uniform(20), topoi.Options{Topics: 2})
	for _, c := range []struct{ docs, interval, want int }{{9, 0, -1}, {10, 0, 0}, {40, 0, 0}, {9, 7, 7}, {40, 7, 7}} {
		_, run := asked(t, old, uniform(c.docs), UpdateOptions{Options: topoi.Options{OptimizeInterval: c.interval}})
		if run.OptimizeInterval != c.want {
			t.Errorf("%d documents and an interval of %d: the run has %d, want %d", c.docs, c.interval, run.OptimizeInterval, c.want)
		}
	}
	_, run := asked(t, old, uniform(1), UpdateOptions{})
	if run.Iterations != 200 || run.BurnIn != -1 || run.Topics != 2 {
		t.Errorf("%d iterations, burn-in %d, %d topics", run.Iterations, run.BurnIn, run.Topics)
	}
	if _, run := asked(t, old, uniform(1), UpdateOptions{Options: topoi.Options{Iterations: 30}, NewTopics: 3}); run.Iterations != 30 || run.Topics != 5 {
		t.Errorf("%d iterations, %d topics", run.Iterations, run.Topics)
	}
}

// Pseudo-counts are ⌊weight·(n_wk − those of the documents that are kept)⌋, also for a model of documents from the
// middle of a file; the kept documents keep their topics.
func TestUpdateCountsOldTokensOnce(t *testing.T) {
	all := generated(t, 300, 6)
	docs := all.Docs(100, 200)
	m := trained(t, docs, topoi.Options{}).LastDraw()
	for _, weight := range []float64{1, 0.5} {
		c, run := asked(t, m, all.Docs(200, 220), UpdateOptions{Keep: 30, Weight: weight, Options: topoi.Options{Seed: 3}})
		if c.NumDocs() != 50 {
			t.Fatalf("%d documents", c.NumDocs())
		}
		own := map[[2]uint32]uint32{}
		for i, w := range c.Docs(0, 30).Tokens() {
			own[[2]uint32{w, run.Start.Topics[i]}]++
		}
		z, begin := topicsOf(t, m), map[string]uint64{}
		for d := range docs.NumDocs() {
			begin[fmt.Sprint(docs.Doc(d))] = docs.Offsets()[d] - docs.Offsets()[0]
		}
		at := 0
		for d := range 30 {
			old, known := begin[fmt.Sprint(c.Doc(d))]
			if n := len(c.Doc(d)); !known || !slices.Equal(run.Start.Topics[at:at+n], z[old:old+uint64(n)]) {
				t.Fatalf("kept document %d does not have the topics that it had", d)
			}
			at += len(c.Doc(d))
		}
		for w := range m.NumWords() {
			for k := range uint32(8) {
				left := countOf(m.Row(w), k) - own[[2]uint32{uint32(w), k}]
				if got, want := countOf(run.Pseudo.Row(w), k), uint32(math.Floor(weight*float64(left))); got != want {
					t.Fatalf("word %d and topic %d have %d pseudo-counts, want %d", w, k, got, want)
				}
			}
		}
	}
}

// Tokens of words that the model does not know spread evenly over the new topics; α of these is the mean of the others.
func TestUpdateSpreadsNewWords(t *testing.T) {
	m := trained(t, generated(t, 60, 7), topoi.Options{}).LastDraw()
	var b corpus.Builder
	known := m.Words().At(0)
	for i := range 200 {
		doc := []string{known}
		if i%3 == 0 {
			for range 30 {
				doc = append(doc, "comet")
			}
		}
		b.Add(corpus.Document{Tokens: doc})
	}
	c, run := asked(t, m, b.Corpus(), UpdateOptions{NewTopics: 3, Options: topoi.Options{Seed: 2}})
	n := make([]int, 11)
	for i, w := range c.Tokens() {
		k := run.Start.Topics[i]
		if unknown := int(w) >= m.NumWords(); unknown != (k >= 8) {
			t.Fatalf("word %s has topic %d", c.Word(int(w)), k)
		}
		n[k]++
	}
	for _, of := range n[8:] { // 2,010 draws with a third each: 670, and five standard errors are 106
		if of < 564 || of > 776 {
			t.Errorf("topics have %v tokens", n)
		}
	}
	mean := 0.0
	for _, a := range m.Alpha() {
		mean += a / 8
	}
	nearly(t, "α", run.Start.Alpha, append(slices.Clone(m.Alpha()), mean, mean, mean))
	if run.Start.Beta != m.Beta() || run.Start.Iteration != 1 {
		t.Errorf("β %v, want %v; iteration %d", run.Start.Beta, m.Beta(), run.Start.Iteration)
	}
}

// A prior has ⌊weight·n_wk⌋ of the words that both have, matched by their spelling.
func TestPriorNumbers(t *testing.T) {
	c, z := small()
	m := told(t, c, []float64{1, 1, 1, 1}, z, nil) // n_wk: a (1 1 1 0), b (0 1 1 1), c (1 1 0 1)
	other := corpus.FromIDs([]string{"c", "x", "a"}, [][]uint32{{0, 1, 2}})
	p, err := Prior(m, other, 5, 2.5)
	if err != nil {
		t.Fatal(err)
	}
	for w, want := range [][]topic.Count{row(0, 2, 1, 2, 3, 2), nil, row(0, 2, 1, 2, 2, 2)} {
		if !slices.Equal(p.Row(w), want) {
			t.Errorf("word %s has %v, want %v", other.Word(w), p.Row(w), want)
		}
	}
	for _, bad := range []struct {
		k      int
		weight float64
	}{{3, 1}, {4, 0}, {4, -1}, {4, 1000.5}, {4, math.NaN()}, {4, 0.5}} {
		if p, err := Prior(m, other, bad.k, bad.weight); err == nil {
			t.Errorf("%+v is accepted, and gives %d tokens", bad, p.Tokens())
		}
	}
	if _, err := Prior(m, other, 4, 1000); err != nil {
		t.Error(err)
	}
	if n := quiet(other, 3) + 10*quiet(corpus.FromIDs([]string{"a", "b", "c", "d"}, [][]uint32{{1, 3}}), 3); n != 20 {
		t.Errorf("quiet words: %d", n)
	}
}

// A place is drawn where the running sum of weights exceeds u times their sum.
func TestDrawnPlaces(t *testing.T) {
	for u, want := range map[float64]uint32{0: 0, 0.1: 0, 0.124: 0, 0.125: 2, 0.6: 2, 0.624: 2, 0.625: 3, 0.999: 3} {
		if got := drawn([]float64{1, 0, 4, 3}, u); got != want {
			t.Errorf("u = %v draws place %d, want %d", u, got, want)
		}
	}
}

// Known words of new documents draw from θ_dk (n_wk + β)/(n_k + Vβ), where θ is inferred, by the random number of their place.
func TestUpdateBeginsWithDraws(t *testing.T) {
	all := generated(t, 120, 10)
	m := trained(t, all.Docs(0, 100), topoi.Options{}).LastDraw()
	news := all.Docs(100, 120)
	start, err := startOf(t.Context(), m, news, 0, nil, UpdateOptions{Options: topoi.Options{Seed: 6}})
	if err != nil {
		t.Fatal(err)
	}
	random, at := draws(6), 0
	err = m.Infer(t.Context(), news, topoi.InferOptions{Seed: 6, Iterations: startSweeps}, func(d *topoi.DocTopics) error {
		theta := d.Theta(nil)
		for _, w := range news.Doc(d.Doc) {
			p, sum := make([]float64, 8), 0.0
			for k := range p {
				n, of := float64(countOf(m.Row(int(w)), uint32(k))), float64(m.TopicTotals()[k])
				p[k] = theta[k] * (n + m.Beta()) / (of + float64(m.NumWords())*m.Beta())
				sum += p[k]
			}
			left, want := rng.Float64(random.Pair(uint64(at)))*sum, 0
			for left >= p[want] {
				left -= p[want]
				want++
			}
			if start.Topics[at] != uint32(want) {
				return fmt.Errorf("token %d has topic %d, want %d", at, start.Topics[at], want)
			}
			at++
		}
		return nil
	})
	if err != nil || at != news.NumTokens() {
		t.Errorf("%d of %d tokens: %v", at, news.NumTokens(), err)
	}
}

// What cannot be done is refused: no new words, no such weight, no times, options that slices cannot have.
func TestRefused(t *testing.T) {
	c, z := small()
	m := told(t, c, []float64{1, 1, 1, 1}, z, nil)
	for want, o := range map[string]UpdateOptions{
		"the weight of the older model is -1":      {Weight: -1},
		"the weight of the older model is 1001":    {Weight: 1001},
		"the weight of the older model is NaN":     {Weight: math.NaN()},
		"-1 new topics were asked for: it must be": {NewTopics: -1},
	} {
		if _, err := Update(t.Context(), m, c, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := Update(t.Context(), m, corpus.FromIDs([]string{"a"}, [][]uint32{{}}), UpdateOptions{}); err == nil || !strings.Contains(err.Error(), "nothing to learn") {
		t.Error(err)
	}
	if _, err := ByTime(t.Context(), c, ByTimeOptions{Options: topoi.Options{Topics: 2}}); !errors.Is(err, prevalence.ErrNoTimes) {
		t.Error(err)
	}
	pseudo := topic.NewPseudoCounts(3, 2, func(int) []topic.Count { return row(0, 1) })
	for _, o := range []topoi.Options{{Holdout: 0.1}, {Pseudo: pseudo}, {Memory: 1}} {
		o.Topics, o.Iterations = 2, 1
		if _, err := ByTime(t.Context(), years(), ByTimeOptions{Bins: "year", Options: o}); err == nil || !strings.Contains(err.Error(), "training by time cannot be combined") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// Counts times a weight are rounded down. What no count can hold is the largest one, and not what is left of it.
func TestWeightedCounts(t *testing.T) {
	for _, c := range []struct {
		weight float64
		n      uint32
		want   uint32
	}{
		{1, 7, 7},
		{0.5, 7, 3},
		{0.99, 1, 0},
		{1000, 5, 5000},
		{1, math.MaxUint32, math.MaxUint32},
		{1000, 4_294_967, 4_294_967_000},
		{1000, 4_294_968, math.MaxUint32},
		{1000, math.MaxUint32, math.MaxUint32},
	} {
		if got := weighted(c.weight, c.n); got != c.want {
			t.Errorf("%v times %d: %d, want %d", c.weight, c.n, got, c.want)
		}
		row := []topic.Count{{Topic: 1, Count: c.n}}
		if got := carried(row, c.weight); len(got) != 1 || got[0] != (topic.Count{Topic: 1, Count: c.want}) || row[0].Count != c.n {
			t.Errorf("%v times %v: %v", c.weight, row, got)
		}
	}
}

// A model that adds up several draws is a prior by their mean: a token counts once, and each topic has what it has in all
// draws together, divided by their number and rounded.
func TestPriorOfSeveralDraws(t *testing.T) {
	c := generated(t, 60, 7)
	m := trained(t, c, topoi.Options{})
	if m.Manifest().Draws < 2 {
		t.Fatalf("%d draws", m.Manifest().Draws)
	}
	p, err := Prior(m, c, 8, 1)
	if err != nil {
		t.Fatal(err)
	}
	if int(p.Tokens()) != c.NumTokens() {
		t.Errorf("%d pseudo-counts of %d tokens", p.Tokens(), c.NumTokens())
	}
	for w := range c.NumWords() {
		for _, e := range m.Row(w) {
			mean := float64(e.Count) / float64(m.Manifest().Draws)
			if got := float64(at(p.Row(w), int(e.Topic))); math.Abs(got-mean) >= 1 {
				t.Fatalf("word %d has %v in topic %d, want about %v", w, got, e.Topic, mean)
			}
		}
	}
}
