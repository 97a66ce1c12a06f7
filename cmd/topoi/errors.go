package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
)

// The exit codes. They are part of the interface: see docs/cli.md.
const (
	exitOK          = 0
	exitFailure     = 1   // the program failed although it was used rightly
	exitBadInput    = 2   // an option, an input or an output is wrong: the user can mend it
	exitInterrupted = 130 // Ctrl-C or SIGTERM, as shells have it
)

// usageError is a fault of the command line.
type usageError struct {
	err     error
	command string // whose help may be of use
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// failure marks an error that the user could not have avoided.
type failure struct{ err error }

func (e *failure) Error() string { return e.err.Error() }
func (e *failure) Unwrap() error { return e.err }

// errInterrupted ends a run that was stopped by a signal. What there is to say
// has been said.
var errInterrupted = errors.New("interrupted")

// exitCode tells the kinds of errors apart. Whatever is not known to be the
// program's own failure concerns an option or a file.
func exitCode(err error) int {
	var f *failure
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errInterrupted), errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &f) && !isFileError(err):
		return exitFailure
	}
	return exitBadInput
}

// isFileError reports whether err comes from a file that could not be read or
// written: a full disk, a missing directory, missing rights.
func isFileError(err error) bool {
	var path *fs.PathError
	var errno syscall.Errno
	return errors.As(err, &path) || errors.As(err, &errno) ||
		errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrExist)
}

// report writes one line for every fault that err joins.
func (a *app) report(err error) {
	if errors.Is(err, errInterrupted) {
		return
	}
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(a.stderr, "topoi: interrupted")
		return
	}
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintf(a.stderr, "topoi: %s\n", strings.TrimSuffix(line, "\n"))
	}
	var usage *usageError
	if errors.As(err, &usage) {
		fmt.Fprintf(a.stderr, "Run '%s --help' to see how it is used.\n", usage.command)
	}
}
