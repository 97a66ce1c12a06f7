package protocol

import (
	"sort"
	"sync"

	"github.com/topoi-lda/topoi/internal/sampler"
)

// Rounds numbers the rounds of a job from 1. Round End(t) is the last of iteration t; a job that begins after
// iteration t has its first barrier there. Its methods may be called from any goroutine.
type Rounds struct {
	Plan interface{ Rounds(iteration int) int } // how many each iteration has

	mutex sync.Mutex
	ends  []int // ends[t] is End(t), as far as it was needed
}

// End returns the number of rounds up to the end of an iteration.
func (r *Rounds) End(iteration int) int {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.end(iteration)
}

func (r *Rounds) end(iteration int) int {
	if len(r.ends) == 0 {
		r.ends = append(r.ends, 0)
	}
	for t := len(r.ends); t <= iteration; t++ {
		r.ends = append(r.ends, r.ends[t-1]+r.Plan.Rounds(t))
	}
	return r.ends[iteration]
}

// Step returns the iteration that a round belongs to and its place there.
func (r *Rounds) Step(round int) sampler.Step {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for t := len(r.ends); r.end(max(0, t-1)) < round; t++ {
		r.end(t)
	}
	t := sort.SearchInts(r.ends, round)
	return sampler.Step{Iteration: t, Round: round - r.ends[t-1] - 1}
}
