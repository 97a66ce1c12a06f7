package protocol

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// View is a worker's view of the job at its last beat. It never changes once it was seen: a beat brings another.
type View struct {
	Leader  int64
	Version string
	State   *State // nil before there is any
	Parts   []int  // those it has
	Slices  []int
}

// Lease is a worker's membership of a job. Its methods may be called from any goroutine.
type Lease struct {
	Token  int64
	Mended string // the mark of the job's last mending when the worker joined

	// Leads is called once, with the state, when this worker becomes the leader.
	Leads func(s *State)

	// Report returns what the worker says of itself.
	Report func() string

	control Control // these three never change
	clock   Clock
	job     *Layout

	mutex sync.Mutex // guards what follows
	now   *View
	leads bool      // Leads has been called
	seen  time.Time // when the last command began that renewed the lease; Join sets it before others may ask
}

// NewLease returns the lease of a worker that has not joined. The token is a random number above 0. A number that the
// store counts might be given out twice if the store comes back without its last moments.
func NewLease(token int64, job *Layout, control Control, clock Clock) *Lease {
	return &Lease{Token: token, control: control, clock: clock, job: job, now: &View{}}
}

// Join makes the worker a member. If it fails because something is damaged, it still reads the mark of the last
// mending. Otherwise the worker would take that for a mending by others after its failure.
func (l *Lease) Join(ctx context.Context) (err error) {
	l.seen = l.clock.Now()
	l.Mended, err = l.control.Join(ctx, l.Token, l.Report())
	if errors.Is(err, ErrGone) {
		_, l.Mended, _ = l.control.Read(ctx) // the error that matters is the first
	}
	return err
}

// Beats renews the lease until ctx ends or it is lost.
func (l *Lease) Beats(ctx context.Context) error {
	for {
		if err := l.Beat(ctx); err != nil {
			return err
		}
		if err := l.clock.Wait(ctx, max(l.job.Lease/3, time.Millisecond), nil); err != nil {
			return err
		}
	}
}

// Beat renews the lease and the view.
func (l *Lease) Beat(ctx context.Context) error {
	old, began := l.View(), l.clock.Now()
	b, err := l.control.Beat(ctx, l.Token, l.Report(), old.Version)
	if err != nil {
		return err
	}
	l.mutex.Lock()
	l.seen = began
	l.mutex.Unlock()
	if b.Version == "" && old.State != nil {
		return Missing(l.job.Key.State())
	}
	if b.State != nil && old.State != nil && old.State.LaterThan(b.State) {
		return ErrLost // the store has come back without its last moments: this worker begins again where it is now
	}
	next := &View{Leader: b.Leader, Version: old.Version, State: old.State}
	if b.State != nil {
		next.State, next.Version = b.State, b.State.Version()
	}
	for _, office := range b.Offices {
		n, err := strconv.Atoi(strings.TrimLeft(office, "ps"))
		switch {
		case err == nil && office[0] == 'p' && n >= 0 && n < l.job.Parts:
			next.Parts = append(next.Parts, n)
		case err == nil && office[0] == 's' && n >= 0 && n < l.job.Slices:
			next.Slices = append(next.Slices, n)
		default:
			return &Damage{l.job.Key.Owners(), fmt.Errorf("it gives this worker %q", office)}
		}
	}
	l.see(next)
	return nil
}

// see takes a new view, and begins to lead if it says so. Two beats may overlap; the later state wins.
func (l *Lease) see(v *View) {
	l.mutex.Lock()
	if l.now.State != nil && (v.State == nil || l.now.State.LaterThan(v.State)) {
		l.mutex.Unlock()
		return
	}
	l.now = v
	begins := v.Leader == l.Token && v.State != nil && !l.leads && !v.State.Finished
	l.leads = l.leads || begins
	l.mutex.Unlock()
	if begins {
		state := *v.State
		l.Leads(&state)
	}
}

// Complete records that this worker, which leads, has published the last state. Without it a store that comes back
// without its last moments would leave the worker waiting for a state that nobody writes again.
func (l *Lease) Complete(s *State) { l.see(&View{Leader: l.Token, Version: s.Version(), State: s}) }

// View returns the current view.
func (l *Lease) View() *View {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.now
}

// Led reports whether Leads has been called.
func (l *Lease) Led() bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.leads
}

// Away reports whether the lease may have ended before now.
func (l *Lease) Away() bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.clock.Now().Sub(l.seen) > l.job.Lease
}

// Leave ends the lease, so that others do not wait until it runs out. Errors are ignored: it runs out by itself.
func (l *Lease) Leave(ctx context.Context) { _ = l.control.Leave(ctx, l.Token) }
