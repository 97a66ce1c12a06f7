package protocol

import (
	"context"
	"sort"
	"sync"
	"time"

	"github.com/topoi-lda/topoi/internal/sampler"
)

// Rounds numbers the rounds of a job from 1. Round End(t) is the last of iteration t; a job that begins after
// iteration t has its first barrier there. Its methods may be called from any goroutine.
type Rounds struct {
	Plan interface{ Rounds(iteration int) int } // how many each iteration has

	mutex sync.Mutex
	ends  []int // ends[t] is End(t), as far as it was needed
}

// End returns the number of rounds up to the end of an iteration.
func (r *Rounds) End(iteration int) int {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.end(iteration)
}

func (r *Rounds) end(iteration int) int {
	if len(r.ends) == 0 {
		r.ends = append(r.ends, 0)
	}
	for t := len(r.ends); t <= iteration; t++ {
		r.ends = append(r.ends, r.ends[t-1]+r.Plan.Rounds(t))
	}
	return r.ends[iteration]
}

// Step returns the iteration that a round belongs to and its place there.
func (r *Rounds) Step(round int) sampler.Step {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for t := len(r.ends); r.end(max(0, t-1)) < round; t++ {
		r.end(t)
	}
	t := sort.SearchInts(r.ends, round)
	return sampler.Step{Iteration: t, Round: round - r.ends[t-1] - 1}
}

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
