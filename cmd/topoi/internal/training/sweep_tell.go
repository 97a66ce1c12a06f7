package training

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/reading"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/metrics"
	"github.com/topoi-lda/topoi/internal/progress"
	"github.com/topoi-lda/topoi/sweep"
)

// watch shows how far the sweep is as a whole, and the run at work.
func (s *sweeper) watch(r progress.Reporter) sweep.Events {
	var now sweep.RunInfo
	e := sweep.Events{Phase: r.Phase}
	switch shown := r.(type) {
	case *progress.JSON:
		e.Train = shown.Events()
		e.Begin = func(i sweep.RunInfo) { shown.Write(runEvent("run", i)) }
		e.Done = func(i sweep.RunInfo) { shown.Write(runEvent("run_done", i)) }
		return e
	case *progress.Bar:
		e.Begin = func(i sweep.RunInfo) { now = i }
		e.Train.Phase = r.Phase
		e.Train.Iteration = func(i topoi.IterationInfo) { r.Phase(wholePhase(now, i)) }
	}
	e.Train.Warning = r.Events().Warning
	e.Done = func(i sweep.RunInfo) {
		if !s.quiet {
			r.Say(describeRun(i))
		}
	}
	return e
}

// wholePhase is a run's progress as that of the whole sweep.
func wholePhase(run sweep.RunInfo, i topoi.IterationInfo) topoi.PhaseInfo {
	const parts = 1000
	name := fmt.Sprintf("run %d of %d: %s, seed %d, sweep %d/%d", run.Number, run.Of, human.Of(run.Topics, "topic"),
		run.Seed, i.Iteration, i.Iterations)
	if run.Left > 0 {
		name += ", about " + human.Duration(run.Left) + " left"
	}
	return topoi.PhaseInfo{
		Name: name, Done: int64(parts*(run.Number-1) + parts*i.Iteration/max(1, i.Iterations)),
		Total: int64(parts * run.Of),
	}
}

// describeRun describes the outcome of a run.
func describeRun(i sweep.RunInfo) string {
	rec := i.Record
	line := fmt.Sprintf("run %d of %d: %s, seed %d: ", i.Number, i.Of, human.Of(rec.Run().Topics, "topic"), rec.Seed)
	if v := rec.Value(metrics.HeldOut); !math.IsNaN(v) {
		line += fmt.Sprintf("held-out %.4f, ", v)
	}
	line += fmt.Sprintf("%s in %.1f s", human.Of(rec.Iterations, "sweep"), rec.Seconds)
	if i.Left > 0 {
		line += "; about " + human.Duration(i.Left) + " left"
	}
	return line
}

// runEvent is a run as a JSON event.
func runEvent(event string, i sweep.RunInfo) any {
	e := struct {
		Event       string             `json:"event"`
		Run         int                `json:"run"`
		Runs        int                `json:"runs"`
		Topics      int                `json:"topics"`
		Seed        uint64             `json:"seed"`
		LeftSeconds float64            `json:"left_seconds,omitempty"`
		Seconds     float64            `json:"seconds,omitempty"`
		Values      map[string]float64 `json:"values,omitempty"`
	}{Event: event, Run: i.Number, Runs: i.Of, Topics: i.Topics, Seed: i.Seed, LeftSeconds: i.Left.Seconds()}
	if i.Record != nil {
		e.Seconds, e.Values = i.Record.Seconds, i.Record.Values
	}
	return e
}

// tell shows the result.
func (s *sweeper) tell(result *sweep.Result, r progress.Reporter) error {
	if j, ok := r.(*progress.JSON); ok {
		j.Write(struct {
			Event          string               `json:"event"`
			Output         string               `json:"output"`
			Recommendation sweep.Recommendation `json:"recommendation"`
		}{"swept", s.output, result.Recommendation})
		return j.Err()
	}
	if s.quiet {
		return nil
	}
	if err := writeSweep(s.Stdout, result); err != nil {
		return err
	}
	return cli.NextSteps(s.Stdout, s.nextSteps(result))
}

// nextSteps returns what can be done with a sweep.
func (s *sweeper) nextSteps(result *sweep.Result) [][2]string {
	steps := [][2]string{{
		cli.ShellWord(filepath.Join(s.output, "index.html")),
		"all results as a page for the browser",
	}}
	if result.Recommendation.Topics == 0 {
		return steps
	}
	var models []string
	for _, g := range result.Groups {
		for _, rec := range g.Records {
			if model := result.Model(rec.Run()); g.Topics == result.Recommendation.Topics && model != "" {
				models = append(models, cli.ShellWord(filepath.Join(s.output, filepath.FromSlash(model))))
			}
		}
	}
	if len(models) > 0 {
		steps = append(steps, [2]string{"topoi topics " + models[0], "the topics of a model"})
	}
	if len(models) > 1 {
		steps = append(steps, [2]string{"topoi compare --stability " + strings.Join(models, " "), "which topics both share"})
	}
	return steps
}

// shownMetrics are the columns of the table on the terminal; the files have all.
var shownMetrics = []struct {
	name, title string
	digits      int
}{
	{metrics.HeldOut, "held-out", 4},
	{metrics.Stability, "stability", 3},
	{metrics.NPMI, "NPMI", 3},
	{metrics.CV, "C_V", 3},
	{metrics.UMass, "UMass", 3},
	{metrics.Exclusivity, "exclusivity", 2},
	{metrics.Diversity, "diversity", 3},
	{metrics.InvertedRBO, "iRBO", 3},
	{metrics.CaoJuan, "CaoJuan", 3},
	{metrics.Arun, "Arun", 3},
	{metrics.Deveaud, "Deveaud", 3},
	{metrics.Griffiths, "Griffiths", 0},
	{metrics.Seconds, "seconds", 1},
}

// writeSweep writes means over seeds as a table.
func writeSweep(w io.Writer, r *sweep.Result) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "topics\t")
	for _, m := range shownMetrics {
		fmt.Fprint(t, m.title, "\t")
	}
	fmt.Fprintln(t)
	for _, g := range r.Groups {
		fmt.Fprintf(t, "%d\t", g.Topics)
		for _, m := range shownMetrics {
			text := "–"
			if v := g.Mean(m.name); !math.IsNaN(v) {
				text = strconv.FormatFloat(v, 'f', m.digits, 64)
			}
			fmt.Fprint(t, text, "\t")
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	writeRecommendation(w, r.Recommendation)
	return nil
}

// writeRecommendation prints what the numbers speak for, and that it is not decided.
func writeRecommendation(w io.Writer, r sweep.Recommendation) {
	if r.Topics > 0 {
		fmt.Fprintf(w, "\nThe scores suggest %s:\n", human.Of(r.Topics, "topic"))
	} else {
		fmt.Fprintln(w, "\nThe scores suggest no number of topics:")
	}
	for _, reason := range r.Reasons {
		fmt.Fprintln(w, "  - "+reason)
	}
	for _, o := range r.Others {
		fmt.Fprintf(w, "  another candidate is %d: %s\n", o.Topics, o.Why)
	}
	if len(r.Cautions) > 0 {
		fmt.Fprintln(w, "But:")
	}
	for _, c := range r.Cautions {
		fmt.Fprintln(w, "  - "+c)
	}
	fmt.Fprintln(w, "The purpose decides: look at the models before you choose.")
}

// sweeper is one run of topoi sweep.
type sweeper struct {
	*cli.App
	command               *cobra.Command
	inputs                reading.Flags
	options               sweep.Options
	store                 jobFlags
	cluster               sweep.Cluster
	topics, keep, pages   string
	sample                float64
	sampleSeed            uint64
	output                string
	resume, asJSON, quiet bool
}
