package records

import (
	"testing"
	"time"
)

// Whoever waits for a round goes on when it is over, at once when it was, and after a while in any case.
func TestProgress(t *testing.T) {
	p := NewProgress()
	p.Set(3)
	p.Await(t.Context(), 3, time.Hour)
	done := make(chan struct{})
	go func() {
		p.Await(t.Context(), 5, time.Hour)
		close(done)
	}()
	p.Set(4)
	select {
	case <-done:
		t.Fatal("a round was over before it was")
	case <-time.After(20 * time.Millisecond):
	}
	p.Set(2) // a part is repeated
	p.Set(6)
	<-done
	p.Await(t.Context(), 7, time.Millisecond)
}
