package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/topoi-lda/topoi/internal/human"
)

// Command is the name of a command, its group, and the function that adds it to the program. A command without a group
// works and is not shown. One that has another name now has it in Now, and says so.
type Command struct {
	Name, Group string
	Add         func(*App)
	Now         string
}

// New returns a run of the program with these commands. rewrite changes the command line before it is parsed. If the
// command line begins with a command, the others are left out, because adding their flags takes longer than
// everything else at the start.
func New(args []string, stdin io.Reader, stdout, stderr io.Writer, commands []Command,
	rewrite func(*App, []string) ([]string, error),
) *App {
	a := &App{
		Args: args, stdin: stdin, Stdout: stdout, Stderr: stderr,
		checks: map[*cobra.Command]Check{},
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
		&cobra.Group{ID: GroupTexts, Title: "From texts to topics:"},
		&cobra.Group{ID: GroupLook, Title: "Look at topics:"},
		&cobra.Group{ID: GroupSay, Title: "Say something about them:"},
		&cobra.Group{ID: GroupApply, Title: "New texts and other programs:"},
		&cobra.Group{ID: GroupMachines, Title: "More machines:"},
		&cobra.Group{ID: GroupMore, Title: "More commands:"},
	)
	cobra.EnableCommandSorting = false // the table gives the order
	a.All = sync.OnceValue(func() *cobra.Command { return New(nil, stdin, stdout, stderr, commands, rewrite).Root })
	named := func(c Command) bool { return len(args) > 0 && c.Name == args[0] }
	all := !slices.ContainsFunc(commands, named) && (len(args) == 0 || args[0] != "--version")
	for _, c := range commands {
		if all || named(c) {
			a.group, a.now = c.Group, c.Now
			c.Add(a)
		}
	}
	a.Args, a.fault = rewrite(a, args)
	a.Root.SetArgs(a.Args)
	a.Root.SetIn(stdin)
	a.Root.SetOut(stdout)
	a.Root.SetErr(stderr)
	a.Root.SetHelpFunc(a.help)
	a.Root.SetVersionTemplate(VersionLine())
	a.Root.SetFlagErrorFunc(a.flagFaults)
	a.Root.SetHelpCommandGroupID(GroupStart)
	a.Root.CompletionOptions.DisableDefaultCmd = true
	return a
}

// Execute runs the command.
func (a *App) Execute() error {
	if a.fault != nil {
		return a.fault
	}
	if len(a.Args) == 2 && a.Args[0] == "help" && a.Args[1] == GroupMore {
		a.helpMore()
		return nil
	}
	if len(a.Args) > 1 && a.Args[0] == "help" {
		a.Root.InitDefaultHelpCmd()
		if c, rest, _ := a.Root.Find(a.Args[1:]); c.HasSubCommands() && len(rest) > 0 &&
			!strings.HasPrefix(rest[0], "-") {
			return &usageError{UnknownCommand(c, rest[0]), c.CommandPath()}
		}
	}
	return a.Root.ExecuteContext(context.Background())
}

// Add adds a command. All its faults, those of its flags and those that check finds, are reported together before anything
// runs.
func (a *App) Add(c *cobra.Command, check Check, run Run) { a.AddTo(a.Root, a.group, c, check, run) }

// AddFamily adds a command that only has commands of its own.
func (a *App) AddFamily(c *cobra.Command) {
	a.Add(c, func(args []string) error {
		if len(args) > 0 {
			return UnknownCommand(c, args[0])
		}
		return nil
	}, func(context.Context, []string) error { return c.Help() })
}

// AddTo is add for a command of a family.
func (a *App) AddTo(parent *cobra.Command, group string, c *cobra.Command, check Check, run Run) {
	c.GroupID = group
	c.Args = cobra.ArbitraryArgs
	c.DisableFlagsInUseLine = true
	c.Hidden = parent == a.Root && group == ""
	if a.now != "" {
		c.Annotations = map[string]string{MovedKey: a.now}
	}
	a.checks[c] = check
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if wantsAll(cmd) {
			return cmd.Help()
		}
		a.sayMoved(cmd)
		interrupted := false
		_, stop := Interruptible(cmd.Context(), func() { interrupted = true }) // which ends requests to remote places
		args, finish, err := a.bring(cmd, args)
		stop()
		if err != nil {
			return err
		}
		if interrupted { // where nothing was remote, nobody has looked
			return finish(context.Canceled)
		}
		if err := check(args); err != nil {
			return finish(&usageError{err, cmd.CommandPath()})
		}
		return finish(a.endable(run, finish)(cmd.Context(), args))
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
