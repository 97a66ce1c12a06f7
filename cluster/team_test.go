package cluster

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/corpus"
)

// workerVariable makes the test program a worker: it holds a testWorker as JSON.
const workerVariable = "TOPOI_TEST_WORKER"

type testWorker struct {
	Where  Job
	Corpus string
}

func TestMain(m *testing.M) {
	if text := os.Getenv(workerVariable); text != "" {
		var w testWorker
		if err := json.Unmarshal([]byte(text), &w); err != nil {
			panic(err)
		}
		if err := w.run(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	// Most tests wait most of their time, for leases and servers: more of them than there are
	// processors can run at once. The command line may say otherwise.
	if err := flag.Set("test.parallel", "3"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func (w testWorker) run() error {
	c, err := corpus.Open(w.Corpus)
	if err != nil {
		return err
	}
	defer c.Close()
	return w.Where.Work(context.Background(), c, WorkOptions{Threads: 1, Tell: func(text string) { fmt.Println(text) }})
}

// team keeps worker processes running until the job is complete.
type team struct {
	t       *testing.T
	worker  testWorker
	log     lockedLog
	mutex   sync.Mutex
	running map[int]*exec.Cmd // by place
	resting bool              // nobody is started
	group   sync.WaitGroup
	done    chan struct{} // closed when a worker has seen the job complete
	once    sync.Once
}

// lockedLog collects what workers say.
type lockedLog struct {
	mutex sync.Mutex
	text  []byte
}

func (l *lockedLog) Write(b []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.text = append(l.text, b...)
	return len(b), nil
}

func (l *lockedLog) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return string(l.text)
}

func newTeam(t *testing.T, worker testWorker) *team {
	return &team{t: t, worker: worker, running: map[int]*exec.Cmd{}, done: make(chan struct{})}
}

// keep keeps a worker running in a place, starting another whenever it ends before
// the job does.
func (m *team) keep(place int) {
	text, err := json.Marshal(m.worker)
	if err != nil {
		m.t.Fatal(err)
	}
	m.group.Go(func() {
		for !m.isDone() {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), workerVariable+"="+string(text))
			cmd.Stdout, cmd.Stderr = &m.log, &m.log
			if !m.start(place, cmd) {
				time.Sleep(5 * time.Millisecond)
				continue
			}
			if cmd.Wait() == nil {
				m.once.Do(func() { close(m.done) })
			}
			time.Sleep(10 * time.Millisecond)
		}
	})
}

func (m *team) start(place int, cmd *exec.Cmd) bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.resting {
		return false
	}
	if err := cmd.Start(); err != nil {
		m.t.Error(err)
		return false
	}
	m.running[place] = cmd
	return true
}

func (m *team) isDone() bool {
	select {
	case <-m.done:
		return true
	default:
		return false
	}
}

// signal sends a signal to the worker in a place.
func (m *team) signal(place int, s syscall.Signal) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if cmd := m.running[place]; cmd != nil {
		_ = cmd.Process.Signal(s) // it may have ended
	}
}

// rest kills all workers and lets nobody start until it is called with false.
func (m *team) rest(rest bool) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.resting = rest
	for _, cmd := range m.running {
		if rest {
			_ = cmd.Process.Kill() // it may have ended
		}
	}
}

// wait waits for the job to be complete.
func (m *team) wait(job Job, limit time.Duration) (complete bool) {
	for began := time.Now(); time.Since(began) < limit; time.Sleep(20 * time.Millisecond) {
		if s, err := job.Status(context.Background()); m.isDone() || err == nil && s.Complete {
			return true
		}
	}
	return false
}

// end ends all workers.
func (m *team) end() {
	m.once.Do(func() { close(m.done) })
	m.rest(true)
	m.group.Wait()
}
