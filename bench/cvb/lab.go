package main

import (
	bench "github.com/topoi-lda/topoi/bench/internal/lab"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// lab is where batch and cvb are compared.
type lab struct {
	*bench.Lab
	sweeps int // of batch
}

func newLab(c named, topics, threads, sweeps int, learnt bool) *lab {
	return &lab{bench.New(c.name, c.docs, topics, threads, learnt), sweeps}
}

// run is one of the two at work.
type run struct{ *bench.Run }

func (l *lab) start(name string, tuning sampler.Tuning, seed uint64) (*run, error) {
	r, err := l.Start(name, tuning, seed)
	return &run{r}, err
}

// distinct returns the mean number of distinct words of the training documents.
func (l *lab) distinct() float64 {
	pairs := 0
	for d := range l.Train.NumDocs() {
		pairs += len(distinct(l.Train.Doc(d)))
	}
	return float64(pairs) / float64(l.Train.NumDocs())
}
