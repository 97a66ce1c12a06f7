package serve

import (
	"context"
	"sync"
)

// budget is a number of bytes shared by many goroutines.
type budget struct {
	mu    sync.Mutex
	free  int64
	freed chan struct{} // closed when bytes are released
}

func newBudget(bytes int64) *budget { return &budget{free: bytes, freed: make(chan struct{})} }

// take takes n bytes and reports whether there were enough.
func (b *budget) take(n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n > b.free {
		return false
	}
	b.free -= n
	return true
}

// wait takes n bytes as soon as there are enough.
func (b *budget) wait(ctx context.Context, n int64) error {
	for {
		b.mu.Lock()
		freed := b.freed
		b.mu.Unlock()
		if b.take(n) {
			return nil
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// release gives bytes back.
func (b *budget) release(n int64) {
	if n == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free += n
	close(b.freed)
	b.freed = make(chan struct{})
}
