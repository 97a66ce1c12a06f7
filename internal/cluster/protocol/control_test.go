package protocol_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

// control is a job's store as a worker of the simulation sees it.
type control struct {
	w   *world
	m   *memory
	job *protocol.Layout
	sim *simulation
}

var (
	_ protocol.Control = control{}
	_ protocol.Repair  = control{}
)

func do(c control, ctx context.Context, what call, f func() error) error {
	_, err := ask(c.w, ctx, what, func() (struct{}, error) { return struct{}{}, f() })
	return err
}

func (c control) Join(ctx context.Context, token int64, report string) (string, error) {
	return ask(c.w, ctx, call{verb: "join"}, func() (string, error) { return c.m.join(c.job, token, report) })
}

func (c control) Beat(ctx context.Context, token int64, report, known string) (*protocol.Beat, error) {
	return ask(c.w, ctx, call{verb: "beat"}, func() (*protocol.Beat, error) {
		return c.m.beat(c.job, token, report, known)
	})
}

func (c control) Leave(ctx context.Context, token int64) error {
	return do(c, ctx, call{verb: "leave"}, func() error { return c.m.leave(c.job, token) })
}

func (c control) Reach(ctx context.Context, token int64, field, office string, round int) error {
	return do(c, ctx, call{"reach", field, round}, func() error {
		return c.m.reach(c.job, token, field, office, round)
	})
}

type read struct {
	state  *protocol.State
	mended string
}

func (c control) Read(ctx context.Context) (*protocol.State, string, error) {
	r, err := ask(c.w, ctx, call{verb: "read"}, func() (read, error) {
		s, mended, err := c.m.read(c.job)
		return read{s, mended}, err
	})
	return r.state, r.mended, err
}

func (c control) Survey(ctx context.Context, token int64) (*protocol.Survey, error) {
	s, err := ask(c.w, ctx, call{verb: "survey"}, func() (*protocol.Survey, error) {
		return c.m.survey(c.job, token)
	})
	if err == nil && c.sim.planted.earlyBarrier {
		for field := range s.Reached {
			s.Reached[field]++
		}
	}
	return s, err
}

func (c control) Assign(ctx context.Context, token int64, changes []string) error {
	return do(c, ctx, call{"assign", changes[0], len(changes) / 2}, func() error {
		return c.m.assign(c.job, token, changes)
	})
}

func (c control) Publish(ctx context.Context, token int64, s *protocol.State, changes []string) error {
	now := *s
	err := do(c, ctx, call{verb: "publish", key: now.Version()}, func() error {
		var was *protocol.State // which publish may replace
		if v := c.m.get(c.job.Key.State()); v != nil && !v.bad {
			was = v.state
		}
		err := c.m.publish(c.job, token, &now, changes)
		if err == nil && was != nil && was.LaterThan(&now) {
			c.w.violate("state %s replaces %s, which is later", now.Version(), was.Version())
		}
		// A script that fails at the owners has written the state before.
		if v := c.m.get(c.job.Key.State()); now.Finished && v != nil && v.state != nil && v.state.Finished && !c.sim.finished {
			c.sim.finish(c.job, &now)
		}
		return err
	})
	if err == nil {
		c.sim.note(c.w.running().p, "publishes %s", published(&now))
	} else if ctx.Err() == nil {
		c.sim.note(c.w.running().p, "cannot publish %s: %v", published(&now), err)
	}
	return err
}

// published returns what a state says.
func published(s *protocol.State) string {
	if s.Finished {
		return fmt.Sprintf("that the model of round %d is complete", s.Round)
	}
	return fmt.Sprintf("the barrier of round %d and that workers meet after iteration %d", s.Round, s.Until)
}

func (c control) Raise(ctx context.Context, s *protocol.State) error {
	round := s.Round
	for _, head := range heads(c.job) {
		if err := do(c, ctx, call{"raise", head, round}, func() error { return c.m.raise(c.job, head, round) }); err != nil {
			return err
		}
	}
	c.sim.cleanFiles(round)
	return nil
}

func (c control) CheckHeads(ctx context.Context) error {
	if c.sim.planted.headsUnchecked {
		return nil
	}
	names := heads(c.job)
	floors, err := ask(c.w, ctx, call{verb: "heads"}, func() (list []int, err error) {
		for _, head := range names {
			floor, err := c.m.head(c.job, head)
			if err != nil {
				return nil, err
			}
			list = append(list, floor)
		}
		return list, nil
	})
	if err != nil {
		return err
	}
	s, _, err := c.Read(ctx)
	if err != nil || s == nil {
		return err
	}
	for i, floor := range floors {
		if floor > c.job.Floor(s) {
			return &protocol.Damage{Key: names[i], Err: errors.New("its floor is above the last barrier")}
		}
	}
	return nil
}

func (c control) Absent(ctx context.Context, names []string) ([]string, error) {
	return ask(c.w, ctx, callOf("absent", names), func() (absent []string, err error) {
		for _, name := range names {
			if c.sim.find(name) == nil {
				absent = append(absent, name)
			}
		}
		if c.sim.planted.lossUnseen && len(names) > 2*c.job.Parts {
			return nil, nil
		}
		return absent, nil
	})
}

func (c control) Discard(ctx context.Context, names []string) error {
	return do(c, ctx, callOf("discard", names), func() error {
		for _, name := range names {
			delete(c.m.keys, name)
		}
		return nil
	})
}

type removal struct{ removed, there bool }

func (c control) Removed(ctx context.Context) (removed, there bool, err error) {
	r, err := ask(c.w, ctx, call{verb: "removed"}, func() (removal, error) {
		return removal{c.m.ended(c.job) && !c.m.broken.tombstoneUnread, c.m.get(c.job.Key.Spec()) != nil}, nil
	})
	return r.removed, r.there, err
}

func (c control) expiry() time.Duration { return protocol.MendLeases * c.job.Lease }

func (c control) Lock(ctx context.Context, owner string) error {
	return do(c, ctx, call{verb: "lock"}, func() error { return c.m.lock(c.job.Key.Lock(), owner, c.expiry()) })
}

func (c control) Unlock(ctx context.Context, owner string) error {
	return do(c, ctx, call{verb: "unlock"}, func() error { return c.m.unlock(c.job.Key.Lock(), owner) })
}

func (c control) Halt(ctx context.Context, nobody int64) (bool, error) {
	return ask(c.w, ctx, call{verb: "halt"}, func() (bool, error) {
		had, err := c.m.halt(c.job, nobody)
		if err == nil {
			c.sim.rises()
		}
		return had, err
	})
}

func (c control) Rule(ctx context.Context, nobody int64) error {
	return do(c, ctx, call{verb: "rule"}, func() error { return c.m.rule(c.job, nobody) })
}

func (c control) Resume(ctx context.Context, nobody int64) error {
	return do(c, ctx, call{verb: "resume"}, func() error {
		if leads, _ := c.m.leads(c.job, nobody); leads {
			delete(c.m.keys, c.job.Key.Leader())
		}
		return nil
	})
}

func (c control) MakeHeads(ctx context.Context, floor int, mark string) error {
	return do(c, ctx, call{verb: "make-heads", n: floor}, func() error {
		if !c.sim.planted.headsUnmended {
			c.m.makeHeads(c.job, floor, mark)
		}
		return nil
	})
}

func (c control) Blobs(ctx context.Context) ([]string, map[string]string, error) {
	marks := map[string]string{}
	names, err := ask(c.w, ctx, call{verb: "blobs"}, func() (names []string, err error) {
		for _, key := range c.m.ofJob(c.job) {
			if !strings.HasPrefix(key, c.job.Key.Control("")) && !strings.HasSuffix(key, "}:head") {
				names = append(names, key)
				marks[protocol.HeadOf(key)] = c.m.headMark(protocol.HeadOf(key))
			}
		}
		return names, nil
	})
	return names, marks, err
}

func (c control) Sweep(ctx context.Context, names []string, marks map[string]string) error {
	return do(c, ctx, callOf("sweep", names), func() error {
		if c.sim.planted.sweptTwice {
			marks = nil
		}
		c.m.sweep(names, marks)
		return nil
	})
}

func (c control) Mark(ctx context.Context, s *protocol.State, mark string, nobody int64) error {
	now := *s
	return do(c, ctx, call{verb: "mark", key: now.Version()}, func() error { return c.m.mark(c.job, &now, mark, nobody) })
}

func (c control) Forget(ctx context.Context) error {
	return c.Discard(ctx, []string{c.job.Key.Spec()})
}
