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

// simulate lets documents come to a queue at random times, rate of them a second on
// average, and workers take cost(n) for n documents, in time that is only counted. It returns
// the sorted times from coming to done.
func simulate(q *queue, docs int, rate float64, cost func(n int) time.Duration) []time.Duration {
	r := rand.New(rand.NewPCG(1, 7))
	for range q.workers {
		go func() {
			for batch := q.take(); batch != nil; batch = q.take() {
				time.Sleep(cost(len(batch)))
				q.finish(batch, cost(len(batch)))
			}
		}()
	}
	var mu sync.Mutex
	var group sync.WaitGroup
	var list []time.Duration
	v := &version{}
	for range docs {
		time.Sleep(time.Duration(r.ExpFloat64() / rate * 1e9))
		group.Go(func() {
			req, err := q.enter(context.Background(), v, &params{}, nil)
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
