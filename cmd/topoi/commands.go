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

// commands adds every command; --help shows them in this order within their
// groups. A new command is a file and a line here.
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
	c := &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Long:    "Print the version of topoi, the version of Go that built it, and the system it was built for.",
		Example: "  topoi version",
	}
	run := func(context.Context, []string) error {
		_, err := fmt.Fprint(a.Stdout, cli.VersionLine())
		return err
	}
	a.Add(cli.GroupAbout, c, cli.NoArguments(c), run)
}

func addMan(a *cli.App) {
	c := &cobra.Command{
		Use:   "man [COMMAND]",
		Short: "Write the man page of the program or of a command",
		Long: `Write the man page of the program or of a command to standard output. It has what
--help-all shows.`,
		Example: `  topoi man train | man -l -
  topoi man cluster submit > topoi-cluster-submit.1`,
	}
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
	c := &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Write the script that lets your shell complete commands",
		Long: `Write the script that lets your shell complete commands, flags and their values
(samplers, formats, languages) when you press Tab.`,
		Example: `  source <(topoi completion bash)                              for this session
  topoi completion bash > ~/.local/share/bash-completion/completions/topoi
  topoi completion zsh > "${fpath[1]}/_topoi"
  topoi completion fish > ~/.config/fish/completions/topoi.fish`,
		ValidArgs: shells,
	}
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
