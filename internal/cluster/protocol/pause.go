package protocol

import (
	"context"
	"time"
)

// Pause is a wait that grows with the time already waited, so that news come soon
// where they come often, and asking costs little where they do not.
type Pause struct {
	Began       time.Time
	first, next time.Duration
}

func NewPause() *Pause { return PauseFrom(500 * time.Microsecond) }

// PauseFrom is a pause whose first wait is given.
func PauseFrom(first time.Duration) *Pause { return &Pause{time.Now(), first, first} }

// Wait waits a little longer than the time before.
func (p *Pause) Wait(ctx context.Context) error { return p.WaitOr(ctx, nil) }

// WaitOr is wait that ends when there is news, and begins anew then.
func (p *Pause) WaitOr(ctx context.Context, news <-chan struct{}) error {
	timer := time.NewTimer(p.next)
	defer timer.Stop()
	p.next = min(p.next*3/2, max(10*time.Millisecond, time.Since(p.Began)/16), time.Second)
	select {
	case <-timer.C:
		return nil
	case <-news:
		*p = *PauseFrom(p.first)
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// WallSince is the time since t by the clock on the wall, which goes on while a machine
// sleeps.
func WallSince(t time.Time) time.Duration { return time.Now().Round(0).Sub(t.Round(0)) }
