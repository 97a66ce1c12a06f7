package serve

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// anyVersion is the model that documents are for.
var anyVersion = &version{}

// simulate lets documents come to a queue at random times, rate of them a second on
// average, and workers take cost(n) for n documents, in time that is only counted. It returns
// the sorted times from coming to done.
func simulate(q *queue, docs int, rate float64, cost func(n int) time.Duration) []time.Duration {
	r := rand.New(rand.NewPCG(1, 7))
	var group, workers sync.WaitGroup
	for range q.workers {
		workers.Go(func() {
			for batch := q.take(); batch != nil; batch = q.take() {
				time.Sleep(cost(len(batch)))
				q.finish(batch, cost(len(batch)))
			}
		})
	}
	var mu sync.Mutex
	var list []time.Duration
	for range docs {
		time.Sleep(time.Duration(r.ExpFloat64() / rate * 1e9))
		group.Go(func() {
			req, err := q.enter(context.Background(), anyVersion, &params{}, nil)
			if err != nil {
				panic(err)
			}
			came, it := time.Now(), &item{}
			q.put(req, it)
			for !q.isDone(it) {
				<-req.notify
			}
			q.leave(req)
			mu.Lock()
			defer mu.Unlock()
			list = append(list, time.Since(came))
		})
	}
	group.Wait()
	q.close()
	workers.Wait()
	slices.Sort(list)
	return list
}

// together is the time that n documents take together, in units of that of one, as measured
// for K = 100 on a processor with AVX-512: a single chain of draws cannot fill its units.
func together(n int) float64 {
	sizes := []int{1, 2, 4, 8, 16, 32, 64}
	costs := []float64{1, 0.92, 0.855, 0.823, 0.75, 0.70, 0.63} // a document's
	i, found := slices.BinarySearch(sizes, n)
	if found {
		return float64(n) * costs[i]
	}
	if i == len(sizes) {
		return float64(n) * costs[i-1]
	}
	part := float64(n-sizes[i-1]) / float64(sizes[i]-sizes[i-1])
	return float64(n) * (costs[i-1] + part*(costs[i]-costs[i-1]))
}

// waitsInTheory returns which wait, in units of the time of one, a share of documents does not
// exceed if they come at random times to one worker that does one after the other and is busy
// for the given share of its time (Erlang 1909; the M/D/1 queue):
//
//	P(W ≤ x) = (1 − ρ) Σ_{k ≤ x} (ρ(k − x))^k / k! · e^(−ρ(k − x))
func waitsInTheory(busy, share float64) float64 {
	x := 0.0
	for ; ; x += 0.001 {
		sum := 0.0
		for k := 0.0; k <= x; k++ {
			a := busy * (k - x)
			sum += math.Pow(a, k) / math.Gamma(k+1) * math.Exp(-a)
		}
		if (1-busy)*sum >= share {
			return x
		}
	}
}

// One by one at half load, 99 of 100 documents take what the theory says: 4.34 times their own
// time on one worker. Batches, which make up for it under more load, cost a little then; more
// workers help far more.
func TestLatencyAtHalfLoad(t *testing.T) {
	const one = time.Millisecond
	p99 := func(workers, batch int, cost func(int) time.Duration) (times float64) {
		synctest.Test(t, func(t *testing.T) {
			q := newQueue(Options{}.withDefaults().Limits, workers, batch, cpuWeight, 0)
			list := simulate(q, 20_000, float64(workers)/one.Seconds()/2, cost)
			times = list[len(list)*99/100].Seconds() / one.Seconds()
		})
		return times
	}
	theory := 1 + waitsInTheory(0.5, 0.99)
	if got := p99(1, 1, func(int) time.Duration { return one }); math.Abs(got-theory) > 0.15 || math.Abs(theory-4.34) > 0.01 {
		t.Errorf("one by one on one worker 99 %% take %.2f times as long, and %.2f in theory", got, theory)
	}
	for workers, most := range map[int]float64{1: 5, 2: 3, 8: 1.4} {
		got := p99(workers, cpuBatch, func(n int) time.Duration { return time.Duration(together(n) * float64(one)) })
		t.Logf("%d workers: 99 %% within %.2f", workers, got)
		if got > most {
			t.Errorf("%d workers: 99 %% within %.2f times as long", workers, got)
		}
	}
}

// A document alone passes a request with thousands: it waits for the batch that is at work
// and for others alone, though the worker is never idle. The thousands are not held up for
// longer than the others take.
func TestOnePassesMany(t *testing.T) {
	const one = time.Millisecond
	cost := func(n int) time.Duration { return time.Duration(n) * one / 2 }
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(Options{}.withDefaults().Limits, 1, cpuBatch, cpuWeight, 0)
		many, err := q.enter(t.Context(), anyVersion, &params{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var items []*item
		for range 10_000 {
			items = append(items, &item{})
		}
		q.put(many, items...)
		begun := time.Now()
		list := simulate(q, 200, 100, cost)
		if longest := list[len(list)-1]; longest > cost(cpuBatch)+cost(few*4) {
			t.Errorf("a document alone took %s, and a batch of the others takes %s", longest, cost(cpuBatch))
		}
		done := 0
		for _, it := range items {
			if it.done {
				done++
			}
		}
		if share := cost(done).Seconds() / time.Since(begun).Seconds(); share < 0.9 {
			t.Errorf("the others had %.2f of the time", share)
		}
	})
}

// A goroutine lends itself only while nobody waits and a worker is free, takes those who
// came meanwhile along, and leaves what is too much for it to the workers.
func TestLending(t *testing.T) {
	q := newQueue(Options{}.withDefaults().Limits, 1, cpuBatch, cpuWeight, 0)
	var reqs []*request
	put := func(text string) bool {
		r, err := q.enter(t.Context(), anyVersion, &params{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		reqs = append(reqs, r)
		return q.lend(r, &item{doc: document{text: []byte(text)}})
	}
	large := string(make([]byte, 1000))
	if !put("first") || put("second") || put(large) {
		t.Error("it must be the first one alone that works")
	}
	batch := q.takeHere(500)
	if len(batch) != 2 || batch[0].req != reqs[0] || batch[1].req != reqs[1] {
		t.Fatalf("it took %d documents", len(batch))
	}
	if put("fourth") {
		t.Error("another one works though none is free")
	}
	q.finish(batch, 0)
	if batch = q.take(); len(batch) != 2 || batch[0].req != reqs[2] {
		t.Errorf("a worker took %d documents", len(batch))
	}
	q.finish(batch, 0)
	if !put("fifth") {
		t.Error("all are done and none works")
	}
	if batch = q.takeHere(500); len(batch) != 1 || q.takeHere(500) != nil {
		t.Errorf("it took %d documents", len(batch))
	}
}

// On the way to a device nobody waits longer than the bound for a batch, and under load
// batches are large.
func TestBatchesOfADevice(t *testing.T) {
	const bound, one = 5 * time.Millisecond, 2 * time.Millisecond
	limits := Options{}.withDefaults().Limits
	for _, rate := range []float64{10, 1000, 20_000} {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			batches := 0
			list := simulate(newQueue(limits, deviceWorkers, deviceBatch, deviceWeight, bound), 5000, rate, func(int) time.Duration {
				mu.Lock()
				defer mu.Unlock()
				batches++ // twice for each
				return one
			})
			if longest := list[len(list)-1]; longest > bound+one {
				t.Errorf("%v a second: one took %s", rate, longest)
			}
			if least := 5000 * 2 / max(1, rate*bound.Seconds()); float64(batches) > 1.3*least {
				t.Errorf("%v a second: %d batches", rate, batches/2)
			}
		})
	}
}
