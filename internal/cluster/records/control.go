package records

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/rueidis"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/store"
)

// Control is a job's store as the machines of package protocol see it: every method is one script.
type Control struct{ *Job }

var (
	_ protocol.Control = Control{}
	_ protocol.Repair  = Repair{}
)

func tokenText(token int64) string { return strconv.FormatInt(token, 10) }

// Join implements protocol.Control.
func (c Control) Join(ctx context.Context, token int64, report string) (mended string, err error) {
	k := c.Key
	answer, err := c.Ask(ctx, scriptJoin, []string{k.Spec(), k.Lease(token), k.Members(), k.State()}, tokenText(token), report, milliseconds(c.Lease))
	if err != nil {
		return "", err
	}
	return answer[1].ToString()
}

// Beat implements protocol.Control.
func (c Control) Beat(ctx context.Context, token int64, report, known string) (*protocol.Beat, error) {
	k := c.Key
	answer, err := c.Ask(ctx, scriptBeat, []string{k.Spec(), k.Lease(token), k.Members(), k.Leader(), k.Owners(), k.State()},
		tokenText(token), report, milliseconds(c.Lease), known, c.SpecDigest())
	if err != nil {
		return nil, err
	}
	b := new(protocol.Beat)
	b.Version, _ = answer[2].ToString() // "" if there is none
	if b.Leader, err = answer[1].AsInt64(); err != nil {
		return nil, err
	}
	if text, _ := answer[3].ToString(); text != "" {
		if b.State, err = c.ParseState(text); err != nil {
			return nil, err
		}
	}
	b.Offices, err = answer[4].AsStrSlice()
	return b, err
}

// Leave implements protocol.Control.
func (c Control) Leave(ctx context.Context, token int64) error {
	_, err := c.Ask(ctx, scriptLeave, []string{c.Key.Lease(token), c.Key.Members(), c.Key.Leader()}, tokenText(token))
	return err
}

// Reach implements protocol.Control.
func (c Control) Reach(ctx context.Context, token int64, field, office string, round int) error {
	_, err := c.Ask(ctx, scriptReach, []string{c.Key.Owners(), c.Key.Reached()}, tokenText(token), field, office, strconv.Itoa(round))
	return err
}

// Survey implements protocol.Control.
func (c Control) Survey(ctx context.Context, token int64) (*protocol.Survey, error) {
	k := c.Key
	answer, err := c.Ask(ctx, scriptSurvey, []string{k.Leader(), k.Members(), k.Owners(), k.Reached()}, tokenText(token), k.Control("lease:"))
	if err != nil {
		return nil, err
	}
	s := &protocol.Survey{Reached: map[string]int{}}
	if s.Alive, err = answer[1].AsStrSlice(); err != nil {
		return nil, err
	}
	slices.Sort(s.Alive) // in any order, but always the same
	if s.Owners, err = pairs(answer[2]); err != nil {
		return nil, err
	}
	reached, err := pairs(answer[3])
	for field, text := range reached {
		if s.Reached[field], err = strconv.Atoi(text); err != nil {
			return nil, &protocol.Damage{Key: k.Reached(), Err: err}
		}
	}
	return s, err
}

// Assign implements protocol.Control.
func (c Control) Assign(ctx context.Context, token int64, changes []string) error {
	_, err := c.Ask(ctx, scriptAssign, []string{c.Key.Leader(), c.Key.Owners()}, append([]string{tokenText(token)}, changes...)...)
	return err
}

// Publish implements protocol.Control.
func (c Control) Publish(ctx context.Context, token int64, state *protocol.State, changes []string) error {
	text, err := protocol.Seal(state)
	if err != nil {
		return err
	}
	args := append([]string{tokenText(token), state.Version(), text}, changes...)
	_, err = c.Ask(ctx, scriptPublish, []string{c.Key.Leader(), c.Key.Owners(), c.Key.State(), c.Key.Spec()}, args...)
	return err
}

// Raise implements protocol.Control.
func (c Control) Raise(ctx context.Context, state *protocol.State) error {
	if _, err := c.raise(ctx, state.Round); err != nil {
		return err
	}
	return c.cleanState(state.Round)
}

// Discard implements protocol.Control.
func (c Control) Discard(ctx context.Context, names []string) error {
	return c.Store.Delete(ctx, names...)
}

// Removed implements protocol.Control.
func (c Control) Removed(ctx context.Context) (removed, there bool, err error) {
	values, err := c.Store.Get(ctx, c.Key.Removed(), c.Key.Spec())
	if err != nil {
		return false, false, err
	}
	return string(values[0]) == c.IDText() || string(values[0]) == AnyJob, values[1] != nil, nil
}

// Repair is a job's store as a protocol.Mender sees it.
type Repair struct{ *Job }

// held is how long the lock and the office of nobody stay without being renewed.
func (r Repair) held() string { return milliseconds(protocol.MendLeases * r.Lease) }

// Lock implements protocol.Repair.
func (r Repair) Lock(ctx context.Context, owner string) error {
	_, err := r.Ask(ctx, scriptLock, []string{r.Key.Lock()}, owner, r.held())
	return err
}

// Unlock implements protocol.Repair.
func (r Repair) Unlock(ctx context.Context, owner string) error {
	_, err := r.Ask(ctx, scriptUnlock, []string{r.Key.Lock()}, owner)
	return err
}

// Halt implements protocol.Repair.
func (r Repair) Halt(ctx context.Context, nobody int64) (had bool, err error) {
	k := r.Key
	answer, err := r.Ask(ctx, scriptHalt, []string{k.Spec(), k.Removed(), k.Leader(), k.Members(), k.Owners()},
		r.Text, r.IDText(), r.held(), k.Control("lease:"), tokenText(nobody))
	if errors.Is(err, protocol.ErrLost) {
		return false, r.Cancelled() // which is no loss of the lock
	}
	if err != nil {
		return false, err
	}
	n, err := answer[1].AsInt64()
	return n > 0, err
}

// Rule implements protocol.Repair.
func (r Repair) Rule(ctx context.Context, nobody int64) error {
	_, err := r.Ask(ctx, scriptRenew, []string{r.Key.Leader()}, tokenText(nobody), r.held())
	return err
}

// Resume implements protocol.Repair.
func (r Repair) Resume(ctx context.Context, nobody int64) error {
	_, err := r.Ask(ctx, scriptUnlock, []string{r.Key.Leader()}, tokenText(nobody))
	return err
}

// Blobs implements protocol.Repair.
func (r Repair) Blobs(ctx context.Context) (names []string, marks map[string]string, err error) {
	found, err := r.Keys(ctx)
	control := r.Key.Control("")
	names = slices.DeleteFunc(found, func(key string) bool {
		return strings.HasPrefix(key, control) || strings.HasSuffix(key, "}:head") || strings.Contains(key, "}:corpus:") || strings.HasSuffix(key, "}:pseudo")
	})
	if err != nil {
		return nil, nil, err
	}
	marks, err = r.sweep(ctx, names, nil)
	return names, marks, err
}

// Sweep implements protocol.Repair.
func (r Repair) Sweep(ctx context.Context, names []string, marks map[string]string) error {
	_, err := r.sweep(ctx, names, marks)
	return err
}

// sweep deletes blobs whose heads have the marks, none without marks, and returns the marks that heads have.
func (r Repair) sweep(ctx context.Context, names []string, marks map[string]string) (map[string]string, error) {
	slices.Sort(names)
	var calls []store.Call
	for _, name := range names {
		head := protocol.HeadOf(name)
		if last := len(calls) - 1; last < 0 || calls[last].Keys[0] != head {
			calls = append(calls, store.Call{Keys: []string{head}, Args: []string{marks[head]}})
		}
		if call := &calls[len(calls)-1]; marks != nil {
			call.Keys = append(call.Keys, name)
		}
	}
	answers, err := r.Store.RunAll(ctx, scriptSweep, calls)
	if err != nil {
		return nil, err
	}
	has := map[string]string{}
	for i, a := range answers {
		answer, err := r.understand(a)
		if err == nil {
			has[calls[i].Keys[0]], err = answer[1].ToString()
		}
		if err != nil {
			return nil, err
		}
	}
	return has, nil
}

// Mark implements protocol.Repair.
func (r Repair) Mark(ctx context.Context, state *protocol.State, mark string, nobody int64) error {
	text, err := protocol.Seal(state)
	if err != nil {
		return err
	}
	_, err = r.Ask(ctx, scriptMark, []string{r.Key.Spec(), r.Key.State(), r.Key.Reached(), r.Key.Leader()}, state.Version(), text, mark, tokenText(nobody))
	return err
}

// Forget implements protocol.Repair.
func (r Repair) Forget(ctx context.Context) error { return r.Store.Delete(ctx, r.Key.Spec()) }

func milliseconds(d time.Duration) string { return strconv.FormatInt(max(1, d.Milliseconds()), 10) }

// pairs reads the answer of HGETALL in a script.
func pairs(message rueidis.RedisMessage) (map[string]string, error) {
	list, err := message.AsStrSlice()
	if err != nil {
		return nil, err
	}
	m := make(map[string]string, len(list)/2)
	for i := 0; i+1 < len(list); i += 2 {
		m[list[i]] = list[i+1]
	}
	return m, nil
}
