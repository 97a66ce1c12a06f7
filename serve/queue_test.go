package serve

import (
	"context"
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

// At half of what workers can do one by one, 99 of 100 documents are done within five times
// what one takes. The cost of batches is that of the sampler for K = 100: two together take
// 1.8 times as long as one, 64 take 33 times.
func TestLatencyAtHalfLoad(t *testing.T) {
	const one = time.Millisecond
	cost := func(n int) time.Duration {
		if n == 1 {
			return one
		}
		return 8*one/10 + time.Duration(n)*one/2
	}
	for _, workers := range []int{1, 2, 8} {
		synctest.Test(t, func(t *testing.T) {
			q := newQueue(Limits{}.withDefaults(), workers, cpuBatch, cpuWeight, 0)
			list := simulate(q, 20_000, float64(workers)/one.Seconds()/2, cost)
			p99 := list[len(list)*99/100]
			t.Logf("%d workers: 99 %% within %s", workers, p99)
			if p99 >= 5*one {
				t.Errorf("%d workers: 99 %% within %s", workers, p99)
			}
		})
	}
}

// A document alone passes a request with thousands: it waits for the batch that is at work
// and for others alone, though the worker is never idle. The thousands are not held up for
// longer than the others take.
func TestOnePassesMany(t *testing.T) {
	const one = time.Millisecond
	cost := func(n int) time.Duration { return time.Duration(n) * one / 2 }
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(Limits{}.withDefaults(), 1, cpuBatch, cpuWeight, 0)
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
	q := newQueue(Limits{}.withDefaults(), 1, cpuBatch, cpuWeight, 0)
	var reqs []*request
	put := func(text string) bool {
		r, err := q.enter(t.Context(), anyVersion, &params{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		reqs = append(reqs, r)
		return q.lend(r, &item{doc: document{text: []byte(text)}})
	}
	if !put("first") || put("second") || put(string(make([]byte, 1000))) {
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
	limits := Limits{}.withDefaults()
	for _, rate := range []float64{10, 1000, 20_000} {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			batches := 0
			list := simulate(newQueue(limits, deviceCrew, deviceBatch, deviceWeight, bound), 5000, rate, func(int) time.Duration {
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
