package training

import (
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cluster"
)

// A worker whose parts take it longer than others' take theirs is marked; those
// who wait for it are not.
func TestShowStatus(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	report := func(name string, sampling, waiting time.Duration) cluster.Report {
		return cluster.Report{
			Name: name, Device: "cpu", Threads: 8, Parts: 1, Round: 30, Tokens: 300e6,
			Sampling: sampling, Waiting: waiting, Busy: 60 * time.Second, Sent: 360e6, Received: 1020e6,
			Rounds: 30, Memory: 2e9, Slices: 5,
		}
	}
	heldout := -8.5
	s := &cluster.Status{
		Name: "news", Sampler: "warp", Topics: 1000, Tokens: 20e6, Parts: 3, Slices: 15, Apart: true, Staleness: 1, Submitted: now.Add(-90 * time.Second),
		Iteration: 30, Iterations: 500, Rounds: []int{31, 33, 32},
		History: []topoi.Score{{Iteration: 30, LogLikelihood: -9.25, Heldout: &heldout}},
		Workers: []cluster.Worker{
			{Report: report("a", 30*time.Second, 24*time.Second), Has: []int{0}, Leads: true},
			{Report: report("b", 54*time.Second, 0), Has: []int{1}},
			{Report: report("c", 31*time.Second, 24*time.Second), Has: []int{2}, WaitsFor: []string{"b"}},
		},
		Store: []cluster.Node{{Address: "x", Used: 1e9, Most: 4e9}, {Address: "y", Used: 2e9, Most: 4e9}},
	}
	var b strings.Builder
	if err := showStatus(&b, s, now); err != nil {
		t.Fatal(err)
	}
	want := `job news: warp, 1,000 topics, 20,000,000 tokens, 3 parts, staleness 1; submitted 1 min 30 s ago
layout: rows=apart,parts=3,slices=15,topics=store,corpus=path
iteration 30 of at most 500, log-likelihood -9.2500, held-out -8.5000 nats/token after 30; parts have done 31 to 33 rounds

worker  device  threads  parts  slices  round  tokens/s  memory   sent/round  received/round  waiting  
a       cpu     8        1      5       30     5.00 M    2.00 GB  12.0 MB     34.0 MB         40 %     leads
b       cpu     8        1      5       30     5.00 M    2.00 GB  12.0 MB     34.0 MB         0 %      slow
c       cpu     8        1      5       30     5.00 M    2.00 GB  12.0 MB     34.0 MB         40 %     waits for b
3 workers, 15.0 M tokens/s together
store: 3.00 GB in use on 2 nodes, of at most 8.00 GB
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// The time left follows from the pace since the first look.
func TestTimeLeft(t *testing.T) {
	var left timeLeft
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s := &cluster.Status{Iteration: 10, Iterations: 100}
	if _, ok := left.see(s, now); ok {
		t.Error("nobody can know at the first look")
	}
	s.Iteration = 40
	if d, ok := left.see(s, now.Add(time.Minute)); !ok || d != 2*time.Minute {
		t.Errorf("%v, %v", d, ok)
	}
}
