package training

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/train"
)

// studyFlags are the flags of training that are for the study of algorithms: switches inside the samplers, and what a
// comparison by scores needs. They belong to topoi study. topoi train takes them until the next release.
var studyFlags = []string{
	"mini-batches", "own-count", "fresh", "mh-steps", "proposal", "rounds", "staleness", "parts", "start-topics",
	"alias-every", "partitions", "cvb", "step", "exact-sweeps", "adapt", "uncollapsed", "draw", "precision",
	"burn-in", "holdout-seed", "holdout-last", "holdout-tokens", "evaluate-every", "until-ll", "until-heldout",
}

// AddStudy adds topoi study, which is topoi train with all flags.
func AddStudy(a *cli.App) {
	t := &trainer{App: a}
	t.command = cli.Describe("study")
	var list bool
	cli.Section(t.command, "The samplers", func(fs *pflag.FlagSet) {
		fs.BoolVar(&list, "list", false, "list the samplers, with their cost and their papers, instead of training")
	})
	t.flags()
	check := func(args []string) error {
		if !list {
			return t.check(args)
		}
		if len(args) > 0 {
			return fmt.Errorf("--list takes no input: leave out %q", args[0])
		}
		return nil
	}
	run := func(ctx context.Context, args []string) error {
		if list {
			return listSamplers(a, t.json)
		}
		return t.run(ctx, args)
	}
	a.Add(t.command, check, run)
}

// AddSamplers adds topoi samplers, the old name of topoi study --list.
func AddSamplers(a *cli.App) {
	c := cli.Describe("samplers")
	var asJSON bool
	cli.Section(c, "Output", func(fs *pflag.FlagSet) { fs.BoolVar(&asJSON, "json", false, "write JSON") })
	a.Add(c, cli.NoArguments(c), func(context.Context, []string) error { return listSamplers(a, asJSON) })
}

// listSamplers describes the samplers, one per line.
func listSamplers(a *cli.App, asJSON bool) error {
	list := train.DescribeSamplers()
	if asJSON {
		return a.WriteJSON(list)
	}
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "name\tcost per token\tlargest K\ton a GPU\tsource\twhat it is")
	for _, s := range list {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", s.Name, s.Cost, human.Count(s.MaxTopics), s.GPU, s.Source, s.Summary)
	}
	return w.Flush()
}
