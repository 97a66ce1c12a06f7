// Package cli is the frame of the command line: commands and their groups, flags from options, help, faults as
// sentences, exit codes, signals, and how progress is shown. It knows none of the commands.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi/internal/human"
)

// App is one run of the program.
type App struct {
	Args           []string // the command line without the program's name
	stdin          io.Reader
	Stdout, Stderr io.Writer
	Root           *cobra.Command
	checks         map[*cobra.Command]func(args []string) error
	Verbose        bool  // tell also what only some people want to know
	fault          error // of the command line, before it is parsed
}

// The groups of commands that topoi --help shows, by what the user wants.
const (
	GroupStart = "start"
	GroupData  = "data"
	GroupTrain = "train"
	GroupLook  = "look"
	GroupApply = "apply"
	GroupAbout = "about"
)

// New returns a run of the program with these commands. rewrite changes the command line before it is parsed.
func New(args []string, stdin io.Reader, stdout, stderr io.Writer, commands []func(*App), rewrite func(*App, []string) ([]string, error)) *App {
	a := &App{
		Args: args, stdin: stdin, Stdout: stdout, Stderr: stderr,
		checks: map[*cobra.Command]func([]string) error{},
	}
	a.Root = Describe("topoi")
	a.Root.Args = cobra.ArbitraryArgs
	a.Root.SilenceErrors, a.Root.SilenceUsage = true, true
	a.Root.Version = ProgramVersion()
	a.Root.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return &usageError{UnknownCommand(cmd, args[0]), cmd.CommandPath()}
		}
		return cmd.Help()
	}
	a.Root.AddGroup(
		&cobra.Group{ID: GroupStart, Title: "Start here:"},
		&cobra.Group{ID: GroupData, Title: "Get data in:"},
		&cobra.Group{ID: GroupTrain, Title: "Train:"},
		&cobra.Group{ID: GroupLook, Title: "Look at a model:"},
		&cobra.Group{ID: GroupApply, Title: "Apply and measure it:"},
		&cobra.Group{ID: GroupAbout, Title: "About this program:"},
	)
	cobra.EnableCommandSorting = false // the table gives the order
	for _, add := range commands {
		add(a)
	}
	a.Args, a.fault = rewrite(a, args)
	a.Root.SetArgs(a.Args)
	a.Root.SetIn(stdin)
	a.Root.SetOut(stdout)
	a.Root.SetErr(stderr)
	a.Root.SetHelpFunc(a.help)
	a.Root.SetVersionTemplate(VersionLine())
	a.Root.SetFlagErrorFunc(a.flagFaults)
	a.Root.SetHelpCommandGroupID(GroupAbout)
	a.Root.CompletionOptions.DisableDefaultCmd = true
	return a
}

// Execute runs the command.
func (a *App) Execute() error {
	if a.fault != nil {
		return a.fault
	}
	return a.Root.ExecuteContext(context.Background())
}

// Add puts a command into a group. All its faults, those of its flags and those
// that check finds, are reported together before anything runs.
func (a *App) Add(group string, c *cobra.Command, check func(args []string) error, run func(ctx context.Context, args []string) error) {
	a.AddTo(a.Root, group, c, check, run)
}

// AddFamily puts a command that only has commands of its own into a group.
func (a *App) AddFamily(group string, c *cobra.Command) {
	a.Add(group, c, func(args []string) error {
		if len(args) > 0 {
			return UnknownCommand(c, args[0])
		}
		return nil
	}, func(context.Context, []string) error { return c.Help() })
}

// AddTo is add for a command of a family.
func (a *App) AddTo(parent *cobra.Command, group string, c *cobra.Command, check func(args []string) error, run func(ctx context.Context, args []string) error) {
	c.GroupID = group
	c.Args = cobra.ArbitraryArgs
	c.DisableFlagsInUseLine = true
	a.checks[c] = check
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if wantsAll(cmd) {
			return cmd.Help()
		}
		args, finish, err := a.bring(cmd, args)
		if err != nil {
			return err
		}
		if err := check(args); err != nil {
			return finish(&usageError{err, cmd.CommandPath()})
		}
		return finish(run(cmd.Context(), args))
	}
	parent.AddCommand(c)
	addHelpAll(c)
}

// flagFaults is called for the first flag that does not parse. It goes through
// the whole command line, so that every fault is named at once.
func (a *App) flagFaults(cmd *cobra.Command, first error) error {
	_, args, err := a.Root.Find(a.Args)
	if err != nil {
		return &usageError{first, cmd.CommandPath()}
	}
	if cmd == a.Root {
		for _, arg := range args {
			if len(arg) > 0 && arg[0] != '-' {
				return &usageError{UnknownCommand(cmd, arg), cmd.CommandPath()}
			}
		}
	}
	positional, faults := ParseAll(cmd.Flags(), args)
	if check := a.checks[cmd]; check != nil {
		faults = append(faults, check(positional))
	}
	return &usageError{errors.Join(faults...), cmd.CommandPath()}
}

// UnknownCommand returns the fault of a command that there is not, with the one that was probably meant.
func UnknownCommand(parent *cobra.Command, name string) error {
	var names []string
	for _, c := range parent.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return fmt.Errorf("unknown command %q%s", name, human.Hint(name, names))
}

// Section adds flags under a heading of their own in the command's help.
func Section(c *cobra.Command, heading string, define func(fs *pflag.FlagSet)) {
	fs := pflag.NewFlagSet(heading, pflag.ContinueOnError)
	fs.SortFlags = false
	define(fs)
	fs.VisitAll(func(f *pflag.Flag) {
		if f.Annotations == nil {
			f.Annotations = map[string][]string{}
		}
		f.Annotations[HeadingKey] = []string{heading}
	})
	c.Flags().SortFlags = false
	c.Flags().AddFlagSet(fs)
}

// HeadingKey is the annotation of a flag that holds its heading.
const HeadingKey = "heading"

// Release is the version of a release; empty for other builds.
var Release string

// Source is the version of the source, for builds that record none.
var Source string

// VersionLine is what topoi version and topoi --version say.
func VersionLine() string {
	return fmt.Sprintf("topoi %s, %s %s/%s\n", ProgramVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// ProgramVersion returns the release, or what the Go tool recorded at the build.
func ProgramVersion() string {
	if Release != "" {
		return Release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "v" + Source + "-dev"
	}
	return info.Main.Version
}
