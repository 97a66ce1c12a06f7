package protocol_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/history"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

// mendedText returns what came of a mending.
func mendedText(o *protocol.Outcome) string {
	switch {
	case o.Others:
		return "sees that another worker has mended the job"
	case o.Created:
		return fmt.Sprintf("creates the job anew after iteration %d", o.State.Iteration)
	}
	return fmt.Sprintf("mends the job, which goes on after round %d", o.State.Round)
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
