package main

import (
	"fmt"
	"runtime"
	"time"

	"github.com/topoi-lda/topoi/bench/internal/lab"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// point is a score on the way.
type point struct {
	iteration int
	cpu       time.Duration
	score     float64
}

// run is one sampler at work.
type run struct {
	*lab.Run
	name   string
	points []point
}

// how says how priors are chosen.
func how(l *lab.Lab) string {
	if l.Learnt {
		return "priors learnt"
	}
	return "Σα = 50, β = 0.01"
}

// compare runs samplers in turns until the first has so many scores, and the last until it is as good.
func compare(l *lab.Lab, names []string, steps []int, rounds int) error {
	fmt.Printf("## %s: %d training tokens, %d words, K = %d, %s\n", l.Name, l.Train.NumTokens(), l.Train.NumWords(), l.Topics, how(l))
	runs := make([]*run, len(names))
	for i, name := range names {
		r, err := l.Start(name, sampler.Tuning{}, 1)
		if err != nil {
			return err
		}
		runs[i] = &run{Run: r, name: name}
	}
	first, last := runs[0], runs[len(runs)-1]
	for round := 0; round < rounds || last.best() < first.best() && round < 4*rounds; round++ {
		for i, r := range runs {
			if round >= rounds && r != last {
				continue
			}
			if err := r.step(steps[i]); err != nil {
				return err
			}
		}
		runtime.GC()
	}
	for _, r := range runs {
		r.report()
	}
	for _, p := range []point{first.points[rounds/2-1], first.points[rounds-1]} {
		for _, r := range runs[1:] {
			if cpu, iteration, ok := r.reach(p.score); ok {
				fmt.Printf("%.3f: %s %.1f s (%d sweeps), %s %.1f s (%.0f sweeps): %.2f times sooner\n", p.score,
					first.name, p.cpu.Seconds(), p.iteration, r.name, cpu.Seconds(), iteration, p.cpu.Seconds()/cpu.Seconds())
			}
		}
	}
	fmt.Println()
	return nil
}

// step does so many sweeps and a score.
func (r *run) step(sweeps int) error {
	if err := r.Sweep(sweeps); err != nil {
		return err
	}
	score, err := r.Score()
	r.points = append(r.points, point{r.Iteration, r.CPU, score})
	return err
}

// best is the last score.
func (r *run) best() float64 { return r.points[len(r.points)-1].score }

// report prints the curve, and what a sweep costs at its end.
func (r *run) report() {
	n := len(r.points)
	from, to := r.points[(n-1)/2], r.points[n-1]
	a := (to.cpu - from.cpu).Seconds() / float64(to.iteration-from.iteration)
	fmt.Printf("%-6s %6.0f ms of processors a sweep, %.0f ns a token;", r.name, 1e3*a, 1e9*a/float64(r.Lab.Train.NumTokens()))
	for _, p := range r.points {
		fmt.Printf(" %d: %.1f s %.3f,", p.iteration, p.cpu.Seconds(), p.score)
	}
	fmt.Println()
}

// reach returns when a score is reached, between two points in a straight line.
func (r *run) reach(score float64) (cpu time.Duration, iteration float64, ok bool) {
	before := point{}
	for i, p := range r.points {
		if p.score >= score {
			if i == 0 {
				return p.cpu, float64(p.iteration), true
			}
			share := (score - before.score) / (p.score - before.score)
			return before.cpu + time.Duration(share*float64(p.cpu-before.cpu)), float64(before.iteration) + share*float64(p.iteration-before.iteration), true
		}
		before = p
	}
	return 0, 0, false
}
