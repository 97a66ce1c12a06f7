package cvb

import (
	"context"
	"sync/atomic"

	"github.com/topoi-lda/topoi/internal/guard"
)

// parallel calls work(worker, task) once for every task 0 … tasks-1, on at most
// threads goroutines with worker numbers of their own. It returns ctx's error,
// with tasks left undone, when ctx ends.
func parallel(ctx context.Context, threads, tasks int, work func(worker, task int)) error {
	threads = max(1, min(threads, tasks))
	var next atomic.Int64
	take := func(worker int) {
		for ctx.Err() == nil {
			task := int(next.Add(1)) - 1
			if task >= tasks {
				return
			}
			work(worker, task)
		}
	}
	if threads == 1 {
		take(0)
		return ctx.Err()
	}
	var group guard.Group
	for worker := range threads {
		group.Go(func() { take(worker) })
	}
	group.Wait()
	return ctx.Err()
}
