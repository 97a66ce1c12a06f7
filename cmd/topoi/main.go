// Command topoi finds topics in text: it reads almost any corpus, trains a
// topic model on it, and shows, applies, measures and exports the result.
//
// Everything it does can be done from Go: see packages topoi, corpus, eval and export. Commands are here or in a
// package below internal for their group, and hold nothing but flags and output.
package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi/cmd/topoi/internal/apply"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/guiding"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/look"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/training"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/mallet"
)

func main() {
	guard.OnPanic(func(f *guard.Fault) { os.Exit(cli.InternalFailure(f, os.Args, os.Stderr)) })
	os.Exit(run(calledArguments(os.Args), os.Stdin, os.Stdout, os.Stderr))
}

// version is set by release builds: -ldflags "-X main.version=v1.2.3".
var version string

// versionFile has the version of this source, which packages and the list of changes have too.
//
//go:embed VERSION
var versionFile string

// newApp returns a run of the program.
func newApp(args []string, stdin io.Reader, stdout, stderr io.Writer) *cli.App {
	cli.Release, cli.Source = version, strings.TrimSpace(versionFile)
	return cli.New(args, stdin, stdout, stderr, commands, malletArguments)
}

// run runs the command line args and returns the exit code.
//
// Nothing that this program prints steers the terminal, whatever the words and names of the input hold; see
// human.NewWriter. The bar of progress alone writes to the terminal itself.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	debug.SetPanicOnFault(true) // a mapped file may be cut short
	stdout, stderr = human.NewWriter(stdout), human.NewWriter(stderr)
	defer func() {
		if fault := recover(); fault != nil {
			code = cli.InternalFailure(fault, os.Args, stderr)
		}
	}()
	a := newApp(args, stdin, stdout, stderr)
	err := a.Execute()
	if fault, ok := errors.AsType[*guard.Fault](err); ok {
		return cli.InternalFailure(fault, os.Args, stderr)
	}
	if err != nil {
		a.Report(err)
	}
	return cli.ExitCode(err)
}

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

// groupMallet holds all commands of topoi mallet.
const groupMallet = "mallet"

// addMallet adds the family of commands that stand in for MALLET's.
func addMallet(a *cli.App) {
	c := cli.Describe("mallet")
	c.AddGroup(&cobra.Group{ID: groupMallet, Title: "Commands:"})
	a.Add(cli.GroupTrain, c, func(args []string) error { return unknownMallet(c, args) }, func(context.Context, []string) error { return c.Help() })
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
var notMallet = []string{"train-classifier", "classify-dir", "classify-file", "classify-svmlight", "hlda", "bulk-load", "run"}

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
