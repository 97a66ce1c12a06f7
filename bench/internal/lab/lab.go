// Package lab trains samplers beside each other for benchmarks, by processor time and held-out score.
package lab

import (
	"context"
	"fmt"
	"log"
	"math"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/eval"
	"github.com/topoi-lda/topoi/internal/hyper"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
)

// Lab is a corpus, cut into training and held-out documents, and how to train.
type Lab struct {
	Name           string
	Train, Heldout *corpus.Corpus
	Topics         int
	Threads        int
	Learnt         bool // priors are
}

// New holds out the last tenth of the documents.
func New(name string, c *corpus.Corpus, topics, threads int, learnt bool) *Lab {
	n := c.NumDocs()
	return &Lab{name, c.Docs(0, n-n/10), c.Docs(n-n/10, n), topics, threads, learnt}
}

// Run is one training in progress. Its times are those of setting up, sweeps and
// the estimation of priors, without scoring.
type Run struct {
	Lab       *Lab
	Sampler   sampler.Sampler
	Iteration int
	Wall, CPU time.Duration

	priors *sampler.Priors
}

// Start begins a run: Σα = 50 where priors are fixed, else 5; β = 0.01.
func (l *Lab) Start(name string, tuning sampler.Tuning, seed uint64) (*Run, error) {
	r := &Run{Lab: l, priors: &sampler.Priors{Alpha: make([]float64, l.Topics), Beta: 0.01}}
	sum := 50.0
	if l.Learnt {
		sum = 5
	}
	for k := range r.priors.Alpha {
		r.priors.Alpha[k] = sum / float64(l.Topics)
	}
	err := r.timed(func() (err error) {
		r.Sampler, err = registry.New(name, &sampler.Problem{
			Offsets: l.Train.Offsets(), Words: l.Train.Tokens(), V: l.Train.NumWords(),
			K: l.Topics, Seed: seed, Threads: l.Threads, Tuning: tuning,
		})
		if err != nil {
			return err
		}
		return r.Sampler.Start(nil, r.priors)
	})
	return r, err
}

// Sweep does so many sweeps; priors are learnt as package topoi does it.
func (r *Run) Sweep(n int) error {
	return r.timed(func() error {
		for range n {
			r.Iteration++
			if err := r.Sampler.Sweep(context.Background(), r.Iteration, r.priors); err != nil {
				return err
			}
			if r.Lab.Learnt && r.Iteration > 20 && r.Iteration%5 == 0 {
				r.learn()
			}
		}
		return nil
	})
}

// learn estimates the priors.
func (r *Run) learn() {
	h := r.Sampler.Histograms()
	alpha := hyper.Alpha(r.priors.Alpha, h, r.Lab.Threads)
	length := float64(r.Lab.Train.NumTokens()) / float64(r.Lab.Train.NumDocs())
	least := min(math.Sqrt(float64(r.Lab.Topics)), length) / 2
	if has := sum(alpha); has < least {
		for k := range alpha {
			alpha[k] *= least / has
		}
	}
	r.priors = &sampler.Priors{Alpha: alpha, Beta: hyper.Beta(r.priors.Beta, h, r.Lab.Train.NumWords())}
}

func sum(list []float64) float64 {
	s := 0.0
	for _, x := range list {
		s += x
	}
	return s
}

// timed adds what f takes.
func (r *Run) timed(f func() error) error {
	wall, cpu := time.Now(), processor()
	err := f()
	r.Wall += time.Since(wall)
	r.CPU += processor() - cpu
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

// Score predicts the held-out documents, in nats per token.
func (r *Run) Score() (float64, error) {
	result, err := eval.Completion(context.Background(), scored{r.Sampler, r}, r.Lab.Heldout, r.Lab.Threads)
	return result.PerToken, err
}

// scored shows a run to package eval.
type scored struct {
	sampler.Sampler
	r *Run
}

func (s scored) NumTopics() int   { return s.r.Lab.Topics }
func (s scored) NumWords() int    { return s.r.Lab.Train.NumWords() }
func (s scored) Alpha() []float64 { return s.r.priors.Alpha }
func (s scored) Beta() float64    { return s.r.priors.Beta }

// Numbers reads a list of numbers with commas between them, or ends the program.
func Numbers(list string) (numbers []int) {
	for _, x := range strings.Split(list, ",") {
		var n int
		if _, err := fmt.Sscan(x, &n); err != nil {
			log.Fatalf("%q is not a number", x)
		}
		numbers = append(numbers, n)
	}
	return numbers
}
