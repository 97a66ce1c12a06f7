// Package history checks what happened to a job in a store, in the manner of Jepsen: it knows nothing of how workers
// decide, only what must be true of the commands that changed the store. The simulation of package protocol and
// bench/chaos record such histories.
package history

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Kind is the kind of an operation.
type Kind int

const (
	Wrote    Kind = iota // a blob got its name: Key, Value
	Barrier              // the state was written: Value is its version, round/until/finished
	Owns                 // an office was given: Key to Who
	Reached              // Who noted the Round of a field (Key): r7, p7 or s3
	Restored             // everybody joins again, and nobody has an office: the job goes on from an earlier state
	Lost                 // the store lost or damaged something of what it knows about the job
	Ended                // the job was cancelled or collected, and its tombstone written
	Returned             // the job was put into the store again
	Forgot               // the store came back empty, or as it was before: what it knew is void
)

// Op is an operation, in the order in which the store did them.
type Op struct {
	Kind  Kind
	Key   string
	Who   string
	Value string
	Round int
}

// Checker follows a history. Its zero value is ready for use.
type Checker struct {
	values  map[string]string // of blobs, by key: the same for ever
	owners  map[string]string // of offices
	reached map[string]int    // by field, since the last restoration
	version version
	begun   bool // there is a version since the last restoration
	unsure  bool // the store has lost something: until the job is restored, owners and rounds may be any
	ended   bool
}

// Add takes the next operation, and returns what is wrong with it.
func (c *Checker) Add(op Op) error {
	if c.values == nil {
		c.values = map[string]string{}
	}
	if c.ended && op.Kind != Forgot && op.Kind != Lost && op.Kind != Ended {
		return fmt.Errorf("%s after the job has ended", op)
	}
	switch op.Kind {
	case Wrote:
		return c.wrote(op)
	case Barrier:
		return c.barrier(op)
	case Owns:
		c.owners = put(c.owners, op.Key, op.Who)
	case Reached:
		return c.reach(op)
	case Restored, Lost, Forgot:
		c.owners, c.reached, c.begun = nil, nil, false
		c.unsure = op.Kind != Restored
		c.ended = c.ended && op.Kind != Forgot
	case Ended:
		c.ended = true
	case Returned:
	}
	return nil
}

// put sets an entry of a map that may be nil.
func put[V any](m map[string]V, key string, value V) map[string]V {
	if m == nil {
		m = map[string]V{}
	}
	m[key] = value
	return m
}

// wrote checks that a blob never changes: it is a function of corpus, options and seed. What a part begins with depends
// on the checkpoint from which the job was created.
func (c *Checker) wrote(op Op) error {
	_, name, _ := strings.Cut(op.Key, "}:")
	if name == "first" || strings.HasPrefix(name, "first:") {
		return nil
	}
	if was, ok := c.values[op.Key]; ok && was != op.Value {
		return fmt.Errorf("%s, which was %s before", op, was)
	}
	c.values[op.Key] = op.Value
	return nil
}

// version is that of a state.
type version struct {
	round, until int
	finished     bool
}

// before reports whether a version is older than another.
func (v version) before(w version) bool {
	if v.round != w.round {
		return v.round < w.round
	}
	if v.finished != w.finished {
		return w.finished
	}
	return v.until < w.until
}

// barrier checks that states come in order, and that all parts have reached a barrier that the store says is complete.
func (c *Checker) barrier(op Op) error {
	var v version
	if n, _ := fmt.Sscanf(op.Value, "%d/%d/%t", &v.round, &v.until, &v.finished); n != 3 {
		return fmt.Errorf("%s: this is no version", op)
	}
	if c.begun && v.before(c.version) {
		return fmt.Errorf("%s after %+v: states come in order", op, c.version)
	}
	if c.begun && !c.unsure && v.round > c.version.round {
		for _, office := range slices.Sorted(maps.Keys(c.owners)) { // so that equal histories give equal errors
			if got, ok := c.reached[office]; !ok || got < v.round {
				return fmt.Errorf("%s before %s has reached the barrier", op, office)
			}
		}
	}
	c.version, c.begun = v, true
	return nil
}

// reach checks that who notes a round has the office, and that rounds rise.
func (c *Checker) reach(op Op) error {
	office := op.Key
	if strings.HasPrefix(office, "r") {
		office = "p" + office[1:]
	}
	if owner := c.owners[office]; owner != op.Who && !c.unsure {
		return fmt.Errorf("%s, and %q has %s", op, owner, office)
	}
	if was, ok := c.reached[op.Key]; ok && op.Round < was {
		return fmt.Errorf("%s after round %d", op, was)
	}
	c.reached = put(c.reached, op.Key, op.Round)
	return nil
}

// String returns an operation in words.
func (o Op) String() string {
	switch o.Kind {
	case Wrote:
		return fmt.Sprintf("%s gets the value %s", o.Key, o.Value)
	case Barrier:
		return "the state becomes " + o.Value
	case Owns:
		return fmt.Sprintf("%s is given to %s", o.Key, o.Who)
	case Reached:
		return fmt.Sprintf("%s notes that %s has reached round %d", o.Who, o.Key, o.Round)
	case Returned:
		return "the job is put into the store"
	case Restored:
		return "the job is restored"
	case Lost:
		return "the store loses something"
	case Ended:
		return "the job ends"
	}
	return "the store forgets"
}
