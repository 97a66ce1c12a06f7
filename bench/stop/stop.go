package main

import (
	"fmt"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
)

// findStop trains twice on the same documents, which takes the same path twice: as a
// user would who holds nothing out, to see when it stops; and for four times as many
// sweeps with some eighty scores on the way, to see what that would have brought.
func findStop(name string, c *corpus.Corpus, o topoi.Options) (string, error) {
	docs, err := trainingDocs(c, o)
	if err != nil {
		return "", err
	}
	alone := o
	alone.Holdout, alone.HoldoutLast = 0, false
	m, err := topoi.Train(background, docs, alone)
	if err != nil {
		return "", err
	}
	stopped, history := m.Manifest().Iterations, m.Manifest().History
	train := func(o topoi.Options) (*topoi.Model, error) { return topoi.Train(background, c, o) }
	o.EvaluateEvery = interval(stopped)
	scores, err := heldoutAfter(train, o, 4*stopped)
	if err != nil {
		return "", err
	}
	at := stopped/o.EvaluateEvery - 1
	here, end := around(scores, at-1, at+1), around(scores, len(scores)-3, len(scores)-1)
	return fmt.Sprintf("%-22s stopped %4d (%s), needed %4d, sample %.4f, held-out %.4f, after four times as many sweeps %.4f: %+.4f",
		name, stopped, m.Manifest().Stopped, o.EvaluateEvery*firstWithin(scores), *history[len(history)-1].Sample, here, end, here-end), nil
}

// interval returns about a twentieth of the sweeps, so that the last one is scored.
func interval(sweeps int) int {
	for n := 20; n < sweeps/10; n++ {
		if sweeps%n == 0 {
			return sweeps / n
		}
	}
	return 10
}

// trainingDocs returns the documents that are not held out.
func trainingDocs(c *corpus.Corpus, o topoi.Options) (*corpus.Corpus, error) {
	o.Iterations, o.Sampler, o.Topics = 1, "batch", 2
	m, err := topoi.Train(background, c, o)
	if err != nil {
		return nil, err
	}
	return m.Docs()
}
