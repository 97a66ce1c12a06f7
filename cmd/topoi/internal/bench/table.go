package bench

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"github.com/topoi-lda/topoi/internal/human"
)

// WriteTable writes a line for every run: training is the time of its sweeps, whole that
// from the opened corpus to the saved model. Runs on the same corpus with the same K, which
// must follow each other, are compared by two scores: the highest that all of them
// reach, and the highest that one does, both rounded down to hundredths.
func WriteTable(w io.Writer, rows []Row) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "tokens\tK\tsampler\ttokens/s\tstart, s\tsweeps\ttraining, s\twhole, s\theld-out\tall reach\tafter, s\tbest\tafter, s\t")
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].Tokens == rows[0].Tokens && rows[n].Topics == rows[0].Topics {
			n++
		}
		writeGroup(t, rows[:n])
		rows = rows[n:]
	}
	_ = t.Flush() // what is written is no reason to fail
}

func writeGroup(t io.Writer, rows []Row) {
	common, best := math.Inf(1), math.Inf(-1)
	for _, r := range rows {
		common, best = min(common, r.highest()), max(best, r.highest())
	}
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%.2f\t", human.Count(r.Tokens), r.Topics, r.Name(), human.Rate(r.TokensPerSecond), r.Ready.Seconds())
		if len(r.Points) == 0 {
			fmt.Fprint(t, "–\t–\t–\t–\t–\t–\t–\t–\t\n")
			continue
		}
		last := r.Points[len(r.Points)-1]
		fmt.Fprintf(t, "%d\t%.3g\t%.3g\t%.4f\t", last.Iteration, last.Training.Seconds(), r.Whole.Seconds(), last.Heldout)
		for _, score := range []float64{common, best} {
			level := math.Floor(score*100) / 100
			fmt.Fprintf(t, "%.2f\t%s\t", level, r.timeTo(level))
		}
		fmt.Fprintln(t)
	}
}

// Name says which sampler ran, and whether it was chosen by "auto".
func (r Row) Name() string {
	if r.Asked == "auto" {
		return "auto: " + r.Sampler
	}
	return r.Sampler
}

// highest is the highest score that the run reached.
func (r Row) highest() float64 {
	highest := math.Inf(-1)
	for _, p := range r.Points {
		highest = max(highest, p.Heldout)
	}
	return highest
}

// timeTo is how long the run trained until its first score of the level or above.
func (r Row) timeTo(level float64) string {
	for _, p := range r.Points {
		if p.Heldout >= level {
			return fmt.Sprintf("%.3g", p.Training.Seconds())
		}
	}
	return "–"
}
