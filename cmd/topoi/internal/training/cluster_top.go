package training

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi/cluster"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/internal/human"
)

func addClusterTop(a *cli.App, parent *cobra.Command) {
	var job jobFlags
	var every time.Duration
	c := &cobra.Command{
		Use:   "top --store URL --job NAME [flags]",
		Short: "Watch the workers of a job",
		Long: `Show the table of 'topoi cluster status' again and again until the model is
complete: workers, rates, who waits for whom, bytes, memory, and the time left if
training goes on to its last iteration.`,
		Example: `  topoi cluster top --store redis://hub:6379 --job news`,
	}
	job.add(c)
	cli.Section(c, "Output", func(fs *pflag.FlagSet) {
		fs.DurationVar(&every, "every", time.Second, "`time` between two looks")
	})
	var where cluster.Job
	check := func(args []string) (err error) {
		if where, err = job.where(); err != nil {
			return err
		}
		where.Program = "" // any version may look
		if every <= 0 {
			return fmt.Errorf("--every is %v: it must be above 0", every)
		}
		return cli.NoArguments(c)(args)
	}
	run := func(ctx context.Context, _ []string) error {
		ctx, stop := cli.Interruptible(ctx, func() {})
		defer stop()
		var left timeLeft
		return where.Watch(ctx, every, func(s *cluster.Status) (more bool, err error) {
			if screen, ok := cli.Terminal(a.Stdout); ok {
				fmt.Fprint(screen, "\x1b[H\x1b[2J") // to the top of an empty screen
			}
			if err := showStatus(a.Stdout, s, time.Now()); err != nil {
				return false, err
			}
			if d, ok := left.see(s, time.Now()); ok && !s.Complete {
				_, err = fmt.Fprintf(a.Stdout, "%s left at most\n", human.Duration(d))
			}
			return !s.Complete, err
		})
	}
	a.AddTo(parent, groupJob, c, check, run)
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
