package cluster

import (
	"errors"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/disks"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/guard"
)

// Where topics are on workers' disks, another worker than the one that has a part has a copy of its topics, on another disk: that
// is an office, c7, as a part and a slice are. A barrier is complete when all copies of it are there too.

// bring sees to it that the topics with which a part begins are on this worker's disk.
func (s *session) bring(part int, state *protocol.State) error {
	j := s.o.Job
	if !j.Disks || state.Round < 0 {
		return nil
	}
	e := &disks.Errand{Job: j, Part: part, Round: state.Round, Patience: disks.Patience(j)}
	e.Wanted = func() bool { return s.view().version == state.Version() && slices.Contains(s.view().parts, part) }
	err := e.Bring(s.ctx)
	if errors.Is(err, disks.ErrUnwanted) {
		return errBehind
	}
	return err
}

// onDisk says that topics have been written.
func (s *session) onDisk() {
	if s.o.Disk != nil {
		s.o.Disk.Wrote()
	}
}

// copying is the copies of others' topics that a worker has or fetches.
type copying struct {
	s      *session
	rounds *protocol.Rounds
	slots  chan struct{} // of those that are being fetched

	mutex sync.Mutex
	begun map[copied]bool // true: it is there
}

// copied is the copy of a part's topics at a barrier.
type copied struct{ part, round int }

// mostCopies bounds the copies that a worker fetches at the same time.
const mostCopies = 2

// copies keeps copies until the session ends, and this worker's disk free of what is older than the last barrier. It is one
// of the session's goroutines.
func (s *session) copies() {
	c := &copying{s: s, rounds: &protocol.Rounds{Plan: s.o.Plan}, slots: make(chan struct{}, mostCopies), begun: map[copied]bool{}}
	ticker := time.NewTicker(s.o.Job.Lease)
	defer ticker.Stop()
	cleaned := -1
	for {
		v := s.view()
		if v.state != nil && v.state.Round > cleaned {
			cleaned = v.state.Round
			if err := s.o.Job.CleanState(cleaned); err != nil {
				s.cancel(err)
				return
			}
		}
		c.step(v)
		select {
		case <-s.looked:
		case <-ticker.C:
			if err := c.remind(); err != nil {
				s.cancel(err)
				return
			}
		case <-s.ctx.Done():
			return
		}
	}
}

// step begins to fetch what this worker is to have and has not: copies of the last barrier, which somebody had who
// is gone, and of the next, as soon as they are there.
func (c *copying) step(v *view) {
	if v.state == nil {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for x := range c.begun {
		if !c.wanted(v, x) {
			delete(c.begun, x)
		}
	}
	for _, part := range v.copies {
		for _, round := range []int{v.state.Round, c.rounds.End(v.state.Until)} {
			x := copied{part, round}
			if _, ok := c.begun[x]; ok || round < 0 {
				continue
			}
			c.begun[x] = false
			c.s.group.Go(func() { guard.Alone(func() { c.fetch(x) }) })
		}
	}
}

// wanted says whether a copy is still this worker's to keep.
func (c *copying) wanted(v *view, x copied) bool {
	return slices.Contains(v.copies, x.part) && v.state != nil && v.state.Round <= x.round
}

// fetch fetches a copy, however long it takes until it is there or not wanted any more, and says so.
func (c *copying) fetch(x copied) {
	s := c.s
	e := &disks.Errand{Job: s.o.Job, Part: x.part, Round: x.round, Slots: c.slots}
	e.Wanted = func() bool { return c.wanted(s.view(), x) }
	err := e.Bring(s.ctx)
	if err == nil {
		s.onDisk() // others may want it
		err = s.reach("c", x.part, "c", x.round)
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	switch _, ok := c.begun[x]; {
	case errors.Is(err, disks.ErrUnwanted):
		delete(c.begun, x)
	case err != nil && s.ctx.Err() == nil:
		s.cancel(err)
	case ok:
		c.begun[x] = true
	}
}

// remind notes again which copies are there, and forgets those whose files are gone.
func (c *copying) remind() error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for x, there := range c.begun {
		if !there {
			continue
		}
		if _, err := os.Stat(c.s.o.Job.TopicsKey(x.part, x.round)); err != nil {
			delete(c.begun, x)
			continue
		}
		if err := c.s.reach("c", x.part, "c", x.round); err != nil {
			return err
		}
	}
	return nil
}
