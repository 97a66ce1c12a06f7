package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
)

func addMan(a *cli.App) {
	c := &cobra.Command{
		Use:   "man [COMMAND]",
		Short: "Write the man page of the program or of a command",
		Long: `Write the man page of the program or of a command to standard output. It has what
--help-all shows.`,
		Example: `  topoi man train | man -l -
  topoi man cluster submit > topoi-cluster-submit.1`,
	}
	find := func(args []string) (*cobra.Command, error) {
		found, rest, err := a.Root.Find(args)
		if err == nil && len(rest) > 0 {
			err = cli.UnknownCommand(found, rest[0])
		}
		return found, err
	}
	check := func(args []string) error {
		_, err := find(args)
		return err
	}
	run := func(_ context.Context, args []string) error {
		found, err := find(args)
		if err != nil {
			return err
		}
		return cli.Man(a.Stdout, found)
	}
	a.Add(cli.GroupAbout, c, check, run)
}
