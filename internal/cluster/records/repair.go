package records

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/store"
)

// Repair implements protocol.Repair in the same way.
type Repair struct{ *Job }

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
