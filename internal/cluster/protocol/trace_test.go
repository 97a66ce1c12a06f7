package protocol_test

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// jobForm is a job and who works on it.
type jobForm struct {
	workers, parts, slices, staleness, rounds, iterations int
	apart, files, checkpoint, gaps                        bool
}

// trace is a job and what happens to it, told event by event. It can be written as text and read again; see testdata.
// What it does not tell happens as usual, in usualRequest and usualSampling: nothing is left to chance.
type trace struct {
	jobForm
	events []event // in order of time
}

// event is something that happens to a job, and that need not have happened.
type event struct {
	at    time.Duration // when it happens; of a request or a round it says where to look for it in the log
	kind  kind
	place int           // of the worker
	call  call          // of a request or a round
	nth   int           // which of the equal requests of a worker, from 1
	key   string        // of the store, short, or the name of a file
	d     time.Duration // how long
}

// kind describes what happens.
type kind string

// These are the kinds of events, as traces write them: w is a worker, k a key, c a request, d a time.
const (
	starts      kind = "w starts"
	crashes     kind = "w crashes for d"
	freezes     kind = "w freezes for d"
	samples     kind = "w c takes d"
	asksLate    kind = "w->store c takes d"
	asksAgain   kind = "w->store c again after d"
	asksInVain  kind = "w->store c is lost with its sender"
	answersLate kind = "store->w c takes d"
	goesBack    kind = "store goes back d"
	losesAll    kind = "store loses everything"
	loses       kind = "store loses k"
	damages     kind = "store damages k"
	mistypes    kind = "store holds a list as k"
	refuses     kind = "store refuses rounds ahead by k"
	losesFile   kind = "directory loses k"
	damagesFile kind = "directory damages k"
	cancels     kind = "somebody cancels"
)

// kindsOfEvents has all of them.
var kindsOfEvents = []kind{
	starts, crashes, freezes, samples, asksLate, asksAgain, asksInVain, answersLate, goesBack, losesAll, loses, damages,
	mistypes, refuses, losesFile, damagesFile, cancels,
}

// ofNetwork reports whether an event is only about how long something takes.
func (e *event) ofNetwork() bool { return e.call.verb != "" || e.kind == starts }

// String returns the event as a line.
func (e *event) String() string {
	fields := []string{fmt.Sprintf("%-12v", e.at)}
	for _, word := range strings.Fields(string(e.kind)) {
		switch word {
		case "w":
			word = fmt.Sprint("w", e.place)
		case "w->store":
			word = fmt.Sprintf("w%d->store", e.place)
		case "store->w":
			word = fmt.Sprintf("store->w%d", e.place)
		case "k":
			word = e.key
		case "d":
			word = e.d.String()
		case "c":
			word = e.call.String()
			if e.nth > 1 {
				word += fmt.Sprint(" #", e.nth)
			}
		}
		fields = append(fields, word)
	}
	return strings.Join(fields, " ")
}

// parseEvent reads a line.
func parseEvent(line string) (event, error) {
	at, rest, _ := strings.Cut(line, " ")
	when, err := time.ParseDuration(at)
	if err != nil {
		return event{}, err
	}
	words := strings.Fields(rest)
	for _, k := range kindsOfEvents {
		e := event{at: when, kind: k}
		if e.match(strings.Fields(string(k)), words) {
			return e, nil
		}
	}
	return event{}, fmt.Errorf("it is none of %q", kindsOfEvents)
}

// match fills the event with words, and reports whether they are of its kind.
func (e *event) match(pattern, words []string) bool {
	for i, p := range pattern {
		if p == "c" { // all words but those that follow it in the pattern
			after := len(pattern) - i - 1
			return len(words) > after && e.matchCall(words[:len(words)-after]) &&
				e.match(pattern[i+1:], words[len(words)-after:])
		}
		if len(words) == 0 || !e.matchWord(p, words[0]) {
			return false
		}
		words = words[1:]
	}
	return len(words) == 0
}

// matchWord fills the event with a word.
func (e *event) matchWord(pattern, word string) (ok bool) {
	var err error
	switch pattern {
	case "w":
		word, ok = strings.CutPrefix(word, "w")
		e.place, err = strconv.Atoi(word)
		return ok && err == nil
	case "w->store":
		word, ok = strings.CutSuffix(word, "->store")
		return ok && e.matchWord("w", word)
	case "store->w":
		word, ok = strings.CutPrefix(word, "store->")
		return ok && e.matchWord("w", word)
	case "k":
		e.key = word
		return true
	case "d":
		e.d, err = time.ParseDuration(word)
		return err == nil
	}
	return pattern == word
}

// matchCall fills the event with a call and the number of equal ones.
func (e *event) matchCall(words []string) bool {
	e.nth = 1
	if nth, ok := strings.CutPrefix(words[len(words)-1], "#"); ok {
		e.nth, words = number(nth), words[:len(words)-1]
	}
	if len(words) == 0 {
		return false
	}
	e.call, words = call{verb: words[0]}, words[1:]
	if len(words) > 0 {
		if n, err := strconv.Atoi(words[len(words)-1]); err == nil {
			e.call.n, words = n, words[:len(words)-1]
		}
	}
	if len(words) > 0 {
		e.call.key, words = words[0], words[1:]
	}
	return len(words) == 0
}

// String returns the trace as text.
func (t *trace) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "job workers %d parts %d slices %d staleness %d rounds %d iterations %d", t.workers, t.parts, t.slices,
		t.staleness, t.rounds, t.iterations)
	for word, is := range t.flags() {
		if *is {
			b.WriteString(" " + word)
		}
	}
	b.WriteByte('\n')
	for i := range t.events {
		b.WriteString(t.events[i].String() + "\n")
	}
	return b.String()
}

// flags are the words of a job's form.
func (f *jobForm) flags() func(yield func(string, *bool) bool) {
	return func(yield func(string, *bool) bool) {
		_ = yield("apart", &f.apart) && yield("files", &f.files) &&
			yield("checkpoint", &f.checkpoint) && yield("gaps", &f.gaps)
	}
}

// parseTrace reads what String returns. Empty lines and those that begin with # are skipped.
func parseTrace(text string) (*trace, error) {
	t := &trace{}
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		var err error
		switch {
		case line == "" || line[0] == '#':
		case strings.HasPrefix(line, "job "):
			err = t.parseForm(line)
		default:
			var e event
			e, err = parseEvent(line)
			t.events = append(t.events, e)
		}
		if err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
	}
	return t, cmp.Or(lines.Err(), t.check())
}

// check returns an error about a trace without a job, or whose events are out of order.
func (t *trace) check() error {
	if t.workers*t.parts*t.slices*t.rounds*t.iterations == 0 {
		return fmt.Errorf("the line that begins with \"job\" is missing, or says 0")
	}
	if !slices.IsSortedFunc(t.events, func(a, b event) int { return cmp.Compare(a.at, b.at) }) {
		return fmt.Errorf("events are out of order")
	}
	for _, e := range t.events {
		if e.place >= t.workers {
			return fmt.Errorf("%q: there are %d workers", e.String(), t.workers)
		}
	}
	return nil
}

// parseForm reads the line of the job.
func (t *trace) parseForm(line string) error {
	_, err := fmt.Sscanf(line, "job workers %d parts %d slices %d staleness %d rounds %d iterations %d",
		&t.workers, &t.parts, &t.slices, &t.staleness, &t.rounds, &t.iterations)
	if err != nil {
		return err
	}
	for _, given := range strings.Fields(line)[13:] {
		known := false
		for word, is := range t.flags() {
			if word == given {
				*is, known = true, true
			}
		}
		if !known {
			return fmt.Errorf("no job is called %q", given)
		}
	}
	return nil
}
