package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/reading"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/reproduce"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/grid"
)

func addGenerate(a *cli.App) {
	c := &cobra.Command{
		Use:   "generate -o FILE [flags]",
		Short: "Make a synthetic corpus of any size",
		Long: `Draw a corpus from a known topic model over words that follow Zipf's law, and write
it straight to a corpus file: something to measure speed with. The same flags
and seed give the same bytes on every machine.`,
		Example: `  topoi generate -o small.topoi
  topoi generate --docs 1000000 --words 100000 --mean-length 100 --topics 1000 -o big.topoi`,
	}
	var (
		o                        = corpus.GenerateOptions{}.WithDefaults()
		output                   string
		overwrite, quiet, asJSON bool
	)
	cli.Section(c, "The corpus", func(fs *pflag.FlagSet) {
		fs.IntVar(&o.Docs, "docs", o.Docs, "`number` of documents")
		fs.IntVar(&o.Words, "words", o.Words, "`number` of words in the vocabulary")
		fs.Float64Var(&o.MeanLength, "mean-length", o.MeanLength, "mean number of tokens per document")
		fs.IntVar(&o.Topics, "topics", o.Topics, "`number` of topics of the true model")
		fs.Float64Var(&o.AlphaSum, "alpha-sum", o.AlphaSum, "Σα of the documents: larger means more topics per document")
		fs.Float64Var(&o.BetaSum, "beta-sum", o.BetaSum, "Σβ of the topics: smaller means fewer words per topic")
		fs.Uint64Var(&o.Seed, "seed", 0, "another seed gives another corpus")
	})
	cli.Section(c, "Output", func(fs *pflag.FlagSet) {
		fs.StringVarP(&output, "output", "o", "", "corpus `file` to write (required)")
		fs.BoolVar(&overwrite, "overwrite", false, "replace the file if it exists")
		fs.IntVar(&o.Threads, "threads", 0, "`number` of threads; does not change the result (default: all cores)")
		fs.BoolVar(&asJSON, "json", false, "write events and report as JSON lines on standard output")
		fs.BoolVar(&quiet, "quiet", false, "show errors only")
	})
	check := func(args []string) error {
		return errors.Join(
			cli.NoArguments(c)(args),
			cli.NeedOutput(output, "FILE"),
			cli.RefuseZero(c, "docs", "words", "mean-length", "topics", "alpha-sum", "beta-sum"),
			o.Validate(),
			cli.RefuseExisting(output, overwrite),
		)
	}
	run := func(ctx context.Context, _ []string) error {
		r := a.Reporter(asJSON, quiet)
		defer r.Close()
		o.Progress = reading.Progress(r)
		report, err := corpus.Generate(ctx, output, o)
		if err != nil || quiet {
			return err
		}
		reading.Tell(report, output, r)
		if !asJSON {
			r.Say("saved " + output)
		}
		return nil
	}
	a.Add(cli.GroupData, c, check, cli.Stoppable(run))
}

func addPartition(a *cli.App) {
	c := &cobra.Command{
		Use:   "partition INPUT... [flags]",
		Short: "Show how evenly a corpus can be cut for the grid sampler",
		Long: `Cut documents and words into P groups each, as the samplers grid and cvb do, and
print the efficiency η of the cut (Yan, Xu and Qi 2009): the share of the time in
which P processors work and do not wait for the slowest. Yan's algorithm, which
the samplers use, stands beside a random cut and one into equal numbers of
documents and words.`,
		Example: `  topoi partition kos.topoi
  topoi partition kos.topoi --partitions 4,8,16 --distinct`,
	}
	var (
		in               reading.Flags
		partitions       []int
		distinct, asJSON bool
		seed             uint64
	)
	cli.Section(c, "What to compare", func(fs *pflag.FlagSet) {
		fs.IntSliceVarP(&partitions, "partitions", "p", []int{10, 30, 60}, "`numbers` P of groups")
		fs.BoolVar(&distinct, "distinct", false, "count distinct words of documents, the work of cvb, instead of tokens")
		fs.Uint64Var(&seed, "seed", 0, "`number` that chooses the random orders")
		fs.BoolVar(&asJSON, "json", false, "write JSON")
	})
	in.AddReading(c)
	in.AddText(c)
	check := func(args []string) error {
		faults := []error{cli.NeedInputs(args, "the corpus", "topoi partition kos.topoi"), in.Check()}
		for _, p := range partitions {
			if p < 1 || p > 4096 {
				faults = append(faults, fmt.Errorf("--partitions must be between 1 and 4096, not %d", p))
			}
		}
		return errors.Join(faults...)
	}
	run := func(ctx context.Context, args []string) error {
		r := a.Reporter(false, asJSON)
		defer r.Close()
		docs, err := in.Open(ctx, args, r, asJSON)
		if err != nil {
			return err
		}
		defer docs.Close()
		list := reproduce.Efficiencies(grid.Matrix{
			Offsets: docs.Offsets(), Words: docs.Tokens(), V: docs.NumWords(), Distinct: distinct,
		}, partitions, seed)
		return showEfficiencies(a, list, asJSON)
	}
	a.Add(cli.GroupTrain, c, check, cli.Stoppable(run))
}

func showEfficiencies(a *cli.App, list []reproduce.Efficiency, asJSON bool) error {
	if asJSON {
		return a.WriteJSON(list)
	}
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "P\tbalanced\trandom\teven\t")
	for _, e := range list {
		fmt.Fprintf(w, "%d\t%.4f\t%.4f\t%.4f\t\n", e.P, e.Balanced, e.Random, e.Even)
	}
	return w.Flush()
}
