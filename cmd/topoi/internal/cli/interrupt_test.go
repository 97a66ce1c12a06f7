package cli

import "testing"

// A signal that came before a command asked for signals, and is noticed only afterwards, ends the command too.
func TestSignalBeforeInterruptible(t *testing.T) {
	orderly.Store(nil)
	if endOrderly() {
		t.Error("a command that has not begun ends in an orderly way")
	}
	said := 0
	ctx, stop := Interruptible(t.Context(), func() { said++ })
	if !endOrderly() || ctx.Err() == nil || said != 1 {
		t.Errorf("the context has ended: %v, said %d times", ctx.Err(), said)
	}
	if !endOrderly() || said != 1 {
		t.Errorf("said %d times", said)
	}
	stop()
	_, stop = Interruptible(t.Context(), func() { said++ })
	stop()
	if !endOrderly() || said != 1 {
		t.Error("a command that is over says that it ends")
	}
}
