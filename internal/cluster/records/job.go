package records

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/rueidis"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/store"
)

var (
	// ErrNoJob is wrapped by errors about a job that the store does not hold.
	ErrNoJob = errors.New("no such job")

	errLate   = errors.New("the round is over")                   // of a blob
	errBroken = errors.New("its floor is no number")              // of a head
	errAhead  = errors.New("its floor is above the last barrier") // of a head
)

// Blobs has the values of a job in a store and in files, beside the small keys that scripts change.
type Blobs struct {
	protocol.Layout
	Store  *store.Store
	Pseudo *counts.Pseudo // m_wk, which rows and n_k include; nil: none
}

// Job is a job in a store.
type Job struct {
	Blobs
	Text string // the Spec as the store has it
}

// Origin is what a job begins with when it continues from a checkpoint.
type Origin struct {
	Topics  func(part int) []uint32 // of a part's tokens
	Changes []Late                  // of the last rounds, as many as the staleness
}

// Late has the changes of a part in a round that others do not see yet.
type Late struct {
	Round, Part int
	Changes     blob.Decoder // of all words; nothing was changed if it is zero
}

// Create creates a job in the store. state is the one before any barrier. origin is nil for a job that begins at the
// beginning. frequencies are those of the words. m has pseudo-counts or is nil.
func Create(ctx context.Context, st *store.Store, name string, spec protocol.Spec, state protocol.State,
	origin *Origin, frequencies []uint64, m *counts.Pseudo,
) (*Job, error) {
	if err := protocol.CheckName(name); err != nil {
		return nil, err
	}
	j := &Job{Blobs: Blobs{protocol.NewLayout(name, spec), st, m}}
	if err := j.refuseLeftovers(ctx); err != nil {
		return nil, err
	}
	text, err := protocol.Seal(spec)
	if err != nil {
		return nil, err
	}
	j.Text = text
	_, err = j.Ask(ctx, scriptCreate, "spec", text)
	if errors.Is(err, protocol.ErrLost) {
		err = j.taken()
	}
	if err == nil {
		err = j.MakeHeads(ctx, j.Floor(&state), strconv.FormatUint(rand.Uint64(), 16))
	}
	if err == nil {
		err = j.putPseudo(ctx)
	}
	if err == nil && origin != nil {
		err = j.putOrigin(ctx, origin, rows.NewCut(frequencies, j.Topics, j.Slices))
	}
	if err == nil {
		text, err = protocol.Seal(state)
	}
	if err != nil {
		return nil, err
	}
	_, err = j.Ask(ctx, scriptBegin, "spec state", state.Version(), text)
	return j, err
}

// taken returns the error about a name that is in use.
func (j *Job) taken() error {
	return protocol.Taken("store " + j.Store.Name() + " already holds a job called " + j.Name +
		": choose another name, or remove it with Job.Cancel")
}

// refuseLeftovers returns an error if the store holds keys under the job's name.
func (j *Job) refuseLeftovers(ctx context.Context) error {
	spec, err := j.Store.Get(ctx, j.Key.Spec())
	if err != nil {
		return err
	}
	if spec[0] != nil {
		return j.taken()
	}
	found, err := j.Keys(ctx)
	if err != nil {
		return err
	}
	// A worker that does not know yet that the store lost the job may still offer blobs, which nobody takes. Its lease
	// runs out by itself.
	found = slices.DeleteFunc(found, func(key string) bool {
		return strings.HasSuffix(key, protocol.Waiting) || strings.HasPrefix(key, j.Key.Control("lease:"))
	})
	if len(found) > 0 {
		return protocol.Taken(fmt.Sprintf("store %s holds %d keys of another job under the name %s, such as %s: "+
			"choose another name, or remove them with Job.Cancel", j.Store.Name(), len(found), j.Name, found[0]))
	}
	return nil
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

// putOrigin stores what the job begins with.
func (j *Job) putOrigin(ctx context.Context, origin *Origin, c *rows.Cut) error {
	for i := range j.Parts {
		z := origin.Topics(i)
		writes, err := j.SaveTopics(i, j.Start, j.OriginKey(i), len(z), func(f func(z []uint32) error) error { return f(z) })
		if err == nil {
			err = j.Put(ctx, writes)
		}
		if err != nil {
			return err
		}
	}
	encoders := make([]blob.Encoder, j.Slices)
	var changes []counts.Change
	for _, late := range origin.Changes {
		id := j.BlobID(blob.Changes, late.Round, late.Part)
		for i := range encoders {
			encoders[i].Begin(nil, id(i))
		}
		for d := late.Changes; d.Topics > 0 && d.Next(); {
			changes = d.Changes(changes[:0])
			encoders[c.Slice[d.Word()]].Changes(d.Word(), changes)
		}
		var writes []Write
		for i := range encoders {
			writes = append(writes, Write{j.Key.Changes(i, late.Round, late.Part), late.Round, encoders[i].Finish()})
		}
		if err := j.Put(ctx, writes); err != nil {
			return err
		}
	}
	return nil
}

// Keys returns all keys with the job's name.
func (j *Blobs) Keys(ctx context.Context) (all []string, err error) {
	for _, prefix := range j.Key.Prefixes() {
		found, err := j.Store.Keys(ctx, prefix)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
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
	keys := strings.Fields(names)
	for i, name := range keys {
		keys[i] = j.Key.Control(name)
	}
	return j.ask(ctx, script, keys, args...)
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
	case "changed":
		err = &protocol.Damage{Key: j.Key.Spec(), Err: errors.New("it has changed")}
	case "late":
		err = errLate
	case "broken":
		err = errBroken
	}
	return a, err
}

// Write is a blob to be put under a key.
type Write struct {
	Key   string
	Round int
	Blob  []byte
}

// Put writes blobs. It drops those of rounds that are over without an error: a worker that was frozen may still write
// them.
func (j *Job) Put(ctx context.Context, writes []Write) error {
	blobs := make([]store.Blob, len(writes))
	for i, w := range writes {
		keys := []string{w.Key + protocol.Waiting, protocol.HeadOf(w.Key), w.Key}
		blobs[i] = store.Blob{Value: w.Blob, Call: store.Call{Keys: keys, Args: []string{j.HeadID(), strconv.Itoa(w.Round)}}}
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
