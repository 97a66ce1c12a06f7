//go:build unix

package main

import (
	"fmt"
	"runtime"
	"slices"
)

// compare lets runs take turns until the first has had as many as asked for and, where scores are taken, the last
// is as good, and prints what came of it.
func compare(l *lab, plans []plan, turns int) error {
	fmt.Println(l.title())
	runs := make([]*run, len(plans))
	for i, p := range plans {
		var err error
		if runs[i], err = l.start(p); err != nil {
			return err
		}
	}
	first, last := runs[0], runs[len(runs)-1]
	for turn := 0; turn < turns || last.end().score < first.end().score && turn < 4*turns; turn++ {
		for _, r := range runs {
			if turn >= turns && r != last {
				continue
			}
			if err := r.turn(); err != nil {
				return err
			}
		}
		runtime.GC()
	}
	for _, r := range runs {
		r.report()
	}
	for _, r := range runs[1:] {
		r.reportAgainst(first)
	}
	fmt.Println()
	return nil
}

func (r *run) end() point { return r.points[len(r.points)-1] }

// report prints the curve, and what a sweep costs in the later half of it.
func (r *run) report() {
	from, to := r.points[(len(r.points)-1)/2], r.end()
	if len(r.points) == 1 {
		from = point{}
	}
	n := to.sweeps - from.sweeps
	cpu, wall := (to.cpu-from.cpu)/n, (to.wall-from.wall)/n
	fmt.Printf("%s: a sweep takes %.0f ms of processors, %.0f ns a token; %.0f ms by the clock;", r.name, 1e3*cpu, 1e9*cpu/float64(r.lab.train.NumTokens()), 1e3*wall)
	for _, p := range r.points {
		if r.lab.scored {
			fmt.Printf(" %.0f: %.1f s %.4f,", p.sweeps, p.cpu, p.score)
		}
	}
	fmt.Println()
}

// reportAgainst prints the ratios of turns that followed each other, the first of which touches memory for the
// first time and is left out, and when the scores that the other run had halfway and in the end were reached.
func (r *run) reportAgainst(other *run) {
	var ratios []float64
	for i := 1; i < min(len(r.points), len(other.points)); i++ {
		mine, its := (r.points[i].wall-r.points[i-1].wall)/float64(r.sweeps), (other.points[i].wall-other.points[i-1].wall)/float64(other.sweeps)
		ratios = append(ratios, its/mine)
	}
	slices.Sort(ratios)
	if len(ratios) > 0 {
		n := len(ratios)
		fmt.Printf("a sweep of %s takes %.2f times as long by the clock as one of %s, quartiles of %d turns %.2f %.2f\n",
			other.name, ratios[n/2], r.name, n, ratios[n/4], ratios[3*n/4])
	}
	if !r.lab.scored {
		return
	}
	for _, p := range []point{other.points[(len(other.points)-1)/2], other.end()} {
		if at, ok := r.reach(p.score); ok {
			fmt.Printf("%.4f: %s %.1f s (%.0f sweeps), %s %.1f s (%.0f sweeps): %.2f times sooner by processor time, %.2f by the clock\n", p.score,
				other.name, p.cpu, p.sweeps, r.name, at.cpu, at.sweeps, p.cpu/at.cpu, p.wall/at.wall)
		} else {
			fmt.Printf("%.4f is not reached by %s\n", p.score, r.name)
		}
	}
	fmt.Printf("%s ends at %+.4f against %s\n", r.name, r.end().score-other.end().score, other.name)
}

// reach returns when a score is reached, between two points in a straight line.
func (r *run) reach(score float64) (point, bool) {
	i := slices.IndexFunc(r.points, func(p point) bool { return p.score >= score })
	if i <= 0 {
		return r.points[0], i == 0
	}
	from, to := r.points[i-1], r.points[i]
	share := (score - from.score) / (to.score - from.score)
	between := func(a, b float64) float64 { return a + share*(b-a) }
	return point{between(from.sweeps, to.sweeps), between(from.wall, to.wall), between(from.cpu, to.cpu), score}, true
}
