package protocol_test

import (
	"math"
	"slices"
	"time"
)

// shorten returns a trace that fails, too, and of which nothing can be left out: no event, no worker, part or slice.
// Its times are as round as they can be. After patience, shorten returns what it has got.
func shorten(t *trace, patience time.Duration, fails func(*trace) bool) *trace {
	s := &shortening{fails: fails, t: t, until: time.Now().Add(patience)}
	for again := true; again; {
		before := s.t
		s.try(func(c *trace) { c.drop(func(e *event) bool { return e.ofNetwork() }) })
		s.dropEvents()
		s.simplifyJob()
		s.roundTimes()
		again = s.t != before
	}
	return s.t
}

// shortening is the shortest trace so far.
type shortening struct {
	fails func(*trace) bool
	t     *trace
	until time.Time
}

// try changes the trace, if it still fails then. It reports whether it did.
func (s *shortening) try(change func(c *trace)) bool {
	c := &trace{s.t.jobForm, slices.Clone(s.t.events)}
	change(c)
	c.sort()
	if c.jobForm == s.t.jobForm && slices.Equal(c.events, s.t.events) || time.Now().After(s.until) || !s.fails(c) {
		return false
	}
	s.t = c
	return true
}

// drop drops some events.
func (t *trace) drop(which func(e *event) bool) {
	t.events = slices.DeleteFunc(t.events, func(e event) bool { return which(&e) })
}

// dropEvents drops runs of events, from half of all to one at a time.
func (s *shortening) dropEvents() {
	for n := (len(s.t.events) + 1) / 2; n > 0; n /= 2 {
		for i := 0; i < len(s.t.events); {
			if !s.try(func(c *trace) { c.events = slices.Delete(c.events, i, min(i+n, len(c.events))) }) {
				i += n
			}
		}
	}
}

// simplifyJob takes away a worker, a part and so on.
func (s *shortening) simplifyJob() {
	for place := s.t.workers - 1; place >= 0 && s.t.workers > 1; place-- {
		s.try(func(c *trace) {
			c.workers--
			c.drop(func(e *event) bool {
				return e.place == place && (e.ofNetwork() || e.kind == crashes || e.kind == freezes)
			})
			for i := range c.events {
				if c.events[i].place > place {
					c.events[i].place--
				}
			}
		})
	}
	for _, change := range []func(c *trace){
		func(c *trace) { c.parts = max(1, c.parts-1) },
		func(c *trace) { c.slices = max(1, c.slices-1) },
		func(c *trace) { c.iterations = max(2, c.iterations-1) },
		func(c *trace) { c.staleness = max(0, c.staleness-1) },
		func(c *trace) { c.rounds = 1 },
		func(c *trace) { c.gaps = false },
		func(c *trace) { c.files = false },
		func(c *trace) { c.apart = false },
		func(c *trace) { c.checkpoint = false },
	} {
		s.try(change)
	}
}

// roundTimes rounds times to one digit, or two.
func (s *shortening) roundTimes() {
	for i := range s.t.events {
		for digits := 1; digits <= 2; digits++ {
			if s.try(func(c *trace) { c.events[i].d = rounded(c.events[i].d, digits) }) {
				break
			}
		}
		if s.t.events[i].call.verb != "" {
			continue // its time says nothing
		}
		for digits := 1; digits <= 2; digits++ {
			if s.try(func(c *trace) { c.events[i].at = rounded(c.events[i].at, digits) }) {
				break
			}
		}
	}
}

// rounded rounds a time to so many digits.
func rounded(d time.Duration, digits int) time.Duration {
	if d <= 0 {
		return d
	}
	unit := math.Pow10(int(math.Log10(float64(d))) + 1 - digits)
	return time.Duration(math.Round(float64(d)/unit) * unit)
}
