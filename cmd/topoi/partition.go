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
	"github.com/topoi-lda/topoi/internal/grid"
)

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
