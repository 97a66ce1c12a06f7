package training

import (
	"context"
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/internal/human"
)

// scoreFlags are flags of training that only a comparison of algorithms by their scores needs.
var scoreFlags = []string{
	"holdout-seed", "holdout-last", "holdout-tokens", "evaluate-every", "until-ll", "until-heldout",
}

// studyFlags are the flags of training that belong to topoi study: scoreFlags and all switches inside the samplers.
// topoi train takes them until the next release.
func studyFlags(train *pflag.FlagSet) []string {
	names := slices.Clone(scoreFlags)
	train.VisitAll(func(f *pflag.Flag) {
		if slices.Contains(f.Annotations[cli.HeadingKey], insideHeading) {
			names = append(names, f.Name)
		}
	})
	return names
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
	list := describeSamplers()
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
