package protocol_test

import (
	"context"
	"fmt"
	"iter"
	"time"
)

// world is everything that a schedule simulates: one clock, one store, and processes whose goroutines take turns.
// Nothing of it depends on anything but the schedule.
type world struct {
	network network
	now     time.Duration
	timers  timers
	seq     int
	current *task
	spoiled error             // the first violation of an invariant
	log     func(line string) // gets everything that happens; may be nil
}

// timer is something to be done at a time.
type timer struct {
	at  time.Duration
	seq int
	do  func()
}

// timers are a heap: each comes before those at twice its place and behind that.
type timers []timer

func (a *timer) before(b *timer) bool { return a.at < b.at || a.at == b.at && a.seq < b.seq }

func (e *timers) push(x timer) {
	h := append(*e, x)
	for i := len(h) - 1; i > 0 && h[i].before(&h[(i-1)/2]); i = (i - 1) / 2 {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
	}
	*e = h
}

func (e *timers) pop() timer {
	h := *e
	first, last := h[0], len(h)-1
	h[0], h[last] = h[last], timer{}
	h = h[:last]
	for i := 0; ; {
		next := 2*i + 1
		if next+1 < len(h) && h[next+1].before(&h[next]) {
			next++
		}
		if next >= len(h) || !h[next].before(&h[i]) {
			break
		}
		h[i], h[next] = h[next], h[i]
		i = next
	}
	*e = h
	return first
}

// after has something happen after a while.
func (w *world) after(d time.Duration, do func()) {
	w.seq++
	w.timers.push(timer{w.now + d, w.seq, do})
}

// run lets time pass until nothing is left to happen, an invariant is violated, or a limit is reached.
func (w *world) run(limit time.Duration) {
	for len(w.timers) > 0 && w.spoiled == nil {
		e := w.timers.pop()
		if e.at > limit {
			return
		}
		w.now = max(w.now, e.at)
		e.do()
	}
}

// time is the time as traces and logs tell it.
func (w *world) time() time.Duration { return w.now.Round(10 * time.Microsecond) }

// violate notes that an invariant is violated.
func (w *world) violate(format string, args ...any) {
	if w.spoiled == nil {
		w.spoiled = fmt.Errorf("after %v: %s", w.time(), fmt.Sprintf(format, args...))
	}
}

// process is the unit that a crash ends and a freeze stops: goroutines that share memory.
type process struct {
	w      *world
	place  int           // among the workers
	frozen time.Duration // until when
	dead   bool
	tasks  []*task
}

// task is a goroutine of a process, as a coroutine.
type task struct {
	p    *process
	next func() (struct{}, bool)
	stop func()
	take func(struct{}) bool // yields
	done bool
}

// killed is the panic of a goroutine whose process is dead.
type killed struct{}

// goes starts a goroutine.
func (p *process) goes(body func()) {
	t := &task{p: p}
	t.next, t.stop = iter.Pull(func(yield func(struct{}) bool) {
		t.take = yield
		defer func() {
			t.done = true
			if r := recover(); r != nil {
				if _, ok := r.(killed); !ok {
					panic(r)
				}
			}
		}()
		body()
	})
	p.tasks = append(p.tasks, t)
	p.w.after(0, t.resume)
}

// resume lets a goroutine go on, unless its process is dead or frozen.
func (t *task) resume() {
	w := t.p.w
	switch {
	case t.done || t.p.dead:
		return
	case t.p.frozen > w.now:
		w.after(t.p.frozen-w.now, t.resume)
		return
	}
	before := w.current
	w.current = t
	t.next()
	w.current = before
}

// kill ends a process at once.
func (p *process) kill() {
	p.dead = true
	for _, t := range p.tasks {
		t.stop()
	}
	p.tasks = nil
}

// running returns the goroutine that runs. There is none while one of a dead process does what it deferred.
func (w *world) running() *task {
	if w.current == nil {
		panic(killed{})
	}
	return w.current
}

// sleep lets time pass for the goroutine that runs.
func (w *world) sleep(d time.Duration) {
	t := w.running()
	w.after(d, t.resume)
	if !t.take(struct{}{}) {
		panic(killed{})
	}
}

// ask sends a request to the store and waits for its answer. The request may arrive late, and twice, and after its
// sender has died.
func ask[T any](w *world, ctx context.Context, what call, effect func() (T, error)) (answer T, err error) {
	if ctx.Err() != nil {
		return answer, context.Cause(ctx)
	}
	p := w.running().p
	f := w.network.sends(p.place, what)
	w.after(f.there, func() {
		if p.dead && w.network.loses(f) {
			return
		}
		answer, err = effect()
		w.arrived(p, what, err)
		if w.network.repeats(f) {
			w.after(f.again, func() {
				_, err := effect()
				w.arrived(p, what, err)
			})
		}
	})
	w.sleep(f.there + f.back)
	if ctx.Err() != nil {
		return answer, context.Cause(ctx)
	}
	return answer, err
}

// arrived logs a request that the store has answered.
func (w *world) arrived(p *process, what call, err error) {
	if w.log == nil {
		return
	}
	outcome := ""
	if err != nil {
		outcome = ": " + err.Error()
	}
	w.log(fmt.Sprintf("%-12v w%d->store %v%s", w.time(), p.place, what.short(), outcome))
}

// Now implements protocol.Clock.
func (w *world) Now() time.Time { return time.Unix(1000, 0).Add(w.now) }

// Wait implements protocol.Clock.
func (w *world) Wait(ctx context.Context, d time.Duration, _ <-chan struct{}) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for ; d > 0 && ctx.Err() == nil; d -= 100 * time.Millisecond {
		w.sleep(min(d, 100*time.Millisecond))
	}
	return context.Cause(ctx)
}
