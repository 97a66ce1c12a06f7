package records

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/store"
)

// Control implements protocol.Control with the store of a job. Each method runs one script.
type Control struct{ *Job }

// Repair implements protocol.Repair in the same way.
type Repair struct{ *Job }

var (
	_ protocol.Control = Control{}
	_ protocol.Repair  = Repair{}
)

func tokenText(token int64) string { return strconv.FormatInt(token, 10) }

func milliseconds(d time.Duration) string { return strconv.FormatInt(max(1, d.Milliseconds()), 10) }

func (c Control) Join(ctx context.Context, token int64, report string) (mended string, err error) {
	id := tokenText(token)
	answer, err := c.Ask(ctx, scriptJoin, "spec lease:"+id+" members state", id, report, milliseconds(c.Lease))
	if err != nil {
		return "", err
	}
	return answer[1].ToString()
}

func (c Control) Beat(ctx context.Context, token int64, report, known string) (*protocol.Beat, error) {
	id := tokenText(token)
	answer, err := c.Ask(ctx, scriptBeat, "spec lease:"+id+" members leader owners state",
		id, report, milliseconds(c.Lease), known, c.SpecDigest())
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

func (c Control) Leave(ctx context.Context, token int64) error {
	_, err := c.Ask(ctx, scriptLeave, "lease:"+tokenText(token)+" members leader", tokenText(token))
	return err
}

func (c Control) Reach(ctx context.Context, token int64, field, office string, round int) error {
	_, err := c.Ask(ctx, scriptReach, "owners reached", tokenText(token), field, office, strconv.Itoa(round))
	return err
}

func (c Control) Survey(ctx context.Context, token int64) (*protocol.Survey, error) {
	answer, err := c.Ask(ctx, scriptSurvey, "leader members owners reached", tokenText(token), c.Key.Control("lease:"))
	if err != nil {
		return nil, err
	}
	s := &protocol.Survey{Reached: map[string]int{}}
	if s.Alive, err = answer[1].AsStrSlice(); err != nil {
		return nil, err
	}
	slices.Sort(s.Alive) // in any order, but always the same
	if s.Owners, err = answer[2].AsStrMap(); err != nil {
		return nil, err
	}
	reached, err := answer[3].AsStrMap()
	for field, text := range reached {
		if s.Reached[field], err = strconv.Atoi(text); err != nil {
			return nil, &protocol.Damage{Key: c.Key.Reached(), Err: err}
		}
	}
	return s, err
}

func (c Control) Assign(ctx context.Context, token int64, changes []string) error {
	_, err := c.Ask(ctx, scriptAssign, "leader owners", append([]string{tokenText(token)}, changes...)...)
	return err
}

func (c Control) Publish(ctx context.Context, token int64, state *protocol.State, changes []string) error {
	text, err := protocol.Seal(state)
	if err != nil {
		return err
	}
	args := append([]string{tokenText(token), state.Version(), text}, changes...)
	_, err = c.Ask(ctx, scriptPublish, "leader owners state spec", args...)
	return err
}

func (c Control) Raise(ctx context.Context, state *protocol.State) error {
	if _, err := c.raise(ctx, state.Round); err != nil {
		return err
	}
	return c.cleanState(state.Round)
}

func (c Control) Discard(ctx context.Context, names []string) error {
	return c.Store.Delete(ctx, names...)
}

func (c Control) Removed(ctx context.Context) (removed, there bool, err error) {
	values, err := c.Store.Get(ctx, append(c.Key.Tombstones(c.IDText()), c.Key.Spec())...)
	if err != nil {
		return false, false, err
	}
	return values[0] != nil || values[1] != nil, values[2] != nil, nil
}

// held returns how long the lock and the office of nobody stay without being renewed.
func (r Repair) held() string { return milliseconds(protocol.MendLeases * r.Lease) }

func (r Repair) Lock(ctx context.Context, owner string) error {
	_, err := r.ask(ctx, scriptLock, []string{r.Key.Lock()}, owner, r.held())
	return err
}

func (r Repair) Unlock(ctx context.Context, owner string) error {
	_, err := r.ask(ctx, scriptUnlock, []string{r.Key.Lock()}, owner)
	return err
}

func (r Repair) Halt(ctx context.Context, nobody int64) (had bool, err error) {
	keys := append(r.controls("spec leader members owners reached"), r.Key.Tombstones(r.IDText())...)
	answer, err := r.ask(ctx, scriptHalt, keys, r.Text, r.held(), r.Key.Control("lease:"), tokenText(nobody))
	if err != nil {
		return false, err
	}
	n, err := answer[1].AsInt64()
	return n > 0, err
}

func (r Repair) Rule(ctx context.Context, nobody int64) error {
	_, err := r.Ask(ctx, scriptRenew, "leader", tokenText(nobody), r.held())
	return err
}

func (r Repair) Resume(ctx context.Context, nobody int64) error {
	_, err := r.Ask(ctx, scriptUnlock, "leader", tokenText(nobody))
	return err
}

// notSwept matches the keys that stay when a job is mended.
var notSwept = regexp.MustCompile(`}:(head|pseudo)$|}:corpus:`)

func (r Repair) Blobs(ctx context.Context) (names []string, marks map[string]string, err error) {
	found, err := r.Keys(ctx)
	if err != nil {
		return nil, nil, err
	}
	names = slices.DeleteFunc(found, func(key string) bool {
		return strings.HasPrefix(key, r.Key.Control("")) || notSwept.MatchString(key)
	})
	marks, err = r.sweep(ctx, names, nil)
	return names, marks, err
}

func (r Repair) Sweep(ctx context.Context, names []string, marks map[string]string) error {
	_, err := r.sweep(ctx, names, marks)
	return err
}

// sweep deletes blobs whose heads have the marks, and returns the marks that heads have. Without marks it deletes none.
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
	has := map[string]string{}
	for i := 0; i < len(answers) && err == nil; i++ {
		var a answer
		if a, err = r.understand(answers[i]); err == nil {
			has[calls[i].Keys[0]], err = a[1].ToString()
		}
	}
	return has, err
}

func (r Repair) Mark(ctx context.Context, state *protocol.State, mark string, nobody int64) error {
	text, err := protocol.Seal(state)
	if err != nil {
		return err
	}
	_, err = r.Ask(ctx, scriptMark, "spec state reached leader", state.Version(), text, mark, tokenText(nobody))
	return err
}

func (r Repair) Forget(ctx context.Context) error { return r.Store.Delete(ctx, r.Key.Spec()) }
