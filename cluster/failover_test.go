package cluster

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/redisserver"
	"github.com/topoi-lda/topoi/internal/redistest"
)

// A primary of a Redis Cluster dies while a job is trained, and its replica takes over, perhaps without the last moments. The
// model is that of one process.
func TestPrimaryDies(t *testing.T) {
	if testing.Short() {
		t.Skip("a replica takes seconds to take over")
	}
	t.Parallel()
	cluster := redistest.StartCluster(t, 3, redistest.Config{User: "topoi", Password: "secret", TLS: true})
	cluster.Replicate(t)
	c := blocks(3)
	opts := topoi.Options{Topics: 16, Seed: 5, Sampler: "warp", Iterations: 24, EvaluateEvery: 4, BurnIn: 1, OptimizeInterval: 3, Tolerance: -1, Tuning: topoi.Tuning{Staleness: 1, Parts: 3}}
	want := mustTrain(t, c, opts)
	url := cluster.URL() + "&cacert=" + cluster.Nodes[0].CAFile
	where := testJob{Job{Store: url, Name: "failover", Patience: 40 * time.Second}, SubmitOptions{Lease: 2 * time.Second, Layout: Layout{Slices: 6}}}
	trainWhile(t, where, c, opts, want, func() { cluster.Nodes[1].Kill() })
	if role := cluster.Replicas[1].Do("ROLE"); !strings.HasPrefix(role, "master") {
		t.Errorf("the replica did not take over: %s", role)
	}
}

// The same with a single primary and a replica that a sentinel has take over.
func TestSentinelPromotesAReplica(t *testing.T) {
	if testing.Short() {
		t.Skip("a replica takes seconds to take over")
	}
	t.Parallel()
	pair := startSentinel(t)
	c := blocks(3)
	opts := topoi.Options{Topics: 16, Seed: 5, Sampler: "warp", Iterations: 24, EvaluateEvery: 4, BurnIn: 1, OptimizeInterval: 3, Tolerance: -1, Tuning: topoi.Tuning{Staleness: 1, Parts: 3}}
	want := mustTrain(t, c, opts)
	where := testJob{Job{Store: pair.url(), Name: "sentinel", Patience: 40 * time.Second}, SubmitOptions{Lease: 2 * time.Second, Layout: Layout{Slices: 6}}}
	trainWhile(t, where, c, opts, want, pair.primary.Kill)
	if role := pair.replica.Do("ROLE"); !strings.HasPrefix(role, "master") {
		t.Errorf("the replica did not take over: %s", role)
	}
}

// trainWhile trains with two workers and has something happen after some iterations.
func trainWhile(t *testing.T, where testJob, c *corpus.Corpus, opts topoi.Options, want *topoi.Model, happens func()) {
	t.Helper()
	where.Workers = 2
	if err := where.submit(t.Context(), c, opts); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	var group sync.WaitGroup
	var once sync.Once
	errs := make([]error, 2)
	for i := range errs {
		how := WorkOptions{Threads: 1, Name: fmt.Sprint("worker", i), Tell: func(text string) { t.Log(i, text) }}
		how.Events.Iteration = func(x topoi.IterationInfo) {
			if x.Iteration == 7 {
				once.Do(happens)
			}
		}
		group.Go(func() { errs[i] = where.Work(ctx, c, how) })
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	got, err := where.Collect(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	sameBytes(t, got, want)
}

// A network between workers and store costs time and nothing else. With staleness it is hidden beside sampling.
func TestLatency(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for a slow network")
	}
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	proxy := redistest.NewProxy(t, server.Addr)
	c := blocks(3)
	for _, staleness := range []int{0, 1} {
		opts := topoi.Options{Topics: 16, Seed: 5, Sampler: "warp", Iterations: 10, EvaluateEvery: 10, OptimizeInterval: 100, Tolerance: -1, Tuning: topoi.Tuning{Staleness: staleness}}
		if staleness > 0 {
			opts.Tuning.Parts = 2
		}
		want := mustTrain(t, c, opts)
		for _, delay := range []time.Duration{0, time.Millisecond, 5 * time.Millisecond, 20 * time.Millisecond} {
			proxy.Delay(delay / 2) // each way
			where := testJob{Job{Store: proxy.URL(server), Name: "slow"}, SubmitOptions{Lease: 5 * time.Second, Layout: Layout{Slices: 4, Parts: 2}}}
			begin := time.Now()
			trainWhile(t, where, c, opts, want, func() {})
			t.Logf("staleness %d, round trips of %v: %v for each of %d sweeps, everything included", staleness, delay, time.Since(begin)/time.Duration(opts.Iterations), opts.Iterations)
			if _, err := where.Cancel(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// sentinel is a primary with a replica, and a sentinel that has the replica take over when the primary dies.
type sentinel struct {
	primary, replica *redistest.Server
	addr             string // of the sentinel
}

// startSentinel starts a primary, a replica and a sentinel, without passwords.
func startSentinel(t *testing.T) *sentinel {
	t.Helper()
	s := &sentinel{primary: redistest.Start(t, redistest.Config{})}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.addr = free.Addr().String()
	free.Close()
	host, port, err := net.SplitHostPort(s.primary.Addr)
	if err != nil {
		t.Fatal(err)
	}
	s.replica = redistest.Start(t, redistest.Config{Lines: []string{"replicaof " + host + " " + port}})
	_, own, _ := net.SplitHostPort(s.addr)
	config := filepath.Join(t.TempDir(), "sentinel.conf")
	text := fmt.Sprintf("port %s\nbind 127.0.0.1\nsentinel monitor topoi %s %s 1\nsentinel down-after-milliseconds topoi 800\nsentinel failover-timeout topoi 5000\n", own, host, port)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	program, err := redisserver.Find()
	if err != nil {
		t.Fatal(err)
	}
	process := exec.Command(program, config, "--sentinel")
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = process.Process.Kill() // it may have ended
		_ = process.Wait()
	})
	for end := time.Now().Add(2 * time.Minute); !strings.Contains(s.replica.Do("INFO", "replication"), "master_link_status:up"); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the replica does not reach its primary")
		}
	}
	_, replica, _ := net.SplitHostPort(s.replica.Addr)
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) { // until the sentinel has found the replica
		known, err := redisserver.Do("redis://"+s.addr, nil, "SENTINEL", "REPLICAS", "topoi")
		if err == nil && strings.Contains(known, " port "+replica+" ") {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("the sentinel does not find the replica: %v\n%s", err, known)
		}
	}
	return s
}

// url is the address by which clients find the primary.
func (s *sentinel) url() string { return "redis://" + s.addr + "?master_set=topoi" }
