package cluster

import (
	"context"
	"time"
)

// pause is a wait that grows with the time already waited, so that news come soon
// where they come often, and asking costs little where they do not.
type pause struct {
	began time.Time
	next  time.Duration
}

func newPause() *pause { return &pause{time.Now(), 500 * time.Microsecond} }

// wait waits a little longer than the time before.
func (p *pause) wait(ctx context.Context) error { return p.waitOr(ctx, nil) }

// waitOr is wait that ends when there is news, and begins anew then.
func (p *pause) waitOr(ctx context.Context, news <-chan struct{}) error {
	timer := time.NewTimer(p.next)
	defer timer.Stop()
	p.next = min(p.next*3/2, max(10*time.Millisecond, time.Since(p.began)/16), time.Second)
	select {
	case <-timer.C:
		return nil
	case <-news:
		*p = *newPause()
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
