package protocol

import (
	"testing"

	"github.com/topoi-lda/topoi/internal/sampler"
)

// Between barriers every iteration keeps the priors that it had.
func TestMeet(t *testing.T) {
	s := State{Round: 10, Iteration: 10, Since: 10}
	stretch := func(until int, brief bool, alpha float64) {
		s.Until, s.Brief = until, brief
		s.SetPriors(&sampler.Priors{Alpha: []float64{alpha, alpha}, Beta: alpha / 10})
	}
	check := func(alphas map[int]float64) {
		t.Helper()
		for iteration, want := range alphas {
			if p := s.PriorsOf(iteration).Decode(2); p.Alpha[1] != want || p.Beta != want/10 {
				t.Errorf("iteration %d has priors %v, want %v", iteration, p, want)
			}
		}
	}
	stretch(12, true, 1)
	first := s
	s.Meet(12)
	stretch(15, true, 2)
	second := s
	s.Meet(15)
	stretch(20, false, 3)
	if check(map[int]float64{11: 1, 12: 1, 13: 2, 15: 2, 16: 3, 20: 3}); s.Round != 10 || s.Iteration != 10 || s.Since != 15 {
		t.Errorf("brief meetings lead to %+v", s)
	}
	if !second.LaterThan(&first) || !s.LaterThan(&second) || first.LaterThan(&s) || len(second.Before) != 1 {
		t.Error("states are in another order, or share what one of them has")
	}
	s.Meet(20)
	stretch(25, false, 4)
	if check(map[int]float64{21: 4, 25: 4}); s.Round != 20 || s.Iteration != 20 || s.Since != 20 || !s.LaterThan(&second) {
		t.Errorf("a barrier leads to %+v", s)
	}
}
