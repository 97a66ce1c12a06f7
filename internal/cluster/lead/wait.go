package lead

import (
	"context"
	"maps"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/offices"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

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
		l.o.Own.Await(ctx, round, l.job.Lease/8)
		s, err := offices.Look(ctx, l.job, l.token)
		if err != nil {
			return err
		}
		if barrier && !maps.Equal(last, s.Reached) { // all others wait for the leader then, and the rest may come soon
			last, pause = s.Reached, protocol.NewPause()
		}
		begun := len(s.Owners) > 0
		if changes := s.Assign(l.job, false); len(changes) > 0 {
			if len(s.Alive) > 0 && begun {
				l.o.Tell("%d parts and slices go to other workers", len(changes)/2)
			}
			j := l.job
			if _, err := j.Ask(ctx, protocol.ScriptAssign, []string{j.Key.Leader(), j.Key.Owners()}, append([]string{l.token}, changes...)...); err != nil {
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
