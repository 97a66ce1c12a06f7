package main

import (
	"context"
	"math"
	"time"

	"golang.org/x/sys/unix"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/eval"
	"github.com/topoi-lda/topoi/internal/hyper"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
)

// lab is a corpus, cut into training and held-out documents, and how to train.
type lab struct {
	name           string
	train, heldout *corpus.Corpus
	topics         int
	threads        int
	sweeps         int // of batch
	learnt         bool
}

func newLab(c named, topics, threads, sweeps int, learnt bool) *lab {
	n := c.docs.NumDocs()
	return &lab{c.name, c.docs.Docs(0, n-n/10), c.docs.Docs(n-n/10, n), topics, threads, sweeps, learnt}
}

// distinct returns the mean number of distinct words of the training documents.
func (l *lab) distinct() float64 {
	pairs := 0
	for d := range l.train.NumDocs() {
		pairs += len(distinct(l.train.Doc(d)))
	}
	return float64(pairs) / float64(l.train.NumDocs())
}

// run is one training in progress. Its times are those of setting up, sweeps and
// the estimation of priors, without scoring.
type run struct {
	l         *lab
	sampler   sampler.Sampler
	priors    *sampler.Priors
	iteration int
	wall, cpu time.Duration
}

// start begins a run: Σα = 50 where priors are fixed, else 5; β = 0.01.
func (l *lab) start(name string, tuning sampler.Tuning, seed uint64) (*run, error) {
	r := &run{l: l, priors: &sampler.Priors{Alpha: make([]float64, l.topics), Beta: 0.01}}
	sum := 50.0
	if l.learnt {
		sum = 5
	}
	for k := range r.priors.Alpha {
		r.priors.Alpha[k] = sum / float64(l.topics)
	}
	err := r.timed(func() (err error) {
		r.sampler, err = registry.New(name, &sampler.Problem{
			Offsets: l.train.Offsets(), Words: l.train.Tokens(), V: l.train.NumWords(),
			K: l.topics, Seed: seed, Threads: l.threads, Tuning: tuning,
		})
		if err != nil {
			return err
		}
		return r.sampler.Start(nil, r.priors)
	})
	return r, err
}

// sweep does so many sweeps; priors are learnt as package topoi does it.
func (r *run) sweep(n int) error {
	return r.timed(func() error {
		for range n {
			r.iteration++
			if err := r.sampler.Sweep(context.Background(), r.iteration, r.priors); err != nil {
				return err
			}
			if r.l.learnt && r.iteration > 20 && r.iteration%5 == 0 {
				r.learn()
			}
		}
		return nil
	})
}

// learn estimates the priors.
func (r *run) learn() {
	h := r.sampler.Histograms()
	alpha := hyper.Alpha(r.priors.Alpha, h, r.l.threads)
	length := float64(r.l.train.NumTokens()) / float64(r.l.train.NumDocs())
	least := min(math.Sqrt(float64(r.l.topics)), length) / 2
	if has := sum(alpha); has < least {
		for k := range alpha {
			alpha[k] *= least / has
		}
	}
	r.priors = &sampler.Priors{Alpha: alpha, Beta: hyper.Beta(r.priors.Beta, h, r.l.train.NumWords())}
}

func sum(list []float64) float64 {
	s := 0.0
	for _, x := range list {
		s += x
	}
	return s
}

// timed adds what f takes.
func (r *run) timed(f func() error) error {
	wall, cpu := time.Now(), processor()
	err := f()
	r.wall += time.Since(wall)
	r.cpu += processor() - cpu
	return err
}

// processor returns the processor time of this process.
func processor() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// score predicts the held-out documents, in nats per token.
func (r *run) score() (float64, error) {
	result, err := eval.Completion(context.Background(), scored{r.sampler, r}, r.l.heldout, r.l.threads)
	return result.PerToken, err
}

// scored shows a run to package eval.
type scored struct {
	sampler.Sampler
	r *run
}

func (s scored) NumTopics() int   { return s.r.l.topics }
func (s scored) NumWords() int    { return s.r.l.train.NumWords() }
func (s scored) Alpha() []float64 { return s.r.priors.Alpha }
func (s scored) Beta() float64    { return s.r.priors.Beta }
