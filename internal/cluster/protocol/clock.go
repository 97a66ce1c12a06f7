package protocol

import (
	"context"
	"time"
)

// Clock is the time of the machines in this package. Tests use a simulated one.
type Clock interface {
	// Now returns the wall-clock time, which goes on while a machine sleeps.
	Now() time.Time

	// Wait blocks for a duration, until there is news, or until ctx ends; then it returns the cause. news may be nil.
	Wait(ctx context.Context, d time.Duration, news <-chan struct{}) error
}

// Wall is the clock of this machine.
var Wall Clock = wall{}

type wall struct{}

func (wall) Now() time.Time { return time.Now().Round(0) }

func (wall) Wait(ctx context.Context, d time.Duration, news <-chan struct{}) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-news:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Pause is a wait that grows with the time already waited. So frequent news come soon, and rare news cost few requests.
type Pause struct {
	Began time.Time
	clock Clock
	next  time.Duration
}

// firstPause is the length of the first wait.
const firstPause = 500 * time.Microsecond

// PauseBy returns a pause by a clock.
func PauseBy(c Clock) *Pause { return &Pause{c.Now(), c, firstPause} }

// Wait waits a little longer than the time before.
func (p *Pause) Wait(ctx context.Context) error { return p.WaitOr(ctx, nil) }

// WaitOr is Wait that ends when there is news.
func (p *Pause) WaitOr(ctx context.Context, news <-chan struct{}) error {
	d := p.next
	p.next = min(d*3/2, max(10*time.Millisecond, p.Waited()/16), time.Second)
	return p.clock.Wait(ctx, d, news)
}

// Waited returns the time since the pause began.
func (p *Pause) Waited() time.Duration { return p.clock.Now().Sub(p.Began) }
