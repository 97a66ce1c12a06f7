package cluster

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/tier"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/redistest"
	"github.com/topoi-lda/topoi/internal/store"
	"github.com/topoi-lda/topoi/train"
)

// one checks that an error is one sentence with the given words.
func one(t *testing.T, err error, words string) {
	t.Helper()
	switch {
	case err == nil:
		t.Errorf("no error, want one with %q", words)
	case !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "\n"):
		t.Errorf("%v\nwant one sentence with %q", err, words)
	}
}

// What is wrong with a store is told in one sentence.
func TestClusterRefusesStores(t *testing.T) {
	t.Parallel()
	plain := redistest.Start(t, redistest.Config{})
	locked := redistest.Start(t, redistest.Config{User: "topoi", Password: "secret"})
	secure := redistest.Start(t, redistest.Config{TLS: true})
	c := themed(30)
	for _, test := range []struct{ url, want string }{
		{"redis://topoi:wrong@" + locked.Addr, "refuses the password: give the right one"},
		{"redis://" + locked.Addr, "asks for a password: give it"},
		{"redis://" + secure.Addr, "the connection ends at once: write rediss:// if the port speaks TLS"},
		{"rediss://" + plain.Addr, "the port does not speak TLS: write redis:// for a plain connection"},
		{"rediss://" + secure.Addr, "signed by an authority that is not trusted: name the authority's file with ?cacert=FILE"},
		{"redis://store.invalid:6379", `there is no host "store.invalid": correct the name`},
		{"redis://127.0.0.1:1", "nothing listens there: start the store, or correct the address"},
		{"unix:///nowhere/redis.sock", "nothing listens there"},
		{"http://" + plain.Addr, "is not understood"},
	} {
		err := testJob{Job{Store: test.url, Name: "job"}, SubmitOptions{}}.submit(t.Context(), c, topoi.Options{Topics: 3, Sampler: "warp"})
		one(t, err, test.want)
		if err != nil && strings.Contains(err.Error(), "wrong@") {
			t.Errorf("the password is shown: %v", err)
		}
	}
}

// What is wrong with a job is told in one sentence.
func TestClusterRefusesJobs(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	c, opts := themed(30), topoi.Options{Topics: 3, Sampler: "warp", Iterations: 5}
	where := testJob{Job{Store: server.URL(), Name: "mine", Program: "v1"}, SubmitOptions{}}
	submit := func(job string, o topoi.Options) error {
		return testJob{Job{Store: server.URL(), Name: job, Program: "v1"}, SubmitOptions{}}.submit(t.Context(), c, o)
	}
	one(t, submit("my job", opts), "cannot be the name of a job")
	gibbs := opts
	gibbs.Sampler = "gibbs"
	one(t, submit("mine", gibbs), "cannot be trained by a cluster")
	stale := opts
	stale.Tuning.Staleness = 1
	err := testJob{Job{Store: server.URL(), Name: "mine", Program: "v1"}, SubmitOptions{Workers: 9, exactly: true}}.submit(t.Context(), c, stale)
	one(t, err, "9 workers are more than the 2 parts into which a corpus of this size is cut with staleness")
	err = testJob{Job{Store: server.URL(), Name: "mine"}, SubmitOptions{Layout: Layout{Rows: "somewhere"}}}.submit(t.Context(), c, opts)
	one(t, err, `rows is "somewhere": it must be whole or apart`)
	if err := submit("mine", opts); err != nil {
		t.Fatal(err)
	}
	one(t, submit("mine", opts), "already holds a job called mine: choose another name, or remove it with Job.Cancel")
	server.Do("SET", "topoi:{other}:something", "1")
	server.Do("SET", "topoi:{other:s1}:d:1:0:new", "1") // which a worker of a lost job offers
	one(t, submit("other", opts), "holds 1 keys of another job under the name other")
	server.Do("DEL", "topoi:{other}:something")
	if err := submit("other", opts); err != nil {
		t.Error(err)
	}

	if !server.Inner {
		server.Do("CONFIG", "SET", "maxmemory", "100mb", "maxmemory-policy", "allkeys-lru")
		one(t, submit("evicted", opts), "throws keys away when it is full (maxmemory-policy allkeys-lru)")
		server.SetMaxMemory(0)
	}

	missing := where
	missing.Name = "none"
	err = missing.Work(t.Context(), c, WorkOptions{})
	one(t, err, "has no job called none: submit it with Job.Submit, or correct the name")
	if !errors.Is(err, ErrNoJob) {
		t.Errorf("%v is not ErrNoJob", err)
	}
	one(t, where.Work(t.Context(), themed(31), WorkOptions{}), "is about another corpus: its fingerprint is")
	newer := where
	newer.Program = "v2"
	one(t, newer.Work(t.Context(), c, WorkOptions{}), "was submitted by topoi v1 (protocol 11) and this is topoi v2 (protocol 11): run the same program everywhere")
	_, err = where.Collect(t.Context(), c)
	one(t, err, "job mine is not complete: it has passed iteration 0 of at most 5")
}

// A full store ends workers with a sentence; with more memory the job goes on and
// gives the same model.
func TestClusterFullStore(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Config{MaxMemory: 2 << 20})
	if server.Inner { // it counts data alone
		server.SetMaxMemory(1 << 20)
	}
	c := blocks(4)
	opts := topoi.Options{Topics: 200, Sampler: "warp", Iterations: 6, EvaluateEvery: 3}
	want, err := train.Run(t.Context(), c, opts)
	if err != nil {
		t.Fatal(err)
	}
	where := testJob{Job{Store: server.URL(), Name: "full"}, SubmitOptions{Workers: 1, Layout: Layout{Parts: 2}}}
	if err := where.submit(t.Context(), c, opts); err != nil {
		t.Fatal(err)
	}
	err = where.Work(t.Context(), c, WorkOptions{})
	if server.Inner {
		one(t, err, "is a store of topoi that holds as much as it may, and nothing more can be written: submit the job again")
	} else {
		one(t, err, "has reached its maxmemory and nothing more can be written: raise maxmemory, then start the workers again")
	}
	if !errors.Is(err, store.ErrFull) {
		t.Errorf("%v is not ErrFull", err)
	}
	server.SetMaxMemory(0)
	if err := where.Work(t.Context(), c, WorkOptions{}); err != nil {
		t.Fatal(err)
	}
	got, err := where.Collect(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	sameBytes(t, got, want)
}

// A job that is cancelled ends its workers and leaves nothing, whatever they were
// about to write.
func TestClusterCancel(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	c := blocks(3)
	where := testJob{Job{Store: server.URL(), Name: "short"}, SubmitOptions{Workers: 2, Lease: 4 * time.Second}} // long enough for a busy machine
	if err := where.submit(t.Context(), c, topoi.Options{Topics: 20, Sampler: "warp", Iterations: 100000, Tolerance: -1}); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			one(t, where.Work(t.Context(), c, WorkOptions{Threads: 1}), "job short was cancelled or has been collected")
		})
	}
	err := where.Watch(t.Context(), time.Millisecond, func(s *Status) (bool, error) { return len(s.Workers) < 2, nil })
	if err != nil {
		t.Fatal(err)
	}
	if n, err := where.Cancel(t.Context()); err != nil || n == 0 {
		t.Errorf("removed %d keys, %v", n, err)
	}
	group.Wait()
	if left := server.Left(); len(left) > 0 {
		t.Errorf("keys are left: %s", left)
	}
}

// A store that loses its memory costs the iterations since the last checkpoint,
// and the workers say so. The checkpoint is the one that train.Run would go on from.
func TestClusterStoreLosesItsMemory(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	for _, staleness := range []int{0, 2} {
		c := blocks(2 + staleness/2)
		opts := topoi.Options{
			Topics: 20, Sampler: "warp", Iterations: 25, Tolerance: -1, EvaluateEvery: 5, BurnIn: 4, OptimizeInterval: 6,
			Tuning: topoi.Tuning{Staleness: staleness},
		}
		if staleness > 0 {
			opts.Tuning.Parts = 3
		}
		want, err := train.Run(t.Context(), c, opts)
		if err != nil {
			t.Fatal(err)
		}
		opts.Checkpoint, opts.CheckpointEvery = filepath.Join(t.TempDir(), "job.checkpoint"), 10
		where := testJob{Job{Store: server.URL(), Name: "lost"}, SubmitOptions{Workers: 2, Lease: 500 * time.Millisecond}}
		if err := where.submit(t.Context(), c, opts); err != nil {
			t.Fatal(err)
		}
		said := workDisturbed(t, c, where, func() { server.Restart() })
		if !strings.Contains(said, "has lost its memory: job lost goes on from the checkpoint of iteration 10") {
			t.Errorf("the workers do not say so: %s", said)
		}
		got, err := where.Collect(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		sameBytes(t, got, want)
		if _, err := where.Cancel(t.Context()); err != nil {
			t.Fatal(err)
		}
		// The last checkpoint resumes in one process.
		opts.Resume, opts.Iterations = true, 28
		resumed, err := train.Run(t.Context(), c, opts)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(opts.Checkpoint); err != nil {
			t.Fatal(err)
		}
		opts.Checkpoint, opts.Resume = "", false
		whole, err := train.Run(t.Context(), c, opts)
		if err != nil {
			t.Fatal(err)
		}
		if resumed.Fingerprint() != whole.Fingerprint() {
			t.Error("a cluster's checkpoint resumed in one process gives another model")
		}
	}
}

// A job resumed from a checkpoint in an empty store gives the same model.
func TestClusterResume(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	c := blocks(2)
	for _, opts := range []topoi.Options{
		{Sampler: "batch", Holdout: 0.1},
		{Sampler: "batch", Tuning: topoi.Tuning{Staleness: 3, Parts: 4}},
	} {
		opts.Topics, opts.Iterations, opts.EvaluateEvery, opts.OptimizeInterval, opts.BurnIn = 20, 14, 3, 4, 2
		want, err := train.Run(t.Context(), c, opts)
		if err != nil {
			t.Fatal(err)
		}
		part := opts
		part.Checkpoint, part.Resume, part.Iterations = filepath.Join(t.TempDir(), "checkpoint"), true, 6
		where := testJob{Job{Store: server.URL(), Name: "resumed"}, SubmitOptions{}}
		trainByCluster(t, c, part, where, 2)
		part.Iterations = 14
		got := trainByCluster(t, c, part, where, 2)
		// Evaluation also follows the last iteration, so the histories differ there.
		if got.Fingerprint() != want.Fingerprint() {
			t.Error("resuming changes the model")
		}
	}
}

// TLS with users, and a Cluster of three nodes, give the same model.
func TestClusterStores(t *testing.T) {
	tier.Long(t, "other tests use one store")
	t.Parallel()
	c := blocks(3)
	opts := topoi.Options{Topics: 20, Sampler: "warp", Iterations: 8, EvaluateEvery: 3, Holdout: 0.1}
	want, err := train.Run(t.Context(), c, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("TLS and ACL", func(t *testing.T) {
		server := redistest.Start(t, redistest.Config{
			TLS: true, User: "topoi", Password: "secret",
			Rules: "~topoi:* +@read +@write +@scripting +@connection +info +cluster",
		})
		sameBytes(t, trainByCluster(t, c, opts, testJob{Job{Store: server.URL() + "?cacert=" + server.CAFile, Name: "safe"}, SubmitOptions{}}, 2), want)
	})
	t.Run("Cluster", func(t *testing.T) {
		nodes := redistest.StartCluster(t, 3, redistest.Config{})
		sameBytes(t, trainByCluster(t, c, opts, testJob{Job{Store: nodes.URL(), Name: "wide"}, SubmitOptions{}}, 3), want)
		if left := nodes.Left(); len(left) > 0 {
			t.Errorf("keys are left: %q", left)
		}
	})
}

// A node of a Cluster may restart with its data, or without: then the job goes on
// from the checkpoint.
func TestClusterNodeRestarts(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("skipped with -short: Clusters take seconds to come up")
	}
	c := blocks(2)
	opts := topoi.Options{Topics: 20, Sampler: "warp", Iterations: 25, Tolerance: -1, EvaluateEvery: 5}
	want, err := train.Run(t.Context(), c, opts)
	if err != nil {
		t.Fatal(err)
	}
	opts.Checkpoint, opts.CheckpointEvery = filepath.Join(t.TempDir(), "job.checkpoint"), 10
	for _, persistent := range []bool{true, false} {
		t.Run(fmt.Sprint("persistent=", persistent), func(t *testing.T) {
			nodes := redistest.StartCluster(t, 3, redistest.Config{Persistent: persistent})
			where := testJob{Job{Store: nodes.URL(), Name: "nodes"}, SubmitOptions{Workers: 2, Lease: 500 * time.Millisecond}}
			if err := where.submit(t.Context(), c, opts); err != nil {
				t.Fatal(err)
			}
			// The node that does not have the job's small keys, but some of its blobs.
			said := workDisturbed(t, c, where, func() { nodes.Nodes[0].Restart() })
			got, err := where.Collect(t.Context(), c)
			if err != nil {
				t.Fatalf("%v\n%s", err, said)
			}
			sameBytes(t, got, want)
			if lost := strings.Contains(said, "has lost its memory: job nodes goes on from the checkpoint of iteration 10"); lost == persistent {
				t.Errorf("the workers say: %s", said)
			}
		})
	}
}

// workDisturbed has two workers do a job, during whose iteration 15 something
// happens once, and returns what they say.
func workDisturbed(t *testing.T, c *corpus.Corpus, where testJob, happen func()) string {
	var group sync.WaitGroup
	var log lockedLog
	once := sync.OnceFunc(happen)
	for range 2 {
		how := WorkOptions{Threads: 1, Tell: func(text string) { _, _ = log.Write([]byte(text + "\n")) }}
		how.Events.Iteration = func(i topoi.IterationInfo) {
			if i.Iteration == 15 {
				once()
			}
		}
		group.Go(func() {
			if err := where.Work(t.Context(), c, how); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	return log.String()
}
