package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cluster"
	"github.com/topoi-lda/topoi/corpus"
	protocol "github.com/topoi-lda/topoi/internal/cluster"
	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/store"
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

// exitCode tells the kinds of errors apart. Whatever is not known to be the
// machine's failure concerns an option or a file.
func exitCode(err error) int {
	var worker *cluster.WorkerError
	switch {
	case err == nil:
		return exitOK
	case interrupted(err):
		return exitInterrupted
	case deviceFailed(err), storeFailed(err), fileLost(err), errors.Is(err, topoi.ErrInconsistent), errors.Is(err, errVerified):
		return exitFailure
	case errors.As(err, &worker):
		return cmp.Or(worker.Code, exitFailure)
	}
	return exitBadInput
}

// storeFailed says whether err is a store that is away, or has lost what it was given.
func storeFailed(err error) bool {
	return errors.Is(err, store.ErrAway) || errors.Is(err, protocol.ErrGone) || errors.Is(err, protocol.ErrVanished)
}

// fileLost says whether err is a file that was there and then cut short or changed.
func fileLost(err error) bool {
	return errors.Is(err, guard.ErrFileLost) || errors.Is(err, corpus.ErrChanged)
}

// deviceFailed says whether err is a GPU that was there and did not do its work.
func deviceFailed(err error) bool {
	return errors.Is(err, cuda.ErrOutOfMemory) || errors.Is(err, cuda.ErrDeviceLost) || errors.Is(err, cuda.ErrRefused)
}

// deviceFault is the failure of a GPU in one sentence.
type deviceFault struct {
	text string
	err  error
}

func (e *deviceFault) Error() string { return e.text }
func (e *deviceFault) Unwrap() error { return e.err }

// withoutDevice makes the failure of a GPU, which shows in many calls, one sentence, and
// adds how to do without it.
func withoutDevice(err error) error {
	if !deviceFailed(err) {
		return err
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return &deviceFault{first + ": --device cpu does without the GPU", err}
}

// interrupted says whether err is about a signal.
func interrupted(err error) bool {
	return errors.Is(err, topoi.ErrInterrupted) || errors.Is(err, context.Canceled)
}

// report writes one line for every fault that err joins.
func (a *app) report(err error) {
	if interrupted(err) {
		fmt.Fprintln(a.stderr, "topoi: interrupted")
		return
	}
	for line := range strings.Lines(speakFlags(err.Error())) {
		fmt.Fprintf(a.stderr, "topoi: %s\n", strings.TrimSuffix(line, "\n"))
	}
	var usage *usageError
	if errors.As(err, &usage) {
		fmt.Fprintf(a.stderr, "Run '%s --help' to see how it is used.\n", usage.command)
	}
}
