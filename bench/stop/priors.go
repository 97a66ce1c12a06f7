package main

import (
	"fmt"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
)

// comparePriors trains with learned priors and with Σα kept at 1, 5 and 50, and
// compares the held-out scores.
func comparePriors(name string, c *corpus.Corpus, o topoi.Options) (string, error) {
	o.EvaluateEvery = *sweeps
	final := func(alphaSum float64, interval int) (float64, error) {
		o.AlphaSum, o.OptimizeInterval = alphaSum, interval
		scores, err := heldoutAfter(func(o topoi.Options) (*topoi.Model, error) { return topoi.Train(background, c, o) }, o, *sweeps)
		if err != nil {
			return 0, err
		}
		return scores[0], nil
	}
	learned, err := final(0, 0)
	if err != nil {
		return "", err
	}
	line, best := fmt.Sprintf("%-22s learned %.4f", name, learned), 0.0
	for _, a := range []float64{1, 5, 50} {
		score, err := final(a, -1)
		if err != nil {
			return "", err
		}
		line += fmt.Sprintf(", Σα = %g %.4f", a, score)
		if best == 0 || score > best {
			best = score
		}
	}
	return line + fmt.Sprintf(": %+.4f", learned-best), nil
}
