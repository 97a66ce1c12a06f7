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
	"github.com/topoi-lda/topoi/internal/sampler/light"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
	"github.com/topoi-lda/topoi/internal/store"
)

// history is what a job should do, by definition: its parts sampled in one goroutine, with counts that are counted anew
// before every round.
type history struct {
	p         *sampler.Problem
	plan      *sampler.Plan
	spans     []sampler.Span
	rounds    *protocol.Rounds
	staleness int
	priors    *sampler.Priors
	z         [][][]uint32 // by round, by part
}

const parts, perIteration = 3, 4

// newHistory samples so many rounds of a problem. A part sees the topics that others had 1 + staleness rounds ago, and its own
// as they are.
func newHistory(t *testing.T, p *sampler.Problem, staleness, last int) *history {
	t.Helper()
	before := light.BlockLimits
	light.BlockLimits.Docs = 20
	t.Cleanup(func() { light.BlockLimits = before })
	p.Tuning.Rounds = perIteration
	plan, err := sampler.PlanFor(light.Info, p)
	if err != nil {
		t.Fatal(err)
	}
	h := &history{p: p, plan: plan, spans: plan.Cut(parts), rounds: &protocol.Rounds{Plan: plan}, staleness: staleness, priors: samplertest.PriorsFor(p.K)}
	if len(h.spans) != parts {
		t.Fatalf("%d parts", len(h.spans))
	}
	list, first := make([]*sampler.Part, parts), make([][]uint32, parts)
	for i, span := range h.spans {
		words := h.words(i)
		first[i] = make([]uint32, len(words))
		if list[i], err = plan.NewPart(span, words); err != nil {
			t.Fatal(err)
		}
		if err := list[i].Start(sampler.FirstTopics(p, span.Begin, words), h.priors); err != nil {
			t.Fatal(err)
		}
		list[i].Topics(first[i])
	}
	h.z = append(h.z, first)
	for round := 1; round <= last; round++ {
		now := slices.Clone(h.z[round-1])
		for i, part := range list {
			if step := h.rounds.Step(round); plan.Takes(h.spans[i], step) {
				if err := part.Round(t.Context(), step, h.sees(i, round).frozen(), h.priors); err != nil {
					t.Fatal(err)
				}
				now[i] = make([]uint32, h.spans[i].Tokens())
				part.Topics(now[i])
			}
		}
		h.z = append(h.z, now)
	}
	return h
}

// words returns the words of a part's tokens.
func (h *history) words(part int) []uint32 { return h.p.Words[h.spans[part].Begin:h.spans[part].End] }

// sees returns the counts that a part sees in a round.
func (h *history) sees(part, round int) table {
	n := newTable(h.p)
	for i, span := range h.spans {
		z := h.z[max(round-1-h.staleness, 0)][i]
		if i == part {
			z = h.z[round-1][i]
		}
		n.count(h.p.Words[span.Begin:span.End], z)
	}
	return n
}

// at returns the counts after a round.
func (h *history) at(round int) table {
	n := newTable(h.p)
	for i := range h.spans {
		n.count(h.words(i), h.z[round][i])
	}
	return n
}

// table has n_wk with pseudo-counts, by word and topic.
type table [][]uint32

func newTable(p *sampler.Problem) table {
	n := make(table, p.V)
	for w := range n {
		n[w] = make([]uint32, p.K)
		for _, e := range p.Pseudo.Row(w) {
			n[w][e.Topic] = e.Count
		}
	}
	return n
}

func (n table) count(words, z []uint32) {
	for i, w := range words {
		n[w][z[i]]++
	}
}

// AppendRow implements counts.Rows.
func (n table) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	return counts.AppendDense(dst, n[w])
}

func (n table) totals() []uint64 {
	sum := make([]uint64, len(n[0]))
	for _, row := range n {
		for k, x := range row {
			sum[k] += uint64(x)
		}
	}
	return sum
}

func (n table) frozen() *sampler.Frozen { return &sampler.Frozen{Totals: n.totals(), Rows: n} }

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

// form says how a job is kept.
type form struct {
	apart   bool
	threads int
	workers [][]int // the parts of each
	next    [][]int // the parts of those who come after the barrier in the middle
}

const sliceCount = 3

// newJob creates a job. One that begins after iteration from has the topics of that time and the changes since that others do
// not see yet.
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

// late returns the changes of the rounds before a job begins that others do not see yet.
func (h *history) late(spec protocol.Spec) (list []records.Late) {
	for round := max(spec.Start-h.staleness, 0) + 1; round <= spec.Start; round++ {
		for part := range h.spans {
			if !h.plan.Takes(h.spans[part], h.rounds.Step(round)) {
				continue
			}
			old, now := make(table, h.p.V), make(table, h.p.V)
			for w := range h.p.V {
				old[w], now[w] = make([]uint32, h.p.K), make([]uint32, h.p.K)
			}
			old.count(h.words(part), h.z[round-1][part])
			now.count(h.words(part), h.z[round][part])
			var e blob.Encoder
			id := blob.ID{Kind: blob.Changes, Job: spec.ID, Round: uint32(round), Part: uint32(part), Topics: uint32(h.p.K)}
			e.Begin(nil, id)
			for w := range h.p.V {
				var changes []counts.Change
				for k := range h.p.K {
					if delta := int32(now[w][k]) - int32(old[w][k]); delta != 0 {
						changes = append(changes, counts.Change{Topic: uint32(k), Delta: delta})
					}
				}
				if len(changes) > 0 {
					e.Changes(uint32(w), changes)
				}
			}
			d, err := blob.Open(e.Finish(), id)
			if err != nil {
				panic(err)
			}
			list = append(list, records.Late{Round: round, Part: part, Changes: d})
		}
	}
	return list
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
			p := &protocol.Part{Number: number, Round: r, Told: r, Saved: r, Reached: r}
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
			w.heldOf(p).part.Topics(z)
			if !slices.Equal(z, j.z[round][p.Number]) {
				j.t.Fatalf("round %d, part %d: other topics than with counts that are counted anew", round, p.Number)
			}
			if p.Round != round || p.Told != round {
				j.t.Errorf("round %d: part %+v", round, p)
			}
		}
	}
	if j.task.Job.Apart { // slices are made by one worker or another
		for slice := range sliceCount {
			j.must(j.workers[(slice+round/5)%len(j.workers)].apart.make(j.t.Context(), slice, round))
		}
		for _, w := range j.workers {
			w.apart.lose(round % sliceCount) // the next one comes from the store
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

// handOver gives a part of a worker that has several to a new worker, which begins at the last barrier. Where the old one has
// one part left, its model goes on with that part's changes ahead of those of the others.
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
				p.Round, p.Told = round, round
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

// forms are jobs of one worker or several, with one part or several each, and other workers after the barrier in the middle.
func forms() (list []form) {
	for _, apart := range []bool{false, true} {
		for threads := 1; threads <= 2; threads++ {
			list = append(list,
				form{apart, threads, [][]int{{0, 1, 2}}, [][]int{{2}, {0, 1}}},
				form{apart, threads, [][]int{{1}, {0}, {2}}, [][]int{{1, 2}, {0}}},
			)
		}
	}
	return list
}

// Workers that exchange changes through a store sample what one process does, for any staleness and any division of the work,
// and write the rows, topics and statistics of that: from the beginning, over a brief meeting and a barrier where others take
// over, and from a checkpoint.
func TestDrivenJobs(t *testing.T) {
	st := connect(t)
	p := samplertest.Guide(samplertest.RandomProblem(3, 100, 70, 24, 20), 4)
	for staleness := range 3 {
		h := newHistory(t, p, staleness, 5*perIteration)
		skipped := 0
		for i := range parts {
			for round := range perIteration {
				if !h.plan.Takes(h.spans[i], h.rounds.Step(round+1)) {
					skipped++
				}
			}
		}
		if skipped == 0 || skipped > 2*perIteration {
			t.Fatalf("%d times a part has nothing to do", skipped)
		}
		for i, f := range forms() {
			j := newJob(t, st, fmt.Sprintf("job-%d-%d", staleness, i), h, f, 0)
			j.join(f.workers)
			j.meet(0, 0)
			j.run(1, 2)
			j.state.Histograms, j.state.Brief = true, true
			j.meet(2*perIteration, 2)
			j.state.Brief = false
			j.run(3, 3)
			j.meet(3*perIteration, 3)
			j.join(f.next)
			j.run(4, 4)
			j.handOver(4 * perIteration)
			j.run(5, 5)
			j.meet(5*perIteration, 5)

			j = newJob(t, st, fmt.Sprintf("resumed-%d-%d", staleness, i), h, f, 2)
			j.join(f.workers)
			j.meet(2*perIteration, 2)
			j.run(3, 4)
			j.state.Histograms = true
			j.meet(4*perIteration, 4)
		}
	}
}

// run samples the rounds of some iterations.
func (j *job) run(first, last int) {
	j.t.Helper()
	for round := (first-1)*perIteration + 1; round <= last*perIteration; round++ {
		j.sample(round)
	}
}
