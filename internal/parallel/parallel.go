// Package parallel spreads tasks over goroutines.
package parallel

import (
	"context"
	"sync/atomic"

	"github.com/topoi-lda/topoi/internal/guard"
)

// Do calls work(worker, task) once for every task 0 … tasks-1 on at most threads goroutines, each with its own worker
// number below threads. Which worker gets which task depends on timing: work may use the worker number for scratch
// memory, never for anything that reaches the result. It returns early, with ctx's error and tasks left undone, when
// ctx ends.
func Do(ctx context.Context, threads, tasks int, work func(worker, task int)) error {
	threads = Workers(threads, tasks)
	if threads == 1 {
		for task := range tasks {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			work(0, task)
		}
		return nil
	}
	var next atomic.Int64
	var group guard.Group
	for worker := range threads {
		group.Go(func() {
			for ctx.Err() == nil {
				task := int(next.Add(1)) - 1
				if task >= tasks {
					return
				}
				work(worker, task)
			}
		})
	}
	group.Wait()
	return ctx.Err()
}

// Workers returns how many goroutines Do uses for the given number of tasks.
func Workers(threads, tasks int) int { return max(1, min(threads, tasks)) }

// Each calls work(0), …, work(n-1), each on a goroutine of its own.
func Each(n int, work func(i int)) {
	var group guard.Group
	for i := range n {
		group.Go(func() { work(i) })
	}
	group.Wait()
}

// Runs calls f with runs of the numbers 0 … n-1, from several goroutines.
func Runs(threads, n int, f func(first, last int)) {
	const run = 1 << 16
	_ = Do(context.Background(), threads, (n+run-1)/run, func(_, i int) { f(i*run, min(n, (i+1)*run)) })
}
