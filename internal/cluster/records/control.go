package records

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

// Control implements protocol.Control with the store of a job. Each method runs one script.
type Control struct{ *Job }

func tokenText(token int64) string { return strconv.FormatInt(token, 10) }

func milliseconds(d time.Duration) string { return strconv.FormatInt(max(1, d.Milliseconds()), 10) }

var (
	_ protocol.Control = Control{}
	_ protocol.Repair  = Repair{}
)

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
