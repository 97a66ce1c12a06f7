package protocol_test

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// every has an event of each kind, and a job of every form.
const every = `job workers 3 parts 2 slices 1 staleness 2 rounds 4 iterations 5 apart files checkpoint gaps
1ms          w1 starts
2ms          w2->store beat #17 takes 800ms
2ms          store->w2 get s0:v:4 3 takes 20ms
2ms          w0 samples p1 3 takes 13ms
3ms          w2->store publish 4/6/false again after 1.2s
3ms          w2->store reach r0 is lost with its sender
4ms          w1 crashes for 500ms
4ms          w1 freezes for 1.5s
5ms          store goes back 138ms
5ms          store loses everything
5ms          store loses s0:d:3:1
5ms          store damages state
5ms          store holds a list as p1:head
5ms          store refuses rounds ahead by s0:head
6ms          directory loses part-1.topics-8
6ms          directory damages part-1.first
7ms          somebody cancels
`

// A trace is read as it is written, whatever happens in it.
func TestTraceAsText(t *testing.T) {
	tr, err := parseTrace("# About it.\n\n" + every)
	if err != nil {
		t.Fatal(err)
	}
	if got := tr.String(); got != every {
		t.Errorf("it is written as\n%s", got)
	}
	var kinds []kind
	for _, e := range tr.events {
		kinds = append(kinds, e.kind)
	}
	for _, k := range kindsOfEvents {
		if !slices.Contains(kinds, k) {
			t.Errorf("no event is %q", k)
		}
	}
	want := event{
		at: 2 * time.Millisecond, kind: answersLate, place: 2, call: call{"get", "s0:v:4", 3}, nth: 1,
		d: 20 * time.Millisecond,
	}
	if tr.events[2] != want {
		t.Errorf("%+v, want %+v", tr.events[2], want)
	}
}

// What is no trace is refused with the line.
func TestTraceFaults(t *testing.T) {
	job, _, _ := strings.Cut(every, "\n")
	for _, c := range []struct{ text, want string }{
		{"", "is missing"},
		{"1ms w0 starts", "is missing"},
		{strings.Replace(job, "parts 2", "parts 0", 1), "says 0"},
		{strings.Replace(job, "parts", "part", 1), "part 2"},
		{job + " whole", `"whole"`},
		{job + "\nsoon w0 starts", "soon w0 starts"},
		{job + "\n1ms w0 begins", "w0 begins"},
		{job + "\n1ms w0->store takes 1ms", "w0->store takes 1ms"},
		{job + "\n1ms w0 crashes for long", "for long"},
		{job + "\n1ms w3 starts", "there are 3 workers"},
		{job + "\n2ms w0 starts\n1ms w1 starts", "out of order"},
	} {
		if _, err := parseTrace(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

// Keys are short in traces, and long again in the store.
func TestKeysOfTraces(t *testing.T) {
	for short, long := range map[string]string{
		"s0:d:3:1": "topoi:{job:s0}:d:3:1", "p12:head": "topoi:{job:p12}:head", "state": "topoi:{job}:state",
		"lease:7": "topoi:{job}:lease:7", "spec": "topoi:{job}:spec",
	} {
		if shortKey(long) != short || longKey(short) != long {
			t.Errorf("%s is %s, and %s is %s", long, shortKey(long), short, longKey(short))
		}
	}
}

// What is left of a trace is what it needs to fail: of a job, workers, events and digits.
func TestShorten(t *testing.T) {
	tr, err := parseTrace(`job workers 4 parts 4 slices 3 staleness 2 rounds 2 iterations 7 apart checkpoint
1ms   w3 starts
2ms   w1->store beat #3 takes 123ms
2ms   w3->store beat takes 7ms
411ms store loses state
412ms w3 crashes for 517ms
999ms w1 crashes for 3s
`)
	if err != nil {
		t.Fatal(err)
	}
	runs := 0
	short := shorten(tr, time.Minute, func(c *trace) bool {
		runs++
		crash := slices.IndexFunc(c.events, func(e event) bool { return e.kind == crashes && e.d > 450*time.Millisecond })
		late := slices.IndexFunc(c.events, func(e event) bool { return e.kind == asksLate && e.d > 100*time.Millisecond })
		return c.parts >= 2 && c.apart && crash >= 0 && late >= 0 && c.events[crash].at > 400*time.Millisecond
	})
	want := `job workers 1 parts 2 slices 1 staleness 0 rounds 1 iterations 2 apart
2ms          w0->store beat #3 takes 120ms
1s           w0 crashes for 3s
`
	if got := short.String(); got != want || runs > 200 {
		t.Errorf("after %d runs\n%s", runs, got)
	}
}
