package protocol_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

// simulation runs a schedule or a trace.
type simulation struct {
	*world
	form    jobForm
	chance  *chance // the network of a schedule; nil for a trace
	told    *told   // the network of a trace; nil for a schedule
	m       *memory
	files   map[string]*value // by name
	spec    protocol.Spec
	oracle  *oracle
	steps   protocol.Steps
	planted planted

	prepares func() // has what is to happen happen

	workers    []*process
	ended      map[int]error // by place: how the worker there ended
	lost       bool          // something was lost that only a checkpoint may bring back
	orphaned   bool          // a worker began while the store did not have the job: who knew of it may have died
	lapsed     bool          // a lease ran out: who was to clean up after the last barrier may have gone before
	cancelled  bool
	buried     bool // it was cancelled, nobody has a lease, and the store has forgotten nothing since
	finished   bool
	checkpoint *saved
	tokens     int64
	places     map[int64]int // of the workers, by their tokens
	disturbed  bool          // something happened but to the network
	last       time.Duration // when the last event ends
	settled    time.Duration // how long after it everything must have ended
	notes      []string      // what is worth telling of how it went
}

// saved is a checkpoint.
type saved struct {
	iteration int
	topics    []uint64
	late      map[string]uint64 // changes that others have not seen, by key
	priors    uint64
}

// planted are faults of workers that tests plant.
type planted struct {
	breaks
	earlyBarrier   bool // the leader takes everybody for a round further
	headsUnchecked bool // nobody compares heads with the last barrier
	headsUnmended  bool // a mender does not write heads
	lossUnseen     bool // workers do not see that what they wrote is gone
	unflushed      bool // workers say that they have written what is still on its way
	lateBelieved   bool // a blob that was refused counts as written
	sweptTwice     bool // what a mender deletes goes whenever the request arrives
	damageBelieved bool // damaged blobs are read as if they were whole
}

// settled is how long after the last fault everything must have ended, and settledSoon where many runs are made to
// shorten a trace.
const (
	settled     = 120 * time.Second
	settledSoon = 15 * time.Second
)

const simulatedLease = time.Second

// constantRounds describes how many rounds an iteration has.
type constantRounds int

func (c constantRounds) Rounds(int) int { return int(c) }

// newSimulation prepares what happens by chance.
func newSimulation(s *schedule, p planted) *simulation {
	x := newJob(s.jobForm, p)
	x.chance = &chance{random: rand.New(rand.NewPCG(s.seed, 12))}
	x.network = x.chance
	x.prepares = func() {
		for _, f := range s.faults {
			x.prepare(f)
		}
	}
	return x
}

// newReplay prepares what a trace tells.
func newReplay(t *trace, p planted) *simulation {
	x := newJob(t.jobForm, p)
	x.told = newTold(x.world, t)
	x.network = x.told
	x.prepares = func() {
		for i := range x.told.trace.events {
			if e := x.told.trace.events[i]; !e.ofNetwork() {
				x.schedule(e)
			} else if e.d > simulatedLease/10 {
				x.last = max(x.last, e.at+e.d)
			}
		}
	}
	return x
}

func newJob(s jobForm, p planted) *simulation {
	w := &world{}
	x := &simulation{world: w, form: s, settled: settled, files: map[string]*value{}, planted: p, ended: map[int]error{}, places: map[int64]int{}}
	x.m = newMemory(func() time.Duration { return w.now })
	x.m.broken = p.breaks
	x.m.tell = func(err error) { w.violate("%v", err) }
	x.spec = protocol.Spec{
		ID: 7, Parts: s.parts, Slices: s.slices, Staleness: s.staleness, Apart: s.apart,
		Workers: s.workers, Lease: simulatedLease,
	}
	if s.files {
		x.spec.State = "state"
	}
	takes := func(part, round int) bool { return !s.gaps || s.parts == 1 || (part+round)%3 > 0 }
	x.steps = protocol.Steps{Rounds: &protocol.Rounds{Plan: constantRounds(s.rounds)}, Takes: takes}
	x.oracle = &oracle{job: x.layout(0), steps: x.steps, after: x.after2, seen: map[string]uint64{}}
	return x
}

// after2 returns after which iteration workers meet next: after every other one, briefly after every fourth.
func (x *simulation) after2(iteration int) (until int, histograms, brief bool) {
	until = min(iteration/2*2+2, x.form.iterations)
	return until, true, until%4 != 0 && until < x.form.iterations
}

// layout is the job that begins after an iteration.
func (x *simulation) layout(from int) *protocol.Layout {
	spec := x.spec
	spec.From, spec.Start = from, x.steps.Rounds.End(from)
	l := protocol.NewLayout("job", spec)
	return &l
}

// present returns the job that is in the store, nil if there is none.
func (x *simulation) present() *protocol.Layout {
	text, ok, err := x.m.text(x.layout(0).Key.Spec())
	id, from, _ := strings.Cut(text, "/")
	if err != nil || !ok || id != x.layout(0).IDText() {
		return nil
	}
	return x.layout(number(from))
}

// path returns the name under which a key or file is found.
func (x *simulation) path(key string) string {
	if protocol.IsFile(key) {
		return filepath.Base(key)
	}
	return key
}

// find returns what is under a key or in a file.
func (x *simulation) find(key string) *value {
	if protocol.IsFile(key) {
		return x.files[x.path(key)]
	}
	return x.m.get(key)
}

func (x *simulation) cleanFiles(round int) {
	for name := range x.files {
		if _, at, ok := strings.Cut(name, ".topics-"); !ok || number(at) < round {
			delete(x.files, name)
		}
	}
}

// check compares a value that somebody writes with what one process would have written.
func (x *simulation) check(j *protocol.Layout, key string, sum uint64) {
	x.oracle.job.Start = j.Start
	if want, ok := x.oracle.value(x.path(key)); ok && want != sum {
		x.violate("%s gets another value than one process gives it", key)
	}
}

// run runs the schedule, and returns what is wrong with what came of it.
func (x *simulation) run() error {
	j := x.layout(0)
	state := protocol.State{Round: -1}
	setPriors(&state, 7)
	x.m.create(j, &state)
	for place := range x.form.workers {
		x.workers = append(x.workers, nil)
		x.after(x.network.starts(place), func() { x.hire(place) })
	}
	x.prepares()
	x.world.run(x.last + x.settled)
	for _, p := range x.workers {
		if p != nil {
			p.kill()
		}
	}
	return x.verdict()
}

// verdict returns what is wrong with how everything ended.
func (x *simulation) verdict() error {
	if x.spoiled != nil {
		return x.spoiled
	}
	if len(x.ended) < len(x.workers) {
		return fmt.Errorf("after %v %d of %d workers have not ended; finished %v", x.now, len(x.workers)-len(x.ended), len(x.workers), x.finished)
	}
	excused := false // who submitted it must bring back a job that was lost before it began, or while all workers were away
	for place, err := range x.ended {
		excused = excused || x.lost && strings.Contains(err.Error(), "was cut short")
		for _, inner := range []error{protocol.ErrLost, protocol.ErrBehind, context.Canceled} {
			if errors.Is(err, inner) {
				return fmt.Errorf("worker %d ends with %q, which is no sentence for people", place, err)
			}
		}
	}
	if x.finished && !x.lapsed && !x.disturbed {
		return x.leftBehind()
	}
	if !x.finished && !x.cancelled && !x.orphaned && !excused && (!x.lost || x.form.checkpoint) {
		return fmt.Errorf("the job did not finish, and nothing was lost for good: %v", x.ended)
	}
	return nil
}

// leftBehind returns which blob of rounds that are over the store still has when the model is complete.
func (x *simulation) leftBehind() error {
	j := x.layout(0)
	last := x.steps.Rounds.End(x.form.iterations)
	for _, key := range x.m.ofJob(j) {
		_, name, _ := strings.Cut(key, "}:")
		kind, rest, _ := strings.Cut(name, ":")
		round, _, _ := strings.Cut(rest, ":")
		oldest := map[string]int{"d": last - j.Staleness + 1, "m": last - j.Staleness + 1, "v": last - j.VersionsKept(), "n": last - j.VersionsKept(), "z": last, "h": last}
		if least, ok := oldest[kind]; ok && number(round) < least {
			return fmt.Errorf("%s is left behind", key)
		}
	}
	return nil
}

// finish compares the model of a job that is complete with that of one process.
func (x *simulation) finish(j *protocol.Layout, s *protocol.State) {
	x.finished = true
	var names []string
	for part := range j.Parts {
		names = append(names, j.TopicsKey(part, s.Round))
	}
	for slice := range j.Slices {
		names = append(names, j.Key.Rows(slice, s.Round))
	}
	for _, key := range names {
		v := x.find(key)
		switch want, _ := x.oracle.value(x.path(key)); {
		case v == nil || v.bad || v.kind != 's':
			if !x.lost {
				x.violate("the job is complete without %s, though nothing was lost", key)
			}
		case v.sum != want:
			x.violate("the model has another %s than that of one process", key)
		}
	}
	if s.Round != x.steps.Rounds.End(x.form.iterations) {
		x.violate("the model is of round %d", s.Round)
	}
}

// hire starts a worker in a place.
func (x *simulation) hire(place int) {
	if x.ended[place] != nil || x.finished || x.cancelled {
		x.ended[place] = cmpErr(x.ended[place], errDone)
		return
	}
	p := &process{w: x.world, place: place}
	x.workers[place] = p
	p.goes(func() {
		x.ended[place] = cmpErr(x.work(p), errDone)
		x.note(p, "is done: %v", x.ended[place])
	})
}

var errDone = errors.New("the model is complete")

// note tells what is worth telling to who reads how a trace went.
func (x *simulation) note(p *process, format string, args ...any) {
	if x.log == nil {
		return
	}
	line := fmt.Sprintf("%-12v w%d ", x.time(), p.place) + fmt.Sprintf(format, args...)
	x.notes = append(x.notes, line)
	x.log(line)
}

// rises notes that somebody puts the job into the store again.
func (x *simulation) rises() {
	if x.buried {
		x.violate("a job that was cancelled comes back")
	}
}

// unique returns a text that nobody else has.
func (x *simulation) unique() string { return strconv.FormatUint(x.network.unique(), 16) }
