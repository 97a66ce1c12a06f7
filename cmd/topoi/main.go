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
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/topoi-lda/topoi/cmd/topoi/internal/apply"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/guiding"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/look"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/training"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/human"
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
var commands = []cli.Command{
	{Name: "demo", Group: cli.GroupStart, Add: addDemo},
	{Name: "doctor", Group: cli.GroupStart, Add: addDoctor},
	{Name: "check", Group: cli.GroupTexts, Add: addCheck},
	{Name: "import", Group: cli.GroupTexts, Add: addImport},
	{Name: "train", Group: cli.GroupTexts, Add: training.AddTrain},
	{Name: "sweep", Group: cli.GroupTexts, Add: training.AddSweep},
	{Name: "update", Group: cli.GroupTexts, Add: guiding.AddUpdate},
	{Name: "edit", Group: cli.GroupTexts, Add: guiding.AddEdit},
	{Name: "topics", Group: cli.GroupLook, Add: look.AddTopics},
	{Name: "explore", Group: cli.GroupLook, Add: look.AddExplore},
	{Name: "name", Group: cli.GroupLook, Add: look.AddName},
	{Name: "compare", Group: cli.GroupLook, Add: look.AddCompare},
	{Name: "info", Group: cli.GroupLook, Add: look.AddInfo},
	{Name: "prevalence", Group: cli.GroupSay, Add: look.AddPrevalence},
	{Name: "effects", Group: cli.GroupSay, Add: look.AddEffects},
	{Name: "infer", Group: cli.GroupApply, Add: apply.AddInfer},
	{Name: "serve", Group: cli.GroupApply, Add: apply.AddServe},
	{Name: "eval", Group: cli.GroupApply, Add: apply.AddEval},
	{Name: "export", Group: cli.GroupApply, Add: apply.AddExport},
	{Name: "cluster", Group: cli.GroupMachines, Add: training.AddCluster},
	{Name: "study", Group: cli.GroupMore, Add: training.AddStudy},
	{Name: "seeds", Group: cli.GroupMore, Add: guiding.AddSeeds},
	{Name: "drift", Group: cli.GroupMore, Add: guiding.AddDrift},
	{Name: "join", Group: cli.GroupMore, Add: look.AddJoin},
	{Name: "verify", Group: cli.GroupMore, Add: look.AddVerify},
	{Name: "mallet", Group: cli.GroupMore, Add: addMallet},
	{Name: "completion", Group: cli.GroupMore, Add: addCompletion},
	{Name: "man", Group: cli.GroupMore, Add: addMan},
	{Name: "version", Group: cli.GroupMore, Add: addVersion},
	{Name: "generate", Add: addGenerate}, // hidden: it is for those who measure topoi
	{Name: "devices", Add: addDevices, Now: "topoi doctor"},
	{Name: "fingerprint", Add: look.AddFingerprint, Now: "topoi info --fingerprint"},
	{Name: "label", Add: look.AddLabel, Now: "topoi name"},
	{Name: "samplers", Add: training.AddSamplers, Now: "topoi study --list"},
	{Name: "stability", Add: look.AddStability, Now: "topoi compare --stability"},
}

func addVersion(a *cli.App) {
	c := cli.Describe("version")
	run := func(context.Context, []string) error {
		_, err := fmt.Fprint(a.Stdout, cli.VersionLine())
		return err
	}
	a.Add(c, cli.NoArguments(c), run)
}

func addMan(a *cli.App) {
	c := cli.Describe("man")
	var found *cobra.Command
	check := func(args []string) (err error) {
		var rest []string
		if found, rest, err = a.All().Find(args); err == nil && len(rest) > 0 {
			err = cli.UnknownCommand(found, rest[0])
		}
		return err
	}
	run := func(context.Context, []string) error { return cli.Man(a.Stdout, found) }
	a.Add(c, check, run)
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
	a.Add(c, check, run)
}
