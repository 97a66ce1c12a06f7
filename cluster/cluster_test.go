package cluster

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/redistest"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/train"
)

// testJob is a job and how it is submitted.
type testJob struct {
	Job
	SubmitOptions
}

func (j testJob) submit(ctx context.Context, c *corpus.Corpus, opts topoi.Options) error {
	return j.Submit(ctx, c, opts, j.SubmitOptions)
}

// zipf makes a corpus of skewed words and lengths, with empty documents.
func zipf(docs int) *corpus.Corpus {
	key := rng.NewKey(8)
	list := make([][]string, docs)
	for d := range list {
		for i := range rng.Below(key.Block(uint32(d), 0, 1, 0)[0], 120) {
			x := rng.Float64(key.Block(uint32(d), i, 2, 0)[0], 0)
			list[d] = append(list[d], fmt.Sprint("w", int(300*x*x*x)))
		}
	}
	return corpus.FromTokens(list)
}

// blocks makes a corpus of so many of warp's blocks of 65,536 tokens; the last is small.
func blocks(n int) *corpus.Corpus { return zipf(1110*n - 1050) }

// themed makes documents of three themes with some words in common.
func themed(docs int) *corpus.Corpus {
	key := rng.NewKey(5)
	list := make([][]string, docs)
	for d := range list {
		for i := range 20 {
			b := key.Block(uint32(d), uint32(i), 0, 0)
			word := fmt.Sprintf("%c%d", 'a'+rune(d%3), rng.Below(b[0], 5))
			if rng.Below(b[1], 5) == 0 {
				word = fmt.Sprintf("common%d", rng.Below(b[0], 3))
			}
			list[d] = append(list[d], word)
		}
	}
	return corpus.FromTokens(list)
}

// mustTrain trains in this process.
func mustTrain(t *testing.T, c *corpus.Corpus, opts topoi.Options) *topoi.Model {
	t.Helper()
	m, err := train.Run(t.Context(), c, opts)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// trainByCluster trains with workers in this process and returns the model.
func trainByCluster(t *testing.T, c *corpus.Corpus, opts topoi.Options, where testJob, workers int) *topoi.Model {
	t.Helper()
	where.Workers = workers
	if where.Lease == 0 {
		where.Lease = 2 * time.Second
	}
	if err := where.submit(t.Context(), c, opts); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	errs := make([]error, workers)
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute) // enough for a busy machine
	defer cancel()
	for i := range workers {
		group.Go(func() {
			errs[i] = where.Work(ctx, c, WorkOptions{Threads: 1 + i%2, Name: fmt.Sprint("worker", i), Tell: func(text string) { t.Log(i, text) }})
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	status, err := where.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !status.Complete || len(status.Workers) != 0 || slices.Min(status.Rounds) < 1 || len(status.Store) == 0 {
		t.Errorf("a complete job has status %+v", status)
	}
	m, err := where.Collect(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := where.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	return m
}

// sameBytes compares two models by manifest and fingerprint.
func sameBytes(t *testing.T, got, want *topoi.Model) {
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
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	for _, test := range []struct {
		name    string
		opts    topoi.Options
		blocks  int // of warp; the others' are smaller
		workers []int
	}{
		{"warp", topoi.Options{Sampler: "warp"}, 4, []int{1, 2, 4}},
		{"batch", topoi.Options{Sampler: "batch", Holdout: 0.1}, 2, []int{2, 6}},
		{"light", topoi.Options{Sampler: "light", Tuning: topoi.Tuning{Rounds: 3}}, 2, []int{3}},
		{"hdp", topoi.Options{Sampler: "warp", Prior: "hdp", Topics: 50}, 3, []int{2}},
		{"stale warp", topoi.Options{Sampler: "warp", Tuning: topoi.Tuning{Staleness: 1, Parts: 3}}, 3, []int{2, 3}},
		{"stale warp, sparse rows", topoi.Options{Sampler: "warp", Topics: 1000, Tuning: topoi.Tuning{Staleness: 2, Parts: 2}}, 2, []int{2}},
		{"stale batch", topoi.Options{Sampler: "batch", Tuning: topoi.Tuning{Staleness: 2, Parts: 5}}, 2, []int{1, 3}},
		{"stale light, many parts", topoi.Options{Sampler: "light", Tuning: topoi.Tuning{Staleness: 1, Parts: 12}}, 3, []int{3}},
	} {
		if test.opts.Topics == 0 {
			test.opts.Topics = 20
		}
		test.opts.Seed, test.opts.Iterations = 3, 8
		test.opts.EvaluateEvery, test.opts.BurnIn, test.opts.OptimizeInterval = 3, 1, 2
		if testing.Short() { // one number of workers each: the race detector makes sampling slow
			test.opts.Iterations, test.workers = 5, test.workers[len(test.workers)-1:]
		}
		c := blocks(test.blocks)
		want := mustTrain(t, c, test.opts)
		for _, workers := range test.workers {
			t.Run(fmt.Sprint(test.name, workers), func(t *testing.T) {
				where := testJob{Job{Store: server.SocketURL(), Name: "same"}, SubmitOptions{}}
				sameBytes(t, trainByCluster(t, c, test.opts, where, workers), want)
				if left := server.Left(); len(left) > 0 {
					t.Errorf("keys are left: %s", left)
				}
			})
		}
	}
}
