package exchange

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// acting are hands of a worker that do one thing where a round would fetch its rows.
type acting struct {
	*Exchange
	do func() error
}

// errSeen ends a worker that has done what a test wants.
var errSeen = errors.New("seen")

func (a *acting) Fetch(context.Context, *protocol.State, int) error {
	if err := a.do(); err != nil {
		return err
	}
	return errSeen
}

// act lets a worker that has all parts work on a job that is at a barrier, and calls do where its first round would
// fetch rows. give gives offices to other workers.
func act(t *testing.T, apart bool, do func(j *job, x *Exchange, give func(offices ...string)) error) {
	t.Helper()
	smallBlocks(t)
	h := newHistory(t, warp1, samplertest.RandomProblem(3, 100, 70, 24, 20), 0, 1)
	j := newJob(t, connect(t), "job", h, form{apart: apart, threads: 1}, 0)
	j.join([][]int{{0, 1, 2}})
	j.meet(0, 0)
	j.state.Until = 1
	j.task.Job.Lease = 3 * time.Second
	control, token := records.Control{Job: j.task.Job}, int64(7)
	lease := protocol.NewLease(token, &j.task.Job.Layout, control, protocol.Wall)
	lease.Report, lease.Leads = func() string { return "{}" }, func(*protocol.State) {}
	j.must(lease.Join(t.Context()))
	j.must(lease.Beat(t.Context()))
	var all []string
	for part := range parts {
		all = append(all, "p"+strconv.Itoa(part), "7")
	}
	j.must(control.Publish(t.Context(), token, &j.state, all))
	j.must(lease.Beat(t.Context()))
	x := New(t.Context(), func(err error) { t.Error(err) }, Options{
		Task: j.task, Threads: 1, Tally: NewTally("worker", "cpu", 1), Progress: records.NewProgress(),
		Words: func(part int) ([]uint32, error) { return j.words(part), nil },
	})
	give := func(offices ...string) {
		for _, office := range offices {
			j.must(control.Assign(t.Context(), token, []string{office, "8"}))
		}
		j.must(lease.Beat(t.Context()))
	}
	hands := &acting{Exchange: x, do: func() error { return do(j, x, give) }}
	w := protocol.NewWorker(lease, protocol.Steps{Rounds: j.task.Rounds, Takes: j.task.Takes}, hands)
	w.Tell, w.Idle = t.Logf, func(time.Duration) {}
	x.Serve(w)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := w.Work(ctx); !errors.Is(err, errSeen) {
		t.Errorf("the worker ends with: %v", err)
	}
}

// Whoever waits for values gets each of them once, with its number, however late one comes, and tells meanwhile whose
// is missing.
func TestAwaitValues(t *testing.T) {
	act(t, true, func(j *job, x *Exchange, _ func(...string)) error {
		var names []string
		for part := range parts {
			names = append(names, j.task.Job.Key.Totals(part, 1))
		}
		put := func(part int) error {
			write := records.Write{Key: names[part], Round: 1, Blob: []byte(names[part])}
			return j.task.Job.Put(t.Context(), []records.Write{write})
		}
		if err := errors.Join(put(0), put(2)); err != nil {
			return err
		}
		late := make(chan []string, 1)
		var putting sync.WaitGroup
		putting.Go(func() {
			for len(x.tally.Report(0, 0, 0).Awaits) == 0 {
				time.Sleep(time.Millisecond)
			}
			late <- x.tally.Report(0, 0, 0).Awaits
			if err := put(1); err != nil {
				t.Error(err)
			}
		})
		var got []int
		err := x.apart.await(1, names, func(i int, b []byte) error {
			if string(b) != names[i] {
				t.Errorf("value %d is %q", i, b)
			}
			got = append(got, i)
			return nil
		})
		if !slices.Equal(got, []int{0, 2, 1}) {
			t.Errorf("values %v came", got)
		}
		if awaited := <-late; !slices.Equal(awaited, []string{"p1"}) {
			t.Errorf("it tells that it waits for %v", awaited)
		}
		putting.Wait() // the value may be seen before its writer has the answer, and the test's end cancels that
		return err
	})
}

// Nobody waits for what belongs to the last barrier, nor goes on with what cannot be read.
func TestAwaitInVain(t *testing.T) {
	act(t, true, func(j *job, x *Exchange, _ func(...string)) error {
		gone := j.task.Job.Key.Totals(1, 0)
		j.must(j.st.Delete(t.Context(), gone))
		take := func(int, []byte) error { return nil }
		if err := x.apart.await(0, []string{gone}, take); !errors.Is(err, protocol.ErrMissing) {
			t.Errorf("a value of the barrier is gone: %v", err)
		}
		fault := errors.New("it cannot be read")
		there := []string{j.task.Job.Key.Totals(0, 0), j.task.Job.Key.Totals(2, 0)}
		calls := 0
		err := x.apart.await(0, there, func(int, []byte) error {
			calls++
			return fault
		})
		if !errors.Is(err, fault) || calls != 1 {
			t.Errorf("after %d values: %v", calls, err)
		}
		return nil
	})
}

// A worker that waits for the changes of others looks every eighth of a lease whether it has something else to do.
func TestAwaitUntilThereIsSomethingElse(t *testing.T) {
	act(t, false, func(j *job, x *Exchange, give func(...string)) error {
		give("p1")
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		x.ctx = ctx
		begin := time.Now()
		err := x.whole.await(&fetch{done: make(chan struct{})})
		if waited := time.Since(begin); !errors.Is(err, protocol.ErrBehind) || waited < j.task.Job.Lease/10 {
			t.Errorf("after %v: %v", waited, err)
		}
		return nil
	})
}
