package protocol_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

// mostVain is how often a worker mends a job without getting further.
const mostVain = 5

// work is a worker from its start to its end.
func (x *simulation) work(p *process) error {
	vain, furthest := 0, -2
	job := x.present()
	if job == nil {
		x.orphaned = true
		return errors.New("there is no such job")
	}
	var known *protocol.State
	for {
		l, err := x.session(p, job)
		if err != nil {
			x.note(p, "ends its session: %v", err)
		}
		if s := l.View().State; s != nil {
			known = s
		}
		switch {
		case err == nil:
			return nil
		case errors.Is(err, protocol.ErrLost):
			x.lapsed = true
			if job = x.present(); job == nil {
				if err = x.vanished(control{x.world, x.m, x.layout(0), x}); errors.Is(err, protocol.ErrLost) {
					job = x.present()
				}
			} else {
				err = nil
			}
			if (err == nil || errors.Is(err, protocol.ErrLost)) && job != nil {
				continue
			}
			job = x.layout(0)
		}
		if !errors.Is(err, protocol.ErrGone) {
			return err
		}
		if vain++; vain > mostVain {
			return fmt.Errorf("%w, after the job was mended %d times", err, mostVain)
		}
		done, now, err := x.mend(p, job, known, l.Mended)
		if err != nil {
			x.note(p, "cannot mend the job: %v", err)
			return err
		}
		x.note(p, "%s", mendedText(done))
		if done.State.Round > furthest {
			furthest, vain = done.State.Round, 0
		}
		job = now
	}
}

// vanished waits for others to put back a job that is not there.
func (x *simulation) vanished(c control) error {
	for pause := protocol.PauseBy(x.world); pause.Waited() < 2*simulatedLease; {
		if removed, _, err := c.Removed(context.Background()); err != nil || removed {
			return cmpErr(err, c.job.Cancelled())
		}
		if x.present() != nil {
			return protocol.ErrLost
		}
		if err := pause.Wait(context.Background()); err != nil {
			return err
		}
	}
	return protocol.Missing(c.job.Key.Spec())
}

// session is a worker from joining to leaving or losing its lease.
func (x *simulation) session(p *process, job *protocol.Layout) (*protocol.Lease, error) {
	ctx, cancel := context.WithCancelCause(context.Background())
	c := control{x.world, x.m, job, x}
	x.tokens++
	x.places[x.tokens] = p.place
	lease := protocol.NewLease(x.tokens, job, c, x.world)
	lease.Report = func() string { return "{}" }
	h := &hands{
		control: c, ctx: ctx, cancel: cancel, steps: x.steps,
		topics: map[*protocol.Part]uint64{}, before: map[*protocol.Part]uint64{},
	}
	led, running := false, 0
	beside := func(work func() error) {
		running++
		p.goes(func() {
			defer func() { running-- }()
			if err := work(); err != nil && ctx.Err() == nil {
				cancel(err)
			}
		})
	}
	lease.Leads = func(s *protocol.State) {
		beside(func() error {
			defer func() { led = true }()
			return x.lead(ctx, h, lease, s)
		})
	}
	if err := lease.Join(ctx); err != nil {
		if errors.Is(err, protocol.ErrMissing) {
			return lease, x.vanished(c)
		}
		return lease, err
	}
	w := protocol.NewWorker(lease, x.steps, h)
	w.Tell, w.Idle = func(string, ...any) {}, func(time.Duration) {}
	h.worker = w
	beside(func() error { return lease.Beats(ctx) })
	if job.Apart {
		beside(func() error {
			return (&protocol.Owner{Worker: w, Make: h.make, Lose: func(int) {}, Each: oneByOne}).Work(ctx)
		})
	}
	err := w.Work(ctx)
	for err == nil && lease.Led() && !led {
		x.sleep(time.Millisecond)
		err = context.Cause(ctx)
	}
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	err = x.judge(c, lease, err)
	cancel(cmpErr(err, errDone))
	for running > 0 {
		x.sleep(time.Millisecond)
	}
	lease.Leave(context.Background())
	return lease, err
}

// judge returns what a session that ended with an error is to be followed by.
func (x *simulation) judge(c control, l *protocol.Lease, err error) error {
	if !errors.Is(err, protocol.ErrGone) && !errors.Is(err, protocol.ErrLost) {
		return err
	}
	removed, there, fault := c.Removed(context.Background())
	switch {
	case fault != nil:
		return fault
	case removed:
		return c.job.Cancelled()
	case !there && l.Away() && !errors.Is(err, protocol.ErrLost):
		return x.vanished(c)
	}
	return err
}

// oneByOne is for protocol.Owner.
func oneByOne(n int, f func(i int)) {
	for i := range n {
		f(i)
	}
}

// lead does the work of the training loop.
func (x *simulation) lead(ctx context.Context, h *hands, lease *protocol.Lease, s *protocol.State) error {
	l := &protocol.Leader{
		Token: lease.Token, Job: h.job, Control: h.control, Clock: x.world, Rounds: x.steps.Rounds, State: *s,
		Tell: func(string, ...any) {}, Own: func(context.Context, int, time.Duration) { x.sleep(5 * time.Millisecond) },
	}
	err := x.train(ctx, h, l)
	if err == nil {
		lease.Complete(&l.State)
	}
	if errors.Is(err, protocol.ErrGone) && ctx.Err() == nil {
		err = l.MayMiss(ctx, err)
	}
	return err
}

func (x *simulation) train(ctx context.Context, h *hands, l *protocol.Leader) error {
	if err := l.Start(ctx, 200*time.Millisecond); err != nil {
		return err
	}
	priors := readPriors(&l.State.Priors)
	for iteration := l.State.Since + 1; iteration <= x.form.iterations; iteration++ {
		if iteration == l.State.Since+1 {
			l.Open(x.after2)
			setPriors(&l.State, priors)
			if err := l.Publish(ctx); err != nil {
				return err
			}
		}
		if err := l.Sweep(ctx, iteration); err != nil {
			return err
		}
		if iteration != l.State.Since {
			continue
		}
		if err := x.estimate(h, l, &priors); err != nil {
			return err
		}
		if err := x.save(h, l, priors); err != nil {
			return err
		}
	}
	if l.State.Iteration != x.form.iterations {
		x.violate("training ends after iteration %d, which is no barrier", x.form.iterations)
	}
	l.State.Finished, l.State.Until = true, l.State.Iteration
	return l.Publish(ctx)
}

// estimate reads what priors are estimated from where workers met.
func (x *simulation) estimate(h *hands, l *protocol.Leader, priors *uint64) error {
	if !l.State.Histograms {
		return nil
	}
	var names []string
	for part := range h.job.Parts {
		names = append(names, h.job.Key.Histograms(part, x.steps.Rounds.End(l.State.Since)))
	}
	list, err := h.fetch(names...)
	if err != nil {
		return err
	}
	sum := uint64(0)
	for _, v := range list {
		sum += v
	}
	*priors = mix(5, uint64(l.State.Since), sum)
	return nil
}

// save writes a checkpoint at a barrier.
func (x *simulation) save(h *hands, l *protocol.Leader, priors uint64) error {
	if !x.form.checkpoint || l.State.Since != l.State.Iteration {
		return nil
	}
	cp := &saved{iteration: l.State.Iteration, late: map[string]uint64{}, priors: priors}
	for part := range h.job.Parts {
		list, err := h.fetch(x.path(h.job.TopicsKey(part, l.State.Round)))
		if err != nil {
			return err
		}
		cp.topics = append(cp.topics, list...)
	}
	for _, key := range h.job.LateKeys(&l.State, x.steps.Takes) {
		list, err := h.fetch(key)
		if err != nil {
			return err
		}
		cp.late[key] = list[0]
	}
	x.checkpoint = cp
	return nil
}
