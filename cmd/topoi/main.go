// Command topoi finds topics in text: it reads almost any corpus, trains a
// topic model on it, and shows, applies, measures and exports the result.
//
// Everything it does can be done from Go: see packages topoi, corpus, eval and
// export. Each command has a file of its own here, and holds nothing but flags
// and output.
package main

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/topoi-lda/topoi/internal/printable"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run runs the command line args and returns the exit code.
//
// Nothing that this program prints steers the terminal, whatever the words and
// names of the input hold; see package printable. The bar of progress alone
// writes to the terminal itself.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	stdout, stderr = printable.New(stdout), printable.New(stderr)
	defer func() {
		if fault := recover(); fault != nil {
			code = internalFailure(fault, stderr)
		}
	}()
	a := newApp(args, stdin, stdout, stderr)
	err := a.execute()
	if err != nil {
		a.report(err)
	}
	return exitCode(err)
}

// internalFailure reports a programmer's fault in one sentence; the trace that
// a bug report needs goes into a file.
func internalFailure(fault any, stderr io.Writer) int {
	where := ""
	if f, err := os.CreateTemp("", "topoi-crash-*.txt"); err == nil {
		fmt.Fprintf(f, "%v\n\n%s\n%s", fault, strings.Join(os.Args, " "), debug.Stack())
		if f.Close() == nil {
			where = "; please report it with " + f.Name()
		}
	}
	fmt.Fprintf(stderr, "topoi: internal error: %v%s\n", fault, where)
	return exitFailure
}
