//go:build unix

package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/tier"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/redistest"
)

// sleeper is a worker process that can be stopped.
type sleeper struct {
	*exec.Cmd
	log   lockedLog
	ended chan struct{}
}

func startSleeper(t *testing.T, job Job, corpusPath string) *sleeper {
	t.Helper()
	text, err := json.Marshal(testWorker{Where: job, Corpus: corpusPath})
	if err != nil {
		t.Fatal(err)
	}
	s := &sleeper{Cmd: exec.Command(os.Args[0]), ended: make(chan struct{})}
	s.Env = append(os.Environ(), workerVariable+"="+string(text))
	s.Stdout, s.Stderr = &s.log, &s.log
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = s.Wait() // the log tells
		close(s.ended)
	}()
	t.Cleanup(func() {
		_ = s.Process.Kill() // it may have ended
		<-s.ended
	})
	return s
}

// A worker that sleeps while the store restarts with its data and the job is cancelled must not restore the job from its
// checkpoint.
func TestCancelledJobStaysGone(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Config{Persistent: true})
	c, path := faultCorpus(t, 3)
	o := damageOptions()
	o.Iterations, o.CheckpointEvery, o.Checkpoint = 100_000, 5, filepath.Join(t.TempDir(), "job.checkpoint")
	where := testJob{Job{Store: server.URL(), Name: "buried"}, SubmitOptions{Workers: 2, Lease: 500 * time.Millisecond}}
	if err := where.submit(t.Context(), c, o); err != nil {
		t.Fatal(err)
	}
	asleep, awake := startSleeper(t, where.Job, path), startSleeper(t, where.Job, path)
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		s, err := where.Status(t.Context())
		_, missing := os.Stat(o.Checkpoint)
		if err == nil && len(s.Workers) == 2 && missing == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("the job does not begin: %v, %+v, %s", err, s, asleep.log.String())
		}
	}
	if err := asleep.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	server.Restart()
	if _, err := where.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-awake.ended
	if err := asleep.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	select {
	case <-asleep.ended:
	case <-time.After(2 * time.Minute):
		t.Errorf("the worker does not end: %s", asleep.log.String())
	}
	if said := asleep.log.String(); !strings.Contains(said, "job buried was cancelled or has been collected") {
		t.Errorf("the worker that slept says %s", said)
	}
	if left := server.Left(); len(left) > 0 {
		t.Errorf("the job is back: %q", left)
	}
	if err := where.submit(t.Context(), c, o); err != nil {
		t.Errorf("its name is taken: %v", err)
	}
}

// A store may stand still for longer than the lease and then lose everything: workers go on from the checkpoint.
func TestStorePausedAndFlushed(t *testing.T) {
	tier.Long(t, "TestClusterMendsWhatTheStoreLost flushes the store")
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	c, o := blocks(2), damageOptions()
	want := mustTrain(t, c, o)
	o.Checkpoint, o.CheckpointEvery = filepath.Join(t.TempDir(), "job.checkpoint"), 10
	where := testJob{Job{Store: server.URL(), Name: "paused"}, SubmitOptions{Workers: 2, Lease: 400 * time.Millisecond}}
	if err := where.submit(t.Context(), c, o); err != nil {
		t.Fatal(err)
	}
	said := workDisturbed(t, c, where, func() {
		server.Do("CLIENT", "PAUSE", "1300", "ALL")
		server.Do("FLUSHALL")
	})
	collectSame(t, c, where, want, said)
	if !strings.Contains(said, "job paused goes on from the checkpoint of iteration 10") {
		t.Errorf("the workers say\n%s", said)
	}
}

// Who watches a job waits while workers put it back, and hears at once that it was cancelled.
func TestWatchWaitsForRestoration(t *testing.T) {
	tier.Long(t, "simulated schedules restore jobs")
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	c, o := blocks(2), damageOptions()
	want := mustTrain(t, c, o)
	o.Checkpoint, o.CheckpointEvery = filepath.Join(t.TempDir(), "job.checkpoint"), 10
	where := testJob{Job{Store: server.URL(), Name: "watched"}, SubmitOptions{Workers: 2, Lease: 500 * time.Millisecond}}
	if err := where.submit(t.Context(), c, o); err != nil {
		t.Fatal(err)
	}
	watch := func() error {
		return where.Watch(t.Context(), time.Millisecond, func(s *Status) (bool, error) { return !s.Complete, nil })
	}
	var group sync.WaitGroup
	group.Go(func() {
		if err := watch(); err != nil {
			t.Errorf("who watches gives up: %v", err)
		}
	})
	said := workDisturbed(t, c, where, func() { server.Do("FLUSHALL") })
	group.Wait()
	collectSame(t, c, where, want, said)

	if err := where.submit(t.Context(), c, topoi.Options{Topics: 5, Iterations: 10, Device: "cpu"}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	began := time.Now()
	err := where.Watch(ctx, time.Millisecond, func(*Status) (bool, error) {
		_, err := where.Cancel(ctx)
		return true, err
	})
	one(t, err, "job watched was cancelled or has been collected")
	if time.Since(began) > 2*time.Minute {
		t.Error("it waits for a job that was cancelled")
	}
	if err := watch(); !errors.Is(err, ErrNoJob) {
		t.Errorf("a job that nobody has seen: %v", err)
	}
}
