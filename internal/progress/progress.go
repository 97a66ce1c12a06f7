// Package progress shows the events of a run: as a bar on a terminal, as log
// lines elsewhere, or as JSON lines for other programs.
//
// The command line uses its reporters, which also show work outside of training. train.Progress gives the events of a
// run to other programs.
package progress

import (
	"fmt"
	"io"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/human"
)

// Reporter shows what happens. Its methods may be called from any goroutine.
type Reporter interface {
	// Events returns the functions to put into Options.Events.
	Events() topoi.Events

	// Phase shows work outside of training, such as reading the input.
	Phase(topoi.PhaseInfo)

	// Say shows one line of text.
	Say(line string)

	// Close removes unfinished output from the screen.
	Close()
}

// describeStart describes the run that begins; if verbose, also its options.
func describeStart(s topoi.StartInfo, verbose bool) string {
	line := fmt.Sprintf("training %s on %s, %s, %s", human.Of(s.Topics, "topic"),
		human.Of(s.Docs, "document"), human.Of(s.Tokens, "token"), human.Of(s.Words, "word"))
	if s.HeldOut > 0 {
		line += fmt.Sprintf(" (%s held out)", human.Of(s.HeldOut, "more document"))
	}
	if verbose {
		line += describeSampler(s)
	} else if s.Device != "" && s.Device != "cpu" {
		line += ", on " + s.Device
	}
	if s.Iteration > 0 {
		line += fmt.Sprintf(", resuming after iteration %s", human.Count(s.Iteration))
	}
	if s.NotRepeatable {
		line += fmt.Sprintf("\nnot repeatable: %s on a GPU gives another model each time, resumed or not; on the CPU it is always the same", s.Sampler)
	}
	for _, warning := range s.Warnings() {
		line += "\nwarning: " + warning
	}
	return line
}

// describeSampler names the sampler, the reason for it, and where it runs.
func describeSampler(s topoi.StartInfo) string {
	line := "\nsampler " + s.Sampler
	if s.Reason != "" {
		line += " (" + s.Reason + ")"
	}
	line += ", " + human.Of(s.Threads, "thread")
	if s.Device != "" {
		line += " on " + s.Device
	}
	return line
}

// describeWarning describes a failure.
func describeWarning(w topoi.WarningInfo) string { return "warning: " + w.Err.Error() }

// describeDone describes in one line how training ended.
func describeDone(d topoi.DoneInfo) string {
	line := fmt.Sprintf("stopped after %s in %s%s: %s", human.Of(d.Iteration, "iteration"), human.Duration(d.Elapsed),
		describeTimes(d), reason(d))
	if s := describeScore(d.Score); s != "" {
		line += "; " + s
	}
	return line
}

// describeTimes lists where the time went if much of it was not sweeps.
func describeTimes(d topoi.DoneInfo) string {
	if d.Elapsed < 5*time.Second || d.Training > d.Elapsed*4/5 {
		return ""
	}
	text := " (sweeps " + human.Duration(d.Training)
	for _, part := range []struct {
		name  string
		spent time.Duration
	}{{"starting", d.Starting}, {"scores", d.Scoring}, {"checkpoints", d.Saving}, {"model", d.Finishing}} {
		if part.spent > d.Elapsed/20 {
			text += ", " + part.name + " " + human.Duration(part.spent)
		}
	}
	return text + ")"
}

// reason returns why training ended.
func reason(d topoi.DoneInfo) string {
	improve, improved := "predictions of held-out documents no longer improve",
		"predictions of held-out documents still improved"
	switch name, _ := predictive(d.Score); name {
	case "sample":
		improve, improved = "predictions of sample documents no longer improve",
			"predictions of sample documents still improved"
	case "": // documents of one word cannot be predicted
		improve, improved = "the log-likelihood no longer improves", "the log-likelihood still improved"
	}
	switch d.Reason {
	case topoi.StopIterations:
		if d.Rising {
			return "all iterations are done while " + improved
		}
		return "all iterations are done"
	case topoi.StopPlateau:
		if d.Rising {
			return "long documents have no more sweeps by default, while " + improved +
				"; a smaller tolerance allows more"
		}
		return improve
	case topoi.StopTarget:
		return "the target score is reached"
	case topoi.StopTimeLimit:
		return "the time limit is reached"
	case topoi.StopAsked:
		return "it was asked to stop"
	}
	return string(d.Reason)
}

// describeScore gives the likelihoods with their unit, or "" for nil.
func describeScore(s *topoi.Score) string {
	if s == nil {
		return ""
	}
	line := fmt.Sprintf("log-likelihood %.4f", s.LogLikelihood)
	if name, value := predictive(s); name != "" {
		line += fmt.Sprintf(", %s %.4f", name, value)
	}
	return line + " nats/token"
}

// predictive gives the score that a run stops by and its name, "" if there is none.
func predictive(s *topoi.Score) (name string, value float64) {
	switch {
	case s == nil:
	case s.Heldout != nil:
		return "held-out", *s.Heldout
	case s.HeldoutSample != nil:
		return "held-out sample", *s.HeldoutSample
	case s.Sample != nil:
		return "sample", *s.Sample
	}
	return "", 0
}

// remaining estimates the time until the largest number of iterations, from the iterations of this process
// alone. It is an upper bound: most runs stop earlier, at a plateau.
func remaining(i topoi.IterationInfo, first int) time.Duration {
	done := i.Iteration - first
	if done <= 0 {
		return 0
	}
	return time.Duration(float64(i.Elapsed) / float64(done) * float64(i.Iterations-i.Iteration))
}

// describePhase describes how far a phase is.
func describePhase(p topoi.PhaseInfo) string {
	switch {
	case p.Total > 0:
		return fmt.Sprintf("%s %3d %%", p.Name, percent(p.Done, p.Total))
	case p.Done > 0:
		return fmt.Sprintf("%s %s", p.Name, human.Count(p.Done))
	}
	return p.Name + "..."
}

func percent(done, total int64) int64 { return min(100, int64(100*float64(done)/float64(total))) }

// Quiet shows only messages and warnings.
type quiet struct{ out io.Writer }

// NewQuiet returns a reporter that writes to out.
func NewQuiet(out io.Writer) Reporter { return quiet{out} }

// Events implements Reporter.
func (q quiet) Events() topoi.Events {
	return topoi.Events{Warning: func(w topoi.WarningInfo) { q.Say(describeWarning(w)) }}
}

// Phase implements Reporter.
func (quiet) Phase(topoi.PhaseInfo) {}

// Say implements Reporter.
func (q quiet) Say(line string) { fmt.Fprintln(q.out, human.Lines(line)) }

// Close implements Reporter.
func (quiet) Close() {}
