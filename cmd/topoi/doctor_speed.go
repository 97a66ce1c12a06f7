package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/simd"
	"github.com/topoi-lda/topoi/train"
)

// raced is a sampler whose speed is measured. Usual is how many times faster than portable Go its kernels are, by
// instruction set: measured on a Xeon for AVX-512 and AVX2, counted in instructions for NEON (bench/processors.sh).
type raced struct {
	name  string
	opts  topoi.Options
	usual map[string]float64
}

var race = []raced{
	{"cvb", topoi.Options{Sampler: "cvb", Tuning: topoi.Tuning{CVB: "zero"}}, map[string]float64{
		"AVX-512": 5, "AVX2": 4.3, "NEON": 5.6,
	}},
	{"batch", topoi.Options{Sampler: "batch"}, map[string]float64{"AVX-512": 6, "AVX2": 3.9, "NEON": 5}},
	{"warp", topoi.Options{Sampler: "warp"}, map[string]float64{"AVX-512": 4.5, "AVX2": 2.7, "NEON": 3.4}},
}

// raceTime is how long each sampler is measured: some 50 sweeps on one core of today.
const raceTime = 3 * time.Second

// speeds measures how many tokens a second the samplers get through on this processor, with its vector instructions
// and without, on a corpus of the size of a few thousand articles.
func speeds(ctx context.Context) []finding {
	c, err := raceCorpus(ctx)
	if err != nil {
		return []finding{{About: "speed", Found: "not measured", Problem: err.Error()}}
	}
	defer c.Close()
	var list []finding
	for _, r := range race {
		f := finding{About: "speed of " + r.name}
		speed, err := r.run(ctx, c)
		if err != nil {
			f.Found, f.Problem = "not measured", err.Error()
			list = append(list, f)
			continue
		}
		f.Found = fmt.Sprintf("%s tokens/s with 100 topics", human.Rate(speed))
		if set := simd.Name(); set != "" {
			var without float64
			simd.Without(func() { without, err = r.run(ctx, c) })
			if err == nil {
				f.Found += fmt.Sprintf(", %.1f times as fast as without %s; usual is about %g times",
					speed/without, set, r.usual[set])
			}
		}
		list = append(list, f)
	}
	return list
}

// raceCorpus makes the corpus.
func raceCorpus(ctx context.Context) (*corpus.Corpus, error) {
	dir, err := os.MkdirTemp("", "topoi-speed-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "speed.topoi")
	o := corpus.GenerateOptions{Docs: 4000, Words: 8000, Topics: 100, MeanLength: 120, Seed: 1}
	if _, err := corpus.Generate(ctx, path, o); err != nil {
		return nil, err
	}
	return corpus.Open(path)
}

// run trains for raceTime, and returns the tokens a second.
func (r *raced) run(ctx context.Context, c *corpus.Corpus) (perSecond float64, err error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	o := r.opts
	o.Topics, o.Iterations, o.Device, o.Tolerance, o.OptimizeInterval = 100, 1<<20, "cpu", -1, -1
	var first, last time.Duration
	var sweeps int
	o.Events.Iteration = func(e topoi.IterationInfo) {
		if first == 0 {
			first = e.Training // the first sweep lays things out
			return
		}
		sweeps++
		last = e.Training
		if last-first > raceTime {
			stop(topoi.ErrStop)
		}
	}
	if _, err := train.Run(ctx, c, o); err != nil && !errors.Is(err, topoi.ErrStop) {
		return 0, err
	}
	if sweeps == 0 {
		return 0, errors.New("the measurement was ended")
	}
	return float64(sweeps) * float64(c.NumTokens()) / (last - first).Seconds(), nil
}
