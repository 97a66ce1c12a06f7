package bench

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/svg"
)

// reference is the yardstick's speed when other programs were measured, in tokens/s.
const reference = 22.4e6

// compare runs the commands of a comparison in turns and prints what came of it.
func (l *lab) compare(c comparison) error {
	results := make([][]*measured, len(c.runs))
	var speeds []float64
	for range l.rounds {
		for i, line := range c.runs {
			m, err := l.run(line)
			if err != nil {
				return err
			}
			results[i] = append(results[i], m)
		}
		speed, err := l.speed()
		if err != nil {
			return err
		}
		speeds = append(speeds, speed)
	}
	for i, line := range c.runs {
		report(line, results[i])
		reportAgainst(results[i], results[0])
		reportTargets(results[i][0], c.targets, median(speeds))
	}
	if *picture != "" {
		return draw(*picture, c.runs, results)
	}
	return nil
}

// medianOf returns the median of a number of runs.
func medianOf(runs []*measured, number func(*measured) float64) float64 {
	var list []float64
	for _, m := range runs {
		list = append(list, number(m))
	}
	return median(list)
}

// report prints the medians of the runs of a command.
func report(line string, runs []*measured) {
	m := runs[0]
	sweep := medianOf(runs, func(m *measured) float64 { return m.sweep })
	fmt.Printf("%s (%s, %d sweeps)\n", line, m.sampler, m.sweeps)
	fmt.Printf("  %.2f s, %.2f s of processors; a sweep %.0f ms, %s tokens/s; scoring %.2f s; peak %s\n",
		medianOf(runs, func(m *measured) float64 { return m.wall }),
		medianOf(runs, func(m *measured) float64 { return m.cpu }),
		1e3*sweep, human.Rate(m.tokens/sweep), medianOf(runs, func(m *measured) float64 { return m.scoring }),
		human.Bytes(slices.MaxFunc(runs, func(a, b *measured) int { return int(a.peak - b.peak) }).peak))
	for _, p := range m.curve {
		fmt.Printf("  %d: %.1f s, joint %.4f", p.iteration, p.seconds, p.joint)
		if p.heldout != 0 {
			fmt.Printf(", held-out %.4f", p.heldout)
		}
		fmt.Println()
	}
}

// reportAgainst prints the ratios to the runs of the first command in the same rounds.
func reportAgainst(runs, first []*measured) {
	if runs[0] == first[0] {
		return
	}
	for _, part := range []struct {
		name string
		of   func(*measured) float64
	}{
		{"the command by the clock", func(m *measured) float64 { return m.wall }},
		{"its processor time", func(m *measured) float64 { return m.cpu }},
		{"a sweep by the clock", func(m *measured) float64 { return m.sweep }},
	} {
		var ratios []float64
		for i := range runs {
			ratios = append(ratios, part.of(runs[i])/part.of(first[i]))
		}
		fmt.Printf("  %s: %.3f times the first's (%.3f to %.3f)\n",
			part.name, median(ratios), slices.Min(ratios), slices.Max(ratios))
	}
	fmt.Printf("  the same model: %v\n", runs[0].fingerprint == first[0].fingerprint)
	if len(first[0].curve) == 0 {
		return
	}
	last := first[0].curve[len(first[0].curve)-1]
	if at, ok := runs[0].reach("held-out", last.heldout); ok && last.heldout != 0 {
		fmt.Printf("  the first's held-out score %.4f after %.1f s of training instead of %.1f s\n",
			last.heldout, at.seconds, last.seconds)
	}
}

// reportTargets prints when scores were reached, beside the best of other programs.
func reportTargets(m *measured, targets []target, speed float64) {
	for _, t := range targets {
		at, ok := m.reach(t.score, t.value)
		if !ok {
			fmt.Printf("  %s %.3f not reached\n", t.score, t.value)
			continue
		}
		fmt.Printf("  %s %.3f after %.1f s (iteration %d)", t.score, t.value, at.seconds, at.iteration)
		if speed > 0 {
			scaled := at.seconds * speed / reference
			fmt.Printf(", %.1f s at the yardstick's reference speed; best peer %.0f s: %.1f times sooner",
				scaled, t.peer, t.peer/scaled)
		}
		fmt.Println()
	}
}

// reach finds the first evaluation with a score.
func (m *measured) reach(score string, value float64) (point, bool) {
	for _, p := range m.curve {
		got := p.joint
		if score == "held-out" {
			got = p.heldout
		}
		if got != 0 && got >= value {
			return p, true
		}
	}
	return point{}, false
}

// draw writes a picture of held-out scores over training time, or of joint likelihoods without them.
func draw(path string, runs []string, results [][]*measured) error {
	chart := svg.Chart{X: svg.Axis{Label: "training seconds"}, Y: svg.Axis{Label: "nats per token"}}
	for i, line := range runs {
		s := svg.Series{Name: strings.TrimPrefix(line, "train ")}
		for _, p := range results[i][0].curve {
			y := p.heldout
			if y == 0 {
				y = p.joint
			}
			s.X, s.Y = append(s.X, p.seconds), append(s.Y, y)
		}
		chart.Series = append(chart.Series, s)
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := svg.Write(f, chart); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
