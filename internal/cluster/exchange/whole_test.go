package exchange

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// A model goes forwards only, no further back than the store has changes, and loses no changes of the solo part. In all
// other cases it is read again. The staleness is 2 and the last barrier that of round 10.
func TestModelReaches(t *testing.T) {
	one := []*localPart{{Part: &protocol.Part{Number: 4, Sent: 12}}}
	other := []*localPart{{Part: &protocol.Part{Number: 5, Sent: 12}}}
	for name, c := range map[string]struct {
		model   *rows.Model
		parts   []*localPart
		version int
		reaches bool
	}{
		"no model":                      {nil, one, 10, false},
		"it is there":                   {&rows.Model{Round: 10, Solo: -1}, one, 10, true},
		"it is behind":                  {&rows.Model{Round: 9, Solo: -1}, one, 11, true},
		"the oldest that goes on":       {&rows.Model{Round: 8, Solo: -1}, one, 10, true},
		"changes are gone":              {&rows.Model{Round: 7, Solo: -1}, one, 10, false},
		"it is too far":                 {&rows.Model{Round: 11, Solo: -1}, one, 10, false},
		"it has all that the part sent": {&rows.Model{Round: 10, Solo: 4, SoloRound: 12, SoloDense: 12}, one, 10, true},
		"the part began again":          {&rows.Model{Round: 10, Solo: 4, SoloRound: 13}, one, 10, false},
		"dense rows have more":          {&rows.Model{Round: 10, Solo: 4, SoloRound: 12, SoloDense: 13}, one, 10, false},
		"another part":                  {&rows.Model{Round: 10, Solo: 4, SoloRound: 10}, other, 10, false},
		"one part more":                 {&rows.Model{Round: 10, Solo: 4, SoloRound: 10}, slices.Concat(one, other), 10, false},
		"no part any more":              {&rows.Model{Round: 10, Solo: 4, SoloRound: 10}, nil, 10, false},
		"never a solo part":             {&rows.Model{Round: 10, Solo: -1}, slices.Concat(one, other), 10, true},
	} {
		x := &wholeRows{core: bare(protocol.Spec{Staleness: 2}, 1), model: c.model}
		x.parts = c.parts
		if got := x.reaches(&protocol.State{Round: 10}, c.version); got != c.reaches {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Changes with which the model never goes back are dropped: those of more rounds ago than the staleness.
func TestForget(t *testing.T) {
	x := &wholeRows{
		core: bare(protocol.Spec{Staleness: 2}, 1), model: &rows.Model{Round: 10},
		own: map[int]map[int][][]byte{}, fetches: map[int]*fetch{},
	}
	for round := 5; round <= 12; round++ {
		x.own[round], x.fetches[round] = map[int][][]byte{}, &fetch{}
	}
	x.forget()
	for name, rounds := range map[string][]int{
		"own": slices.Sorted(maps.Keys(x.own)), "others": slices.Sorted(maps.Keys(x.fetches)),
	} {
		if want := []int{8, 9, 10, 11, 12}; !slices.Equal(rounds, want) {
			t.Errorf("%s: changes of rounds %v are kept, want %v", name, rounds, want)
		}
	}
}

// Changes that cannot be those of the job's rows are told, and the model in which some slices have them is dropped.
func TestForeignChangesSpoilTheModel(t *testing.T) {
	smallBlocks(t)
	h := newHistory(t, warp1, samplertest.RandomProblem(3, 100, 70, 24, 20), 0, 2)
	j := newJob(t, connect(t), "job", h, form{threads: 1}, 0)
	j.join([][]int{{0}, {1, 2}})
	j.meet(0, 0)
	j.run(1, 1)
	rare := uint32(slices.IndexFunc(j.task.Cut.Frequencies, func(n uint64) bool { return n > 0 && 4*n < uint64(j.p.K) }))
	slice := int(j.task.Cut.Slice[rare])
	var e blob.Encoder
	e.Begin(nil, j.task.Job.BlobID(blob.Changes, 1, 1)(slice))
	e.Changes(rare, []counts.Change{{Topic: 0, Delta: -1000}})
	write := records.Write{Key: j.task.Job.Key.Changes(slice, 1, 1), Round: 1, Blob: e.Finish()}
	j.must(j.task.Job.Put(t.Context(), []records.Write{write}))
	w := j.workers[0]
	w.whole.fetches = map[int]*fetch{} // it had fetched what was there before
	if err := w.Fetch(t.Context(), &j.state, 1); err == nil || !strings.Contains(err.Error(), "would fall below zero") {
		t.Errorf("foreign changes: %v", err)
	}
	if w.whole.model != nil {
		t.Error("the model is kept")
	}
}

// A worker waits for the changes of others no longer than its session lasts.
func TestAwaitEndsWithTheSession(t *testing.T) {
	x := &wholeRows{core: bare(protocol.Spec{Lease: time.Minute}, 1)}
	ctx, cancel := context.WithCancel(t.Context())
	x.ctx = ctx
	cancel()
	if err := x.await(&fetch{done: make(chan struct{})}); !errors.Is(err, context.Canceled) {
		t.Errorf("it waits for nothing: %v", err)
	}
	here := &fetch{done: make(chan struct{})}
	close(here.done)
	if err := x.await(here); err != nil {
		t.Errorf("what is here is not taken: %v", err)
	}
}
