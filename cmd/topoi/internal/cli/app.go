// Package cli is the frame of the command line: commands and their groups, flags from options, help, faults as
// sentences, exit codes, signals, and how progress is shown. It knows none of the commands.
package cli

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// App is one run of the program.
type App struct {
	Args           []string // the command line without the program's name
	stdin          io.Reader
	Stdout, Stderr io.Writer
	Root           *cobra.Command
	All            func() *cobra.Command // another root, with every command
	checks         map[*cobra.Command]Check
	Verbose        bool   // tell also what only some people want to know
	group, now     string // of the command that is being added, see Command
	fault          error  // of the command line, before it is parsed
}

// Check returns the faults of a command's arguments, and Run does what the command is for.
type (
	Check func(args []string) error
	Run   func(ctx context.Context, args []string) error
)

// The groups of commands, in the order of a person's way. topoi --help shows all but the last, which is that of topoi
// help more.
const (
	GroupStart    = "start"
	GroupTexts    = "texts"
	GroupLook     = "look"
	GroupSay      = "say"
	GroupApply    = "apply"
	GroupMachines = "machines"
	GroupMore     = "more"
)

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

// VersionLine is the line that topoi version and topoi --version print.
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
