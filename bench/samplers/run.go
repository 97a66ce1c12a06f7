//go:build unix

package main

import (
	"context"
	"math"
	"slices"
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
	learnt         bool // priors are
	scored         bool // held-out documents are
}

// newLab holds out the last tenth of the documents.
func newLab(name string, c *corpus.Corpus, topics int, learnt, scored bool) *lab {
	n := c.NumDocs()
	return &lab{name, c.Docs(0, n-n/10), c.Docs(n-n/10, n), topics, learnt, scored}
}

// run is one training in progress. Its times are those of setting up, sweeps and
// the estimation of priors, without scoring.
type run struct {
	plan
	lab       *lab
	sampler   sampler.Sampler
	priors    *sampler.Priors
	iteration int
	spent     point // so far
	points    []point
}

// point is the end of a turn.
type point struct {
	sweeps    float64
	wall, cpu float64 // seconds
	score     float64 // nats per held-out token
}

// start begins a run: Σα = 50 where priors are fixed, else 5; β = 0.01.
func (l *lab) start(p plan) (*run, error) {
	sum := 50.0
	if l.learnt {
		sum = 5
	}
	alpha := slices.Repeat([]float64{sum / float64(l.topics)}, l.topics)
	r := &run{plan: p, lab: l, priors: &sampler.Priors{Alpha: alpha, Beta: 0.01}}
	err := r.timed(func() (err error) {
		r.sampler, err = registry.New(p.sampler, &sampler.Problem{
			Offsets: l.train.Offsets(), Words: l.train.Tokens(), V: l.train.NumWords(),
			K: l.topics, Seed: 1, Threads: p.threads, Tuning: p.tuning,
		})
		if err != nil {
			return err
		}
		return r.sampler.Start(nil, r.priors)
	})
	return r, err
}

// turn does the sweeps of a turn, and scores if that is wanted.
func (r *run) turn() error {
	if err := r.timed(r.sweep); err != nil {
		return err
	}
	at := r.spent
	if r.lab.scored {
		result, err := eval.Completion(context.Background(), predictor{r.sampler, r}, r.lab.heldout, r.threads)
		if err != nil {
			return err
		}
		at.score = result.PerToken
	}
	r.points = append(r.points, at)
	return nil
}

// sweep does the sweeps of a turn; priors are learnt as package topoi does it.
func (r *run) sweep() error {
	for range r.sweeps {
		r.iteration++
		if err := r.sampler.Sweep(context.Background(), r.iteration, r.priors); err != nil {
			return err
		}
		if r.lab.learnt && r.iteration > 20 && r.iteration%5 == 0 {
			r.learn()
		}
	}
	r.spent.sweeps = float64(r.iteration)
	return nil
}

// learn estimates the priors.
func (r *run) learn() {
	h := r.sampler.Histograms()
	alpha := hyper.Alpha(r.priors.Alpha, h, r.threads)
	length := float64(r.lab.train.NumTokens()) / float64(r.lab.train.NumDocs())
	least := min(math.Sqrt(float64(r.lab.topics)), length) / 2
	has := 0.0
	for _, a := range alpha {
		has += a
	}
	if has < least {
		for k := range alpha {
			alpha[k] *= least / has
		}
	}
	r.priors = &sampler.Priors{Alpha: alpha, Beta: hyper.Beta(r.priors.Beta, h, r.lab.train.NumWords())}
}

// timed adds what f takes.
func (r *run) timed(f func() error) error {
	wall, cpu := time.Now(), processor()
	err := f()
	r.spent.wall += time.Since(wall).Seconds()
	r.spent.cpu += (processor() - cpu).Seconds()
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

// predictor shows a run to package eval.
type predictor struct {
	sampler.Sampler
	r *run
}

func (p predictor) NumTopics() int   { return p.r.lab.topics }
func (p predictor) NumWords() int    { return p.r.lab.train.NumWords() }
func (p predictor) Alpha() []float64 { return p.r.priors.Alpha }
func (p predictor) Beta() float64    { return p.r.priors.Beta }
