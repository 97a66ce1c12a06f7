package exchange

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// A worker has its parts by number, whatever order they come in, and takes none whose words cannot be read.
func TestTakeInAnyOrder(t *testing.T) {
	smallBlocks(t)
	h := newHistory(t, warp1, samplertest.RandomProblem(3, 100, 70, 24, 20), 0, 1)
	j := newJob(t, connect(t), "job", h, form{threads: 1}, 0)
	j.join([][]int{{2, 0, 1}})
	w := j.workers[0]
	var numbers []int
	for _, p := range w.Exchange.parts {
		numbers = append(numbers, p.Number)
	}
	if !slices.Equal(numbers, []int{0, 1, 2}) {
		t.Errorf("parts %v", numbers)
	}
	j.must(w.Drop(w.parts[1]))
	fault := errors.New("no corpus")
	w.o.Words = func(int) ([]uint32, error) { return nil, fault }
	err := w.Take(t.Context(), &protocol.Part{Number: 0}, &j.state)
	if n := len(w.Exchange.parts); !errors.Is(err, fault) || n != 2 {
		t.Errorf("%d parts: %v", n, err)
	}
}

// With several rounds in an iteration, a round counts as its share of the part's tokens.
func TestTokensOfRounds(t *testing.T) {
	smallBlocks(t)
	h := newHistory(t, light4, samplertest.RandomProblem(3, 100, 70, 24, 20), 0, 2)
	j := newJob(t, connect(t), "job", h, form{threads: 1}, 0)
	j.join([][]int{{0, 1, 2}})
	j.meet(0, 0)
	j.run(1, 2)
	want := uint64(0)
	for part, span := range h.spans {
		for round := 1; round <= 2*h.per; round++ {
			if h.plan.Takes(span, h.rounds.Step(round)) {
				want += uint64(h.spans[part].Tokens() / h.per)
			}
		}
	}
	if r := j.workers[0].tally.Report(0, 0, 0); r.Tokens != want || r.Rounds != 2*h.per || r.Round != 2*h.per {
		t.Errorf("%d tokens in %d rounds up to round %d, want %d in %d", r.Tokens, r.Rounds, r.Round, want, 2*h.per)
	}
}

// The change sets of a part are those of its last rounds, as many as the staleness. The oldest is emptied for the next
// round.
func TestRecentChanges(t *testing.T) {
	p := &localPart{Part: &protocol.Part{}, recentTo: -1}
	for round := 4; round <= 8; round++ {
		own := p.next(3, round, 2, 5)
		if own.Blobs != nil || slices.Max(own.Totals) > 0 || !own.Places[0].Empty() {
			t.Errorf("round %d begins with %+v", round, own)
		}
		own.Blobs, own.Totals[0] = make([][]byte, round), uint64(round)
	}
	var rounds []int
	for _, own := range p.recent {
		rounds = append(rounds, len(own.Blobs))
	}
	if !slices.Equal(rounds, []int{6, 7, 8}) || p.recentTo != 8 {
		t.Errorf("changes of rounds %v, up to %d", rounds, p.recentTo)
	}
}

// Changes that are on their way are awaited before they are read again, and a session that ends meanwhile says why.
func TestRecallAfterTheSession(t *testing.T) {
	x := bare(protocol.Spec{Staleness: 2}, 1)
	x.ctx, x.cancel = context.WithCancelCause(t.Context())
	fault := errors.New("the session ends")
	x.cancel(fault)
	p := &localPart{Part: &protocol.Part{Round: 5}, recentTo: 4}
	if err := x.recall(p); !errors.Is(err, fault) {
		t.Errorf("changes are read again: %v", err)
	}
	p.recentTo = 5
	if err := x.recall(p); err != nil {
		t.Errorf("changes that are there are read again: %v", err)
	}
}

// A slice that another worker has now takes no memory.
func TestLoseSlice(t *testing.T) {
	x := &apartRows{made: []madeSlice{{3, []byte("a")}, {4, []byte("b")}}}
	if x.loseSlice(1); x.made[1].rows != nil || x.made[0].rows == nil {
		t.Errorf("%+v", x.made)
	}
}
