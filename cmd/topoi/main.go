// Command topoi finds topics in text: it reads almost any corpus, trains a
// topic model on it, and shows, applies, measures and exports the result.
//
// Everything it does can be done from Go: see packages topoi, corpus, eval and export. Each command has a file of its
// own, here or in a package below internal for its group, and holds nothing but flags and output.
package main

import (
	_ "embed"
	"errors"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
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
