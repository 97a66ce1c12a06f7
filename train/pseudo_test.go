package train

import (
	"math"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/topic"
)

// everyWord has n pseudo-counts of every word in topic 0.
func everyWord(words, topics int, n uint32) *topic.PseudoCounts {
	return topic.NewPseudoCounts(words, topics, func(int) []topic.Count { return []topic.Count{{Topic: 0, Count: n}} })
}

// The likelihood of the words is that of the tokens given the pseudo-counts:
// Σ_k log Γ(m_k + Vβ)/Γ(n_k + m_k + Vβ) + Σ_wk log Γ(n_wk + m_wk + β)/Γ(m_wk + β).
func TestLikelihoodGivenPseudoCounts(t *testing.T) {
	c := themed(30)
	m := mustTrain(t, c, topoi.Options{Topics: 3, Sampler: "batch", Iterations: 10, Pseudo: everyWord(c.NumWords(), 3, 7)})
	lgamma := func(x float64) float64 { y, _ := math.Lgamma(x); return y }
	beta, want := m.Beta(), 0.0
	vbeta := beta * float64(m.NumWords())
	for k, n := range m.TopicTotals() {
		want += lgamma(float64(m.PseudoCounts().Totals()[k])+vbeta) - lgamma(float64(n)+vbeta)
	}
	for w := range m.NumWords() {
		for _, e := range m.Row(w) {
			own := 0.0
			if e.Topic == 0 {
				own = 7
			}
			want += lgamma(float64(e.Count)+beta) - lgamma(own+beta)
		}
	}
	history := m.Manifest().History
	got := history[len(history)-1].WordsGiven * float64(c.NumTokens())
	if math.Abs(got-want) > 1e-6*math.Abs(want) {
		t.Errorf("the words have log-likelihood %v, want %v", got, want)
	}
}

// "auto" takes a sampler that can hold the pseudo-counts, as those of a large model. One that is asked for and cannot
// hold them names the word.
func TestManyPseudoCounts(t *testing.T) {
	c := themed(30)
	o := topoi.Options{Topics: 3, Iterations: 2, OptimizeInterval: -1, Pseudo: everyWord(c.NumWords(), 3, 1)}
	if m := mustTrain(t, c, o); m.Manifest().Options.Sampler != "cvb" {
		t.Fatalf("few pseudo-counts are taken by %s: this test shows nothing", m.Manifest().Options.Sampler)
	}
	o.Pseudo = everyWord(c.NumWords(), 3, 370_230)
	if m := mustTrain(t, c, o); m.Manifest().Options.Sampler == "cvb" {
		t.Error("auto takes cvb")
	}
	o.Sampler, o.Tuning.CVB = "cvb", "zero"
	_, err := Run(t.Context(), c, o)
	if err == nil || !strings.Contains(err.Error(), `and the word "`+c.Word(0)+`" has 370230: give them less weight`) {
		t.Error(err)
	}
}

func TestPseudoCountsThatDoNotFit(t *testing.T) {
	c := themed(30)
	for want, o := range map[string]topoi.Options{
		"Options.Pseudo has":          {Topics: 3, Pseudo: everyWord(c.NumWords(), 2, 1)},
		"too many beside":             {Topics: 3, Pseudo: everyWord(c.NumWords(), 3, math.MaxInt32)},
		"does not take pseudo-counts": {Topics: 3, Sampler: "light", Pseudo: everyWord(c.NumWords(), 3, 1)},
	} {
		if _, err := Run(t.Context(), c, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	l, err := PlanLed(c, topoi.Options{Topics: 3, Pseudo: everyWord(c.NumWords(), 3, 1)}.WithDefaults(), nil)
	if err != nil {
		t.Fatal(err)
	}
	by := l.Guide()
	for _, other := range []*topic.PseudoCounts{nil, everyWord(c.NumWords(), 3, 2)} {
		if _, err := PlanLed(c, topoi.Options{Topics: 3, Pseudo: other}.WithDefaults(), by); err == nil || !strings.Contains(err.Error(), "pseudo-counts of the job") {
			t.Errorf("a worker would train without the pseudo-counts of the job: %v", err)
		}
	}
}
