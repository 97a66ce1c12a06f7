package protocol_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// schedule is a job, and what happens to it. It can be written as text and read again; see testdata.
type schedule struct {
	seed                                                  uint64 // of everything that is not said
	workers, parts, slices, staleness, rounds, iterations int
	apart, files, checkpoint, gaps                        bool
	faults                                                []fault
}

// fault is something that happens at a time. What n means depends on the kind: a worker, or the place of a key in the
// sorted list of keys.
type fault struct {
	at   time.Duration
	kind string
	n    int
}

// kinds are the faults there are, with what each does.
var kinds = []string{
	"crash",    // a worker dies, and another is started in its place
	"leave",    // a worker dies, and another is started seconds later
	"freeze",   // a worker is stopped for longer than its lease
	"frozen",   // the same happens to the leader
	"slow",     // requests take up to a second, and may arrive twice and in another order
	"old",      // the store comes back without its last moments
	"empty",    // the store comes back without anything
	"delete",   // the store loses a key
	"damage",   // the store damages a value
	"floor",    // the head of a slice or part refuses rounds that are not over
	"type",     // a key is of another type
	"lostfile", // a file is deleted
	"badfile",  // a file is damaged
	"cancel",   // somebody removes the job
	"asleep",   // the same happens while a worker sleeps for several leases
}

// often is how many of the kinds are drawn with the same chance; the last ones end a job, and are rare.
const often = 13

// lossy reports whether a fault loses something that only a checkpoint may bring back.
func lossy(kind string) bool {
	return slices.Contains([]string{"old", "empty", "delete", "damage", "type", "lostfile", "badfile"}, kind)
}

// drawSchedule makes a schedule of a seed.
func drawSchedule(seed uint64) *schedule {
	r := rand.New(rand.NewPCG(seed, 11))
	s := &schedule{
		seed: seed, workers: 1 + r.IntN(4), parts: 1 + r.IntN(4), slices: 1 + r.IntN(3), staleness: r.IntN(3), rounds: 1 + r.IntN(2),
		iterations: 2 + r.IntN(6), apart: r.IntN(2) == 0, files: r.IntN(3) == 0, checkpoint: r.IntN(3) > 0, gaps: r.IntN(4) == 0,
	}
	if !s.apart {
		r.IntN(2) // it once decided something: seeds stay the schedules that they were
	}
	for range r.IntN(5) {
		f := fault{time.Duration(r.IntN(r.IntN(3000)+1)) * time.Millisecond, kinds[r.IntN(often)], r.IntN(1000)}
		if r.IntN(60) == 0 {
			f.kind = kinds[often+f.n%2]
		}
		s.faults = append(s.faults, f)
	}
	slices.SortFunc(s.faults, func(a, b fault) int { return int(a.at - b.at) })
	return s
}

// String returns the schedule as text.
func (s *schedule) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d workers %d parts %d slices %d staleness %d rounds %d iterations %d\n", s.seed, s.workers, s.parts, s.slices, s.staleness, s.rounds, s.iterations)
	fmt.Fprintf(&b, "apart %v files %v checkpoint %v gaps %v\n", s.apart, s.files, s.checkpoint, s.gaps)
	for _, f := range s.faults {
		fmt.Fprintf(&b, "at %v %s %d\n", f.at, f.kind, f.n)
	}
	return b.String()
}

// parseSchedule reads what String returns. Empty lines and those that begin with # are skipped.
func parseSchedule(text string) (*schedule, error) {
	s := &schedule{}
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		var err error
		word, _, _ := strings.Cut(line, " ")
		switch word {
		case "", "#":
		case "seed":
			_, err = fmt.Sscanf(line, "seed %d workers %d parts %d slices %d staleness %d rounds %d iterations %d",
				&s.seed, &s.workers, &s.parts, &s.slices, &s.staleness, &s.rounds, &s.iterations)
		case "apart":
			_, err = fmt.Sscanf(line, "apart %t files %t checkpoint %t gaps %t", &s.apart, &s.files, &s.checkpoint, &s.gaps)
		case "at":
			var at string
			var f fault
			if _, err = fmt.Sscanf(line, "at %s %s %d", &at, &f.kind, &f.n); err == nil {
				f.at, err = time.ParseDuration(at)
			}
			if err == nil && !slices.Contains(kinds, f.kind) {
				err = fmt.Errorf("there is no fault called %q", f.kind)
			}
			s.faults = append(s.faults, f)
		default:
			err = fmt.Errorf("a line begins with seed, apart, at or #")
		}
		if err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
	}
	return s, lines.Err()
}

// shrink returns a smaller schedule that fails too.
func shrink(s *schedule, fails func(*schedule) bool) *schedule {
	for again := true; again; {
		again = false
		try := func(change func(c *schedule)) {
			c := *s
			c.faults = slices.Clone(s.faults)
			if change(&c); c.String() != s.String() && fails(&c) {
				s, again = &c, true
			}
		}
		for i := len(s.faults) - 1; i >= 0; i-- {
			try(func(c *schedule) { c.faults = slices.Delete(c.faults, i, i+1) })
		}
		try(func(c *schedule) { c.workers = max(1, c.workers-1) })
		try(func(c *schedule) { c.parts = max(1, c.parts-1) })
		try(func(c *schedule) { c.slices = max(1, c.slices-1) })
		try(func(c *schedule) { c.iterations = max(2, c.iterations-1) })
		try(func(c *schedule) { c.staleness = max(0, c.staleness-1) })
		try(func(c *schedule) { c.rounds = 1 })
		try(func(c *schedule) { c.gaps = false })
		try(func(c *schedule) { c.files = false })
	}
	return s
}
