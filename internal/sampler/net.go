package sampler

import (
	"slices"
	"sync"

	"github.com/topoi-lda/topoi/internal/counts"
)

// net sums the moves of one word's tokens from topic to topic.
type net struct {
	delta   []int32         // K, zero at rest
	touched []uint32        // topics met, with repetitions
	changes []counts.Change // what take returned
}

// move takes a token from topic old to topic new.
func (n *net) move(old, new uint32) {
	if old == new {
		return
	}
	n.delta[old]--
	n.delta[new]++
	n.touched = append(n.touched, old, new)
}

// take returns the sums that are not zero in increasing topic order, valid until
// the next call, and begins anew.
func (n *net) take() []counts.Change {
	n.changes = n.changes[:0]
	for _, k := range n.touched {
		if d := n.delta[k]; d != 0 {
			n.changes = append(n.changes, counts.Change{Topic: k, Delta: d})
			n.delta[k] = 0
		}
	}
	n.touched = n.touched[:0]
	slices.SortFunc(n.changes, func(a, b counts.Change) int { return int(a.Topic) - int(b.Topic) })
	return n.changes
}

// netPool keeps nets for goroutines that need one for a while.
type netPool struct{ sync.Pool }

func (p *netPool) get(k int) *net {
	if n, ok := p.Get().(*net); ok {
		return n
	}
	return &net{delta: make([]int32, k)}
}

func (p *netPool) put(n *net) { p.Put(n) }
