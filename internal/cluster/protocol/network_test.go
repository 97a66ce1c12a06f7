package protocol_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// call is a request to the store, or a round that a worker samples, as traces write it.
type call struct {
	verb string
	key  string // of what; may be ""
	n    int    // a round, or how many keys there are
}

// callOf is a call about several keys. The first stands for all.
func callOf(verb string, names []string) call {
	c := call{verb: verb, n: len(names)}
	if len(names) > 0 {
		c.key = names[0]
	}
	return c
}

// short returns the call with its key as traces write keys.
func (c call) short() call {
	c.key = shortKey(c.key)
	return c
}

// String returns the call as traces write it, if it is short.
func (c call) String() string {
	text := c.verb
	if c.key != "" {
		text += " " + c.key
	}
	if c.n != 0 {
		text += " " + strconv.Itoa(c.n)
	}
	return text
}

// shortKey leaves out of a key what is the same in all of them: topoi:{job:s0}:v:4 is s0:v:4, and topoi:{job}:state is
// state.
func shortKey(key string) string {
	if rest, ok := strings.CutPrefix(key, "topoi:{job:"); ok {
		return strings.Replace(rest, "}", "", 1)
	}
	return strings.TrimPrefix(key, "topoi:{job}:")
}

// longKey is the key that shortKey makes short.
func longKey(short string) string {
	tag, rest, ok := strings.Cut(short, ":")
	if ok && len(tag) > 1 && strings.Trim(tag[1:], "0123456789") == "" && (tag[0] == 's' || tag[0] == 'p') {
		return "topoi:{job:" + tag + "}:" + rest
	}
	return "topoi:{job}:" + short
}

// fate is what the network does with a request and its answer.
type fate struct {
	there, back time.Duration // how long each takes
	again       time.Duration // the request arrives once more, so long after it arrived; below 0: it does not
	lost        bool          // the request does not arrive if its sender dies before
}

// network decides what is left to chance: how long everything takes, and what arrives twice or never.
type network interface {
	// starts returns when a worker starts for the first time.
	starts(place int) time.Duration

	// sends returns what happens to a request of a worker.
	sends(place int, what call) *fate

	// loses reports whether a request is lost whose sender has died.
	loses(f *fate) bool

	// repeats reports whether a request that has arrived arrives once more.
	repeats(f *fate) bool

	// samples returns how long a worker samples a part.
	samples(place int, what call) time.Duration

	// unique returns a number that differs from all others.
	unique() uint64
}

// usually are the times of a trace that says nothing else.
const (
	usualRequest  = 500 * time.Microsecond // there, and as long back
	usualSampling = 5 * time.Millisecond
)

// chance is a network of random numbers.
type chance struct {
	random *rand.Rand
	slow   int       // percent of requests that take long or arrive twice
	record *recorder // of what was drawn; may be nil
}

func (n *chance) starts(place int) time.Duration {
	d := time.Duration(n.random.IntN(50)) * time.Millisecond
	if n.record != nil {
		n.record.add(event{at: d, kind: starts, place: place})
	}
	return d
}

func (n *chance) sends(place int, what call) *fate {
	f := &fate{there: n.latency(), back: n.latency(), again: -1}
	if n.record != nil {
		n.record.request(place, what, f)
	}
	return f
}

// latency is the time that a request takes to the store or back.
func (n *chance) latency() time.Duration {
	d := time.Duration(n.random.IntN(1500)+50) * time.Microsecond
	if n.slow > 0 && n.random.IntN(100) < n.slow {
		d += time.Duration(n.random.IntN(1200)) * time.Millisecond
	}
	return d
}

func (n *chance) loses(f *fate) bool {
	f.lost = n.random.IntN(2) == 0
	return f.lost
}

func (n *chance) repeats(f *fate) bool {
	if n.slow > 0 && n.random.IntN(100) < n.slow {
		f.again = time.Duration(n.random.IntN(3000)) * time.Millisecond
	}
	return f.again >= 0
}

func (n *chance) samples(place int, what call) time.Duration {
	d := time.Duration(2+n.random.IntN(15)) * time.Millisecond
	if n.record != nil {
		n.record.sampling(place, what, d)
	}
	return d
}

func (n *chance) unique() uint64 { return n.random.Uint64() }
