package exchange

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

// A few writes are under way at once, and the next one begins when one of them is done. Flush waits for all.
func TestWritesInTheBackground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := bare(protocol.Spec{}, 1)
		x.ctx, x.cancel = context.WithCancelCause(t.Context())
		next, begun, done := make(chan struct{}), make(chan struct{}, 99), atomic.Int32{}
		write := func() error {
			begun <- struct{}{}
			<-next
			done.Add(1)
			return nil
		}
		for range mostWrites {
			if err := x.background(write); err != nil {
				t.Fatal(err)
			}
		}
		late := make(chan error)
		go func() { late <- x.background(write) }()
		for range mostWrites {
			<-begun
		}
		select {
		case <-late:
			t.Fatalf("more than %d writes are under way", mostWrites)
		case <-time.After(20 * time.Millisecond):
		}
		next <- struct{}{}
		if err := <-late; err != nil {
			t.Fatal(err)
		}
		close(next)
		if err := x.Flush(t.Context()); err != nil || done.Load() != mostWrites+1 {
			t.Errorf("flushed after %d writes: %v", done.Load(), err)
		}
		if x.tally.Report(0, 0, 0).Waiting != 20*time.Millisecond {
			t.Error("the wait for room is not told")
		}
	})
}

// A write that fails ends the session, and Flush says why.
func TestFailedWriteEndsTheSession(t *testing.T) {
	x := bare(protocol.Spec{}, 1)
	x.ctx, x.cancel = context.WithCancelCause(t.Context())
	fault := errors.New("it fails")
	if err := x.background(func() error { return fault }); err != nil {
		t.Fatal(err)
	}
	if err := x.Flush(t.Context()); !errors.Is(err, fault) || !errors.Is(context.Cause(x.ctx), fault) {
		t.Errorf("%v, and the session ends with %v", err, context.Cause(x.ctx))
	}
	x.ctx, x.cancel = context.WithCancelCause(t.Context())
	if err := x.background(func() error { panic("it panics") }); err != nil {
		t.Fatal(err)
	}
	if err := x.Flush(t.Context()); err == nil {
		t.Error("a write that panics is taken for one that is done")
	}
}
