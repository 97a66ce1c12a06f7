package cluster

import (
	"sort"

	"github.com/topoi-lda/topoi/internal/sampler"
)

// rounds numbers the rounds of a job from 1, iteration after iteration. Round
// number end(t) is the last one of iteration t; a job that begins after
// iteration t has its first barrier there.
type rounds struct {
	plan interface{ Rounds(iteration int) int }
	ends []int // ends[t] is end(t), as far as it was needed
}

// end returns the number of rounds up to and with an iteration.
func (r *rounds) end(iteration int) int {
	if len(r.ends) == 0 {
		r.ends = append(r.ends, 0)
	}
	for t := len(r.ends); t <= iteration; t++ {
		r.ends = append(r.ends, r.ends[t-1]+r.plan.Rounds(t))
	}
	return r.ends[iteration]
}

// step returns the iteration that a round belongs to and its place there.
func (r *rounds) step(round int) sampler.Step {
	for t := len(r.ends); r.end(max(0, t-1)) < round; t++ {
		r.end(t)
	}
	t := sort.SearchInts(r.ends, round)
	return sampler.Step{Iteration: t, Round: round - r.ends[t-1] - 1}
}
