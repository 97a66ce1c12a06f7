package sweep

import (
	"errors"

	"github.com/topoi-lda/topoi"
)

// errNoStates means that a model lacks the likelihoods of its training.
var errNoStates = errors.New("the model does not say how probable its words were during training")

// states returns log p(w | z, β), in nats, of the evaluations in the second half of a
// model's sweeps, for the metric griffiths_2004.
func states(m topoi.Manifest) ([]float64, error) {
	var list []float64
	for _, s := range m.History {
		if 2*s.Iteration <= m.Iterations {
			continue
		}
		if s.WordsGiven == 0 {
			return nil, errNoStates
		}
		list = append(list, s.WordsGiven*float64(m.Tokens))
	}
	if len(list) == 0 {
		return nil, errNoStates
	}
	return list, nil
}
