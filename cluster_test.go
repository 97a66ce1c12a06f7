package topoi

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/redistest"
)

// trainByCluster trains with workers in this process and returns the model.
func trainByCluster(t *testing.T, c *corpus.Corpus, opts Options, where Cluster, workers int) *Model {
	t.Helper()
	where.Workers = workers
	if where.Lease == 0 {
		where.Lease = 2 * time.Second
	}
	if err := SubmitJob(t.Context(), c, opts, where); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	errs := make([]error, workers)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // enough for a busy machine
	defer cancel()
	for i := range workers {
		group.Go(func() {
			errs[i] = WorkJob(ctx, c, where, Worker{Threads: 1 + i%2, Name: fmt.Sprint("worker", i), Tell: func(text string) { t.Log(i, text) }})
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	status, err := StatusOfJob(t.Context(), where)
	if err != nil {
		t.Fatal(err)
	}
	if !status.State.Finished || len(status.Workers) != 0 || slices.Min(status.Rounds) < 1 || len(status.Store) == 0 {
		t.Errorf("a complete job has status %+v", status)
	}
	m, err := CollectJob(t.Context(), c, where)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := CancelJob(t.Context(), where); err != nil {
		t.Fatal(err)
	}
	return m
}

// sameBytes compares two models by manifest and fingerprint.
func sameBytes(t *testing.T, got, want *Model) {
	t.Helper()
	if !reflect.DeepEqual(got.Manifest(), want.Manifest()) {
		t.Errorf("manifest %+v\nwant %+v", got.Manifest(), want.Manifest())
	}
	if got.Fingerprint() != want.Fingerprint() {
		t.Errorf("fingerprint %s, want %s", got.Fingerprint(), want.Fingerprint())
	}
}

// A cluster of any size gives the model of one process.
func TestClusterGivesTheSameModel(t *testing.T) {
	server := redistest.Start(t, redistest.Config{})
	c := zipf(4000) // a few blocks of 65,536 tokens
	for _, test := range []struct {
		name    string
		opts    Options
		workers []int
	}{
		{"warp", Options{Sampler: "warp"}, []int{1, 2, 4}},
		{"batch", Options{Sampler: "batch", Holdout: 0.1}, []int{2, 6}},
		{"light", Options{Sampler: "light", Tuning: Tuning{Rounds: 3}}, []int{3}},
		{"stale warp", Options{Sampler: "warp", Tuning: Tuning{Staleness: 1, Parts: 3}}, []int{2, 3}},
		{"stale warp, sparse rows", Options{Sampler: "warp", Topics: 1000, Tuning: Tuning{Staleness: 2, Parts: 2}}, []int{2}},
		{"stale batch", Options{Sampler: "batch", Tuning: Tuning{Staleness: 2, Parts: 5}}, []int{1, 3}},
		{"stale light by sums", Options{Sampler: "light", Tuning: Tuning{Staleness: 1, Parts: 12}}, []int{3}},
	} {
		if test.opts.Topics == 0 {
			test.opts.Topics = 20
		}
		test.opts.Seed, test.opts.Iterations = 3, 8
		test.opts.EvaluateEvery, test.opts.BurnIn, test.opts.OptimizeInterval = 3, 1, 2
		want, err := Train(t.Context(), c, test.opts)
		if err != nil {
			t.Fatal(err)
		}
		for _, workers := range test.workers {
			t.Run(fmt.Sprint(test.name, workers), func(t *testing.T) {
				where := Cluster{Store: server.SocketURL(), Job: "same"}
				sameBytes(t, trainByCluster(t, c, test.opts, where, workers), want)
				if left := server.Do("KEYS", "*"); left != "" {
					t.Errorf("keys are left: %s", left)
				}
			})
		}
	}
}
