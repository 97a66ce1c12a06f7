package sweep

import (
	"errors"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi"
)

// The states of a model are the evaluations after half of the sweeps, each as log-likelihood a token times the tokens.
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
		got, err := states(topoi.Manifest{Iterations: c.sweeps, Tokens: 3, History: c.history})
		if !slices.Equal(got, c.want) || errors.Is(err, errNoStates) != (c.want == nil) {
			t.Errorf("%d sweeps, %v: %v (%v), want %v", c.sweeps, c.history, got, err, c.want)
		}
	}
}
