package protocol_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/history"
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

const simulatedLease = time.Second

// settled is how long after the last fault everything must have ended, and settledSoon where many runs are made to
// shorten a trace.
const (
	settled     = 120 * time.Second
	settledSoon = 15 * time.Second
)

// constantRounds says how many rounds an iteration has.
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

// after2 says after which iteration workers meet next: after every other one, briefly after every fourth.
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

// verdict says what is wrong with how everything ended.
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

// leftBehind says which blob of rounds that are over the store still has when the model is complete.
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

// mostVain is how often a worker mends a job without getting further.
const mostVain = 5

// work is a worker from its start to its end.
func (x *simulation) work(p *process) error {
	vain, furthest := 0, -2
	job := x.present()
	if job == nil {
		x.orphaned = true
		return errors.New("there is no such job")
	}
	var known *protocol.State
	for {
		l, err := x.session(p, job)
		if err != nil {
			x.note(p, "ends its session: %v", err)
		}
		if s := l.View().State; s != nil {
			known = s
		}
		switch {
		case err == nil:
			return nil
		case errors.Is(err, protocol.ErrLost):
			x.lapsed = true
			if job = x.present(); job == nil {
				if err = x.vanished(control{x.world, x.m, x.layout(0), x}); errors.Is(err, protocol.ErrLost) {
					job = x.present()
				}
			} else {
				err = nil
			}
			if (err == nil || errors.Is(err, protocol.ErrLost)) && job != nil {
				continue
			}
			job = x.layout(0)
		}
		if !errors.Is(err, protocol.ErrGone) {
			return err
		}
		if vain++; vain > mostVain {
			return fmt.Errorf("%w, after the job was mended %d times", err, mostVain)
		}
		done, now, err := x.mend(p, job, known, l.Mended)
		if err != nil {
			x.note(p, "cannot mend the job: %v", err)
			return err
		}
		x.note(p, "%s", mendedText(done))
		if done.State.Round > furthest {
			furthest, vain = done.State.Round, 0
		}
		job = now
	}
}

// mendedText says what came of a mending.
func mendedText(o *protocol.Outcome) string {
	switch {
	case o.Others:
		return "sees that another worker has mended the job"
	case o.Created:
		return fmt.Sprintf("creates the job anew after iteration %d", o.State.Iteration)
	}
	return fmt.Sprintf("mends the job, which goes on after round %d", o.State.Round)
}

// vanished waits for others to put back a job that is not there.
func (x *simulation) vanished(c control) error {
	for pause := protocol.PauseBy(x.world); pause.Waited() < 2*simulatedLease; {
		if removed, _, err := c.Removed(context.Background()); err != nil || removed {
			return cmpErr(err, c.job.Cancelled())
		}
		if x.present() != nil {
			return protocol.ErrLost
		}
		if err := pause.Wait(context.Background()); err != nil {
			return err
		}
	}
	return protocol.Missing(c.job.Key.Spec())
}

// session is a worker from joining to leaving or losing its lease.
func (x *simulation) session(p *process, job *protocol.Layout) (*protocol.Lease, error) {
	ctx, cancel := context.WithCancelCause(context.Background())
	c := control{x.world, x.m, job, x}
	x.tokens++
	x.places[x.tokens] = p.place
	lease := protocol.NewLease(x.tokens, job, c, x.world)
	lease.Report = func() string { return "{}" }
	h := &hands{
		control: c, ctx: ctx, cancel: cancel, steps: x.steps,
		topics: map[*protocol.Part]uint64{}, before: map[*protocol.Part]uint64{},
	}
	led, running := false, 0
	beside := func(work func() error) {
		running++
		p.goes(func() {
			defer func() { running-- }()
			if err := work(); err != nil && ctx.Err() == nil {
				cancel(err)
			}
		})
	}
	lease.Leads = func(s *protocol.State) {
		beside(func() error {
			defer func() { led = true }()
			return x.lead(ctx, h, lease, s)
		})
	}
	if err := lease.Join(ctx); err != nil {
		if errors.Is(err, protocol.ErrMissing) {
			return lease, x.vanished(c)
		}
		return lease, err
	}
	w := protocol.NewWorker(lease, x.steps, h)
	w.Tell, w.Idle = func(string, ...any) {}, func(time.Duration) {}
	h.worker = w
	beside(func() error { return lease.Beats(ctx) })
	if job.Apart {
		beside(func() error {
			return (&protocol.Owner{Worker: w, Make: h.make, Lose: func(int) {}, Each: oneByOne}).Work(ctx)
		})
	}
	err := w.Work(ctx)
	for err == nil && lease.Led() && !led {
		x.sleep(time.Millisecond)
		err = context.Cause(ctx)
	}
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	err = x.judge(c, lease, err)
	cancel(cmpErr(err, errDone))
	for running > 0 {
		x.sleep(time.Millisecond)
	}
	lease.Leave(context.Background())
	return lease, err
}

// judge says what a session that ended with an error is to be followed by.
func (x *simulation) judge(c control, l *protocol.Lease, err error) error {
	if !errors.Is(err, protocol.ErrGone) && !errors.Is(err, protocol.ErrLost) {
		return err
	}
	removed, there, fault := c.Removed(context.Background())
	switch {
	case fault != nil:
		return fault
	case removed:
		return c.job.Cancelled()
	case !there && l.Away() && !errors.Is(err, protocol.ErrLost):
		return x.vanished(c)
	}
	return err
}

// lead is what the training loop does.
func (x *simulation) lead(ctx context.Context, h *hands, lease *protocol.Lease, s *protocol.State) error {
	l := &protocol.Leader{
		Token: lease.Token, Job: h.job, Control: h.control, Clock: x.world, Rounds: x.steps.Rounds, State: *s,
		Tell: func(string, ...any) {}, Own: func(context.Context, int, time.Duration) { x.sleep(5 * time.Millisecond) },
	}
	err := x.train(ctx, h, l)
	if err == nil {
		lease.Complete(&l.State)
	}
	if errors.Is(err, protocol.ErrGone) && ctx.Err() == nil {
		err = l.MayMiss(ctx, err)
	}
	return err
}

func (x *simulation) train(ctx context.Context, h *hands, l *protocol.Leader) error {
	if err := l.Start(ctx, 200*time.Millisecond); err != nil {
		return err
	}
	priors := readPriors(&l.State.Priors)
	for iteration := l.State.Since + 1; iteration <= x.form.iterations; iteration++ {
		if iteration == l.State.Since+1 {
			l.Open(x.after2)
			setPriors(&l.State, priors)
			if err := l.Publish(ctx); err != nil {
				return err
			}
		}
		if err := l.Sweep(ctx, iteration); err != nil {
			return err
		}
		if iteration != l.State.Since {
			continue
		}
		if err := x.estimate(h, l, &priors); err != nil {
			return err
		}
		if err := x.save(h, l, priors); err != nil {
			return err
		}
	}
	if l.State.Iteration != x.form.iterations {
		x.violate("training ends after iteration %d, which is no barrier", x.form.iterations)
	}
	l.State.Finished, l.State.Until = true, l.State.Iteration
	return l.Publish(ctx)
}

// estimate reads what priors are estimated from where workers met.
func (x *simulation) estimate(h *hands, l *protocol.Leader, priors *uint64) error {
	if !l.State.Histograms {
		return nil
	}
	var names []string
	for part := range h.job.Parts {
		names = append(names, h.job.Key.Histograms(part, x.steps.Rounds.End(l.State.Since)))
	}
	list, err := h.fetch(names...)
	if err != nil {
		return err
	}
	sum := uint64(0)
	for _, v := range list {
		sum += v
	}
	*priors = mix(5, uint64(l.State.Since), sum)
	return nil
}

// save writes a checkpoint at a barrier.
func (x *simulation) save(h *hands, l *protocol.Leader, priors uint64) error {
	if !x.form.checkpoint || l.State.Since != l.State.Iteration {
		return nil
	}
	cp := &saved{iteration: l.State.Iteration, late: map[string]uint64{}, priors: priors}
	for part := range h.job.Parts {
		list, err := h.fetch(x.path(h.job.TopicsKey(part, l.State.Round)))
		if err != nil {
			return err
		}
		cp.topics = append(cp.topics, list...)
	}
	for _, key := range h.job.LateKeys(&l.State, x.steps.Takes) {
		list, err := h.fetch(key)
		if err != nil {
			return err
		}
		cp.late[key] = list[0]
	}
	x.checkpoint = cp
	return nil
}

// rises notes that somebody puts the job into the store again.
func (x *simulation) rises() {
	if x.buried {
		x.violate("a job that was cancelled comes back")
	}
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

// mend mends the job, and returns it as it is then.
func (x *simulation) mend(p *process, job *protocol.Layout, known *protocol.State, mended string) (*protocol.Outcome, *protocol.Layout, error) {
	ctx, cancel := context.WithCancel(context.Background())
	c := control{x.world, x.m, job, x}
	h := &hands{control: c, ctx: ctx, steps: x.steps}
	now := job
	m := &protocol.Mender{
		Job: job, Control: c, Repair: c, Clock: x.world, Known: known, Mended: mended,
		Owner: x.unique(), Nobody: -1 - int64(x.network.unique()&(1<<40-1)), Mark: x.unique(),
		Whole: func(_ context.Context, s *protocol.State) ([]string, error) { return x.whole(h, s) },
		Again: func(ctx context.Context) (*protocol.State, string, error) {
			there := x.present()
			if there == nil {
				return nil, "", protocol.Missing(job.Key.Spec())
			}
			now = there
			return control{x.world, x.m, there, x}.Read(ctx)
		},
	}
	if x.form.checkpoint {
		m.Create = func(ctx context.Context) (*protocol.State, error) {
			var s *protocol.State
			var err error
			now, s, err = x.recreate(c, ctx)
			if err != nil {
				x.note(p, "cannot create the job anew: %v", err)
			}
			return s, err
		}
	}
	holding := true
	p.goes(func() {
		m.Hold(ctx)
		holding = false
	})
	done, err := m.Mend(ctx)
	cancel()
	for holding {
		x.sleep(10 * time.Millisecond)
	}
	if err == nil && !done.Others && !done.Created {
		now = job
	}
	return done, now, err
}

// unique returns a text that nobody else has.
func (x *simulation) unique() string { return strconv.FormatUint(x.network.unique(), 16) }

// whole reads all that a barrier consists of.
func (x *simulation) whole(h *hands, s *protocol.State) (keep []string, err error) {
	j := h.job
	if s.Round >= 0 {
		for round := max(s.Round-j.VersionsKept(), 0); round <= s.Round; round++ {
			for i := range j.Slices {
				keep = append(keep, j.Key.Rows(i, round))
			}
			for part := range j.Parts {
				if j.Apart {
					keep = append(keep, j.Key.Totals(part, round))
				}
			}
		}
	}
	for part := range j.Parts {
		if key, _ := j.BeginsWith(part, s); key != "" {
			keep = append(keep, x.path(key))
		}
	}
	keep = append(keep, j.LateKeys(s, x.steps.Takes)...)
	for _, key := range keep {
		if _, err := h.fetch(key); err != nil {
			return nil, err
		}
	}
	return keep, nil
}

// recreate puts the job into the store anew, from its checkpoint or from the beginning.
func (x *simulation) recreate(c control, ctx context.Context) (*protocol.Layout, *protocol.State, error) {
	if err := c.Discard(ctx, []string{c.job.Key.Spec(), c.job.Key.Owners()}); err != nil {
		return nil, nil, err
	}
	for range 2 {
		names, err := ask(x.world, ctx, call{verb: "list"}, func() ([]string, error) {
			return x.m.ofJob(c.job), nil
		})
		if err == nil {
			err = c.Discard(ctx, names)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	state := &protocol.State{Round: -1}
	setPriors(state, 7)
	j, cp := x.layout(0), x.checkpoint
	if cp != nil {
		j = x.layout(cp.iteration)
		state.Iteration, state.Since, state.Until = cp.iteration, cp.iteration, cp.iteration
		setPriors(state, cp.priors)
	}
	err := do(c, ctx, call{verb: "create"}, func() error {
		if x.m.ended(j) && !x.m.broken.tombstoneUnread {
			return j.Cancelled()
		}
		x.rises()
		if _, ok, _ := x.m.text(j.Key.Spec()); ok {
			return protocol.Taken("the store already holds the job")
		}
		x.m.happened(history.Op{Kind: history.Restored}, history.Op{Kind: history.Returned})
		x.m.set(j.Key.Spec(), specText(j), 0)
		x.m.makeHeads(j, j.Floor(state), fmt.Sprint("created ", x.now))
		return nil
	})
	if err == nil && cp != nil {
		err = do(c, ctx, call{verb: "put-origin"}, func() error { return x.putOrigin(j, cp) })
	}
	if err == nil {
		err = do(c, ctx, call{verb: "begin"}, func() error {
			if x.m.get(j.Key.Spec()) == nil {
				return protocol.Missing(j.Key.Spec())
			}
			if x.m.get(j.Key.State()) == nil {
				now := *state
				x.m.keys[j.Key.State()] = &value{kind: 'h', hash: map[string]string{"version": state.Version()}, state: &now}
			}
			return nil
		})
	}
	return j, state, err
}

// putOrigin stores what a job begins with that goes on from a checkpoint.
func (x *simulation) putOrigin(j *protocol.Layout, cp *saved) error {
	for part, z := range cp.topics {
		key := x.path(j.OriginKey(part))
		x.check(j, key, z)
		if protocol.IsFile(j.OriginKey(part)) {
			x.files[key] = &value{kind: 's', sum: z, start: j.Start}
		} else if err := ignoreLate(x.m.accept(j, j.Key.Part(part, "head"), key, j.Start, z)); err != nil {
			return err
		}
	}
	for _, key := range slices.Sorted(maps.Keys(cp.late)) {
		tag, _, _ := strings.Cut(key, "}:d:")
		round, _, _ := strings.Cut(strings.TrimPrefix(key, tag+"}:d:"), ":")
		if err := ignoreLate(x.m.accept(j, tag+"}:head", key, number(round), cp.late[key])); err != nil {
			return err
		}
	}
	return nil
}

// oneByOne is for protocol.Owner.
func oneByOne(n int, f func(i int)) {
	for i := range n {
		f(i)
	}
}
