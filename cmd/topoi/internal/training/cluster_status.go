package training

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi/cluster"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/internal/human"
)

func addClusterStatus(a *cli.App, parent *cobra.Command) {
	var job jobFlags
	var every time.Duration
	var watch, asJSON bool
	c := cli.Describe("cluster status")
	job.add(c)
	cli.Section(c, "Output", func(fs *pflag.FlagSet) {
		fs.BoolVar(&watch, "watch", false, "repeat until the model is complete")
		fs.DurationVar(&every, "every", 2*time.Second, "`time` between updates")
		fs.BoolVar(&asJSON, "json", false, "write JSON")
	})
	addWatch(a, parent, c, &job, &every, func(s *cluster.Status) (more bool, err error) {
		if asJSON {
			return watch && !s.Complete, a.WriteJSON(s)
		}
		return watch && !s.Complete, refresh(a, s, watch)
	})
}

// addWatch adds a command that calls show with the status of a job at intervals, until show returns false.
func addWatch(a *cli.App, parent, c *cobra.Command, job *jobFlags, every *time.Duration,
	show func(s *cluster.Status) (more bool, err error),
) {
	var where cluster.Job
	check := func(args []string) (err error) {
		if where, err = job.where(); err != nil {
			return err
		}
		where.Program = "" // any version may look
		if *every <= 0 {
			return fmt.Errorf("--every is %v: it must be above 0", *every)
		}
		return cli.NoArguments(c)(args)
	}
	run := func(ctx context.Context, _ []string) error { return where.Watch(ctx, *every, show) }
	a.AddTo(parent, groupJob, c, check, cli.Stoppable(run))
}

// refresh prints the status as text. On a watched terminal it clears the screen first.
func refresh(a *cli.App, s *cluster.Status, watched bool) error {
	if screen, ok := cli.Terminal(a.Stdout); ok && watched {
		fmt.Fprint(screen, "\x1b[H\x1b[2J") // to the top of an empty screen
	}
	return showStatus(a.Stdout, s, time.Now())
}

// showStatus writes the status for people.
func showStatus(w io.Writer, s *cluster.Status, now time.Time) error {
	fmt.Fprintf(w, "job %s: %s, %s, %s, %s, staleness %d; submitted %s ago\n", s.Name, s.Sampler,
		human.Of(s.Topics, "topic"), human.Of(s.Tokens, "token"), human.Of(s.Parts, "part"), s.Staleness,
		human.Duration(now.Sub(s.Submitted)))
	fmt.Fprintln(w, "layout:", s.Layout())
	fmt.Fprintln(w, describeProgress(s))
	if len(s.Workers) == 0 {
		if s.Stopped == "" {
			fmt.Fprintln(w, "no workers: start some with topoi cluster work")
		}
		return showNodes(w, s)
	}
	slow := stragglers(s)
	total := 0.0
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\nworker\tdevice\tthreads\tparts\tslices\tround\ttokens/s\tmemory\tsent/round\treceived/round\twaiting\t")
	for i, x := range s.Workers {
		var notes []string
		if x.Leads {
			notes = append(notes, "leads")
		}
		if slow[i] {
			notes = append(notes, "slow")
		}
		if len(x.WaitsFor) > 0 {
			notes = append(notes, "waits for "+strings.Join(x.WaitsFor, " and "))
		}
		total += speed(x.Report)
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%.0f %%\t%s\n", x.Name, x.Device, x.Threads, len(x.Has),
			x.Slices, x.Round,
			human.Rate(speed(x.Report)), human.Bytes(int64(x.Memory)), perRound(x.Sent, x.Rounds),
			perRound(x.Received, x.Rounds), 100*share(x.Waiting, x.Busy), strings.Join(notes, ", "))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "%s, %s tokens/s together\n", human.Of(len(s.Workers), "worker"), human.Rate(total))
	return showNodes(w, s)
}

// perRound is the number of bytes that a worker moved in a round, barriers included.
func perRound(bytes uint64, rounds int) string {
	return human.Bytes(int64(bytes) / int64(max(1, rounds)))
}

// describeProgress describes in one line how far the job is.
func describeProgress(s *cluster.Status) string {
	if s.Submitting {
		return "it is being submitted"
	}
	line := fmt.Sprintf("iteration %s of at most %s", human.Count(s.Iteration), human.Count(s.Iterations))
	if s.Stopped != "" {
		line = fmt.Sprintf("complete after %s (%s)", human.Of(s.Iteration, "iteration"), s.Stopped)
	}
	if n := len(s.History); n > 0 {
		line += fmt.Sprintf(", log-likelihood %.4f", s.History[n-1].LogLikelihood)
		if h := s.History[n-1].Heldout; h != nil {
			line += fmt.Sprintf(", held-out %.4f", *h)
		} else if h := s.History[n-1].HeldoutSample; h != nil {
			line += fmt.Sprintf(", held-out sample %.4f", *h)
		}
		line += fmt.Sprintf(" nats/token after %d", s.History[n-1].Iteration)
	}
	if s.Stopped == "" && len(s.Rounds) > 0 {
		line += fmt.Sprintf("; parts have done %d to %d rounds", max(0, slices.Min(s.Rounds)),
			max(0, slices.Max(s.Rounds)))
	}
	return line
}

// showNodes writes what the store's nodes hold.
func showNodes(w io.Writer, s *cluster.Status) error {
	used, most := uint64(0), uint64(0)
	for _, n := range s.Store {
		used, most = used+n.Used, most+n.Most
	}
	line := fmt.Sprintf("store: %s in use on %s", human.Bytes(int64(used)), human.Of(len(s.Store), "node"))
	if most > 0 {
		line += fmt.Sprintf(", of at most %s", human.Bytes(int64(most)))
	}
	_, err := fmt.Fprintln(w, line)
	return err
}

// speed is the number of tokens that a worker samples in a second, waiting included.
func speed(r cluster.Report) float64 { return float64(r.Tokens) / max(r.Busy.Seconds(), 1e-9) }

func share(part, whole time.Duration) float64 { return float64(part) / max(float64(whole), 1) }

// stragglerShare is how much slower than the middle one a worker is that others wait for.
const stragglerShare = 0.7

// stragglers marks the workers whose parts take them much longer than others' take theirs. What counts is time spent
// sampling a token: those who wait for the slow one are no slower for it.
func stragglers(s *cluster.Status) []bool {
	var pace []float64
	rate := func(r cluster.Report) float64 { return float64(r.Tokens) / max(r.Sampling.Seconds(), 1e-9) }
	for _, w := range s.Workers {
		if w.Tokens > 0 {
			pace = append(pace, rate(w.Report))
		}
	}
	slow := make([]bool, len(s.Workers))
	if len(pace) < 2 {
		return slow
	}
	slices.Sort(pace)
	middle := pace[len(pace)/2]
	for i, w := range s.Workers {
		slow[i] = w.Tokens > 0 && rate(w.Report) < stragglerShare*middle
	}
	return slow
}

func addClusterTop(a *cli.App, parent *cobra.Command) {
	var job jobFlags
	var every time.Duration
	c := cli.Describe("cluster top")
	job.add(c)
	cli.Section(c, "Output", func(fs *pflag.FlagSet) {
		fs.DurationVar(&every, "every", time.Second, "`time` between updates")
	})
	var left timeLeft
	addWatch(a, parent, c, &job, &every, func(s *cluster.Status) (more bool, err error) {
		if err := refresh(a, s, true); err != nil {
			return false, err
		}
		if d, ok := left.see(s, time.Now()); ok && !s.Complete {
			_, err = fmt.Fprintf(a.Stdout, "%s left at most\n", human.Duration(d))
		}
		return !s.Complete, err
	})
}

// timeLeft estimates how long a job takes to its last iteration from the pace since the first look.
type timeLeft struct {
	began time.Time
	first float64 // iterations done then
}

// see takes a look, and returns the time left if there was progress since the first one.
func (t *timeLeft) see(s *cluster.Status, now time.Time) (left time.Duration, ok bool) {
	done := float64(s.Iteration)
	if t.began.IsZero() {
		t.began, t.first = now, done
	}
	pace := (done - t.first) / max(now.Sub(t.began).Seconds(), 1e-9)
	if pace <= 0 {
		return 0, false
	}
	return time.Duration((float64(s.Iterations) - done) / pace * float64(time.Second)), true
}
