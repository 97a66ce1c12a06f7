package lead

import (
	"context"
	"strconv"

	"github.com/topoi-lda/topoi/internal/cluster/offices"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/store"
)

// publish writes the state, gives out what nobody has, and deletes what is not needed any more.
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
		add(j.Key.Slice(i, ""), j.Staleness, j.Parts)
	}
	for i := range j.Parts {
		add(j.Key.Part(i, ""), j.Staleness, 0)
	}
	answers, err := j.Store.RunAll(ctx, protocol.ScriptRaise, calls)
	if err != nil {
		return err
	}
	for i, a := range answers {
		if _, err := j.Understand(a); err != nil {
			return protocol.HeadFault(calls[i].Keys[0], err)
		}
	}
	return j.CleanState(l.state.Round)
}
