package device

import "github.com/topoi-lda/topoi/internal/lists"

// Conveyor passes loads, pieces of data that is larger than a device's memory, through a few slots on the
// device, in turn. The steps of a load are:
//
//	Board   the host prepares the load, once the slot's last load has landed
//	Send    copies to the slot                 in the slot's queue In
//	Work    kernels                            in its queue Work
//	Return  copies from the slot               in its queue Out
//	Land    the host takes what has returned   when the slot is needed again, or in Drain
//
// Send, Work and Return only queue work, so that one load's copies run at the same time as the work on others. R is a
// slot's room: buffers for the largest load. For loads that stay on the device only Work is done.
type Conveyor[R any] struct {
	device *Device
	arena  *Arena
	home   Lane // for loads that stay
	rested *Mark
	slots  []*slot[R]
	turn   int // slots used so far
}

// Lane holds the queues of a slot. They may be the same.
type Lane struct{ In, Work, Out *Queue }

// OneLane returns a lane with one queue for all steps.
func OneLane(q *Queue) Lane { return Lane{q, q, q} }

// Load has the steps of a load. Steps that are nil are skipped.
type Load[R any] struct {
	Home   *R // the load on the device, if it stays there; then only Work is called
	Board  func(room *R) error
	Send   func(room *R, q *Queue) error
	Work   func(room *R, q *Queue) error
	Return func(room *R, q *Queue) error
	Land   func(room *R) error
}

// slot is the room for a load, and the load in it.
type slot[R any] struct {
	room                  *R
	lane                  Lane
	arrived, worked, left *Mark // after the load's copy, its work, and the copy back
	land                  func(room *R) error
}

// NewConveyor returns a conveyor without slots, whose marks belong to an arena. Work on loads that stay is
// put into the queue home.
func NewConveyor[R any](a *Arena, home *Queue) *Conveyor[R] {
	return &Conveyor[R]{device: a.device, arena: a, home: OneLane(home), rested: a.Mark()}
}

// AddSlot adds a slot.
func (c *Conveyor[R]) AddSlot(room *R, lane Lane) {
	c.slots = append(c.slots,
		&slot[R]{room: room, lane: lane, arrived: c.arena.Mark(), worked: c.arena.Mark(), left: c.arena.Mark()})
}

// Rooms lists the slots' rooms.
func (c *Conveyor[R]) Rooms() []*R {
	return lists.Of(c.slots, func(s *slot[R]) *R { return s.room })
}

// Pass queues all steps of a load and returns.
func (c *Conveyor[R]) Pass(load Load[R]) error {
	if load.Home != nil {
		return c.device.Together(func() error {
			return inTurn(step(load.Work, load.Home, c.home.Work), func() error { return c.rested.Set(c.home.Work) })
		})
	}
	s := c.slots[c.turn%len(c.slots)]
	c.turn++
	if err := s.clear(); err != nil {
		return err
	}
	if load.Board != nil {
		if err := load.Board(s.room); err != nil {
			return err
		}
	}
	s.land = load.Land
	return c.device.Together(func() error { return s.carry(load) })
}

// carry queues the load's copies and work.
func (s *slot[R]) carry(load Load[R]) error {
	in, work, out := s.lane.In, s.lane.Work, s.lane.Out
	return inTurn(
		func() error { return in.After(s.left) },
		step(load.Send, s.room, in), func() error { return s.arrived.Set(in) },
		func() error { return work.After(s.arrived) },
		step(load.Work, s.room, work), func() error { return s.worked.Set(work) },
		func() error { return out.After(s.worked) },
		step(load.Return, s.room, out), func() error { return s.left.Set(out) },
	)
}

// clear waits for the load in the slot and calls its Land.
func (s *slot[R]) clear() error {
	land := s.land
	if land == nil {
		return nil
	}
	s.land = nil
	return inTurn(s.left.Wait, func() error { return land(s.room) })
}

// Drain lands all loads, in the order in which they were passed, and waits for the queues. If fault is not
// nil it drops the loads and returns fault.
func (c *Conveyor[R]) Drain(fault error) error {
	for i := range c.slots {
		s := c.slots[(c.turn+i)%len(c.slots)]
		if fault != nil {
			s.land = nil
			continue
		}
		fault = s.clear()
	}
	if err := c.Wait(); fault == nil {
		fault = err
	}
	return fault
}

// Before lets work that is put into q from now on wait for all loads that were passed.
func (c *Conveyor[R]) Before(q *Queue) error {
	err := q.After(c.rested)
	for _, s := range c.slots {
		if err == nil {
			err = q.After(s.left)
		}
	}
	return err
}

// Wait blocks until all loads have passed.
func (c *Conveyor[R]) Wait() error {
	err := c.home.Work.Wait()
	for _, s := range c.slots {
		if err == nil {
			err = inTurn(s.lane.In.Wait, s.lane.Work.Wait, s.lane.Out.Wait)
		}
	}
	return err
}

// step returns a step of a load as a function without arguments; a nil step does nothing.
func step[R any](do func(room *R, q *Queue) error, room *R, q *Queue) func() error {
	if do == nil {
		return func() error { return nil }
	}
	return func() error { return do(room, q) }
}

// inTurn calls functions one after the other up to the first error.
func inTurn(list ...func() error) error {
	for _, do := range list {
		if err := do(); err != nil {
			return err
		}
	}
	return nil
}
