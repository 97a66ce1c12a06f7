package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/mallet"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
)

// groupMallet holds all commands of topoi mallet.
const groupMallet = "mallet"

// addMallet adds the family of commands that stand in for MALLET's.
func addMallet(a *cli.App) {
	c := cli.Describe("mallet")
	c.AddGroup(&cobra.Group{ID: groupMallet, Title: "Commands:"})
	a.Add(c, func(args []string) error { return unknownMallet(c, args) },
		func(context.Context, []string) error { return c.Help() })
	for _, m := range malletCommands {
		addMalletCommand(a, c, m.name, m.make())
	}
}

type malletCommand struct {
	name string
	make func() mallet.Command
}

// malletCommands are the commands of MALLET that there are.
var malletCommands = []malletCommand{
	{"import-file", func() mallet.Command { return &mallet.ImportFile{} }},
	{"import-dir", func() mallet.Command { return &mallet.ImportDir{} }},
	{"import-svmlight", func() mallet.Command { return &mallet.ImportSVMLight{} }},
	{"train-topics", func() mallet.Command { return &mallet.TrainTopics{} }},
	{"infer-topics", func() mallet.Command { return &mallet.InferTopics{} }},
	{"evaluate-topics", func() mallet.Command { return &mallet.EvaluateTopics{} }},
	{"info", func() mallet.Command { return &mallet.Info{} }},
	{"prune", func() mallet.Command { return &mallet.Change{} }},
	{"split", func() mallet.Command { return &mallet.Change{} }},
}

// notMallet are MALLET's commands that there are not.
var notMallet = []string{
	"train-classifier", "classify-dir", "classify-file", "classify-svmlight", "hlda", "bulk-load",
	"run",
}

// unknownMallet is the fault of a command that is not there.
func unknownMallet(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if slices.Contains(notMallet, args[0]) {
		return fmt.Errorf("topoi has no %s: it has only those commands of MALLET that are about topics", args[0])
	}
	names := lists.Of(malletCommands, func(m malletCommand) string { return m.name })
	return fmt.Errorf("unknown command %q%s", args[0], human.Hint(args[0], names))
}

func addMalletCommand(a *cli.App, family *cobra.Command, name string, m mallet.Command) {
	c := cli.Describe("mallet " + name)
	refused := pflag.NewFlagSet(name, pflag.ContinueOnError)
	refused.SortFlags = false
	cli.Section(c, "Options", func(fs *pflag.FlagSet) { m.Flags(fs, refused) })
	cli.Section(c, "Not honoured", func(fs *pflag.FlagSet) { fs.AddFlagSet(refused) })
	check := func(args []string) error {
		faults := []error{m.Check(c.Flags())}
		for _, arg := range args {
			faults = append(faults, fmt.Errorf("%q is not the value of any option", arg))
		}
		return errors.Join(faults...)
	}
	run := func(ctx context.Context, _ []string) error {
		r := a.Reporter(false, false)
		defer r.Close()
		return m.Run(ctx, c.Flags(), mallet.Env{Stdout: a.Stdout, Report: r, Program: cli.ProgramVersion()})
	}
	a.AddTo(family, groupMallet, c, check, cli.Stoppable(run))
}

// malletArguments rewrites a command line of topoi mallet so that flags can be parsed.
func malletArguments(a *cli.App, args []string) ([]string, error) {
	if len(args) < 2 || args[0] != "mallet" {
		return args, nil
	}
	if slices.Contains(notMallet, args[1]) {
		return args[:2], nil // whatever its options are
	}
	c, _, err := a.Root.Find(args[:2])
	if err != nil || c.Name() != args[1] {
		return args, nil
	}
	rest, err := mallet.Arguments(c.Flags(), args[2:])
	return append(args[:2:2], rest...), err
}

// calledArguments returns the arguments of the program: called mallet, it is topoi mallet.
func calledArguments(args []string) []string {
	name := filepath.Base(args[0])
	if strings.TrimSuffix(strings.ToLower(name), ".exe") == "mallet" {
		return append([]string{"mallet"}, args[1:]...)
	}
	return args[1:]
}
