package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
)

func addVersion(a *cli.App) {
	c := &cobra.Command{
		Use:     "version",
		Short:   "Say which version this is",
		Long:    "Say which version of topoi this is, and which Go built it for which machine.",
		Example: "  topoi version",
	}
	run := func(context.Context, []string) error {
		_, err := fmt.Fprint(a.Stdout, cli.VersionLine())
		return err
	}
	a.Add(cli.GroupAbout, c, cli.NoArguments(c), run)
}
