package cluster

import (
	"testing"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/redistest"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/warp"
	"github.com/topoi-lda/topoi/internal/store"
)

// A worker that had a slice before may still publish its next version and delete the changes that led to
// it. The one that has the slice now goes on from there, and does not wait for those changes.
func TestSliceThatAnotherAdvanced(t *testing.T) {
	server := redistest.Start(t, redistest.Config{})
	st, err := store.Open(t.Context(), store.Options{URL: server.SocketURL()})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	spec := protocol.Spec{ID: 7, Protocol: protocol.Protocol, Parts: 1, Slices: 1, Topics: 1, Words: 1, Apart: true}
	job, err := protocol.Create(t.Context(), st, "advanced", spec, protocol.State{Round: -1}, nil, []uint64{1})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := sampler.PlanFor(warp.Info, &sampler.Problem{Offsets: []uint64{0, 1}, V: 1, K: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := newSession(WorkOptions{Job: job, Plan: plan, Spans: []sampler.Span{plan.Whole()}}, rows.NewCut([]uint64{1}, 1, 1))
	s.ctx = t.Context()
	k := &keeping{s: s, rounds: &protocol.Rounds{Plan: plan}, slices: map[int]*keptSlice{}}
	v := &view{state: &protocol.State{Round: 25, Until: 30}, slices: []int{0}}
	at := func(version int) {
		t.Helper()
		for range 2 { // the first may find out that the slice is to be taken up anew
			if _, err := k.step(v); err != nil {
				t.Fatal(err)
			}
		}
		if got := k.slices[0].version; got != version {
			t.Fatalf("the slice is at version %d, want %d", got, version)
		}
	}
	at(25)
	published := protocol.Write{Head: job.Key.Slice(0, "head"), Key: job.Key.Rows(0, 26), Round: 26, Blob: []byte("rows")}
	if err := job.Put(t.Context(), []protocol.Write{published}); err != nil {
		t.Fatal(err)
	}
	at(26)
}
