package metrics

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/tablemodel"
)

// States takes the evaluations after half of the sweeps, each as log-likelihood a token times the tokens.
func TestStates(t *testing.T) {
	history := func(iterations ...int) (list []topoi.Score) {
		for _, i := range iterations {
			list = append(list, topoi.Score{Iteration: i, WordsGiven: -float64(i)})
		}
		return list
	}
	for _, c := range []struct {
		sweeps  int
		history []topoi.Score
		want    []float64
	}{
		{40, history(10, 20, 30, 40), []float64{-90, -120}},
		{41, history(10, 20, 21, 41), []float64{-63, -123}},
		{39, history(20, 39), []float64{-60, -117}},
		{40, history(10, 20), nil},
		{40, nil, nil},
		{40, append(history(10), topoi.Score{Iteration: 30}), nil},
		{40, append([]topoi.Score{{Iteration: 10}}, history(30)...), []float64{-90}},
	} {
		got, err := States(topoi.Manifest{Iterations: c.sweeps, Tokens: 3, History: c.history})
		if !slices.Equal(got, c.want) || errors.Is(err, ErrNoStates) != (c.want == nil) {
			t.Errorf("%d sweeps, %v: %v (%v), want %v", c.sweeps, c.history, got, err, c.want)
		}
	}
}

// One topic has no distance to another.
func TestDistancesOfOneTopic(t *testing.T) {
	for seed := range uint64(20) {
		m := tablemodel.Random(seed, 30, 1, 0.7)
		if got := CaoJuan2009(m); !math.IsNaN(got) {
			t.Errorf("seed %d: CaoJuan2009 is %v", seed, got)
		}
		if got := Deveaud2014(m); !math.IsNaN(got) {
			t.Errorf("seed %d: Deveaud2014 is %v", seed, got)
		}
	}
}
