package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/barrier"
	"github.com/topoi-lda/topoi/internal/cluster/offices"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/store"
)

// Leader is the worker that trains: to the training loop it is a sampler, whose
// sweeps are done by all workers. It also sees to it that every part and slice is
// some living worker's.
type Leader struct {
	*barrier.Reader // after Join

	ctx     context.Context
	job     *protocol.Job
	cut     *rows.Cut
	o       WorkOptions
	token   string
	rounds  *protocol.Rounds
	state   protocol.State     // where workers met last
	at      int                // the iteration that has been swept
	own     *protocol.Progress // of the worker of this process
	late    []byte
	between *protocol.Pause // while workers go on without the leader: nobody waits for what it tells of their iterations
	alone   bool            // it was said that there are no copies of topics

	next    func(iteration int) (until int, histograms, brief bool) // see Join
	history func() (json.RawMessage, error)
}

func newLeader(o WorkOptions, own *protocol.Progress, token int64, state *protocol.State, c *rows.Cut) *Leader {
	return &Leader{
		job: o.Job, cut: c, o: o, own: own, between: protocol.NewPause(), token: strconv.FormatInt(token, 10),
		rounds: &protocol.Rounds{Plan: o.Plan}, state: *state, at: state.Since,
	}
}

// Resume returns where training stands: the iterations done, the priors, and the history
// up to there.
func (l *Leader) Resume() (iteration int, priors *sampler.Priors, history json.RawMessage) {
	return l.state.Since, l.state.Priors.Decode(l.job.Topics), l.state.Training
}

// Start implements sampler.Sampler. The topics are those the job was submitted
// with, or those of its last barrier; z is not used.
func (l *Leader) Start([]uint32, *sampler.Priors) error {
	if l.state.Round >= 0 {
		return nil
	}
	ctx := l.ctx
	if err := l.awaitWorkers(ctx); err != nil {
		return err
	}
	round := l.rounds.End(l.state.Until)
	if err := l.wait(ctx, round, true); err != nil {
		return err
	}
	l.state.Meet(round)
	return nil
}

// Join is called before Start. The store is asked under ctx by methods that have no
// context of their own. next says after which iteration workers are to meet next, given
// the iteration of the last time, whether histograms are wanted there, and whether nothing else is; history returns
// what Resume is to return from there on.
func (l *Leader) Join(ctx context.Context, next func(iteration int) (until int, histograms, brief bool), history func() (json.RawMessage, error)) {
	l.ctx, l.next, l.history = ctx, next, history
	l.Reader = barrier.NewReader(ctx, l.job, l.cut, l.o.Spans)
}

// WorkersWait is how long the first worker waits for the others that are expected. Tests
// in which all must take part make it longer.
var WorkersWait = 5 * time.Second

// awaitWorkers waits a while for as many workers as are expected.
func (l *Leader) awaitWorkers(ctx context.Context) error {
	limit := time.Now().Add(WorkersWait)
	for pause := protocol.NewPause(); ; {
		s, err := offices.Look(ctx, l.job, l.token)
		if err != nil {
			return err
		}
		if len(s.Alive) >= l.job.Workers || time.Now().After(limit) {
			return nil
		}
		if err := pause.Wait(ctx); err != nil {
			return err
		}
	}
}

// Sweep implements sampler.Sampler: where workers met it opens the rounds up to the
// next one; then it waits until an iteration is done.
//
// Sweeps end with the leader's context, not with the one given: a training loop
// may want to finish a sweep before it stops, but other workers finish it anyway.
func (l *Leader) Sweep(_ context.Context, iteration int, priors *sampler.Priors) error {
	ctx := l.ctx
	if iteration == l.state.Since+1 {
		if err := l.open(ctx, priors); err != nil {
			return err
		}
	}
	round := l.rounds.End(iteration)
	if err := l.wait(ctx, round, iteration == l.state.Until); err != nil {
		return err
	}
	if iteration == l.state.Until {
		l.state.Meet(round)
	}
	l.at = iteration
	return nil
}

// open publishes where workers met and how far to go from there, and
// then deletes what nobody needs any more.
func (l *Leader) open(ctx context.Context, priors *sampler.Priors) error {
	s := &l.state
	s.Until, s.Histograms, s.Brief = l.next(s.Since)
	s.NextBare = false
	most := l.rounds.End(s.Iteration) + l.job.MostRounds() // where there is a barrier at the latest
	for t := s.Since + 1; t < s.Until; t++ {
		if l.rounds.End(t) >= most {
			s.Until, s.Histograms, s.Brief, s.NextBare = t, false, false, l.job.Plain
		}
	}
	if s.Brief { // unless one more barrier would be due before the next time
		after, _, _ := l.next(s.Until)
		s.Brief = l.job.MeetsBriefly() && l.rounds.End(after) <= most
	}
	before := s.Alpha
	s.SetPriors(priors)
	s.Redraw = !bytes.Equal(before, s.Alpha)
	l.between = protocol.NewPause()
	return l.publish(ctx)
}

// Submitted returns when the job was submitted.
func (l *Leader) Submitted() time.Time { return l.job.Submitted }

// Finish says that the model is complete. Training must have ended at a barrier.
func (l *Leader) Finish(priors *sampler.Priors) error {
	if l.at != l.state.Iteration {
		return fmt.Errorf("training ended after iteration %d, which is no barrier", l.at)
	}
	l.state.Finished, l.state.Until = true, l.state.Iteration
	l.state.SetPriors(priors)
	return l.publish(l.ctx)
}

func (l *Leader) publish(ctx context.Context) error {
	var err error
	if l.state.Training, err = l.history(); err != nil {
		return err
	}
	text, err := protocol.Seal(l.state)
	if err != nil {
		return err
	}
	s, err := offices.Look(ctx, l.job, l.token)
	if err != nil {
		return err
	}
	args := append([]string{l.token, l.state.Version(), text}, s.Assign(l.job, l.state.Since == l.state.Iteration)...) // whoever is given a part begins at the barrier
	j := l.job
	if _, err := j.Ask(ctx, protocol.ScriptPublish, []string{j.Key.Leader(), j.Key.Owners(), j.Key.State(), j.Key.Spec()}, args...); err != nil {
		return err
	}
	return l.clean(ctx)
}

// clean deletes what is older than the last barrier.
func (l *Leader) clean(ctx context.Context) error {
	j := l.job
	var calls []store.Call
	add := func(tag string, staleness, parts int) {
		calls = append(calls, store.Call{
			Keys: []string{tag + "head"},
			Args: []string{j.IDText(), strconv.Itoa(l.state.Round), strconv.Itoa(staleness), strconv.Itoa(parts), tag, strconv.Itoa(j.VersionsKept())},
		})
	}
	for i := range j.Slices {
		add(j.Key.Slice(i, ""), j.ChangesKept(), j.Parts)
	}
	for i := range j.Parts {
		add(j.Key.Part(i, ""), j.Staleness, 0)
	}
	answers, err := j.Store.RunAll(ctx, protocol.ScriptRaise, calls)
	if err != nil {
		return err
	}
	for i, a := range answers {
		if _, err := j.Understand(a); errors.Is(err, protocol.ErrGone) {
			return protocol.Missing(calls[i].Keys[0])
		} else if err != nil {
			return err
		}
	}
	if j.Disks {
		if err := j.TakeOlder(ctx, l.state.Round); err != nil {
			return err
		}
	}
	return j.CleanState(l.state.Round)
}

// wait waits until all parts have sampled a round and, at a barrier, all that
// belongs to it is in the store. Meanwhile it gives the offices of the dead to
// the living.
func (l *Leader) wait(ctx context.Context, round int, barrier bool) error {
	var last map[string]int
	pause := l.between
	if barrier {
		pause = protocol.NewPause()
	}
	for {
		l.own.Await(ctx, round, l.job.Lease/8)
		s, err := offices.Look(ctx, l.job, l.token)
		if err != nil {
			return err
		}
		if barrier && !maps.Equal(last, s.Reached) { // all others wait for the leader then, and the rest may come soon
			last, pause = s.Reached, protocol.NewPause()
		}
		l.tellOfCopies(s)
		begun := len(s.Owners) > 0
		if changes := s.Assign(l.job, false); len(changes) > 0 {
			if len(s.Alive) > 0 && begun {
				l.o.tell("%d %s go to other workers", len(changes)/2, l.offices())
			}
			j := l.job
			if _, err := j.Ask(ctx, protocol.ScriptAssign, []string{j.Key.Leader(), j.Key.Owners(), j.Key.Reached()}, append([]string{l.token}, changes...)...); err != nil {
				return err
			}
		}
		if s.ReachedAll(l.job, round, barrier) {
			return nil
		}
		if err := pause.Wait(ctx); err != nil {
			return err
		}
	}
}

// offices is what a worker may have, for people.
func (l *Leader) offices() string {
	if l.job.Disks {
		return "parts, slices and copies"
	}
	return "parts and slices"
}

// mayMiss returns err, about something that was not to be found, unless another worker
// leads and may have deleted it.
func (l *Leader) mayMiss(ctx context.Context, err error) error {
	if _, fault := offices.Look(ctx, l.job, l.token); errors.Is(fault, protocol.ErrLost) {
		return protocol.ErrLost
	}
	return err
}

// Fetch implements sampler.Remote: it fetches what histograms need from where workers met.
func (l *Leader) Fetch() error {
	if !l.state.Histograms {
		return nil
	}
	round := l.rounds.End(l.state.Since)
	if err := l.FetchStatistics(round); err != nil {
		return err
	}
	return l.FetchHistograms(round)
}

// FetchCounts fetches n_k and the rows of some words at the barrier that was reached.
func (l *Leader) FetchCounts(words func() []uint32) error { return l.FetchWords(l.state.Round, words) }

// Close implements sampler.Remote. There is nothing to give back.
func (l *Leader) Close() error { return nil }

// FetchTopics fetches the topics of the barrier that was reached, and what else a
// checkpoint needs.
func (l *Leader) FetchTopics() error {
	var err error
	l.late, err = l.FetchLate(l.state.Round, func(part, round int) bool {
		return l.o.Plan.Takes(l.o.Spans[part], l.rounds.Step(round))
	})
	if err != nil {
		return err
	}
	return l.Reader.FetchTopics(l.state.Round)
}

// SaveExtra implements sampler.Extra, after FetchTopics: the late changes.
func (l *Leader) SaveExtra() []byte { return l.late }

// LoadExtra implements sampler.Extra. A leader loads nothing: its job has what it
// began with in the store.
func (l *Leader) LoadExtra([]byte) error { return nil }

var _ sampler.Remote = (*Leader)(nil)
