//go:build unix

package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/tier"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/redistest"
	"github.com/topoi-lda/topoi/train"
)

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

// TestClusterSurvivesFaults disturbs ten jobs, each in its own way, drawn from
// a fixed seed. All end with the model that one process gives.
func TestClusterSurvivesFaults(t *testing.T) {
	tier.Long(t, "simulated schedules plant the same faults")
	t.Parallel()
	redistest.Require(t)
	c, path := faultCorpus(t, 3)
	want, err := make([]*topoi.Model, len(faultOptions)), error(nil)
	for i := range faultOptions {
		o := &faultOptions[i]
		o.Topics, o.Seed, o.Iterations, o.Device = 16, 5, 20, "cpu"
		o.EvaluateEvery, o.BurnIn, o.OptimizeInterval, o.Tolerance = 5, 3, 4, -1
		if want[i], err = train.Run(t.Context(), c, *o); err != nil {
			t.Fatal(err)
		}
	}
	for seed := range 10 {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			which := seed % len(faultOptions)
			m := trainThroughFaults(t, c, path, faultOptions[which], uint64(seed))
			sameBytes(t, m, want[which])
		})
	}
}

// faultCorpus is a corpus of so many blocks, and its file.
func faultCorpus(t *testing.T, n int) (*corpus.Corpus, string) {
	path := filepath.Join(t.TempDir(), "corpus.topoi")
	if err := blocks(n).SaveLinked(path); err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c, path
}

// trainThroughFaults trains while the faults of a schedule happen.
func trainThroughFaults(t *testing.T, c *corpus.Corpus, path string, opts topoi.Options, seed uint64) *topoi.Model {
	s := &scene{random: rand.New(rand.NewPCG(seed, 7)), lease: 700 * time.Millisecond}
	s.server = redistest.Start(t, redistest.Config{Persistent: true})
	s.proxy = redistest.NewProxy(t, s.server.Addr)
	s.proxy.Delay(3 * time.Millisecond / 2) // so that there is time for faults
	direct := testJob{Job{Store: s.server.URL(), Name: "faulty"}, SubmitOptions{Lease: s.lease, Layout: Layout{Slices: 5, Parts: 4 + 3*int(seed%2)}}}
	if opts.Sampler != "batch" && seed%2 == 1 {
		direct.Layout.Rows = rowsApart
	}
	if seed%3 == 0 {
		direct.Layout.Topics = t.TempDir()
	}
	if err := direct.submit(t.Context(), c, opts); err != nil {
		t.Fatal(err)
	}
	s.team = newTeam(t, testWorker{Where: Job{Store: s.proxy.URL(s.server), Name: "faulty", Patience: 20 * time.Second}, Corpus: path})
	defer s.team.end()
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
	if !s.team.wait(direct.Job, 4*time.Minute) { // a busy machine lets leases run out again and again
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
	s.team.end()
	if left := s.server.Left(); len(left) > 0 {
		t.Errorf("after %q keys are left: %s", told, left)
	}
	if left, _ := filepath.Glob(filepath.Join(direct.Layout.Topics, "*")); direct.Layout.Topics != "" && len(left) > 0 {
		t.Errorf("after %q files are left: %s", told, left)
	}
	return m
}

// Where workers met without a barrier, a job whose workers all die goes on with the priors that were estimated there, and
// parts repeat the rounds before with those of before.
func TestJobGoesOnFromABriefMeeting(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	proxy := redistest.NewProxy(t, server.Addr)
	proxy.Delay(time.Millisecond) // so that there is time to kill workers
	path := filepath.Join(t.TempDir(), "corpus.topoi")
	if err := blocks(3).SaveLinked(path); err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	opts := topoi.Options{Topics: 16, Seed: 5, Sampler: "warp", Iterations: 14, EvaluateEvery: 14, OptimizeInterval: 4, BurnIn: 1, Tolerance: -1, Tuning: topoi.Tuning{Staleness: 1, Parts: 3}}
	want := mustTrain(t, c, opts)
	job := testJob{Job{Store: server.URL(), Name: "brief"}, SubmitOptions{Lease: 700 * time.Millisecond, Layout: Layout{Slices: 3}}}
	if err := job.submit(t.Context(), c, opts); err != nil {
		t.Fatal(err)
	}
	team := newTeam(t, testWorker{Where: Job{Store: proxy.URL(server), Name: "brief", Patience: 20 * time.Second}, Corpus: path})
	defer team.end()
	team.keep(0)
	team.keep(1)
	state := func() (s protocol.State) {
		text, _, _ := strings.Cut(server.Do("HGET", "topoi:{brief}:state", "json"), "\n") // the checksum follows
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, since := range []int{4, 8} {
		for state().Since < since {
			time.Sleep(time.Millisecond)
		}
		if s := state(); s.Since < opts.Iterations && s.Iteration != 0 {
			t.Fatalf("a barrier where priors alone were estimated: %+v", s)
		}
		team.rest(true)
		team.rest(false)
	}
	if !team.wait(job.Job, 4*time.Minute) {
		t.Fatalf("the job does not end; workers say:\n%s", team.log.String())
	}
	m, err := job.Collect(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	sameBytes(t, m, want)
}
