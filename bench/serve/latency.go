//go:build linux

package main

import (
	"fmt"
	"net/http"
	"slices"
	"time"
)

// latency measures requests with a document of 200 words each that come at random times,
// half as many as the server can answer, in several turns.
func (b *bench) latency() error {
	s, err := b.start()
	if err != nil {
		return err
	}
	var bodies []string
	for _, d := range b.twoHundredWords(500) {
		bodies = append(bodies, `{"documents":[`+d+`]}`)
	}
	fmt.Printf("latency of documents of 200 words, a document a request, %d threads, exponential gaps between requests, %s each turn:\n", b.threads, b.length)
	var ratios []float64
	for turn := range b.rounds {
		ratio, err := b.latencyOnce(s, bodies, uint64(turn))
		if err != nil {
			return err
		}
		ratios = append(ratios, ratio)
	}
	slices.Sort(ratios)
	fmt.Printf("  99 %% within %.1f times its own computing, the median of %d turns\n", ratios[len(ratios)/2], len(ratios))
	return s.stop()
}

// latencyOnce is one turn. It returns what 99 of 100 take, in units of a document's own
// computing in the same minute.
func (b *bench) latencyOnce(s *server, bodies []string, seed uint64) (float64, error) {
	before, err := s.alone(bodies)
	if err != nil {
		return 0, err
	}
	h, err := b.halfLoad(s, bodies, seed)
	if err != nil {
		return 0, err
	}
	after, err := s.alone(bodies)
	if err != nil {
		return 0, err
	}
	own := float64(before+after) / 2
	all, _ := times(h.list, func(asked) bool { return true })
	quiet, late := times(h.list, func(a asked) bool { return h.watch.quiet(a.due) })
	fmt.Printf("  own computing %s before, %s after; %.0f a second at most, asked for %.0f: %s of processor each, %.2f of a thread's time\n", before.Round(time.Microsecond), after.Round(time.Microsecond),
		h.most, h.most/2, (h.used / time.Duration(len(all))).Round(time.Microsecond), h.used.Seconds()/b.length.Seconds()/float64(b.threads))
	fmt.Printf("    %d requests, %.0f %% of them while the hypervisor took no processor away: these are told. The load's own delay: 50 %% %s, 99 %% %s\n",
		len(all), 100*float64(len(quiet))/float64(len(all)), at(late, 0.5).Round(time.Microsecond), at(late, 0.99).Round(time.Microsecond))
	for _, p := range []float64{0.5, 0.9, 0.99, 0.999} {
		fmt.Printf("    %5.1f %% within %8s, %.1f times its own computing (all: %.1f)\n", 100*p, at(quiet, p).Round(10*time.Microsecond), float64(at(quiet, p))/own, float64(at(all, p))/own)
	}
	return float64(at(quiet, 0.99)) / own, nil
}

// half is what came of a load of half of what the server can answer.
type half struct {
	most  float64 // answers a second
	list  []asked
	used  time.Duration // of the server's processors
	watch watch
}

// halfLoad finds out how many requests a second the server answers at most, asked by some
// clients for each thread, and sends half as many at random times.
func (b *bench) halfLoad(s *server, bodies []string, seed uint64) (*half, error) {
	l, err := newLean(s.url)
	if err != nil {
		return nil, err
	}
	defer l.close()
	requests := make([][]byte, len(bodies))
	for i, body := range bodies {
		requests[i] = httpRequest(body)
	}
	begun, number, h := time.Now(), 0, &half{}
	answers, err := l.closed(b.clients*b.threads, func() []byte {
		if number++; time.Since(begun) > b.length/4 {
			return nil
		}
		return requests[number%len(requests)]
	})
	if err != nil {
		return nil, err
	}
	h.most = float64(answers) / time.Since(begun).Seconds()
	used := processor(s.command.Process.Pid)
	h.list, err = l.open(requests, h.most/2, b.length, seed, &h.watch)
	h.used = processor(s.command.Process.Pid) - used
	return h, err
}

// alone asks one by one and returns the mean of what the worker needs for a document, the
// slowest tenth left out.
func (s *server) alone(bodies []string) (time.Duration, error) {
	var list []time.Duration
	for i := 0; i < len(bodies); i += 4 {
		before := s.metric("topoi_serve_batch_seconds_sum")
		if status, said, err := s.post("/v1/infer", "application/json", bodies[i]); err != nil || status != http.StatusOK {
			return 0, fmt.Errorf("status %d, %w: %s", status, err, said)
		}
		list = append(list, time.Duration((s.metric("topoi_serve_batch_seconds_sum")-before)*1e9))
	}
	slices.Sort(list)
	list = list[:len(list)-len(list)/10]
	sum := time.Duration(0)
	for _, d := range list {
		sum += d
	}
	return sum / time.Duration(len(list)), nil
}
