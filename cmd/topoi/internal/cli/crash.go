package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/topoi-lda/topoi/internal/guard"
)

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
		fmt.Fprintf(f, "%s\n\n%s\n%s", withoutSecrets(fmt.Sprint(fault)), withoutSecrets(strings.Join(args, " ")), stack)
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

// credentials are what a URL has between its scheme and its host, and all behind the host: a
// password may stand there too.
var credentials = regexp.MustCompile(`([A-Za-z][A-Za-z0-9+.-]*://)([^\s"']*@)?([^\s"'?]*)(\?[^\s"']*)?`)

// withoutSecrets takes users, passwords and parameters out of all URLs in a text.
func withoutSecrets(text string) string { return credentials.ReplaceAllString(text, "$1$3") }

// Interruptible returns a context that the first Ctrl-C (or SIGTERM) cancels,
// after calling first; the second ends the program at once. stop gives signals
// their usual meaning back.
func Interruptible(parent context.Context, first func()) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		select {
		case <-signals:
			first()
			cancel()
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
		cancel()
	}
}

// Stoppable makes of what a command does something that Ctrl-C cancels without a word.
func Stoppable(run func(ctx context.Context, args []string) error) func(ctx context.Context, args []string) error {
	return func(ctx context.Context, args []string) error {
		ctx, stop := Interruptible(ctx, func() {})
		defer stop()
		return run(ctx, args)
	}
}
