package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// latency measures requests with a document of 200 words that come at random times, half as
// many as the server can answer.
func (b *bench) latency() error {
	s, err := b.start()
	if err != nil {
		return err
	}
	body := `{"documents":[` + b.twoHundredWords() + `]}`
	own, err := s.alone(body, 300)
	if err != nil {
		return err
	}
	most, err := s.capacity(body, 4*b.threads, b.length/6)
	if err != nil {
		return err
	}
	list, err := s.arrivals(body, most/2, b.length)
	if err != nil {
		return err
	}
	at := func(share float64) time.Duration { return list[min(len(list)-1, int(share*float64(len(list))))] }
	fmt.Printf("latency of a document of 200 words, %d threads: own computing %s; %.0f a second at most, asked for %.0f a second at random times over %s\n",
		b.threads, own.Round(time.Microsecond), most, most/2, b.length)
	for _, p := range []float64{0.5, 0.9, 0.99, 0.999} {
		fmt.Printf("  %5.1f %% within %8s, %.1f times its own computing\n", 100*p, at(p).Round(10*time.Microsecond), float64(at(p))/float64(own))
	}
	return s.stop()
}

// alone asks one by one and returns the median of what the worker needs for a document.
func (s *server) alone(body string, times int) (time.Duration, error) {
	var list []time.Duration
	for range times {
		before := s.metric("topoi_serve_batch_seconds_sum")
		if status, said, err := s.post("/v1/infer", "application/json", body); err != nil || status != http.StatusOK {
			return 0, fmt.Errorf("status %d, %w: %s", status, err, said)
		}
		list = append(list, time.Duration((s.metric("topoi_serve_batch_seconds_sum")-before)*1e9))
	}
	slices.Sort(list)
	return list[len(list)/2], nil
}

// capacity returns how many requests a second so many clients get answered.
func (s *server) capacity(body string, clients int, length time.Duration) (float64, error) {
	var group sync.WaitGroup
	var done atomic.Int64
	faults := make([]error, clients)
	begun := time.Now()
	for i := range clients {
		group.Go(func() {
			for time.Since(begun) < length {
				if status, said, err := s.post("/v1/infer", "application/json", body); err != nil || status != http.StatusOK {
					faults[i] = fmt.Errorf("status %d, %w: %s", status, err, said)
					return
				}
				done.Add(1)
			}
		})
	}
	group.Wait()
	return float64(done.Load()) / time.Since(begun).Seconds(), firstOf(faults)
}

// arrivals sends requests at random times, so many a second, whether or not those before
// are answered, and returns their latencies, sorted.
func (s *server) arrivals(body string, rate float64, length time.Duration) ([]time.Duration, error) {
	var group sync.WaitGroup
	var mu sync.Mutex
	var list []time.Duration
	faults := map[string]int{}
	r := rand.New(rand.NewPCG(1, 1))
	begun := time.Now()
	for due := time.Duration(0); due < length; due += time.Duration(r.ExpFloat64() / rate * 1e9) {
		time.Sleep(due - time.Since(begun))
		group.Go(func() {
			asked := begun.Add(due) // not when the load generator got round to it
			status, said, err := s.post("/v1/infer", "application/json", body)
			mu.Lock()
			defer mu.Unlock()
			if err != nil || status != http.StatusOK {
				faults[fmt.Sprint(status, " ", err, " ", strings.TrimSpace(said))]++
				return
			}
			list = append(list, time.Since(asked))
		})
	}
	group.Wait()
	if len(faults) > 0 || len(list) == 0 {
		return nil, fmt.Errorf("%d answers, and %v", len(list), faults)
	}
	slices.Sort(list)
	return list, nil
}
