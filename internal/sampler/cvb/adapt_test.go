package cvb

import (
	"cmp"
	"testing"

	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// adaptCase is one in which the priors of sweep backAfter+1 end the responsibilities or leave them.
func adaptCase(exact int, sum float64) *samplertest.DeviceCase {
	const k = 20
	p := samplertest.RandomProblem(5, 30, 50, k, 60)
	p.Threads, p.Tuning = 2, sampler.Tuning{CVB: "zero", Partitions: 2, ExactSweeps: exact, Adapt: true}
	priors := &sampler.Priors{Beta: 0.1, Alpha: make([]float64, k)}
	for i := range priors.Alpha {
		priors.Alpha[i] = sum / k
	}
	return &samplertest.DeviceCase{Name: "cvb", Problem: p, Priors: priors}
}

// Where Σα has run away, responsibilities end after backAfter sweeps, or do not begin after exact ones, here and on a
// device. A run that is stopped and goes on from its saved state takes the same path.
func TestAdaptGoesBack(t *testing.T) {
	d := samplertest.Emulation(t)
	for _, exact := range []int{0, backAfter - 2} {
		for sum, want := range map[float64]bool{2: false, 100: true} {
			c := adaptCase(exact, sum)
			here, there := pairOf(t, d, c)
			resumed, resumedOn := pairOf(t, d, c)
			defer there.Close()
			defer resumedOn.Close()
			both := []sampler.Sampler{here, there}
			for i := backAfter - 2; i <= backAfter+4; i++ {
				for _, s := range both {
					samplertest.MustDo(t, s.Sweep(t.Context(), i, c.Priors))
				}
				samplertest.MustDo(t, there.Fetch())
				samplertest.MustDo(t, samplertest.SameState(c.Problem, here, there))
				z, saved := sameExtra(t, c, here, there)
				if got := string(saved) == lastDraws; got != (want && i > cmp.Or(exact, backAfter)) {
					t.Errorf("Σα = %g, %d exact sweeps: draws %v after %d", sum, exact, got, i)
				}
				if i == backAfter+2 {
					for _, s := range []sampler.Sampler{resumed, resumedOn} {
						samplertest.MustDo(t, s.Start(z, c.Priors))
						samplertest.MustDo(t, s.Capabilities().LoadExtra(saved))
					}
					both = append(both, resumed, resumedOn)
				}
			}
			samplertest.MustDo(t, resumedOn.Fetch())
			samplertest.MustDo(t, samplertest.SameState(c.Problem, here, resumed))
			samplertest.MustDo(t, samplertest.SameState(c.Problem, here, resumedOn))
		}
	}
}

// Documents that mix topics are drawn to the end, long ones sooner; others have responsibilities after the first
// sweeps. In whole papers it is the other way round. The least Σα of 20 topics is 2.24.
func TestAdaptStaysExact(t *testing.T) {
	for _, test := range []struct {
		length int
		sum    float64
		want   bool
	}{{2000, 17, true}, {2000, 19, false}, {1200, 4, true}, {1200, 3, false}, {60, 5, true}, {60, 4, false}} {
		c := adaptCase(2, test.sum)
		docs := make([][]uint32, 4)
		for d := range docs {
			for i := range test.length {
				docs[d] = append(docs[d], uint32(i*(d+3)%50))
			}
		}
		tuning := c.Problem.Tuning
		c.Problem = samplertest.ProblemOf(50, 20, docs...)
		c.Problem.Tuning = tuning
		here, there := pairOf(t, samplertest.Emulation(t), c)
		defer there.Close()
		for i := 1; i <= 4; i++ {
			samplertest.MustDo(t, here.Sweep(t.Context(), i, c.Priors))
			samplertest.MustDo(t, there.Sweep(t.Context(), i, c.Priors))
		}
		samplertest.MustDo(t, there.Fetch())
		samplertest.MustDo(t, samplertest.SameState(c.Problem, here, there))
		if _, saved := sameExtra(t, c, here, there); (string(saved) == lastDraws) != test.want {
			t.Errorf("%+v: %d bytes saved", test, len(saved))
		}
	}
}
