package cluster

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/tier"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/redistest"
	"github.com/topoi-lda/topoi/train"
)

// damageOptions are those of a job whose barriers are after every fifth iteration.
func damageOptions() topoi.Options {
	return topoi.Options{Topics: 20, Sampler: "warp", Iterations: 25, Tolerance: -1, EvaluateEvery: 5, BurnIn: 4, OptimizeInterval: 6, Device: "cpu"}
}

// The store may lose a key, or all of them: the job goes on from its last barrier,
// or from its checkpoint, and gives the same model.
func TestClusterMendsWhatTheStoreLost(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	c := blocks(2)
	opts := damageOptions()
	want, err := train.Run(t.Context(), c, opts)
	if err != nil {
		t.Fatal(err)
	}
	for i, test := range []struct {
		name       string
		checkpoint bool
		happen     []string // to the store, during iteration 15
		said       string
	}{
		{"everything", true, []string{"FLUSHALL"}, "has lost its memory: job mended goes on from the checkpoint of iteration 10"},
		{"head of a slice", false, []string{"DEL", "topoi:{mended:s3}:head"}, "topoi:{mended:s3}:head is missing from the store: job mended goes on from its last barrier, after iteration 1"},
		{"head of a part", false, []string{"DEL", "topoi:{mended:p1}:head"}, "topoi:{mended:p1}:head is missing from the store: job mended goes on from its last barrier"},
		{"state", false, []string{"DEL", "topoi:{mended}:state"}, ""}, // the leader may just be writing the next one
		{"damaged state", false, []string{"HSET", "topoi:{mended}:state", "version", "x", "json", "{}"}, ""},
		{"spec", false, []string{"DEL", "topoi:{mended}:spec"}, "topoi:{mended}:spec is missing from the store: job mended goes on from its last barrier"},
		{"damaged spec", false, []string{"SETRANGE", "topoi:{mended}:spec", "60", "?"}, "topoi:{mended}:spec in the store is damaged (it has changed): job mended goes on from its last barrier"},
		{"floor of a head", false, []string{"HSET", "topoi:{mended:s3}:head", "floor", "75"}, "topoi:{mended:s3}:head in the store is damaged (its floor is above the last barrier): job mended goes on from its last barrier"},
		{"head without a floor", false, []string{"HDEL", "topoi:{mended:p1}:head", "floor"}, "topoi:{mended:p1}:head in the store is damaged (its floor is no number): job mended goes on from its last barrier"},
		{"head of another type", false, otherType("topoi:{mended:s1}:head"), "topoi:{mended:s1}:head in the store is damaged (its floor is no number): job mended goes on from its last barrier"},
		{"state of another type", false, otherType("topoi:{mended}:state"), ""},
		{"owners of another type", true, otherType("topoi:{mended}:owners"), "(a key holds another type than what topoi wrote there): job mended goes on from its last barrier"},
		{"who has what", false, []string{"DEL", "topoi:{mended}:owners", "topoi:{mended}:reached", "topoi:{mended}:members", "topoi:{mended}:leader"}, ""},
	} {
		if testing.Short() && i%3 != 0 {
			continue
		}
		t.Run(test.name, func(t *testing.T) {
			where := testJob{Job{Store: server.URL(), Name: "mended"}, SubmitOptions{Workers: 2, Lease: 500 * time.Millisecond, Layout: Layout{Slices: 5}}}
			if i%2 == 0 {
				where.Layout.Rows = rowsApart
			}
			o := opts
			if test.checkpoint {
				o.Checkpoint, o.CheckpointEvery = filepath.Join(t.TempDir(), "job.checkpoint"), 10
			}
			if err := where.submit(t.Context(), c, o); err != nil {
				t.Fatal(err)
			}
			said := workDisturbed(t, c, where, func() {
				if test.happen[0] == listUnder {
					server.OtherType(test.happen[1])
				} else {
					server.Do(test.happen...)
				}
			})
			collectSame(t, c, where, want, said)
			if !strings.Contains(said, test.said) {
				t.Errorf("the workers say\n%swant %q", said, test.said)
			}
		})
	}
}

// otherType asks for a list under a key.
func otherType(key string) []string { return []string{listUnder, key} }

const listUnder = "a list under"

// Topics in files may be damaged when a worker is killed, before there is a checkpoint. The job begins anew, or workers say
// in one sentence that it is lost if it has no checkpoint; nobody waits for ever.
func TestJobBeginsAnewWithoutItsTopics(t *testing.T) {
	tier.Long(t, "simulated schedules lose topics")
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	c := blocks(3)
	opts := topoi.Options{
		Topics: 12, Sampler: "light", Iterations: 12, Tolerance: -1, EvaluateEvery: 4, BurnIn: 1, OptimizeInterval: 3, Device: "cpu",
		Tuning: topoi.Tuning{Staleness: 2, Parts: 3},
	}
	want := mustTrain(t, c, opts)
	for _, checkpoint := range []string{filepath.Join(t.TempDir(), "job.checkpoint"), ""} {
		opts.Checkpoint, opts.CheckpointEvery = checkpoint, 100
		where := testJob{Job{Store: server.URL(), Name: "anew"}, SubmitOptions{Workers: 1, Lease: 500 * time.Millisecond, Layout: Layout{Rows: rowsApart, Slices: 3, Topics: t.TempDir()}}}
		if err := where.submit(t.Context(), c, opts); err != nil {
			t.Fatal(err)
		}
		workUntil(t, c, where, 6)
		killed := server.Do("HGET", "topoi:{anew}:owners", "p0") // as a kill leaves it
		server.Do("SET", "topoi:{anew}:lease:"+killed, "1", "PX", "500")
		server.Do("SET", "topoi:{anew}:leader", killed, "PX", "500")
		server.Do("HSET", "topoi:{anew}:members", killed, "{}")
		files, err := filepath.Glob(filepath.Join(where.Layout.Topics, "*", "part-*.topics-*"))
		if err != nil || len(files) == 0 {
			t.Fatal("no files", err)
		}
		for _, path := range files {
			if err := os.Truncate(path, 100); err != nil {
				t.Fatal(err)
			}
		}
		if checkpoint == "" {
			ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
			defer cancel()
			one(t, where.Work(ctx, c, WorkOptions{Threads: 1}), "and with it job anew, of which there is no checkpoint ("+filepath.Dir(files[0]))
			continue
		}
		said := workDisturbed(t, c, where, func() {})
		collectSame(t, c, where, want, said)
		if !strings.Contains(said, "goes on from the beginning, because there is no checkpoint yet") {
			t.Errorf("the workers say\n%s", said)
		}
	}
}

// workUntil works on a job and leaves it after an iteration.
func workUntil(t *testing.T, c *corpus.Corpus, where testJob, iteration int) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	how := WorkOptions{Threads: 1}
	how.Events.Iteration = func(i topoi.IterationInfo) {
		if i.Iteration == iteration {
			stop()
		}
	}
	if err := where.Work(ctx, c, how); err == nil {
		t.Fatal("the worker was not stopped")
	}
}

// collectSame collects a job, compares its model and removes the job.
func collectSame(t *testing.T, c *corpus.Corpus, where testJob, want *topoi.Model, said string) {
	t.Helper()
	got, err := where.Collect(t.Context(), c)
	if err != nil {
		t.Fatalf("%v; the workers say\n%s", err, said)
	}
	sameBytes(t, got, want)
	if _, err := where.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// Changes that are damaged in the store are made anew, and nobody leaves the job.
func TestClusterMendsDamagedChanges(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	c := blocks(6)
	opts := damageOptions()
	want, err := train.Run(t.Context(), c, opts)
	if err != nil {
		t.Fatal(err)
	}
	cases := []int{2, 6, 3} // parts; the last with rows apart
	if testing.Short() {
		cases = cases[2:]
	}
	for _, parts := range cases {
		where := testJob{Job{Store: server.URL(), Name: "changed"}, SubmitOptions{Workers: 2, Lease: 500 * time.Millisecond, Layout: Layout{Slices: 5, Parts: parts}}}
		if parts == 3 {
			where.Layout.Rows = rowsApart
		}
		if err := where.submit(t.Context(), c, opts); err != nil {
			t.Fatal(err)
		}
		for round := 6; round < 25; round++ {
			for i := range 5 * parts { // which others find before the right ones are there
				server.Do("SET", fmt.Sprintf("topoi:{changed:s%d}:d:%d:%d", i%5, round, i/5), "rubbish")
			}
		}
		said := workDisturbed(t, c, where, func() {})
		collectSame(t, c, where, want, said)
		if !strings.Contains(said, "in the store is damaged (damaged blob: it does not begin as a blob does): job changed goes on from its last barrier") {
			t.Errorf("the workers say\n%s", said)
		}
	}
}

// With staleness the changes of the last rounds before a barrier belong to it. A worker
// that begins there asks for them, and one that is missing is noticed, though whoever wrote it is
// gone.
func TestClusterMendsLateChanges(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	cases := []int{3, 4} // parts; the latter with rows apart
	if testing.Short() {
		cases = cases[1:]
	}
	for _, parts := range cases {
		c, opts := blocks(parts), damageOptions()
		opts.Tuning = topoi.Tuning{Staleness: 1, Parts: parts}
		want := mustTrain(t, c, opts)
		for _, lost := range []bool{false, true} {
			opts.Checkpoint, opts.CheckpointEvery = filepath.Join(t.TempDir(), "job.checkpoint"), 10
			where := testJob{Job{Store: server.URL(), Name: "late"}, SubmitOptions{Lease: 500 * time.Millisecond, Layout: Layout{Slices: 3}}}
			if parts == 4 {
				where.Layout.Rows = rowsApart
			}
			if err := where.submit(t.Context(), c, opts); err != nil {
				t.Fatal(err)
			}
			workUntil(t, c, where, 17) // between two barriers
			state := server.Do("HGET", "topoi:{late}:state", "json")
			_, rest, _ := strings.Cut(state, `"round":`)
			round, _, _ := strings.Cut(rest, ",")
			if lost {
				if got := server.Do("DEL", "topoi:{late:s1}:d:"+round+":1"); got != "1" {
					t.Fatalf("no changes of round %s to lose: %s; %s", round, got, state)
				}
			}
			said := workDisturbed(t, c, where, func() {})
			collectSame(t, c, where, want, said)
			if lost != strings.Contains(said, "goes on from the checkpoint of iteration") {
				t.Errorf("the workers say\n%s", said)
			}
		}
	}
}

// What cannot be mended is told in one sentence that names the key, at once.
func TestClusterSaysWhatIsLost(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	c := zipf(1000)
	opts := damageOptions()
	where := testJob{Job{Store: server.URL(), Name: "hopeless"}, SubmitOptions{Workers: 2, Lease: 500 * time.Millisecond, Layout: Layout{Slices: 3}}}
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	work := func() error { return where.Work(ctx, c, WorkOptions{Threads: 1}) }
	submit := func() {
		t.Helper()
		if err := where.submit(ctx, c, opts); err != nil {
			t.Fatal(err)
		}
	}
	submit()
	var group sync.WaitGroup
	var once sync.Once
	said := make([]error, 2)
	for i := range said {
		how := WorkOptions{Threads: 1}
		how.Events.Iteration = func(topoi.IterationInfo) { once.Do(func() { server.Do("FLUSHALL") }) }
		group.Go(func() {
			said[i] = where.Work(ctx, c, how)
			one(t, said[i], "submit it again")
		})
	}
	group.Wait()
	if !strings.Contains(fmt.Sprint(said), "with it job hopeless, of which there is no checkpoint (topoi:{hopeless") {
		t.Errorf("nobody says what is lost: %v", said)
	}
	server.Do("FLUSHALL")

	where.Workers = 1
	submit()
	if err := work(); err != nil {
		t.Fatal(err)
	}
	key := func(prefix string) string {
		i := slices.IndexFunc(server.Keys(), func(key string) bool { return strings.HasPrefix(key, prefix) })
		return server.Keys()[i]
	}
	topics, rows := key("topoi:{hopeless:p0}:z:"), key("topoi:{hopeless:s2}:v:")
	server.Do("DEL", topics)
	_, err := where.Collect(ctx, c)
	one(t, err, topics+" is missing from the store, and with it the model of job hopeless: remove the job with Job.Cancel and submit it again")
	server.Do("SETRANGE", rows, "100", "?!?!")
	_, err = where.Collect(ctx, c)
	one(t, err, rows+" in the store is damaged (damaged blob: the checksum does not match), and with it the model")
	server.Do("DEL", "topoi:{hopeless}:state")
	_, err = where.Status(ctx)
	one(t, err, "topoi:{hopeless}:state is missing from the store: workers that still run mend it; if there are none, remove the job")
	one(t, work(), "of which there is no checkpoint (topoi:{hopeless}:state is missing from the store): submit it again")
	server.Do("APPEND", "topoi:{hopeless}:spec", "x")
	one(t, work(), "topoi:{hopeless}:spec in the store is damaged (the checksum does not match)")
	if n, err := where.Cancel(ctx); n == 0 || err != nil {
		t.Errorf("a damaged job cannot be removed: %d keys, %v", n, err)
	}
	if left := server.Left(); len(left) > 0 {
		t.Errorf("keys are left: %q", left)
	}
}
