package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/bench"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/internal/human"
)

func addBench(a *cli.App) {
	c := &cobra.Command{
		Use:   "bench gpu|cpu [flags]",
		Short: "Measure the speed of training",
		Long: `Train on generated corpora and tell, for each size, number of topics and sampler,
the time until the first sweep has ended, the tokens drawn in a second, and which
held-out score was reached after how many seconds of training; at the end, a table of
all runs, with the seconds to the score that all samplers reach and to the best.`,
		Example: `  topoi bench gpu
  topoi bench cpu --tokens 1000000 --topics 100 --samplers batch,warp --iterations 20`,
	}
	var (
		o      bench.Options
		asJSON bool
		quiet  bool
	)
	cli.Section(c, "What to measure", func(fs *pflag.FlagSet) {
		fs.IntSliceVar(&o.Tokens, "tokens", []int{10_000_000, 100_000_000}, "`sizes` of the corpora")
		fs.IntSliceVarP(&o.Topics, "topics", "k", []int{128, 1024, 4096, 16384}, "`numbers` of topics")
		fs.StringSliceVar(&o.Samplers, "samplers", []string{"warp", "batch", "auto"}, "samplers, by `name`; see topoi samplers")
		fs.IntVar(&o.Iterations, "iterations", 200, "`number` of sweeps of each run")
		fs.IntVar(&o.Evaluate, "evaluate-every", 25, "`number` of sweeps between held-out scores")
		fs.DurationVar(&o.TimeLimit, "time-limit", 10*time.Second, "end a run after this time, starting and scoring included; 0: never")
		fs.Uint64Var(&o.Seed, "seed", 0, "another seed gives other corpora and runs")
		fs.IntVar(&o.Threads, "threads", 0, "`number` of threads (default: all cores)")
	})
	cli.Section(c, "Output", func(fs *pflag.FlagSet) {
		fs.BoolVar(&asJSON, "json", false, "write one JSON object per run")
		fs.BoolVar(&quiet, "quiet", false, "show results and errors only")
	})
	c.ValidArgs = []string{"gpu", "cpu"}
	check := func(args []string) error { return checkBench(args, &o) }
	run := func(ctx context.Context, _ []string) error {
		if _, reason := topoi.Devices(); reason != nil && o.Device == "cuda" {
			return reason // before corpora are made
		}
		r := a.Reporter(false, quiet)
		defer r.Close()
		if !quiet {
			o.Say = r.Say
		}
		var rows []bench.Row
		err := bench.Run(ctx, o, func(row bench.Row) {
			rows = append(rows, row)
			if asJSON {
				_ = a.WriteJSON(row) // what is written is no reason to stop measuring
			} else {
				writeBenchRow(a.Stdout, row)
			}
		})
		if !asJSON && len(rows) > 0 {
			bench.WriteTable(a.Stdout, rows)
		}
		return err
	}
	a.Add(cli.GroupTrain, c, check, cli.Stoppable(run))
}

func checkBench(args []string, o *bench.Options) error {
	var faults []error
	switch {
	case len(args) == 1 && args[0] == "gpu":
		o.Device = "cuda"
	case len(args) == 1 && args[0] == "cpu":
		o.Device = "cpu"
	default:
		faults = append(faults, errors.New("say what to measure: topoi bench gpu, or topoi bench cpu"))
	}
	for _, n := range o.Tokens {
		if n < 1000 {
			faults = append(faults, fmt.Errorf("a corpus of %d tokens tells nothing: --tokens must be at least 1000", n))
		}
	}
	if o.Iterations < 1 || o.Evaluate < 1 || o.Threads < 0 || o.TimeLimit < 0 {
		faults = append(faults, errors.New("--iterations and --evaluate-every must be at least 1, --threads and --time-limit must not be negative"))
	}
	return errors.Join(faults...)
}

// writeBenchRow writes one run as a short table.
func writeBenchRow(w io.Writer, row bench.Row) {
	fmt.Fprintf(w, "%s, K = %d, %s tokens on %s: %s tokens/s, first sweep done after %.2f s\n",
		row.Name(), row.Topics, human.Count(row.Tokens), row.Device, human.Rate(row.TokensPerSecond), row.Ready.Seconds())
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "iteration\ttraining\theld-out\t")
	for _, p := range row.Points {
		fmt.Fprintf(t, "%d\t%s\t%.4f\t\n", p.Iteration, p.Training.Round(time.Millisecond), p.Heldout)
	}
	_ = t.Flush() // as above
}
