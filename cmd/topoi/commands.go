package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/topoi-lda/topoi/cmd/topoi/internal/apply"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/guiding"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/look"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/training"
	"github.com/topoi-lda/topoi/internal/human"
)

// commands adds every command; --help shows them in this order within their groups. A new command is a file, its texts
// in internal/cli/help.txt and a line here.
var commands = []func(*cli.App){
	addDemo,
	addImport,
	addGenerate,
	training.AddTrain,
	training.AddSweep,
	guiding.AddSeeds,
	guiding.AddUpdate,
	guiding.AddEdit,
	addSamplers,
	training.AddCluster,
	addMallet,
	look.AddTopics,
	look.AddPrevalence,
	look.AddEffects,
	look.AddJoin,
	look.AddCompare,
	guiding.AddDrift,
	look.AddStability,
	look.AddExplore,
	look.AddLabel,
	look.AddInfo,
	look.AddFingerprint,
	look.AddVerify,
	apply.AddInfer,
	apply.AddServe,
	apply.AddEval,
	apply.AddExport,
	addDoctor,
	addDevices,
	addCompletion,
	addMan,
	addVersion,
}

func addVersion(a *cli.App) {
	c := cli.Describe("version")
	run := func(context.Context, []string) error {
		_, err := fmt.Fprint(a.Stdout, cli.VersionLine())
		return err
	}
	a.Add(cli.GroupAbout, c, cli.NoArguments(c), run)
}

func addMan(a *cli.App) {
	c := cli.Describe("man")
	var found *cobra.Command
	check := func(args []string) (err error) {
		var rest []string
		if found, rest, err = a.Root.Find(args); err == nil && len(rest) > 0 {
			err = cli.UnknownCommand(found, rest[0])
		}
		return err
	}
	run := func(context.Context, []string) error { return cli.Man(a.Stdout, found) }
	a.Add(cli.GroupAbout, c, check, run)
}

var shells = []string{"bash", "zsh", "fish", "powershell"}

func addCompletion(a *cli.App) {
	c := cli.Describe("completion")
	c.ValidArgs = shells
	check := func(args []string) error {
		switch {
		case len(args) == 0:
			return fmt.Errorf("the shell is missing: it must be one of %s", strings.Join(shells, ", "))
		case !slices.Contains(shells, args[0]):
			return fmt.Errorf("unknown shell %q%s", args[0], human.Hint(args[0], shells))
		case len(args) > 1:
			return fmt.Errorf("give one shell, not both %q and %q", args[0], args[1])
		}
		return nil
	}
	run := func(_ context.Context, args []string) error {
		switch args[0] {
		case "zsh":
			return a.Root.GenZshCompletion(a.Stdout)
		case "fish":
			return a.Root.GenFishCompletion(a.Stdout, true)
		case "powershell":
			return a.Root.GenPowerShellCompletionWithDesc(a.Stdout)
		}
		return a.Root.GenBashCompletionV2(a.Stdout, true)
	}
	a.Add(cli.GroupAbout, c, check, run)
}
