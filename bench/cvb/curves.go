package main

import (
	"fmt"
	"time"
)

// point is a score on the way.
type point struct {
	sweeps    int
	wall, cpu time.Duration
	score     float64
}

// rounds is the number of turns, in each of which both do some sweeps and are scored.
const rounds = 20

// compareCurves prints both curves and how much sooner cvb reaches the goal.
func (l *lab) compareCurves(exact int) error {
	batch, batchEvery, err := l.begin("batch", exact)
	if err != nil {
		return err
	}
	cvb, cvbEvery, err := l.begin("cvb", exact)
	if err != nil {
		return err
	}
	var points [2][]point
	for range rounds {
		for i, turn := range []struct {
			r *run
			n int
		}{{batch, batchEvery}, {cvb, cvbEvery}} {
			if err := turn.r.Sweep(turn.n); err != nil {
				return err
			}
			score, err := turn.r.Score()
			if err != nil {
				return err
			}
			points[i] = append(points[i], point{turn.r.Iteration, turn.r.Wall, turn.r.CPU, score})
		}
	}
	l.print(points, exact)
	return nil
}

// begin starts a run, and says how many sweeps it does in a turn.
func (l *lab) begin(name string, exact int) (*run, int, error) {
	if name == "batch" {
		r, err := l.start(name, l.tuning(0), 0)
		return r, l.sweeps / rounds, err
	}
	r, err := l.start(name, l.tuning(exact), 0)
	if l.Learnt {
		return r, 6, err
	}
	return r, 3, err
}

func (l *lab) print(points [2][]point, exact int) {
	how := "Σα = 50, β = 0.01 fixed"
	if l.Learnt {
		how = fmt.Sprintf("priors learnt, cvb after %d exact sweeps", exact)
	}
	fmt.Printf("## %s, K = %d, %s\n\n%d documents, %.1f distinct words in each\n\n", l.Name, l.Topics, how, l.Train.NumDocs(), l.distinct())
	fmt.Println("| batch: sweeps, wall, cpu → nats/token | cvb: sweeps, wall, cpu → nats/token |\n|---|---|")
	for i := range points[0] {
		fmt.Printf("| %s | %s |\n", points[0][i], points[1][i])
	}
	goal := points[0][rounds-1]
	if at, ok := reached(points[1], goal.score); ok {
		fmt.Printf("\n%.4f by %.0f sweeps of cvb, %.1f× sooner by processor time, %.1f× by wall time; end %+.4f\n\n",
			goal.score, at.sweeps, goal.cpu.Seconds()/at.cpu, goal.wall.Seconds()/at.wall, points[1][rounds-1].score-goal.score)
	} else {
		fmt.Printf("\n%.4f is not reached; end %+.4f\n\n", goal.score, points[1][rounds-1].score-goal.score)
	}
}

func (p point) String() string {
	return fmt.Sprintf("%d, %.2f s, %.2f s → %.4f", p.sweeps, p.wall.Seconds(), p.cpu.Seconds(), p.score)
}

// moment is a point between two, its times in seconds.
type moment struct{ sweeps, wall, cpu float64 }

// reached interpolates where a curve first has a score.
func reached(points []point, score float64) (moment, bool) {
	var last point
	for i, p := range points {
		if p.score >= score {
			share := 1.0
			if i > 0 && p.score > last.score {
				share = (score - last.score) / (p.score - last.score)
			}
			between := func(a, b float64) float64 { return a + share*(b-a) }
			return moment{
				between(float64(last.sweeps), float64(p.sweeps)),
				between(last.wall.Seconds(), p.wall.Seconds()),
				between(last.cpu.Seconds(), p.cpu.Seconds()),
			}, true
		}
		last = p
	}
	return moment{}, false
}
