package protocol_test

import (
	"math/rand/v2"
	"slices"
	"time"
)

// schedule is a job, and what happens to it by chance. A recorder makes a trace of it.
type schedule struct {
	jobForm
	seed   uint64 // of how long everything takes
	faults []fault
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

// lossy reports whether an event loses something that only a checkpoint may bring back.
func lossy(k kind) bool {
	return slices.Contains([]kind{goesBack, losesAll, loses, damages, mistypes, losesFile, damagesFile}, k)
}

// drawSchedule makes a schedule of a seed.
func drawSchedule(seed uint64) *schedule {
	r := rand.New(rand.NewPCG(seed, 11))
	s := &schedule{seed: seed, jobForm: jobForm{
		workers: 1 + r.IntN(4), parts: 1 + r.IntN(4), slices: 1 + r.IntN(3),
		staleness: r.IntN(3), rounds: 1 + r.IntN(2), iterations: 2 + r.IntN(6),
		apart: r.IntN(2) == 0, files: r.IntN(3) == 0, checkpoint: r.IntN(3) > 0, gaps: r.IntN(4) == 0,
	}}
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
