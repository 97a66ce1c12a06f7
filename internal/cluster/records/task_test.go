package records

import (
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/light"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// A task cuts words into the job's slices, and a part takes the rounds that its plan gives it.
func TestNewTask(t *testing.T) {
	before := light.BlockLimits
	light.BlockLimits.Docs = 20 // a small corpus has several parts then
	t.Cleanup(func() { light.BlockLimits = before })
	p := samplertest.RandomProblem(3, 100, 70, 24, 20)
	p.Tuning.Rounds = 4
	plan, err := sampler.PlanFor(light.Info, p)
	if err != nil {
		t.Fatal(err)
	}
	spans := plan.Cut(3)
	frequencies := make([]uint64, p.V)
	for _, w := range p.Words {
		frequencies[w]++
	}
	j := &Job{Blobs: Blobs{Layout: protocol.NewLayout("job", protocol.Spec{Topics: p.K, Slices: 3, Words: p.V})}}
	task := NewTask(j, plan, spans, frequencies)
	if len(task.Cut.Words) != 3 || !slices.Equal(task.Cut.Frequencies, frequencies) {
		t.Errorf("%d slices", len(task.Cut.Words))
	}
	skips := 0
	for part := range spans {
		for round := 1; round <= 12; round++ {
			step := sampler.Step{Iteration: (round-1)/4 + 1, Round: (round - 1) % 4}
			got, want := task.Takes(part, round), plan.Takes(spans[part], step)
			if got != want {
				t.Errorf("part %d, round %d: %v, want %v", part, round, got, want)
			}
			if !got {
				skips++
			}
		}
	}
	if skips == 0 {
		t.Error("every part has something to do in each round")
	}
	if end := task.Rounds.End(3); end != 12 {
		t.Errorf("three iterations end with round %d", end)
	}
}
