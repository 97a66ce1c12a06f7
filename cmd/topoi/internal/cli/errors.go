package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cluster"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/pattern"
	"github.com/topoi-lda/topoi/internal/remote"
	"github.com/topoi-lda/topoi/internal/stdin"
	"github.com/topoi-lda/topoi/internal/store"
	"github.com/topoi-lda/topoi/train"
)

// The exit codes. They are part of the interface: see docs/cli.md.
const (
	exitOK          = 0
	exitFailure     = 1   // the program failed although it was used rightly
	ExitBadInput    = 2   // an option, an input or an output is wrong: the user can mend it
	ExitInterrupted = 130 // Ctrl-C or SIGTERM, as shells have it
)

// usageError is a fault of the command line.
type usageError struct {
	err     error
	command string // whose help may be of use
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// ExitCode tells the kinds of errors apart. Whatever is not known to be the
// machine's failure concerns an option or a file.
func ExitCode(err error) int {
	var worker *cluster.WorkerError
	switch {
	case err == nil:
		return exitOK
	case Interrupted(err):
		return ExitInterrupted
	case DeviceFailed(err), slices.ContainsFunc(failures, func(failure error) bool { return errors.Is(err, failure) }):
		return exitFailure
	case errors.As(err, &worker):
		return cmp.Or(worker.Code, exitFailure)
	}
	return ExitBadInput
}

// failures are errors of the machine: a store that is away or has lost data, a file that was cut short or changed.
var failures = []error{
	store.ErrAway, protocol.ErrGone, guard.ErrFileLost, corpus.ErrChanged,
	topoi.ErrInconsistent, ErrVerified, ErrUnwell,
}

// DeviceFailed reports whether err is a GPU that was there and did not do its work.
func DeviceFailed(err error) bool {
	return errors.Is(err, cuda.ErrOutOfMemory) || errors.Is(err, cuda.ErrDeviceLost) || errors.Is(err, cuda.ErrRefused)
}

// deviceFault is the failure of a GPU in one sentence.
type deviceFault struct {
	text string
	err  error
}

func (e *deviceFault) Error() string { return e.text }
func (e *deviceFault) Unwrap() error { return e.err }

// DeviceFault makes the failure of a GPU, which shows in many calls, one sentence, and adds
// how to go on. Other errors stay as they are.
func DeviceFault(err error, hint string) error {
	if !DeviceFailed(err) {
		return err
	}
	return &deviceFault{FirstLine(err.Error()) + ": " + hint, err}
}

// WithoutDevice is DeviceFault with how to do without a GPU.
func WithoutDevice(err error) error { return DeviceFault(err, "--device cpu works without the GPU") }

// Interrupted reports whether err is about a signal.
func Interrupted(err error) bool {
	return errors.Is(err, train.ErrInterrupted) || errors.Is(err, context.Canceled)
}

// Report writes one line for every fault that err joins.
func (a *App) Report(err error) {
	if Interrupted(err) {
		fmt.Fprintln(a.Stderr, "topoi: interrupted")
		return
	}
	for _, line := range a.lines(err) {
		fmt.Fprintf(a.Stderr, "topoi: %s\n", a.Speak(line))
	}
	if usage, ok := errors.AsType[*usageError](err); ok {
		fmt.Fprintf(a.Stderr, "Run '%s --help' for help.\n", usage.command)
	}
}

// lines returns a line for every fault that err joins. Other line breaks are in names of files.
func (a *App) lines(err error) (list []string) {
	if isJoin(err) {
		for _, fault := range err.(interface{ Unwrap() []error }).Unwrap() {
			list = append(list, a.lines(fault)...)
		}
		return list
	}
	text := err.Error()
	if !joins(err) {
		return []string{strings.ReplaceAll(text, "\n", `\n`)}
	}
	for _, arg := range a.Args {
		if strings.Contains(arg, "\n") {
			text = strings.ReplaceAll(text, arg, strings.ReplaceAll(arg, "\n", `\n`))
		}
	}
	return strings.Split(text, "\n")
}

// isJoin reports whether an error is several, a line each.
func isJoin(err error) bool { return reflect.TypeOf(err) == reflect.TypeOf(errors.Join(io.EOF)) }

// joins reports whether an error is, or wraps, several.
func joins(err error) bool {
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		return isJoin(err) && len(e.Unwrap()) > 1 || slices.ContainsFunc(e.Unwrap(), joins)
	case interface{ Unwrap() error }:
		return e.Unwrap() != nil && joins(e.Unwrap())
	}
	return false
}

// ErrVerified is the failure of a verification, of which each fault has been told.
var ErrVerified = errors.New("some files differ from what was written")

// ErrUnwell is the error of topoi doctor if something is wrong.
var ErrUnwell = errors.New("this installation has a problem")

// InternalFailure reports a panic in one sentence: a mapped file that cannot be read any more
// by its name, and a programmer's fault with the trace that a bug report needs in a file.
func InternalFailure(fault any, args []string, stderr io.Writer) int {
	if err := guard.Lost(fault); err != nil {
		fmt.Fprintf(stderr, "topoi: %v\n", err)
		return exitFailure
	}
	stack := debug.Stack()
	if f, ok := fault.(*guard.Fault); ok {
		stack = f.Stack
	}
	what := FirstLine(withoutSecrets(fmt.Sprint(fault)))
	where := ""
	if f, err := os.CreateTemp("", "topoi-crash-*.txt"); err == nil {
		fmt.Fprintf(f, "%s\n\n%s\n%s", withoutSecrets(fmt.Sprint(fault)), withoutSecrets(strings.Join(args, " ")),
			stack)
		if f.Close() == nil {
			where = "; please report it with " + f.Name()
		}
	}
	fmt.Fprintf(stderr, "topoi: internal error: %s%s\n", what, where)
	return exitFailure
}

func FirstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// credentials matches the text between the scheme and the host of a URL, and all behind the host: a
// password may stand there too.
var credentials = pattern.Of(`([A-Za-z][A-Za-z0-9+.-]*://)([^\s"']*@)?([^\s"'?]*)(\?[^\s"']*)?`)

// withoutSecrets takes users, passwords and parameters out of all URLs in a text.
func withoutSecrets(text string) string { return credentials().ReplaceAllString(text, "$1$3") }

// orderly is how to end a command that has called Interruptible, because it cleans up by itself. It is nil for others.
var orderly atomic.Pointer[func()]

// endOrderly ends a command that cleans up by itself, and reports whether it is such a command.
func endOrderly() bool {
	end := orderly.Load()
	if end != nil {
		(*end)()
	}
	return end != nil
}

// endable makes the first Ctrl-C (or SIGTERM) end a command at once, with the exit code of an interruption, unless it
// has called Interruptible. So end commands that only read, or whose work is over in a moment. finish cleans up before.
func (a *App) endable(run Run, finish func(error) error) Run {
	return func(ctx context.Context, args []string) error {
		orderly.Store(nil)
		signals, done := make(chan os.Signal, 2), make(chan struct{})
		signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
		defer close(done)
		defer signal.Stop(signals)
		go func() {
			for n := 1; ; n++ {
				select {
				case <-done:
					return
				case <-signals:
				}
				// The signal may have come before Interruptible asked for signals too: the command hears of it from here.
				if n > 1 || !endOrderly() {
					err := finish(context.Canceled)
					a.Report(err)
					os.Exit(ExitCode(err))
				}
			}
		}()
		return run(ctx, args)
	}
}

// Interruptible returns a context that the first Ctrl-C (or SIGTERM) cancels, after calling first; the second ends
// the program at once. stop gives signals their usual meaning back: no signal came before it returned unless first was
// called.
func Interruptible(parent context.Context, first func()) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(parent)
	restoreRemote, restoreInput := remote.Until(ctx), stdin.Until(ctx)
	signals, done := make(chan os.Signal, 2), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	end := sync.OnceFunc(func() {
		if ctx.Err() == nil { // not after stop
			first()
			cancel()
		}
	})
	orderly.Store(&end)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		select {
		case <-signals:
			end()
		case <-done:
			return
		}
		select {
		case <-signals:
			os.Exit(ExitInterrupted)
		case <-done:
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(done)
		<-gone
		select {
		case <-signals: // it came when done was closed too
			end()
		default:
		}
		cancel()
		restoreRemote()
		restoreInput()
	}
}

// Stoppable makes of what a command does something that Ctrl-C cancels without a word.
func Stoppable(run Run) Run {
	return func(ctx context.Context, args []string) error {
		ctx, stop := Interruptible(ctx, func() {})
		defer stop()
		return run(ctx, args)
	}
}
