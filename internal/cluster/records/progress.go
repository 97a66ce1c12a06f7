package records

import (
	"context"
	"sync"
	"time"
)

// Progress is how far the worker of this process is, for who waits for all workers: while this one is behind, others need not be
// asked about.
type Progress struct {
	mutex sync.Mutex
	round int
	moved chan struct{} // closed when it goes on; nil while nobody waits
}

// Set notes the last round that is over.
func (p *Progress) Set(round int) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if round > p.round && p.moved != nil {
		close(p.moved)
		p.moved = nil
	}
	p.round = round
}

// Await waits until a round is over, but no longer than most.
func (p *Progress) Await(ctx context.Context, round int, most time.Duration) {
	timer := time.NewTimer(most)
	defer timer.Stop()
	for {
		p.mutex.Lock()
		if p.round >= round {
			p.mutex.Unlock()
			return
		}
		if p.moved == nil {
			p.moved = make(chan struct{})
		}
		moved := p.moved
		p.mutex.Unlock()
		select {
		case <-moved:
		case <-timer.C:
			return
		case <-ctx.Done():
			return
		}
	}
}
