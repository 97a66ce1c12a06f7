package protocol

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/topoi-lda/topoi/internal/sampler"
)

// rule is a number of rounds by iteration.
type rule func(iteration int) int

func (r rule) Rounds(iteration int) int { return r(iteration) }

// Rounds are numbered one after the other, whatever was asked before.
func TestRounds(t *testing.T) {
	eightThenOne := rule(func(iteration int) int {
		if iteration <= 10 {
			return 8
		}
		return 1
	})
	var want []sampler.Step
	for iteration := 1; iteration <= 15; iteration++ {
		for r := range eightThenOne(iteration) {
			want = append(want, sampler.Step{Iteration: iteration, Round: r})
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		r := &Rounds{Plan: eightThenOne}
		for range 5 {
			n := rapid.IntRange(1, len(want)).Draw(t, "round")
			if got := r.Step(n); got != want[n-1] {
				t.Fatalf("round %d is %v, want %v", n, got, want[n-1])
			}
			iteration := rapid.IntRange(0, 15).Draw(t, "iteration")
			if got, want := r.End(iteration), min(8*iteration, 70+iteration); got != want {
				t.Fatalf("iteration %d ends with round %d, want %d", iteration, got, want)
			}
		}
	})
}
