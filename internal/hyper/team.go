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
	beside     func() // called once beside the rest; may be nil
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

// team does steps by goroutines, which begin and end with a step unless they are awake.
type team struct {
	threads int
	awake   atomic.Bool
	now     atomic.Pointer[step]
}

// wake keeps goroutines awake between steps, until rest. While a GPU waits for steps of less than a millisecond,
// waking goroutines for each of them would take longer than the steps.
func (t *team) wake() {
	t.awake.Store(true)
	for range t.threads - 1 {
		guard.Go(func() {
			var last *step
			for i := 1; t.awake.Load(); i++ {
				if s := t.now.Load(); s != last {
					s.take()
					last = s
				} else if i%64 == 0 {
					runtime.Gosched()
				}
			}
		})
	}
}

func (t *team) rest() { t.awake.Store(false) }

func (t *team) do(s *step) {
	var group sync.WaitGroup
	if t.now.Store(s); !t.awake.Load() {
		for range min(t.threads, s.n/s.run) - 1 {
			group.Go(s.take)
		}
	}
	if s.beside != nil {
		s.beside()
	}
	s.take()
	for group.Wait(); int(s.done.Load()) < s.n; {
		runtime.Gosched()
	}
}

// topicsAtOnce is how many topics a goroutine takes at a time: some microseconds.
const topicsAtOnce = 8

// each calls f for 0, …, n-1.
func each(n, threads int, f func(k int)) {
	(&team{threads: threads}).do(&step{n: n, run: topicsAtOnce, f: f})
}
