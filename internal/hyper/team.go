package hyper

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/topoi-lda/topoi/internal/guard"
)

// step is work that goroutines share: calls of f with 0, …, n-1, of which each takes some at a time.
type step struct {
	n, run     int
	f          func(k int)
	next, done atomic.Int64
}

// take works until nothing is left to take.
func (s *step) take() {
	for {
		last := int(s.next.Add(int64(s.run)))
		first := last - s.run
		if last = min(last, s.n); first >= s.n {
			return
		}
		for k := first; k < last; k++ {
			s.f(k)
		}
		s.done.Add(int64(last - first))
	}
}

// team does steps. It calls meanwhile beside the step.
type team interface {
	do(s *step, meanwhile func())
}

// goroutines is a team of so many goroutines, which begin and end with a step.
type goroutines int

func (g goroutines) do(s *step, meanwhile func()) {
	var group sync.WaitGroup
	for range min(int(g), s.n/s.run) - 1 {
		group.Go(s.take)
	}
	meanwhile()
	s.take()
	group.Wait()
}

// each does a step without a team.
func each(n, threads int, f func(k int)) {
	goroutines(threads).do(&step{n: n, run: topicsAtOnce, f: f}, func() {})
}

// topicsAtOnce is how many topics a goroutine takes at a time: some microseconds.
const topicsAtOnce = 8

// crew is a team that stays awake between steps. While a GPU waits for steps of less than a millisecond, waking
// goroutines for each of them would take longer than the steps.
type crew struct {
	now   atomic.Pointer[step]
	ended atomic.Bool
}

func newCrew(threads int) *crew {
	c := &crew{}
	for range threads - 1 {
		guard.Go(c.work)
	}
	return c
}

func (c *crew) work() {
	var last *step
	for i := 1; !c.ended.Load(); i++ {
		if s := c.now.Load(); s != last {
			s.take()
			last = s
		} else if i%64 == 0 {
			runtime.Gosched()
		}
	}
}

func (c *crew) do(s *step, meanwhile func()) {
	c.now.Store(s)
	meanwhile()
	for s.take(); int(s.done.Load()) < s.n; {
		runtime.Gosched()
	}
}

// end lets the goroutines go.
func (c *crew) end() { c.ended.Store(true) }
