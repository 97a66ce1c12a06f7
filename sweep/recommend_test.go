package sweep

import (
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/compare"
	"github.com/topoi-lda/topoi/analysis/eval"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/metrics"
)

// measured makes a result of held-out scores and stabilities by number of topics, each
// with two seeds that lie 0.001 apart.
func measured(topics []int, heldout, stable []float64) *Result {
	r := &Result{Corpus: corpus.FromTokens([][]string{{"a"}})}
	for i, k := range topics {
		g := Group{Topics: k, Stability: &compare.Stability{}}
		for seed := range uint64(2) {
			rec := &Record{Topics: k, Seed: seed, Stopped: topoi.StopPlateau, Measured: eval.Measured{Values: map[string]float64{}}}
			if heldout != nil {
				rec.Set(metrics.HeldOut, heldout[i]+0.001*float64(seed))
			}
			if stable != nil {
				rec.Set(metrics.Stability, stable[i])
			} else {
				g.Stability = nil
			}
			g.Records = append(g.Records, rec)
		}
		g.Best = best(g.Records)
		g.summarize()
		r.Groups = append(r.Groups, g)
	}
	return r
}

func TestRecommend(t *testing.T) {
	topics := []int{10, 20, 40, 80}
	for _, c := range []struct {
		name            string
		heldout, stable []float64
		want, knee      int
		reason, caution string
	}{
		{"the most stable of those that predict best", []float64{-8, -7.5, -7.0005, -7}, []float64{0.9, 0.6, 0.7, 0.5}, 40, 40, "40 and 80 are within", ""},
		{"a clear best one", []float64{-8, -7.5, -7, -7.5}, []float64{0.9, 0.8, 0.7, 0.6}, 40, 40, "predicted best with 40", ""},
		{"still rising: the knee", []float64{-8, -7.2, -7.1, -7}, []float64{0.9, 0.8, 0.7, 0.6}, 20, 20, "knee at 20", "still improve at 80"},
		{"still rising without a knee", []float64{-8, -7.9, -7.6, -7}, nil, 80, 0, "the largest number tried", "still improve at 80"},
		{"falling from the first", []float64{-7, -7.5, -8, -9}, []float64{0.9, 0.5, 0.4, 0.3}, 10, 0, "predicted best with 10", "smallest number tried"},
		{"without held-out documents", nil, []float64{0.2, 0.3, 0.25, 0.1}, 20, 0, "most stable", "fewer than half"},
		{"with nothing", nil, nil, 0, 0, "", "nothing can be compared"},
		{"one seed", []float64{-8, -7.5, -7.0005, -7}, nil, 40, 40, "40 is the smallest", "at least two seeds"},
	} {
		got := recommend(measured(topics, c.heldout, c.stable))
		if got.Topics != c.want || got.Knee != c.knee {
			t.Errorf("%s: %d topics, knee %d, want %d and %d", c.name, got.Topics, got.Knee, c.want, c.knee)
		}
		if !strings.Contains(strings.Join(got.Reasons, "\n"), c.reason) || !strings.Contains(strings.Join(got.Cautions, "\n"), c.caution) {
			t.Errorf("%s: because %q, but %q", c.name, got.Reasons, got.Cautions)
		}
		if c.want > 0 && len(got.Reasons) == 0 {
			t.Errorf("%s: chosen silently", c.name)
		}
	}
}

func TestCautions(t *testing.T) {
	r := measured([]int{10, 20}, []float64{-7, -8}, []float64{0.9, 0.5})
	r.Groups[0].Records[0].Stopped = topoi.StopIterations
	r.Sample = Sampled{Share: 0.2, Docs: 5}
	all := strings.Join(recommend(r).Cautions, "\n")
	for _, want := range []string{"1 of 4 runs reached", "20 % of the corpus", "not with those of the whole"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q does not say %q", all, want)
		}
	}
	var others []int
	for _, o := range recommend(measured([]int{10, 20, 40, 80}, []float64{-8, -7.2, -7.1, -7}, []float64{0.9, 0.8, 0.7, 0.6})).Others {
		others = append(others, o.Topics)
	}
	if len(others) != 2 || others[0] != 10 || others[1] != 80 {
		t.Errorf("others are %v", others)
	}
}
