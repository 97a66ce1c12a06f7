package records

import (
	"context"
	"sync/atomic"
	"time"
)

// Progress describes how far the worker of this process is. While it is behind, a leader need not ask about others. One
// goroutine sets it, and one waits.
type Progress struct {
	round atomic.Int64  // the last round that is over
	moved chan struct{} // 1: Set was called since somebody waited
}

// NewProgress returns the progress of a worker that has done nothing.
func NewProgress() *Progress { return &Progress{moved: make(chan struct{}, 1)} }

// Set notes the last round that is over.
func (p *Progress) Set(round int) {
	p.round.Store(int64(round))
	select {
	case p.moved <- struct{}{}:
	default:
	}
}

// Await waits until a round is over, but no longer than most.
func (p *Progress) Await(ctx context.Context, round int, most time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	for p.round.Load() < int64(round) {
		select {
		case <-p.moved:
		case <-ctx.Done():
			return
		}
	}
}
