package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi/internal/nearest"
)

// app is one run of the program.
type app struct {
	args           []string // the command line without the program's name
	stdin          io.Reader
	stdout, stderr io.Writer
	root           *cobra.Command
	checks         map[*cobra.Command]func(args []string) error
	fault          error // of the command line, before it is parsed
}

// The groups of commands that topoi --help shows, by what the user wants.
const (
	groupStart = "start"
	groupData  = "data"
	groupTrain = "train"
	groupLook  = "look"
	groupApply = "apply"
	groupAbout = "about"
)

func newApp(args []string, stdin io.Reader, stdout, stderr io.Writer) *app {
	a := &app{
		args: args, stdin: stdin, stdout: stdout, stderr: stderr,
		checks: map[*cobra.Command]func([]string) error{},
	}
	a.root = &cobra.Command{
		Use:   "topoi COMMAND",
		Short: "Find topics in text",
		Long: `topoi finds topics in text: it reads almost any corpus, trains a topic model
(latent Dirichlet allocation) on it, and shows, applies, measures and exports
the result. The same corpus, options and seed always give the same model,
whatever the number of threads.`,
		Example: `  topoi demo                                    see it work on built-in data
  topoi train articles.csv -k 50 -o news.model  from a file to topics
  topoi topics news.model                       look at them`,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       programVersion(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return &usageError{unknownCommand(cmd, args[0]), cmd.CommandPath()}
			}
			return cmd.Help()
		},
	}
	a.root.AddGroup(
		&cobra.Group{ID: groupStart, Title: "Start here:"},
		&cobra.Group{ID: groupData, Title: "Get data in:"},
		&cobra.Group{ID: groupTrain, Title: "Train:"},
		&cobra.Group{ID: groupLook, Title: "Look at a model:"},
		&cobra.Group{ID: groupApply, Title: "Apply and measure it:"},
		&cobra.Group{ID: groupAbout, Title: "About this program:"},
	)
	cobra.EnableCommandSorting = false // the table gives the order
	for _, add := range commands {
		add(a)
	}
	a.args, a.fault = a.malletArguments(args)
	a.root.SetArgs(a.args)
	a.root.SetIn(stdin)
	a.root.SetOut(stdout)
	a.root.SetErr(stderr)
	a.root.SetHelpFunc(a.help)
	a.root.SetVersionTemplate(versionLine())
	a.root.SetFlagErrorFunc(a.flagFaults)
	a.root.SetHelpCommandGroupID(groupAbout)
	a.root.CompletionOptions.DisableDefaultCmd = true
	return a
}

// execute runs the command.
func (a *app) execute() error {
	if a.fault != nil {
		return a.fault
	}
	return a.root.ExecuteContext(context.Background())
}

// add puts a command into a group. All its faults, those of its flags and those
// that check finds, are reported together before anything runs.
func (a *app) add(group string, c *cobra.Command, check func(args []string) error, run func(ctx context.Context, args []string) error) {
	a.addTo(a.root, group, c, check, run)
}

// addFamily puts a command that only has commands of its own into a group.
func (a *app) addFamily(group string, c *cobra.Command) {
	a.add(group, c, func(args []string) error {
		if len(args) > 0 {
			return unknownCommand(c, args[0])
		}
		return nil
	}, func(context.Context, []string) error { return c.Help() })
}

// addTo is add for a command of a family.
func (a *app) addTo(parent *cobra.Command, group string, c *cobra.Command, check func(args []string) error, run func(ctx context.Context, args []string) error) {
	c.GroupID = group
	c.Args = cobra.ArbitraryArgs
	c.DisableFlagsInUseLine = true
	a.checks[c] = check
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if err := check(args); err != nil {
			return &usageError{err, cmd.CommandPath()}
		}
		return run(cmd.Context(), args)
	}
	parent.AddCommand(c)
}

// flagFaults is called for the first flag that does not parse. It goes through
// the whole command line, so that every fault is named at once.
func (a *app) flagFaults(cmd *cobra.Command, first error) error {
	_, args, err := a.root.Find(a.args)
	if err != nil {
		return &usageError{first, cmd.CommandPath()}
	}
	if cmd == a.root {
		for _, arg := range args {
			if len(arg) > 0 && arg[0] != '-' {
				return &usageError{unknownCommand(cmd, arg), cmd.CommandPath()}
			}
		}
	}
	positional, faults := parseAll(cmd.Flags(), args)
	if check := a.checks[cmd]; check != nil {
		faults = append(faults, check(positional))
	}
	return &usageError{errors.Join(faults...), cmd.CommandPath()}
}

func unknownCommand(parent *cobra.Command, name string) error {
	var names []string
	for _, c := range parent.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return fmt.Errorf("unknown command %q%s", name, nearest.Hint(name, names))
}

// needInputs is the fault of a command that was given nothing to read.
func needInputs(args []string, what, example string) error {
	if len(args) > 0 {
		return nil
	}
	return fmt.Errorf("%s is missing: try %s", what, example)
}

// needOutput is the fault of a command that does not know where to write.
func needOutput(path, what string) error {
	if path != "" {
		return nil
	}
	return fmt.Errorf("the output is missing: add -o %s", what)
}

// refuseZero returns a fault for each of the flags that was set to 0, which the
// options of the library take for "the default".
func refuseZero(c *cobra.Command, flags ...string) error {
	var faults []error
	for _, name := range flags {
		if f := c.Flags().Lookup(name); f.Changed && (f.Value.String() == "0" || f.Value.String() == "-0") {
			faults = append(faults, fmt.Errorf("--%s is 0: it must be above 0", name))
		}
	}
	return errors.Join(faults...)
}

// section adds flags under a heading of their own in the command's help.
func section(c *cobra.Command, heading string, define func(fs *pflag.FlagSet)) {
	fs := pflag.NewFlagSet(heading, pflag.ContinueOnError)
	fs.SortFlags = false
	define(fs)
	fs.VisitAll(func(f *pflag.Flag) {
		if f.Annotations == nil {
			f.Annotations = map[string][]string{}
		}
		f.Annotations[headingKey] = []string{heading}
	})
	c.Flags().SortFlags = false
	c.Flags().AddFlagSet(fs)
}

// headingKey is the annotation of a flag that holds its heading.
const headingKey = "heading"
