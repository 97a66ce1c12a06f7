package main

import (
	"fmt"
	"slices"
)

// turnSweeps is the number of sweeps in a turn. The first is not counted: caches are
// cold, and what was written in the turn before has had time to reach the disk.
const turnSweeps = 5

// turns runs several commands at the same time, of which one goes on and the others
// are stopped, turn by turn, so that whatever else the machine does slows all of them
// alike. It returns the sweeps of each one's turns.
func turns(path string, args [][]string, rounds int) (runs []*training, measured [][][]sweep) {
	for _, a := range args {
		p := start(path, a)
		p.next()
		p.pause()
		runs = append(runs, p)
	}
	measured = make([][][]sweep, len(runs))
	for range rounds {
		for i, p := range runs {
			p.goOn()
			var turn []sweep
			for range turnSweeps {
				s, ok := p.next()
				if !ok {
					check(fmt.Errorf("a run ended too soon: %v", p.wait()))
				}
				turn = append(turn, s)
			}
			p.pause()
			measured[i] = append(measured[i], turn)
		}
	}
	for _, p := range runs {
		p.goOn()
		check(p.wait())
	}
	return runs, measured
}

// sweepsOf is the number of sweeps that a run of so many turns takes: one before them, and
// one after them, which is evaluated.
func sweepsOf(rounds int) int { return rounds*turnSweeps + 2 }

// times returns how long the sweeps of a turn but the first took, in seconds, and the
// processor time that they took.
func times(turn []sweep) (wall, cpu []float64) {
	for i := 1; i < len(turn); i++ {
		wall = append(wall, turn[i].at.Sub(turn[i-1].at).Seconds())
		cpu = append(cpu, (turn[i].cpu - turn[i-1].cpu).Seconds())
	}
	return wall, cpu
}

// summary is what turns of a run were like.
type summary struct {
	rate        float64   // tokens per second, median, as the command tells
	wall, cpu   float64   // seconds of a sweep, medians
	least, most float64   // seconds of a sweep
	turns       []float64 // seconds of a sweep: medians of the turns
}

func summarize(measured [][]sweep) summary {
	var s summary
	var rates, walls, cpus []float64
	for _, turn := range measured {
		wall, cpu := times(turn)
		for _, sweep := range turn[1:] {
			rates = append(rates, sweep.rate)
		}
		walls, cpus = append(walls, wall...), append(cpus, cpu...)
		s.turns = append(s.turns, median(wall))
	}
	s.rate, s.wall, s.cpu, s.least, s.most = median(rates), median(walls), median(cpus), slices.Min(walls), slices.Max(walls)
	return s
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	if len(x) == 0 {
		return 0
	}
	return (x[len(x)/2] + x[(len(x)-1)/2]) / 2
}

// ratios returns the least and the largest ratio of turns that followed each other.
func ratios(a, b []float64) (least, most float64) {
	var r []float64
	for i := range a {
		r = append(r, a[i]/b[i])
	}
	return slices.Min(r), slices.Max(r)
}
