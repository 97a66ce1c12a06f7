package protocol

import (
	"context"
	"time"
)

// Clock is time as the machines of this package know it. Tests run them against a simulated one.
type Clock interface {
	// Now returns the time by the clock on the wall, which goes on while a machine sleeps.
	Now() time.Time

	// Wait blocks for some time, until there is news, or until ctx ends, whose cause it returns then. news may be nil.
	Wait(ctx context.Context, d time.Duration, news <-chan struct{}) error
}

// Wall is the clock of the machine.
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

// Pause is a wait that grows with the time already waited, so that news come soon
// where they come often, and asking costs little where they do not.
type Pause struct {
	Began time.Time
	clock Clock
	next  time.Duration
}

// firstPause is how long a pause waits at first.
const firstPause = 500 * time.Microsecond

// NewPause returns a pause by the clock of the machine.
func NewPause() *Pause { return PauseBy(Wall) }

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
