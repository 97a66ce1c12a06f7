package serve

import (
	"context"
	"sync"
)

// budget is a number of bytes that many goroutines share.
type budget struct {
	mu    sync.Mutex
	free  int64
	freed chan struct{} // closed when bytes come back
}

func newBudget(bytes int64) *budget { return &budget{free: bytes, freed: make(chan struct{})} }

// take takes so many bytes, if there are.
func (b *budget) take(n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n > b.free {
		return false
	}
	b.free -= n
	return true
}

// wait takes so many bytes as soon as there are.
func (b *budget) wait(ctx context.Context, n int64) error {
	for {
		b.mu.Lock()
		if n <= b.free {
			b.free -= n
			b.mu.Unlock()
			return nil
		}
		freed := b.freed
		b.mu.Unlock()
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
