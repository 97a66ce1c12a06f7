package exchange

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// Workers that exchange changes through a store sample what one process does, for any staleness and any division of the
// work, and write the rows, topics and statistics of that: from the beginning, over a brief meeting and a barrier where
// others take over, and from a checkpoint.
func TestDrivenJobs(t *testing.T) {
	smallBlocks(t)
	st := connect(t)
	for _, k := range []kind{light4, warp1} {
		for staleness := range 3 {
			p := samplertest.Guide(samplertest.RandomProblem(3, 100, 70, 24, 20), 4)
			h := newHistory(t, k, p, staleness, 5)
			skipped := 0
			for i := range parts {
				for round := 1; round <= h.per; round++ {
					if !h.plan.Takes(h.spans[i], h.rounds.Step(round)) {
						skipped++
					}
				}
			}
			if (skipped > 0) != (k.rounds > 1) {
				t.Fatalf("%s: %d times a part has nothing to do", k.Name, skipped)
			}
			for i, f := range forms() {
				name := fmt.Sprintf("%s-%d-%d", k.Name, staleness, i)
				j := newJob(t, st, name, h, f, 0)
				j.begin(f)
				j = newJob(t, st, name+"-resumed", h, f, 2)
				j.resume(f)
			}
		}
	}
}

// begin drives a job from its beginning.
func (j *job) begin(f form) {
	j.t.Helper()
	j.join(f.workers)
	j.meet(0, 0)
	j.run(1, 2)
	j.state.Histograms, j.state.Brief = true, true
	j.meet(2*j.per, 2)
	j.state.Brief = false
	j.run(3, 3)
	j.takeOver(3 * j.per)
	j.meet(3*j.per, 3)
	j.join(f.next)
	j.run(4, 4)
	j.handOver(4 * j.per)
	j.run(5, 5)
	j.meet(5*j.per, 5)
}

// resume drives a job that begins after the second iteration.
func (j *job) resume(f form) {
	j.t.Helper()
	j.join(f.workers)
	j.meet(2*j.per, 2)
	j.run(3, 4)
	j.state.Histograms = true
	j.meet(4*j.per, 4)
}

// run samples the rounds of some iterations.
func (j *job) run(first, last int) {
	j.t.Helper()
	for round := (first-1)*j.per + 1; round <= last*j.per; round++ {
		j.sample(round)
	}
}

// A worker without parts keeps nobody waiting; one with parts is where the last of them is.
func TestProgressOfAWorker(t *testing.T) {
	smallBlocks(t)
	h := newHistory(t, light4, samplertest.RandomProblem(3, 100, 70, 24, 20), 0, 1)
	j := newJob(t, connect(t), "job", h, form{threads: 1}, 0)
	j.join([][]int{{}, {0, 1, 2}})
	idle, busy := j.workers[0], j.workers[1]
	for name, w := range map[string]*worker{"idle": idle, "busy": busy} {
		most := time.Hour
		if w == busy {
			most = 100 * time.Millisecond
		}
		began := time.Now()
		w.progress.Await(t.Context(), 1, most)
		if waited := time.Since(began); w == busy && waited < most || waited > most/2 && w == idle {
			t.Errorf("a leader waits %v for the %s worker", waited, name)
		}
	}
	busy.parts[0].Sent, busy.parts[1].Sent, busy.parts[2].Sent = 5, 3, 4
	if sent := busy.noteProgress(); sent != 3 {
		t.Errorf("the worker has sent round %d, want 3", sent)
	}
	if err := busy.Drop(busy.parts[1]); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if busy.progress.Await(t.Context(), 4, time.Minute); time.Since(began) > 30*time.Second || len(busy.Exchange.parts) != 2 {
		t.Error("without its slowest part the worker is not further")
	}
}

// A worker that needs changes which are gone says which; its model is loaded anew when they are there.
func TestChangesThatAreGone(t *testing.T) {
	smallBlocks(t)
	h := newHistory(t, warp1, samplertest.RandomProblem(3, 100, 70, 24, 20), 1, 4)
	j := newJob(t, connect(t), "job", h, form{threads: 1}, 0)
	j.join([][]int{{0, 1}, {2}})
	j.meet(0, 0)
	j.run(1, 3)
	w, gone := j.workers[1], j.task.Job.Key.Changes(1, 2, 2)
	kept, err := j.st.Get(t.Context(), gone)
	j.must(err)
	j.must(j.st.Delete(t.Context(), gone))
	w.whole.model, w.whole.own = nil, map[int]map[int][][]byte{} // it begins anew, where its part has sent three rounds
	if err := w.Fetch(t.Context(), &j.state, 2); !errors.Is(err, protocol.ErrMissing) || !strings.Contains(err.Error(), gone) {
		t.Errorf("changes of its own are gone: %v", err)
	}
	j.must(j.task.Job.Put(t.Context(), []records.Write{{Key: gone, Round: 2, Blob: kept[0]}}))
	j.must(w.Fetch(t.Context(), &j.state, 2))
	if w.whole.model.Round != 2 || w.whole.model.SoloRound != 3 {
		t.Errorf("the model is at round %d, with its own part at %d", w.whole.model.Round, w.whole.model.SoloRound)
	}
	j.run(4, 4)
}

// A round that is cut short spoils its part, which begins again at the last barrier.
func TestSpoiledRound(t *testing.T) {
	smallBlocks(t)
	h := newHistory(t, warp1, samplertest.RandomProblem(3, 100, 70, 24, 20), 0, 1)
	j := newJob(t, connect(t), "job", h, form{threads: 1}, 0)
	j.join([][]int{{0, 1, 2}})
	j.meet(0, 0)
	w := j.workers[0]
	j.must(w.Fetch(t.Context(), &j.state, 0))
	w.cancel(errors.New("the worker ends"))
	if err := w.Sample(t.Context(), w.parts[1], &j.state, 1); err == nil || w.parts[1].Round != protocol.Spoiled || w.parts[1].Sent != 0 {
		t.Errorf("%+v: %v", w.parts[1], err)
	}
}

// An owner's work is shared out: every slice is worked on once.
func TestOwnerOfSlices(t *testing.T) {
	smallBlocks(t)
	h := newHistory(t, light4, samplertest.RandomProblem(3, 100, 70, 24, 20), 0, 1)
	j := newJob(t, connect(t), "job", h, form{apart: true, threads: 2}, 0)
	j.join([][]int{{0, 1, 2}})
	done := make([]atomic.Int32, 9)
	j.workers[0].Owner().Each(len(done), func(i int) { done[i].Add(1) })
	for i := range done {
		if n := done[i].Load(); n != 1 {
			t.Errorf("slice %d is worked on %d times", i, n)
		}
	}
}

// A report adds up tokens and rounds that were sampled.
func TestReportOfAWorker(t *testing.T) {
	smallBlocks(t)
	h := newHistory(t, warp1, samplertest.RandomProblem(3, 100, 70, 24, 20), 0, 3)
	j := newJob(t, connect(t), "job", h, form{threads: 1}, 0)
	j.join([][]int{{0, 2}, {1}})
	j.meet(0, 0)
	j.run(1, 3)
	for i, parts := range [][]int{{0, 2}, {1}} {
		tokens := 0
		for _, part := range parts {
			tokens += 3 * h.spans[part].Tokens()
		}
		r := j.workers[i].tally.Report(1, 2, 3)
		if r.Tokens != uint64(tokens) || r.Rounds != 3 || r.Round != 3 || r.Parts != len(parts) || r.Sampling <= 0 || r.Coding <= 0 || r.Memory == 0 || r.Peak < r.Memory {
			t.Errorf("%+v, want %d tokens", r, tokens)
		}
	}
}

// forms are jobs of one worker or several, with one part or several each, and other workers after the barrier in the
// middle.
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
