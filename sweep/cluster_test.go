package sweep

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/cluster"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/redistest"
	"github.com/topoi-lda/topoi/train"
)

// Runs by workers of a cluster, one of which leaves and one of which comes, give the tables of
// a sweep here.
func TestRunsByACluster(t *testing.T) {
	server := redistest.Start(t, redistest.Config{})
	c, here := small(t)
	o := smallOptions()
	o.Train.Sampler = "batch" // "auto" chooses among others here
	do(t, here, c, o, false)

	_, dir := small(t)
	where := cluster.Job{Store: server.URL(), Name: "small", Program: "test"}
	o.Cluster = &Cluster{Where: where, Lease: time.Second, AtOnce: 3, Poll: 20 * time.Millisecond}
	work := func(ctx context.Context) error {
		return Work(ctx, where, cluster.WorkOptions{Threads: 1, Device: "cpu"}, func(cluster.Job) (*corpus.Corpus, error) { return corpus.Open(Dir(dir).Corpus()) })
	}
	leaving, leave := context.WithCancel(t.Context())
	ended := make(chan error, 2)
	go func() { ended <- work(leaving) }()
	runs := 0
	o.Events.Done = func(RunInfo) {
		if runs++; runs == 2 {
			leave()
			go func() { ended <- work(t.Context()) }()
		}
	}
	do(t, dir, c, o, false)
	for range 2 {
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("a worker ended with %v", err)
		}
	}
	for _, name := range []string{"sweep.csv", "topics.csv", "stability.csv"} {
		if read(t, dir, name) != read(t, here, name) {
			t.Errorf("%s differs from that of a sweep here", name)
		}
	}
	for _, key := range server.Left() {
		if key != "topoi:sweep:{small}" && key[:len("topoi:sweep")] != "topoi:sweep" {
			t.Errorf("%s is left in the store", key)
		}
	}
}

// A sweep that goes on takes over the jobs that it had in the store.
func TestClusterGoesOn(t *testing.T) {
	server := redistest.Start(t, redistest.Config{})
	c, dir := small(t)
	o := smallOptions()
	o.Topics, o.Seeds = []int{2, 3}, 1
	where := cluster.Job{Store: server.URL(), Name: "on", Program: "test"}
	ctx, cancel := context.WithCancel(t.Context())
	o.Cluster = &Cluster{Where: where, Lease: time.Second, Poll: time.Millisecond, Waiting: cancel}
	s, err := Begin(dir, c, o, false)
	if err != nil {
		t.Fatal(err)
	}
	go func() { // nobody works
		defer cancel()
		for range 12_000 {
			if _, err := o.Cluster.job(Run{3, 7}).Status(ctx); err == nil {
				return // the last one has been submitted
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	if _, err := s.Run(ctx); !errors.Is(err, train.ErrInterrupted) {
		t.Fatalf("without workers: %v", err)
	}
	before, err := o.Cluster.job(Run{2, 7}).Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() {
		ended <- Work(t.Context(), where, cluster.WorkOptions{Threads: 1, Device: "cpu"}, func(cluster.Job) (*corpus.Corpus, error) { return corpus.Open(Dir(dir).Corpus()) })
	}()
	o.Cluster.Waiting = nil
	same := false
	o.Events.Begin = func(i RunInfo) {
		if status, err := o.Cluster.job(i.Run).Status(t.Context()); err == nil && i.Topics == 2 {
			same = status.Submitted.Equal(before.Submitted)
		}
	}
	do(t, dir, c, o, true)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if !same {
		t.Error("the job was submitted again")
	}
}
