package exchange

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/redistest"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/store"
)

// job is a job in a store, with workers that are driven step by step.
type job struct {
	*history
	t     *testing.T
	st    *store.Store
	task  records.Task
	state protocol.State

	threads int
	workers []*worker
	errs    chan error
}

// worker has some parts.
type worker struct {
	*Exchange
	parts    []*protocol.Part
	progress *records.Progress
}

// form describes how a job is kept.
type form struct {
	apart   bool
	threads int
	workers [][]int // the parts of each
	next    [][]int // the parts of those who come after the barrier in the middle
}

const sliceCount = 3

// newJob creates a job. One that begins after iteration from has the topics of that time and the changes since that
// others do not see yet.
func newJob(t *testing.T, st *store.Store, name string, h *history, f form, from int) *job {
	t.Helper()
	frequencies := h.p.Pseudo.AddFrequencies(counts.Frequencies(h.p.Words, h.p.V))
	spec := protocol.Spec{
		ID: 7, Protocol: protocol.Protocol, Parts: parts, Slices: sliceCount, Topics: h.p.K, Words: h.p.V, Apart: f.apart, Staleness: h.staleness,
		Lease: time.Minute, From: from, Start: h.rounds.End(from),
	}
	state := protocol.State{Round: -1, Iteration: from, Since: from, Until: from}
	state.SetPriors(h.priors)
	var origin *records.Origin
	if from > 0 {
		origin = &records.Origin{Topics: func(part int) []uint32 { return h.z[spec.Start][part] }, Changes: h.late(spec)}
	}
	j, err := records.Create(t.Context(), st, name, spec, state, origin, frequencies, h.p.Pseudo)
	if err != nil {
		t.Fatal(err)
	}
	return &job{history: h, t: t, st: st, task: records.NewTask(j, h.plan, h.spans, frequencies), state: state, threads: f.threads, errs: make(chan error, 9)}
}

// must ends the test if a step failed.
func (j *job) must(err error) {
	j.t.Helper()
	select {
	case fault := <-j.errs:
		j.t.Fatal(fault)
	default:
	}
	if err != nil {
		j.t.Fatal(err)
	}
}

// join gives the parts to new workers, at the last barrier.
func (j *job) join(lists [][]int) {
	j.t.Helper()
	j.workers = nil
	j.hire(lists)
}

// hire adds workers.
func (j *job) hire(lists [][]int) {
	j.t.Helper()
	for i, numbers := range lists {
		ctx, cancel := context.WithCancelCause(j.t.Context())
		w := &worker{progress: records.NewProgress()}
		w.Exchange = New(ctx, func(err error) {
			j.errs <- err
			cancel(err)
		}, Options{
			Task: j.task, Threads: j.threads, Tally: NewTally("worker", "cpu", j.threads), Progress: w.progress,
			Words: func(part int) ([]uint32, error) { return j.words(part), nil },
		})
		lease := protocol.NewLease(int64(i+1), &j.task.Job.Layout, records.Control{Job: j.task.Job}, protocol.Wall)
		w.Serve(protocol.NewWorker(lease, protocol.Steps{Rounds: j.task.Rounds, Takes: j.task.Takes}, w))
		for _, number := range numbers {
			r := j.state.Round
			p := &protocol.Part{Number: number, Round: r, Sent: r, Saved: r, Reached: r}
			j.must(w.Take(ctx, p, &j.state))
			w.parts = append(w.parts, p)
		}
		j.workers = append(j.workers, w)
	}
}

// each calls do for all workers, and waits until all that they write is written.
func (j *job) each(do func(w *worker) error) {
	j.t.Helper()
	for _, w := range j.workers {
		j.must(do(w))
	}
	for _, w := range j.workers {
		j.must(w.Flush(j.t.Context()))
	}
}

// sample samples a round of all parts, and compares topics with the history.
func (j *job) sample(round int) {
	j.t.Helper()
	j.each(func(w *worker) error { return j.sampleBy(w, round) })
	for _, w := range j.workers {
		for _, p := range w.parts {
			z := make([]uint32, j.spans[p.Number].Tokens())
			w.local(p).part.Topics(z)
			if !slices.Equal(z, j.z[round][p.Number]) {
				j.t.Fatalf("round %d, part %d: other topics than with counts that are counted anew", round, p.Number)
			}
			if p.Round != round || p.Sent != round {
				j.t.Errorf("round %d: part %+v", round, p)
			}
		}
	}
	if j.task.Job.Apart { // slices are made by one worker or another
		for slice := range sliceCount {
			j.must(j.workers[(slice+round/5)%len(j.workers)].apart.makeRows(j.t.Context(), slice, round))
		}
		for _, w := range j.workers {
			w.apart.loseSlice(round % sliceCount) // the next one comes from the store
		}
		j.check(round)
	}
}

// sampleBy samples a round of a worker's parts.
func (j *job) sampleBy(w *worker, round int) error {
	if err := w.Fetch(j.t.Context(), &j.state, w.worker.VersionFor(round)); err != nil {
		return err
	}
	for _, p := range w.parts {
		if err := w.Sample(j.t.Context(), p, &j.state, round); err != nil {
			return err
		}
	}
	return nil
}

// handOver gives a part of a worker that has several to a new worker, which begins at the last barrier. Where the old
// one has one part left, its model goes on with that part's changes ahead of those of the others.
func (j *job) handOver(round int) {
	j.t.Helper()
	for _, w := range j.workers {
		if len(w.parts) == 1 {
			continue
		}
		p := w.parts[0]
		j.must(w.Drop(p))
		w.parts = slices.Delete(w.parts, 0, 1)
		j.hire([][]int{{p.Number}})
		after := j.workers[len(j.workers)-1]
		for r := j.state.Round + 1; r <= round; r++ {
			j.must(j.sampleBy(after, r))
			j.must(after.Flush(j.t.Context()))
		}
		return
	}
}

// takeOver gives the part of a worker that leaves to another that has one part, too. It begins at the last barrier, and
// the worker's model, which was ahead with the one part, has to be that of all again.
func (j *job) takeOver(round int) {
	j.t.Helper()
	if len(j.workers) < 2 || len(j.workers[0].parts) != 1 || len(j.workers[1].parts) != 1 {
		return
	}
	w, leaves := j.workers[0], j.workers[1]
	number, r := leaves.parts[0].Number, j.state.Round
	j.must(leaves.Drop(leaves.parts[0]))
	j.workers = slices.Delete(j.workers, 1, 2)
	p := &protocol.Part{Number: number, Round: r, Sent: r, Saved: r, Reached: r}
	j.must(w.Take(j.t.Context(), p, &j.state))
	w.parts = append(w.parts, p)
	for r++; r <= round; r++ {
		j.must(w.Fetch(j.t.Context(), &j.state, w.worker.VersionFor(r)))
		j.must(w.Sample(j.t.Context(), p, &j.state, r))
		j.must(w.Flush(j.t.Context()))
	}
}

// check compares rows in the store with the history.
func (j *job) check(round int) {
	j.t.Helper()
	m, want := rows.NewModel(j.task.Cut, j.p.K), j.at(round)
	j.must(j.task.Job.LoadRows(j.t.Context(), m, round))
	for w := range j.p.V {
		if got := m.AppendRow(nil, w); !slices.Equal(got, want.AppendRow(nil, w)) {
			j.t.Fatalf("round %d: the row of word %d is %v, want %v", round, w, got, want.AppendRow(nil, w))
		}
	}
	if !slices.Equal(m.Totals, want.totals()) {
		j.t.Errorf("round %d: n_k %v, want %v", round, m.Totals, want.totals())
	}
}

// meet brings all to a meeting after a round, and checks what they write.
func (j *job) meet(round, iteration int) {
	j.t.Helper()
	j.state.Until = iteration
	j.each(func(w *worker) error {
		for _, p := range w.parts {
			if j.state.Round < 0 {
				p.Round, p.Sent = round, round
			}
			if err := w.Save(j.t.Context(), p, &j.state, round); err != nil {
				return err
			}
		}
		if j.state.Round < 0 || j.task.Job.Apart {
			return nil
		}
		return w.Fetch(j.t.Context(), &j.state, w.worker.VersionFor(round+1)) // before changes may be deleted
	})
	if !j.task.Job.Apart || j.state.Round < 0 {
		for slice := range sliceCount {
			w := j.workers[slice%len(j.workers)]
			j.must(w.Publish(j.t.Context(), &j.state, slice, round))
			j.must(w.Flush(j.t.Context()))
		}
	}
	if j.state.Histograms {
		j.checkStatistics(round)
	}
	if !j.state.Brief {
		j.check(round)
		for i, span := range j.spans {
			key := j.task.Job.TopicsKey(i, round)
			b, err := j.task.Job.ReadBlob(j.t.Context(), key)
			j.must(err)
			z := make([]uint32, span.Tokens())
			j.must(blob.DecodeTopics(z, b, j.task.Job.PartID(i, round), j.p.K))
			if !slices.Equal(z, j.z[round][i]) {
				j.t.Errorf("round %d: other topics of part %d", round, i)
			}
		}
	}
	j.state.Meet(round)
	if !j.state.Brief { // others begin here: what only older barriers needed is deleted
		j.must(records.Control{Job: j.task.Job}.Raise(j.t.Context(), &j.state))
	}
}

// checkStatistics compares what priors are estimated from with the history.
func (j *job) checkStatistics(round int) {
	j.t.Helper()
	n := j.at(round)
	if !j.task.Job.Apart {
		totals, counted, err := j.task.Job.StatisticsAt(j.t.Context(), round)
		j.must(err)
		want := []uint64(nil)
		for w := range n {
			for _, e := range n.AppendRow(nil, w) {
				want = sampler.Bump(want, int(e.Count))
			}
		}
		if !slices.Equal(totals, n.totals()) || !slices.Equal(counted, want) {
			j.t.Errorf("round %d: statistics %v and %v, want %v and %v", round, totals, counted, n.totals(), want)
		}
	}
	for i, span := range j.spans {
		b, err := j.task.Job.ReadBlob(j.t.Context(), j.task.Job.Key.Histograms(i, round))
		j.must(err)
		h, err := blob.DecodeHistograms(b, j.task.Job.PartID(i, round), j.p.K)
		j.must(err)
		want := make([][]uint32, j.p.K)
		for d := span.FirstDoc; d < span.LastDoc; d++ {
			ndk := make([]int, j.p.K)
			for _, k := range j.z[round][i][int(j.p.Offsets[d])-span.Begin : int(j.p.Offsets[d+1])-span.Begin] {
				ndk[k]++
			}
			for k, x := range ndk {
				if x > 0 {
					want[k] = sampler.Bump(want[k], x)
				}
			}
		}
		for k := range want {
			if fmt.Sprint(trimmed(h.Topic[k])) != fmt.Sprint(trimmed(want[k])) {
				j.t.Errorf("round %d, part %d, topic %d: histogram %v, want %v", round, i, k, h.Topic[k], want[k])
			}
		}
	}
}

// trimmed returns numbers without the zeros that follow the last.
func trimmed(list []uint32) []uint32 {
	for len(list) > 0 && list[len(list)-1] == 0 {
		list = list[:len(list)-1]
	}
	return list
}

// connect opens a store of its own.
func connect(t *testing.T) *store.Store {
	t.Helper()
	st, err := store.Open(t.Context(), store.Options{URL: redistest.Start(t, redistest.Config{}).SocketURL()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(st.Close)
	return st
}
