package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

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
