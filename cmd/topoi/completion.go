package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/internal/human"
)

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
			return fmt.Errorf("one shell at a time: got %q and %q", args[0], args[1])
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
