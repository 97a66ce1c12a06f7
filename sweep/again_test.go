package sweep

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/compare"
	"github.com/topoi-lda/topoi/analysis/eval"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/metrics"
)

// landscape is what numbers of topics are worth, and how far single runs lie from that.
type landscape struct {
	topics          []int
	heldout, stable []float64
	noise, shake    float64
}

// swept makes the result of a sweep. Agreements of pairs of runs are the sum of what both runs have.
func (l *landscape) swept(r *rand.Rand, seeds int) *Result {
	res := &Result{Corpus: corpus.FromTokens([][]string{{"a"}})}
	for i, k := range l.topics {
		g := Group{Topics: k, Stability: &compare.Stability{}}
		habits, sum := make([]float64, seeds), 0.0
		for s := range habits {
			habits[s] = l.shake * r.NormFloat64()
			sum += habits[s]
		}
		for s, habit := range habits {
			rec := &Record{Topics: k, Seed: uint64(s), Stopped: topoi.StopPlateau, Measured: eval.Measured{Values: map[string]float64{}}}
			rec.Set(metrics.HeldOut, l.heldout[i]+l.noise*r.NormFloat64())
			rec.Set(metrics.Stability, l.stable[i]+habit+(sum-habit)/float64(seeds-1))
			g.Records = append(g.Records, rec)
		}
		g.Best = best(g.Records)
		g.summarize()
		res.Groups = append(res.Groups, g)
	}
	return res
}

// The interval holds what other sweeps over the same documents suggest, in about 95 % of cases, and is narrow where one
// number is clearly better. With 120 pairs of sweeps the standard error is 2 points; the choice is a whole number, so that
// an interval may hold more.
func TestIntervalHoldsOtherSweeps(t *testing.T) {
	for _, c := range []struct {
		name string
		landscape
		wide bool
	}{
		{"a plateau", landscape{
			[]int{5, 8, 10, 20, 40, 80},
			[]float64{-7.5, -7.2, -7.195, -7.19, -7.2, -7.25},
			[]float64{0.9, 0.62, 0.61, 0.6, 0.5, 0.4},
			0.02, 0.03,
		}, true},
		{"a peak", landscape{
			[]int{5, 10, 20, 40}, []float64{-7.5, -7.0, -7.3, -7.5}, []float64{0.8, 0.7, 0.6, 0.5}, 0.01, 0.02,
		}, false},
		{"a rise", landscape{
			[]int{5, 10, 20, 40}, []float64{-7.6, -7.3, -7.1, -7.0}, []float64{0.8, 0.7, 0.6, 0.5}, 0.02, 0.02,
		}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(11, 54))
			const pairs = 120
			held, width := 0, 0.0
			for range pairs {
				got, other := recommend(c.swept(r, 5)), recommend(c.swept(r, 5))
				if got.Low > got.Topics || got.High < got.Topics {
					t.Fatalf("%d topics are suggested, and the interval is %d to %d", got.Topics, got.Low, got.High)
				}
				if got.Low <= other.Topics && other.Topics <= got.High {
					held++
				}
				if got.Low < got.High {
					width++
				}
				said := strings.Contains(strings.Join(got.Cautions, "\n"), fmt.Sprintf("any number from %d to %d", got.Low, got.High))
				if said != (got.Low < got.High) {
					t.Fatalf("%d to %d: %q", got.Low, got.High, got.Cautions)
				}
			}
			t.Logf("%.1f %% of intervals hold the other sweep's choice; %.0f %% are wider than one number", 100*float64(held)/pairs, 100*width/pairs)
			if held < 0.9*pairs {
				t.Errorf("%d of %d intervals hold the choice of another sweep", held, pairs)
			}
			if c.wide != (width > 0.5*pairs) {
				t.Errorf("%.0f of %d intervals are wide", width, pairs)
			}
		})
	}
}

// Three numbers in a row that predict alike are named a plateau, two or a gap are not.
func TestPlateau(t *testing.T) {
	stable := []float64{0.9, 0.8, 0.7, 0.6}
	for name, c := range map[string]struct {
		heldout []float64
		want    bool
	}{
		"three in a row":  {[]float64{-8, -7.0002, -7, -7.0003}, true},
		"two":             {[]float64{-8, -7.5, -7, -7.0003}, false},
		"three and a gap": {[]float64{-7.0001, -7.5, -7, -7.0003}, false},
	} {
		r := recommend(measured([]int{5, 10, 20, 40}, c.heldout, stable))
		if said := strings.Contains(strings.Join(r.Reasons, "\n"), "a plateau"); r.Plateau != c.want || said != c.want {
			t.Errorf("%s: a plateau: %v, said: %v, want %v", name, r.Plateau, said, c.want)
		}
	}
}
