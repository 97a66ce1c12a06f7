package exchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/redistest"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
	"github.com/topoi-lda/topoi/internal/store"
)

// faulty drives a job whose store may fail, until it does.
type faulty struct {
	*job
	taken  func() // called when others have taken over; may be nil
	passed []int  // parts whose words are not needed for now
}

// hire begins with new workers at the last barrier.
func (j *faulty) hire(lists [][]int) error {
	j.workers = nil
	for i, numbers := range lists {
		ctx, cancel := context.WithCancelCause(j.t.Context())
		w := &worker{}
		w.Exchange = New(ctx, cancel, Options{
			Task: j.task, Threads: 1, Tally: NewTally("worker", "cpu", 1), Progress: records.NewProgress(),
			Words:  func(part int) ([]uint32, error) { return j.words(part), nil },
			Passed: func(part int) { j.passed = append(j.passed, part) },
		})
		lease := protocol.NewLease(int64(i+1), &j.task.Job.Layout, records.Control{Job: j.task.Job}, protocol.Wall)
		w.Serve(protocol.NewWorker(lease, protocol.Steps{Rounds: j.task.Rounds, Takes: j.task.Takes}, w))
		j.workers = append(j.workers, w)
		for _, number := range numbers {
			r := j.state.Round
			p := &protocol.Part{Number: number, Round: r, Sent: r, Saved: r, Reached: r}
			if err := w.Take(ctx, p, &j.state); err != nil {
				return err
			}
			w.parts = append(w.parts, p)
		}
	}
	return nil
}

// each calls do for all workers in turn, and waits until what each writes is written.
func (j *faulty) each(do func(w *worker) error) error {
	for _, w := range j.workers {
		if err := do(w); err != nil {
			return err
		}
	}
	for _, w := range j.workers {
		if err := w.Flush(j.t.Context()); err != nil {
			return err
		}
	}
	return nil
}

// run samples some rounds.
func (j *faulty) run(first, last int) error {
	for round := first; round <= last; round++ {
		if err := j.each(func(w *worker) error { return j.sampleBy(w, round) }); err != nil {
			return err
		}
		for slice := 0; j.task.Job.Apart && slice < sliceCount; slice++ {
			if err := j.workers[slice%len(j.workers)].apart.makeRows(j.t.Context(), slice, round); err != nil {
				return err
			}
		}
	}
	return nil
}

// meet brings all to a meeting after a round.
func (j *faulty) meet(round, iteration int) error {
	j.state.Until = iteration
	err := j.each(func(w *worker) error {
		for _, p := range w.parts {
			if j.state.Round < 0 {
				p.Round, p.Sent = round, round
			}
			if err := w.Save(j.t.Context(), p, &j.state, round); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for slice := 0; (!j.task.Job.Apart || j.state.Round < 0) && slice < sliceCount; slice++ {
		w := j.workers[slice%len(j.workers)]
		if err := errors.Join(w.Publish(j.t.Context(), &j.state, slice, round), w.Flush(j.t.Context())); err != nil {
			return err
		}
	}
	j.state.Meet(round)
	return nil
}

// drive goes from a beginning over a barrier, where others take over, to the end.
func (j *faulty) drive(from int) error {
	steps := []func() error{
		func() error { return j.hire([][]int{{0, 1}, {2}}) },
		func() error { return j.meet(from, from) },
		func() error { return j.run(from+1, from+2) },
		func() error {
			j.state.Histograms = true
			return j.meet(from+2, from+2)
		},
		func() error { return j.hire([][]int{{2}, {1, 0}}) },
		func() error {
			if j.taken != nil {
				j.taken()
			}
			return nil
		},
		func() error { return j.run(from+3, from+5) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			for _, w := range j.workers {
				err = cmp.Or(context.Cause(w.ctx), err) // what ended the session comes first
			}
			return err
		}
	}
	return nil
}

// The names of keys end in these ways, in a job whose rows are in memory or apart, from the beginning or from round 1.
var keyEnds = map[bool]map[int][]string{
	false: {
		0: {
			"s1}:first:0", "s2}:v:0", "p1}:z:0", "s0}:d:1:2", "s1}:d:2:0", "s2}:d:2:2", "s1}:h:2", "p2}:h:2", "s1}:v:2",
			"p2}:z:2", "s1}:d:3:1",
		},
		1: {"p0}:first", "s1}:d:1:1", "s1}:first:0", "s2}:v:1", "p1}:z:1"},
	},
	true: {
		0: {
			"s1}:first:0", "s2}:v:0", "p1}:n:0", "p1}:z:0", "s0}:d:1:2", "s1}:v:1", "p2}:n:1", "s1}:d:2:0", "p2}:h:2",
			"p2}:z:2", "s1}:d:3:1",
		},
		1: {"p0}:first", "s1}:d:1:1", "s1}:first:0", "s2}:v:0", "p2}:n:0", "p1}:z:1"},
	},
}

// Whatever a worker cannot read or write ends its session, and a value that is damaged is told by its key. Values that
// nobody reads in this time do no harm.
func TestEachKeyMayFail(t *testing.T) {
	smallBlocks(t)
	server := redistest.Start(t, redistest.Config{})
	faults := redistest.NewFaults(t, server)
	st, err := store.Open(t.Context(), store.Options{URL: faults.URL()})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	h := newHistory(t, warp1, samplertest.Guide(samplertest.RandomProblem(3, 100, 70, 24, 20), 4), 1, 5)
	begin := func(apart bool, from int) *faulty {
		server.Do("FLUSHALL")
		faults.Pass()
		return &faulty{job: newJob(t, st, "job", h, form{apart: apart}, from)}
	}
	read := 0
	for apart, froms := range keyEnds {
		for from, ends := range froms {
			j := begin(apart, from)
			if err := j.drive(from); err != nil {
				t.Fatalf("apart %v, from %d: %v", apart, from, err)
			}
			if !slices.Equal(j.passed, []int{0, 1, 2, 2, 1, 0}) {
				t.Errorf("apart %v, from %d: parts %v are passed", apart, from, j.passed)
			}
			// Statistics are of the one meeting that asked for them, those of slices where a worker has all rows.
			var statistics []string
			for _, key := range server.Keys() {
				if office, ok := strings.CutSuffix(key, fmt.Sprint("}:h:", from+2)); ok {
					statistics = append(statistics, strings.TrimPrefix(office, "topoi:{job:"))
				} else if strings.Contains(key, "}:h:") {
					t.Errorf("apart %v, from %d: nobody asked for %s", apart, from, key)
				}
			}
			want := []string{"p0", "p1", "p2", "s0", "s1", "s2"}
			if apart {
				want = want[:3]
			}
			if !slices.Equal(statistics, want) {
				t.Errorf("apart %v, from %d: statistics of %v, want %v", apart, from, statistics, want)
			}
			for _, end := range append(ends, "}:reached") {
				j := begin(apart, from)
				faults.FailOn(end)
				err := j.drive(from)
				if !faults.Failed() || err == nil || !strings.Contains(err.Error(), "this command fails") {
					t.Errorf("apart %v, from %d: %s cannot be used: %v", apart, from, end, err)
				}
				j = begin(apart, from)
				faults.FailGet(end)
				if err = j.drive(from); !faults.Failed() {
					continue
				}
				if err == nil || !strings.Contains(err.Error(), "this command fails") {
					t.Errorf("apart %v, from %d: %s cannot be read: %v", apart, from, end, err)
				}
				j = begin(apart, from)
				faults.Spoil(end)
				var d *protocol.Damage
				err = j.drive(from)
				if read++; !errors.As(err, &d) || !strings.HasSuffix(d.Key, end[2:]) {
					t.Errorf("apart %v, from %d: %s is damaged: %v", apart, from, end, err)
				}
			}
		}
	}
	for apart := range keyEnds { // whoever takes a part over reads what it changed in the last rounds
		for _, end := range []string{"s0}:d:2:0", "s2}:d:2:1"} {
			j := begin(apart, 0)
			j.taken = func() { faults.FailOn(end) }
			if err := j.drive(0); err == nil || !strings.Contains(err.Error(), "this command fails") {
				t.Errorf("apart %v: %s cannot be read by another worker: %v", apart, end, err)
			}
			j = begin(apart, 0)
			j.taken = func() { faults.Spoil(end) }
			var d *protocol.Damage
			if err := j.drive(0); !errors.As(err, &d) || !strings.HasSuffix(d.Key, end) {
				t.Errorf("apart %v: %s is damaged for another worker: %v", apart, end, err)
			}
		}
	}
	if read < 20 {
		t.Errorf("%d keys were read, at least 20 expected", read)
	}
}

// A worker that has the first part alone, and then another one too, begins again with the model of all.
func TestFirstPartAhead(t *testing.T) {
	smallBlocks(t)
	h := newHistory(t, warp1, samplertest.RandomProblem(3, 100, 70, 24, 20), 1, 5)
	f := form{threads: 1, workers: [][]int{{0}, {1}, {2}}, next: [][]int{{1}, {0}, {2}}}
	newJob(t, connect(t), "job", h, f, 0).begin(f)
}

// Rows of a slice cannot be added up before all parts have counted theirs; who waits for something is told when its
// session ends.
func TestWaits(t *testing.T) {
	smallBlocks(t)
	h := newHistory(t, warp1, samplertest.RandomProblem(3, 100, 70, 24, 20), 0, 1)
	j := newJob(t, connect(t), "job", h, form{apart: true, threads: 1}, 0)
	j.join([][]int{{0, 1}, {2}})
	w := j.workers[0]
	if err := w.Publish(t.Context(), &j.state, 1, 0); !errors.Is(err, protocol.ErrBehind) {
		t.Errorf("no part has counted its rows: %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	w.core.ctx = ctx
	cause := errors.New("the worker ends")
	cancel(cause)
	for range mostWrites { // of which none ends
		w.limit <- struct{}{}
	}
	if err := w.background(func() error { return nil }); !errors.Is(err, cause) {
		t.Errorf("a write that never begins: %v", err)
	}
	if err := w.Flush(t.Context()); !errors.Is(err, cause) {
		t.Errorf("flushed: %v", err)
	}
}

// A model whose rows could not be read is read again.
func TestModelIsReadAgain(t *testing.T) {
	smallBlocks(t)
	server := redistest.Start(t, redistest.Config{})
	st, err := store.Open(t.Context(), store.Options{URL: server.SocketURL()})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	h := newHistory(t, warp1, samplertest.RandomProblem(3, 100, 70, 24, 20), 0, 1)
	j := newJob(t, st, "job", h, form{threads: 1}, 0)
	j.join([][]int{{0, 1, 2}})
	j.meet(0, 0)
	w, key := j.workers[0], j.task.Job.Key.Rows(1, 0)
	for _, damaged := range []bool{false, true} {
		w.whole.model = nil
		server.Do("RENAME", key, "kept")
		if damaged {
			server.Do("SET", key, "no rows")
		}
		if err := w.Fetch(t.Context(), &j.state, 0); !errors.Is(err, protocol.ErrGone) {
			t.Errorf("rows that are gone, damaged %v: %v", damaged, err)
		}
		server.Do("RENAME", "kept", key)
		j.must(w.Fetch(t.Context(), &j.state, 0))
		if want := j.at(0).totals(); !slices.Equal(w.whole.model.Totals, want) {
			t.Errorf("damaged %v: n_k %v, want %v", damaged, w.whole.model.Totals, want)
		}
	}
}

// The time in which a part waits for rows in the middle of a round is not one in which it samples.
func TestAwaitInARound(t *testing.T) {
	smallBlocks(t)
	h := newHistory(t, warp1, samplertest.RandomProblem(3, 100, 70, 24, 20), 0, 1)
	j := newJob(t, connect(t), "job", h, form{apart: true, threads: 1}, 0)
	j.join([][]int{{0, 1, 2}})
	j.meet(0, 0)
	w := j.workers[0]
	j.must(w.Fetch(t.Context(), &j.state, 0))
	before := w.tally.Report(0, 0, 0)
	b, err := w.apart.feed.awaitRows(1)
	j.must(err)
	want, err := j.task.Job.ReadBlob(t.Context(), j.task.Job.Key.Rows(1, 0))
	j.must(err)
	after := w.tally.Report(0, 0, 0)
	waited := after.Waiting - before.Waiting
	if !slices.Equal(b, want) || waited <= 0 || after.Sampling != before.Sampling-waited || after.Awaits != nil {
		t.Errorf("%d bytes, %v of waiting, %v of sampling", len(b), waited, after.Sampling-before.Sampling)
	}
}
