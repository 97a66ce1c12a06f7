package protocol_test

import (
	"cmp"
	"slices"
	"time"
)

// recorder makes a trace of what happens by chance.
type recorder struct {
	w      *world
	events []event
	asked  []asked
	number map[asking]int
}

// asking is who asks for what.
type asking struct {
	place int
	call  call
}

// asked is a request and what the network does with it, which is not known at once.
type asked struct {
	at time.Duration
	asking
	nth  int
	fate *fate
}

func (r *recorder) add(e event) { r.events = append(r.events, e) }

// count returns the number of a request among equal ones.
func (r *recorder) count(place int, what call) (asking, int) {
	if r.number == nil {
		r.number = map[asking]int{}
	}
	a := asking{place, what.short()}
	r.number[a]++
	return a, r.number[a]
}

func (r *recorder) request(place int, what call, f *fate) {
	a, nth := r.count(place, what)
	r.asked = append(r.asked, asked{r.w.time(), a, nth, f})
}

func (r *recorder) sampling(place int, what call, d time.Duration) {
	a, nth := r.count(place, what)
	r.add(event{at: r.w.time(), kind: samples, place: place, call: a.call, nth: nth, d: d})
}

// trace returns what was recorded.
func (r *recorder) trace(f jobForm) *trace {
	t := &trace{f, r.events}
	for _, a := range r.asked {
		add := func(is bool, k kind, d time.Duration) {
			if is {
				t.events = append(t.events, event{at: a.at, kind: k, place: a.place, call: a.call, nth: a.nth, d: d})
			}
		}
		add(a.fate.there != usualRequest, asksLate, a.fate.there)
		add(a.fate.again >= 0, asksAgain, a.fate.again)
		add(a.fate.lost, asksInVain, 0)
		add(a.fate.back != usualRequest, answersLate, a.fate.back)
	}
	t.sort()
	return t
}

// sort sorts events by time, those of the same time as they are.
func (t *trace) sort() {
	slices.SortStableFunc(t.events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
}

// told is a network that does what a trace tells.
type told struct {
	w      *world
	trace  *trace // a copy, in which events get the times at which they took place
	events map[moment][]*event
	number map[asking]int
	used   map[*event]bool // events that took place
	unlike uint64
}

// moment is the nth time that somebody asks for something.
type moment struct {
	asking
	nth int
}

func newTold(w *world, t *trace) *told {
	t = &trace{t.jobForm, slices.Clone(t.events)}
	n := &told{w: w, trace: t, events: map[moment][]*event{}, number: map[asking]int{}, used: map[*event]bool{}}
	for i := range t.events {
		if e := &t.events[i]; e.ofNetwork() {
			m := moment{asking{e.place, e.call}, e.nth}
			n.events[m] = append(n.events[m], e)
		}
	}
	return n
}

func (n *told) starts(place int) (at time.Duration) {
	for _, e := range n.events[moment{asking: asking{place: place}}] {
		at, n.used[e] = e.at, true
	}
	return at
}

// next returns the events of a request, and notes when they took place.
func (n *told) next(place int, what call) []*event {
	a := asking{place, what.short()}
	n.number[a]++
	list := n.events[moment{a, n.number[a]}]
	for _, e := range list {
		e.at, n.used[e] = n.w.time(), true
	}
	return list
}

func (n *told) sends(place int, what call) *fate {
	f := &fate{there: usualRequest, back: usualRequest, again: -1}
	for _, e := range n.next(place, what) {
		switch e.kind {
		case asksLate:
			f.there = e.d
		case asksAgain:
			f.again = e.d
		case asksInVain:
			f.lost = true
		case answersLate:
			f.back = e.d
		}
	}
	return f
}

// took notes that an event took place that is not of the network.
func (n *told) took(e *event) {
	for i := range n.trace.events {
		if t := &n.trace.events[i]; *t == *e {
			n.used[t] = true
		}
	}
}

// whatTook returns the trace without the events that did not take place.
func (n *told) whatTook() *trace {
	t := &trace{jobForm: n.trace.jobForm}
	for i := range n.trace.events {
		if e := &n.trace.events[i]; n.used[e] {
			t.events = append(t.events, *e)
		}
	}
	t.sort()
	return t
}

func (n *told) loses(f *fate) bool   { return f.lost }
func (n *told) repeats(f *fate) bool { return f.again >= 0 }

func (n *told) samples(place int, what call) time.Duration {
	d := usualSampling
	for _, e := range n.next(place, what) {
		d = e.d
	}
	return d
}

func (n *told) unique() uint64 {
	n.unlike++
	return n.unlike
}
