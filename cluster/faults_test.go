package cluster

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/redistest"
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

// end waits for the job to be complete, or ends it.
func (m *team) end(limit time.Duration) (complete bool) {
	select {
	case <-m.done:
		complete = true
	case <-time.After(limit):
		m.once.Do(func() { close(m.done) })
	}
	m.rest(true)
	m.group.Wait()
	return complete
}

// fault is something that happens to a job.
type fault struct {
	name   string
	happen func(s *scene)
}

// scene is where faults happen.
type scene struct {
	random *rand.Rand
	team   *team
	server *redistest.Server
	proxy  *redistest.Proxy
	lease  time.Duration
}

const faultWorkers = 3

// pause lets up to the given time pass.
func (s *scene) pause(most time.Duration) {
	time.Sleep(time.Duration(s.random.Int64N(int64(most))))
}

var faults = []fault{
	{"a worker is killed", func(s *scene) { s.team.signal(s.random.IntN(faultWorkers), syscall.SIGKILL) }},
	{"a worker is frozen past its lease", func(s *scene) {
		place := s.random.IntN(faultWorkers)
		s.team.signal(place, syscall.SIGSTOP)
		time.Sleep(s.lease * 3 / 2)
		s.team.signal(place, syscall.SIGCONT)
	}},
	{"connections are cut in the middle of a blob", func(s *scene) { s.proxy.CutAfter(1 + s.random.Int64N(200_000)) }},
	{"the store restarts with its data", func(s *scene) {
		s.server.Kill()
		s.pause(s.lease / 4)
		s.server.Restart()
	}},
	{"the job is stopped and resumed", func(s *scene) {
		s.team.rest(true)
		s.pause(2 * s.lease)
		s.team.rest(false)
	}},
}

// faultOptions are the runs that the schedules disturb.
var faultOptions = []topoi.Options{
	{Sampler: "warp"},
	{Sampler: "batch", Holdout: 0.1},
	{Sampler: "warp", Tuning: topoi.Tuning{Staleness: 1, Parts: 3}},
	{Sampler: "light", Tuning: topoi.Tuning{Rounds: 2, MHSteps: 1}},
	{Sampler: "batch", Tuning: topoi.Tuning{Staleness: 2, Parts: 5}},
}

// TestClusterSurvivesFaults disturbs twenty jobs, each in its own way, drawn from
// a fixed seed. All end with the model that one process gives.
func TestClusterSurvivesFaults(t *testing.T) {
	t.Parallel()
	redistest.Require(t)
	path := filepath.Join(t.TempDir(), "corpus.topoi")
	if err := blocks(3).SaveLinked(path); err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	want := make([]*topoi.Model, len(faultOptions))
	for i := range faultOptions {
		o := &faultOptions[i]
		o.Topics, o.Seed, o.Iterations, o.Device = 16, 5, 20, "cpu"
		o.EvaluateEvery, o.BurnIn, o.OptimizeInterval, o.Tolerance = 5, 3, 4, -1
		if want[i], err = topoi.Train(t.Context(), c, *o); err != nil {
			t.Fatal(err)
		}
	}
	schedules := 20
	if testing.Short() {
		schedules = 3
	}
	for seed := range schedules {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			which := seed % len(faultOptions)
			m := trainThroughFaults(t, c, path, faultOptions[which], uint64(seed))
			sameBytes(t, m, want[which])
		})
	}
}

// trainThroughFaults trains while the faults of a schedule happen.
func trainThroughFaults(t *testing.T, c *corpus.Corpus, path string, opts topoi.Options, seed uint64) *topoi.Model {
	s := &scene{random: rand.New(rand.NewPCG(seed, 7)), lease: 700 * time.Millisecond}
	s.server = redistest.Start(t, redistest.Config{Persistent: true})
	s.proxy = redistest.NewProxy(t, s.server.Addr)
	s.proxy.Delay(3 * time.Millisecond / 2) // so that there is time for faults
	direct := testJob{Job{Store: s.server.URL(), Name: "faulty"}, SubmitOptions{Lease: s.lease, Parts: 4 + 3*int(seed%2), Slices: 5}}
	if opts.Sampler != "batch" && seed%2 == 1 {
		direct.Rows = RowsApart
	}
	if seed%3 == 0 {
		direct.State = t.TempDir()
	}
	if err := direct.submit(t.Context(), c, opts); err != nil {
		t.Fatal(err)
	}
	s.team = newTeam(t, testWorker{Where: Job{Store: s.proxy.URL(s.server), Name: "faulty", Patience: 20 * time.Second}, Corpus: path})
	for place := range faultWorkers {
		s.team.keep(place)
	}
	// One fault of the kind that the seed names, and others.
	order := []int{int(seed/5+seed) % len(faults)}
	for range 2 {
		order = append(order, s.random.IntN(len(faults)))
	}
	var told []string
	for _, i := range order {
		s.pause(700 * time.Millisecond)
		if s.team.isDone() {
			break
		}
		told = append(told, faults[i].name)
		faults[i].happen(s)
	}
	if !s.team.end(4 * time.Minute) { // a busy machine lets leases run out again and again
		status, err := direct.Status(context.Background())
		t.Fatalf("after %q the job does not end: %+v, %v\nworkers say:\n%s", told, status, err, s.team.log.String())
	}
	t.Logf("%q", told)
	m, err := direct.Collect(t.Context(), c)
	if err != nil {
		t.Fatalf("after %q: %v\nworkers say:\n%s", told, err, s.team.log.String())
	}
	if _, err := direct.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left := s.server.Do("KEYS", "*"); left != "" {
		t.Errorf("after %q keys are left: %s", told, left)
	}
	if left, _ := filepath.Glob(filepath.Join(direct.State, "*")); direct.State != "" && len(left) > 0 {
		t.Errorf("after %q files are left: %s", told, left)
	}
	return m
}
