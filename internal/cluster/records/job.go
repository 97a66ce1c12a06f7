// Package records keeps a job in a store: its spec and state, the scripts that change them, and its blobs. It
// implements the interfaces of package protocol.
package records

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/redis/rueidis"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/store"
)

var (
	// ErrNoJob is wrapped by errors about a job that the store does not hold.
	ErrNoJob = errors.New("no such job")

	errLate   = errors.New("the round is over")                   // of a blob
	errBroken = errors.New("its floor is no number")              // of a head
	errAhead  = errors.New("its floor is above the last barrier") // of a head
)

// Job is a job in a store.
type Job struct {
	Blobs
	Text string // the Spec as the store has it
}

// MakeHeads makes the heads of slices and parts. The mark differs from that of the heads before.
func (j *Job) MakeHeads(ctx context.Context, floor int, mark string) error {
	var calls []store.Call
	for _, head := range j.heads() {
		calls = append(calls, store.Call{Keys: []string{head}, Args: []string{j.HeadID(), strconv.Itoa(floor), mark}})
	}
	_, err := j.Store.RunAll(ctx, scriptFound, calls)
	return err
}

// State returns the last barrier, or nil while the job is being submitted.
func (j *Job) State(ctx context.Context) (*protocol.State, error) {
	state, _, err := j.Read(ctx)
	return state, err
}

// Read returns the state and the mark of the last mending.
func (j *Job) Read(ctx context.Context) (state *protocol.State, mended string, err error) {
	answer, err := j.Ask(ctx, scriptState, "spec state")
	if err != nil {
		return nil, "", err
	}
	text, err := answer[1].ToString()
	if err != nil || text == "" {
		return nil, "", err
	}
	if mended, err = answer[2].ToString(); err != nil {
		return nil, "", err
	}
	state, err = j.ParseState(text)
	return state, mended, err
}

func (j *Job) ParseState(text string) (*protocol.State, error) {
	state := new(protocol.State)
	if err := protocol.Unseal(text, state); err != nil {
		return nil, protocol.Damaged(j.Key.State(), err)
	}
	return state, nil
}

// Ask runs a script on control keys, whose names are separated by spaces. It returns the answer, or the error that
// the first word of the answer stands for.
func (j *Job) Ask(ctx context.Context, script store.Script, names string, args ...string) (answer, error) {
	return j.ask(ctx, script, j.controls(names), args...)
}

// controls returns the keys of names that are separated by spaces.
func (j *Job) controls(names string) []string {
	keys := strings.Fields(names)
	for i, name := range keys {
		keys[i] = j.Key.Control(name)
	}
	return keys
}

func (j *Job) ask(ctx context.Context, script store.Script, keys []string, args ...string) (answer, error) {
	message, err := j.Store.Run(ctx, script, store.Call{Keys: keys, Args: args})
	if errors.Is(err, store.ErrType) {
		return nil, &protocol.Damage{Key: j.Key.Control("*"), Err: err}
	}
	if err != nil {
		return nil, err
	}
	return j.understand(message)
}

// answer is what a script returns.
type answer = []rueidis.RedisMessage

func (j *Job) understand(message rueidis.RedisMessage) (answer, error) {
	a, err := message.ToArray()
	if err != nil || len(a) == 0 {
		return nil, fmt.Errorf("store %s returned an unexpected answer: %v", j.Store.Name(), message)
	}
	word, err := a[0].ToString()
	switch word {
	case "gone":
		err = protocol.Missing(j.Key.Spec())
	case "lost":
		err = protocol.ErrLost
	case "ended":
		err = j.Cancelled()
	case "changed":
		err = &protocol.Damage{Key: j.Key.Spec(), Err: errors.New("it has changed")}
	case "late":
		err = errLate
	case "broken":
		err = errBroken
	}
	return a, err
}

// Put writes blobs. It drops those of rounds that are over without an error: a worker that was frozen may still write
// them.
func (j *Job) Put(ctx context.Context, writes []Write) error {
	blobs := make([]store.Blob, len(writes))
	for i, w := range writes {
		keys := []string{w.Key + protocol.Waiting, protocol.HeadOf(w.Key), w.Key}
		blobs[i] = store.Blob{Value: w.Blob, Call: store.Call{
			Keys: keys,
			Args: []string{j.HeadID(), strconv.Itoa(w.Round)},
		}}
	}
	answers, err := j.Store.Offer(ctx, scriptAccept, blobs)
	if err != nil {
		return err
	}
	for i, a := range answers {
		answer, err := j.understand(a)
		if errors.Is(err, errLate) {
			err = j.checkLate(ctx, protocol.HeadOf(writes[i].Key), answer)
		} else {
			err = headFault(protocol.HeadOf(writes[i].Key), err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkLate returns Damage about a head that refused a blob, unless the last barrier has passed the head's floor:
// workers must not believe that they have written a blob that was dropped.
func (j *Job) checkLate(ctx context.Context, head string, a answer) error {
	floor, err := a[1].AsInt64()
	if err != nil {
		return err
	}
	state, err := j.State(ctx)
	if err != nil || state == nil || floor <= int64(j.Floor(state)) {
		return err
	}
	return &protocol.Damage{Key: head, Err: errAhead}
}

// CheckHeads returns Damage about a head that is missing, cannot be read, or refuses rounds that are not over. Heads
// exist from the beginning to the end of a job.
func (j *Job) CheckHeads(ctx context.Context) error {
	floors, err := j.raise(ctx, math.MinInt32)
	if err != nil {
		return err
	}
	// The state is read after the heads, because a barrier is published before they are raised.
	state, err := j.State(ctx)
	if err != nil || state == nil {
		return err
	}
	for i, floor := range floors {
		if floor > int64(j.Floor(state)) {
			return &protocol.Damage{Key: j.heads()[i], Err: errAhead}
		}
	}
	return nil
}

// raise raises the floors of all heads to a barrier, and returns the floors. Those above the barrier stay.
func (j *Job) raise(ctx context.Context, barrier int) (floors []int64, err error) {
	var calls []store.Call
	for i, head := range j.heads() {
		parts := 0
		if i < j.Slices {
			parts = j.Parts // which write changes there
		}
		args := []string{j.HeadID()}
		for _, n := range []int{barrier, j.Staleness, parts, j.VersionsKept()} {
			args = append(args, strconv.Itoa(n))
		}
		calls = append(calls, store.Call{Keys: []string{head}, Args: args})
	}
	answers, err := j.Store.RunAll(ctx, scriptRaise, calls)
	for i := 0; i < len(answers) && err == nil; i++ {
		var a answer
		floor := int64(0)
		if a, err = j.understand(answers[i]); err == nil {
			floor, err = a[1].AsInt64()
		}
		floors, err = append(floors, floor), headFault(calls[i].Keys[0], err)
	}
	return floors, err
}

// headFault turns an error about a head into Damage that names it.
func headFault(head string, err error) error {
	switch {
	case errors.Is(err, errBroken):
		return &protocol.Damage{Key: head, Err: err}
	case errors.Is(err, protocol.ErrGone):
		return protocol.Missing(head)
	}
	return err
}

// Task is a job with the cut of its corpus.
type Task struct {
	Job    *Job
	Plan   *sampler.Plan    // how the training documents are cut for the job's sampler
	Spans  []sampler.Span   // the job's parts
	Cut    *rows.Cut        // the job's slices
	Rounds *protocol.Rounds // the job's rounds

	// Takes reports whether a part has something to do in a round. Any goroutine may ask.
	Takes func(part, round int) bool
}

// NewTask returns the task of a job whose words have the given frequencies.
func NewTask(j *Job, plan *sampler.Plan, spans []sampler.Span, frequencies []uint64) Task {
	cut := rows.NewCut(frequencies, j.Topics, j.Slices)
	t := Task{Job: j, Plan: plan, Spans: spans, Cut: cut, Rounds: &protocol.Rounds{Plan: plan}}
	t.Takes = func(part, round int) bool { return plan.Takes(spans[part], t.Rounds.Step(round)) }
	return t
}
