package device

// Conveyor carries loads, pieces of data that is larger than a device's memory, through a
// few slots there, in turn. A load is boarded, sent, worked on, returned and landed:
//
//	Board   the host makes the load ready, once the slot's last load has landed
//	Send    copies to the slot                 in the slot's queue In
//	Work    kernels                            in its queue Work
//	Return  copies from the slot               in its queue Out
//	Land    the host takes what has returned   when the slot is wanted again, or in Drain
//
// Send, Work and Return only put things into queues, so that one load's copies run beside
// the work on others. R is a slot's room: buffers for the largest load. Loads that stay on
// the device are only worked on.
type Conveyor[R any] struct {
	device *Device
	arena  *Arena
	home   Lane // of loads that stay
	rested *Mark
	slots  []*slot[R]
	turn   int // slots used so far
}

// Lane is the queues of a slot. They may be one.
type Lane struct{ In, Work, Out *Queue }

// OneLane does everything in one queue.
func OneLane(q *Queue) Lane { return Lane{q, q, q} }

// Load says what happens to a load. Steps that are nil are left out.
type Load[R any] struct {
	Home   *R // where the load stays, if it does: only Work happens
	Board  func(room *R) error
	Send   func(room *R, q *Queue) error
	Work   func(room *R, q *Queue) error
	Return func(room *R, q *Queue) error
	Land   func(room *R) error
}

// slot is room for a load, and the load in it.
type slot[R any] struct {
	room                  *R
	lane                  Lane
	arrived, worked, left *Mark // after the load's copy, its work, and the copy back
	land                  func(room *R) error
}

// NewConveyor makes a conveyor without slots, of which an arena owns everything. Loads
// that stay are worked on in a queue.
func NewConveyor[R any](a *Arena, home *Queue) *Conveyor[R] {
	return &Conveyor[R]{device: a.device, arena: a, home: OneLane(home), rested: a.Mark()}
}

// AddSlot adds a slot.
func (c *Conveyor[R]) AddSlot(room *R, lane Lane) {
	c.slots = append(c.slots, &slot[R]{room: room, lane: lane, arrived: c.arena.Mark(), worked: c.arena.Mark(), left: c.arena.Mark()})
}

// Rooms lists the slots' rooms.
func (c *Conveyor[R]) Rooms() []*R {
	var rooms []*R
	for _, s := range c.slots {
		rooms = append(rooms, s.room)
	}
	return rooms
}

// Pass carries a load: it returns as soon as everything is in queues.
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

// carry puts the load's copies and its work into queues.
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

// clear lands the load in the slot.
func (s *slot[R]) clear() error {
	land := s.land
	if land == nil {
		return nil
	}
	s.land = nil
	return inTurn(s.left.Wait, func() error { return land(s.room) })
}

// Drain lands all loads, those that were passed first before the others, or forgets them
// if there was a fault, which it returns. It waits for the queues.
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

// Before makes work put into a queue from now on wait for all loads that were passed.
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

// step is a step of a load, or nothing.
func step[R any](do func(room *R, q *Queue) error, room *R, q *Queue) func() error {
	if do == nil {
		return func() error { return nil }
	}
	return func() error { return do(room, q) }
}

// inTurn does one thing after the other up to the first fault.
func inTurn(list ...func() error) error {
	for _, do := range list {
		if err := do(); err != nil {
			return err
		}
	}
	return nil
}
