// Package conveyor does work with many goroutines and hands on the results in order.
package conveyor

import (
	"context"
	"io"
	"sync"
	"time"

	"github.com/topoi-lda/topoi/internal/guard"
)

// Conveyor runs jobs through three steps: Fill, one at a time and in order; Work, many at once; Drain, one at a time
// and in the order of Fill. So what Drain sees does not depend on the number of threads, and memory is bounded by the
// jobs given.
type Conveyor[T any] struct {
	Threads int
	Jobs    []T                           // recycled; more than threads keeps everyone busy
	Fill    func(job T) error             // io.EOF ends the run; the job is then not used
	Work    func(worker int, job T) error // worker is 0, …, threads-1
	Drain   func(job T) error             // sees jobs in the order of fill
	Abandon func()                        // optional: called after a failed run when fill has returned
}

// slot is a job on its way; ready is closed when work is over or failed.
type slot[T any] struct {
	job   T
	err   error
	ready chan struct{}
}

// Run returns nil after io.EOF, or the error that comes first in the order of jobs. When ctx ends it returns soon,
// even if fill is still waiting for input: fill's goroutine then ends by itself as soon as fill returns.
func (c *Conveyor[T]) Run(parent context.Context) error {
	ctx, cancel := context.WithCancel(parent)
	free := make(chan T, len(c.Jobs))
	for _, job := range c.Jobs {
		free <- job
	}
	todo := make(chan *slot[T], len(c.Jobs))
	queue := make(chan *slot[T], len(c.Jobs)+1)
	filled := make(chan struct{})
	guard.Go(func() {
		defer close(filled)
		c.fillAll(ctx, free, todo, queue)
	})
	var workers sync.WaitGroup
	for i := range c.Threads {
		workers.Go(func() { guard.Alone(func() { c.workAll(ctx, i, todo) }) })
	}
	err := c.drainAll(ctx, free, queue)
	cancel()
	workers.Wait()
	c.settle(err, filled)
	return err
}

// patience is how long a failed run waits for fill to return. Only a source
// that waits for input itself, such as a terminal, takes longer.
const patience = time.Second

// settle waits for the end of fill. A failed run that can be abandoned does not
// wait for ever: abandon is then called in the background.
func (c *Conveyor[T]) settle(err error, filled <-chan struct{}) {
	if err == nil || c.Abandon == nil {
		<-filled
		return
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-filled:
		c.Abandon()
	case <-timer.C:
		guard.Go(func() {
			<-filled
			c.Abandon()
		})
	}
}

func (c *Conveyor[T]) fillAll(ctx context.Context, free chan T, todo, queue chan *slot[T]) {
	defer close(queue)
	for ctx.Err() == nil {
		var s *slot[T]
		select {
		case job := <-free:
			s = &slot[T]{job: job, ready: make(chan struct{})}
		case <-ctx.Done():
			return
		}
		s.err = guard.Try(func() error { return c.Fill(s.job) })
		if s.err == io.EOF { // unwrapped, as io.Reader has it: a wrapped one is a fault
			return
		}
		queue <- s // never blocks: there is room for every job
		if s.err != nil {
			close(s.ready)
			return
		}
		todo <- s
	}
}

func (c *Conveyor[T]) workAll(ctx context.Context, worker int, todo chan *slot[T]) {
	for {
		select {
		case s := <-todo:
			s.err = guard.Try(func() error { return c.Work(worker, s.job) })
			close(s.ready)
		case <-ctx.Done():
			return
		}
	}
}

func (c *Conveyor[T]) drainAll(ctx context.Context, free chan T, queue chan *slot[T]) error {
	for {
		var s *slot[T]
		var more bool
		select {
		case s, more = <-queue:
		case <-ctx.Done():
			return ctx.Err()
		}
		if !more {
			return ctx.Err()
		}
		select {
		case <-s.ready:
		case <-ctx.Done():
			return ctx.Err()
		}
		if s.err != nil {
			return s.err
		}
		if err := c.Drain(s.job); err != nil {
			return err
		}
		free <- s.job
	}
}
