package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/cluster/disks"
	"github.com/topoi-lda/topoi/internal/redistest"
)

// onDisks is a job whose topics are on the disks of workers in this process, each with a directory of its own.
type onDisks struct {
	testJob
	t      *testing.T
	corpus *corpus.Corpus
	dirs   []string
	stop   []context.CancelFunc
	errs   []error
	group  sync.WaitGroup
	log    lockedLog
}

// newOnDisks submits a job for so many workers and starts them. happen is called by who leads, after every iteration.
func newOnDisks(t *testing.T, where testJob, c *corpus.Corpus, opts topoi.Options, workers int, happen func(o *onDisks, iteration int)) *onDisks {
	t.Helper()
	o := &onDisks{testJob: where, t: t, corpus: c, errs: make([]error, workers), stop: make([]context.CancelFunc, workers)}
	o.TopicsAt, o.Workers = TopicsOnDisks, workers
	if o.Lease == 0 {
		o.Lease = 2 * time.Second
	}
	if err := o.submit(t.Context(), c, opts); err != nil {
		t.Fatal(err)
	}
	for range workers {
		o.dirs = append(o.dirs, t.TempDir())
	}
	for i := range workers {
		o.start(i, happen)
	}
	return o
}

// start starts a worker, for the first time or again.
func (o *onDisks) start(i int, happen func(o *onDisks, iteration int)) {
	ctx, stop := context.WithTimeout(o.t.Context(), time.Minute)
	o.stop[i] = stop
	how := WorkOptions{Threads: 1, Name: fmt.Sprint("worker", i), Scratch: o.dirs[i], Tell: func(text string) { fmt.Fprintln(&o.log, i, text) }}
	if happen != nil {
		how.Events.Iteration = func(info topoi.IterationInfo) { happen(o, info.Iteration) }
	}
	o.group.Go(func() { o.errs[i] = o.Work(ctx, o.corpus, how) })
}

// files are those of all workers.
func (o *onDisks) files() (all []string) {
	for _, dir := range o.dirs {
		found, _ := filepath.Glob(filepath.Join(dir, "*", "part-*")) // the pattern is right
		all = append(all, found...)
	}
	return all
}

// collect waits for the model, and sees that workers end and leave nothing once the job is removed.
func (o *onDisks) collect(server *redistest.Server) *topoi.Model {
	o.t.Helper()
	for began := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		s, err := o.Status(o.t.Context())
		if err == nil && s.Complete {
			break
		}
		if time.Since(began) > time.Minute { // it may be missing for a moment, while it is mended
			o.t.Fatalf("%+v, %v; the workers say\n%s", s, err, o.log.String())
		}
	}
	m, err := o.Collect(o.t.Context(), o.corpus)
	if err != nil {
		o.t.Fatalf("%v; the workers say\n%s", err, o.log.String())
	}
	if at := slices.IndexFunc(server.Keys(), isTopics); at >= 0 { // pieces may be, for a while
		o.t.Errorf("topics are in the store under %s", server.Keys()[at])
	}
	if _, err := o.Cancel(o.t.Context()); err != nil {
		o.t.Fatal(err)
	}
	o.group.Wait()
	for i, err := range o.errs {
		if errors.Is(err, context.Canceled) { // it was stopped, and its disk is as it was
			os.RemoveAll(o.dirs[i])
		} else if err != nil {
			o.t.Errorf("worker %d: %v", i, err)
		}
	}
	if left := o.files(); len(left) > 0 {
		o.t.Errorf("files are left: %q", left)
	}
	if left := server.Keys(); len(left) > 0 {
		o.t.Errorf("keys are left: %q", left)
	}
	return m
}

// isTopics says whether a key is of the topics of a barrier.
func isTopics(key string) bool { return strings.Contains(key, "}:z:") }

func init() { disks.Piece = 20_000 } // so that files travel in more than one

// Topics on the disks of any number of workers give the model of one process, and the store has none of them between barriers.
func TestTopicsOnDisksGiveTheSameModel(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	c := blocks(3)
	for _, test := range []struct {
		name    string
		opts    topoi.Options
		rows    string
		workers int
	}{
		{"warp", topoi.Options{Sampler: "warp"}, RowsWhole, 1},
		{"warp", topoi.Options{Sampler: "warp"}, RowsApart, 2},
		{"light", topoi.Options{Sampler: "light", Tuning: topoi.Tuning{Rounds: 2}}, RowsApart, 3},
		{"batch", topoi.Options{Sampler: "batch", Holdout: 0.1}, RowsWhole, 3},
		{"stale warp", topoi.Options{Sampler: "warp", Tuning: topoi.Tuning{Staleness: 1, Parts: 3}}, RowsApart, 2},
	} {
		test.opts.Topics, test.opts.Seed, test.opts.Iterations = 20, 3, 8
		test.opts.EvaluateEvery, test.opts.BurnIn, test.opts.OptimizeInterval = 6, 1, 5
		t.Run(fmt.Sprint(test.name, test.workers), func(t *testing.T) {
			want := mustTrain(t, c, test.opts)
			where := testJob{Job{Store: server.SocketURL(), Name: "disks"}, SubmitOptions{Rows: test.rows, Slices: 5, Parts: 3}}
			seen := 0
			o := newOnDisks(t, where, c, test.opts, test.workers, func(o *onDisks, iteration int) {
				if slices.ContainsFunc(server.Keys(), isTopics) {
					t.Errorf("topics are in the store after iteration %d", iteration)
				}
				seen = max(seen, len(o.files()))
			})
			sameBytes(t, o.collect(server), want)
			if least := 3 * min(2, test.workers); seen < least {
				t.Errorf("%d files of three parts by %d workers; want %d", seen, test.workers, least)
			}
			if alone := strings.Contains(o.log.String(), "nothing but a checkpoint survives its loss"); test.workers == 1 && !alone {
				t.Errorf("the workers say\n%s", o.log.String())
			}
		})
	}
}

// A worker that goes with its disk is replaced by those who have copies, as is a disk alone, or a file.
func TestDisksAreLost(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	c, opts := blocks(3), damageOptions()
	opts.Iterations = 20
	want := mustTrain(t, c, opts)
	for i, test := range []struct {
		name   string
		happen func(o *onDisks)
	}{
		{"a worker and its disk", func(o *onDisks) {
			o.stop[0]()
			os.RemoveAll(o.dirs[0])
		}},
		{"a disk alone", func(o *onDisks) { os.RemoveAll(o.dirs[0]) }},
		{"a worker and files of the others", func(o *onDisks) {
			o.stop[0]()
			for part := range 3 { // of each one, the first that is found
				for _, path := range o.files() {
					if strings.Contains(path, fmt.Sprintf("part-%d.", part)) && !strings.HasPrefix(path, o.dirs[0]) {
						_ = os.WriteFile(path, []byte("rubbish"), 0o666) // it may have gone
						break
					}
				}
			}
			time.AfterFunc(time.Second, func() { o.start(0, nil) })
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			where := testJob{Job{Store: server.URL(), Name: "lost"}, SubmitOptions{Parts: 3, Lease: 500 * time.Millisecond, Slices: 5}}
			if i == 0 {
				where.Rows = RowsApart
			}
			var once sync.Once
			o := newOnDisks(t, where, c, opts, 3, func(o *onDisks, iteration int) {
				if iteration == 12 {
					once.Do(func() { test.happen(o) })
				}
			})
			sameBytes(t, o.collect(server), want)
		})
	}
}

// All workers may stop and be started again where they were. If then nobody has topics any more, the job goes on from its checkpoint,
// or a sentence says what is lost.
func TestAllDisksAreLost(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	c, opts := blocks(2), damageOptions()
	opts.Iterations = 25
	want := mustTrain(t, c, opts)
	for _, test := range []struct {
		name             string
		lost, checkpoint bool
		said             string
	}{
		{"none", false, false, ""},
		{"all, with a checkpoint", true, true, "are on the disk of no worker that is there: job gone goes on from the checkpoint of iteration "},
		{"all", true, false, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			opts := opts
			if test.checkpoint {
				opts.Checkpoint, opts.CheckpointEvery = filepath.Join(t.TempDir(), "job.checkpoint"), 10
			}
			where := testJob{Job{Store: server.URL(), Name: "gone"}, SubmitOptions{Parts: 2, Lease: 400 * time.Millisecond, Slices: 5}}
			o := newOnDisks(t, where, c, opts, 2, func(o *onDisks, iteration int) {
				if iteration == 22 {
					o.stop[0]()
					o.stop[1]()
				}
			})
			o.group.Wait()
			for i, dir := range o.dirs {
				if test.lost {
					os.RemoveAll(dir)
				}
				o.start(i, nil)
			}
			if test.lost && !test.checkpoint {
				o.group.Wait()
				for _, err := range o.errs {
					one(t, err, "are on the disk of no worker that is there, and there is no checkpoint of job gone: start workers again where they are, or else submit it again")
				}
				if _, err := o.Cancel(t.Context()); err != nil {
					t.Fatal(err)
				}
				return
			}
			sameBytes(t, o.collect(server), want)
			if !strings.Contains(o.log.String(), test.said) {
				t.Errorf("the workers say\n%s", o.log.String())
			}
		})
	}
}

// Where a job's topics are must be said in one way, and one that is known.
func TestTopicsAt(t *testing.T) {
	server := redistest.Start(t, redistest.Config{})
	c, opts := themed(30), topoi.Options{Topics: 3, Sampler: "warp", Iterations: 5}
	where := testJob{Job{Store: server.URL(), Name: "where"}, SubmitOptions{TopicsAt: "home"}}
	one(t, where.submit(t.Context(), c, opts), `topics at "home" are not known: use store or workers`)
	where.TopicsAt, where.State = TopicsOnDisks, t.TempDir()
	one(t, where.submit(t.Context(), c, opts), `and at "workers": choose one of them`)

	// A model cannot be had without the workers that have its topics.
	where.State, where.Lease = "", 200*time.Millisecond
	o := newOnDisks(t, where, c, opts, 1, nil)
	if err := o.Watch(t.Context(), 5*time.Millisecond, func(s *Status) (bool, error) { return !s.Complete, nil }); err != nil {
		t.Fatal(err)
	}
	o.stop[0]()
	o.group.Wait()
	_, err := o.Collect(t.Context(), c)
	one(t, err, "are on the disk of no worker that is there: start workers of job where again where they were, and collect the model while they run")
	o.start(0, nil)
	sameBytes(t, o.collect(server), mustTrain(t, c, opts))

	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := o.submit(t.Context(), c, opts); err != nil {
		t.Fatal(err)
	}
	one(t, o.Work(t.Context(), c, WorkOptions{Scratch: blocked}), "there is no place for the topics of job where: ")
}
