//go:build linux

package serve

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// latency measures requests with a document of 200 words each that come at random times, as
// many as keep the server busy for half of the time, in several turns.
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
	disturbed := 0
	for turn := 0; len(ratios) < b.rounds && disturbed < 20*b.rounds; turn++ {
		ratio, err := b.latencyOnce(s, bodies, uint64(turn))
		switch {
		case err == errDisturbed:
			disturbed++
		case err != nil:
			return err
		default:
			ratios = append(ratios, ratio)
		}
	}
	slices.Sort(ratios)
	if len(ratios) > 0 {
		fmt.Printf("  99 %% within %.1f times its own computing, the median of %d turns\n", ratios[len(ratios)/2], len(ratios))
	}
	if disturbed > 0 {
		fmt.Printf("  %d turns do not count: the hypervisor took processors away during more than a fifth of them\n", disturbed)
	}
	return s.stop()
}

// errDisturbed: the machine was not the server's for long enough to tell anything.
var errDisturbed = errors.New("disturbed")

// latencyOnce is one turn. It returns what 99 of 100 take, in units of a document's own
// computing in the same minute.
func (b *bench) latencyOnce(s *server, bodies []string, seed uint64) (float64, error) {
	before, err := s.alone(bodies)
	if err != nil {
		return 0, err
	}
	h, err := b.halfLoad(s, bodies, before, seed)
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
	if len(quiet)*5 < len(all)*4 {
		return 0, errDisturbed
	}
	fmt.Printf("  own computing %s before, %s after; asked for %.0f a second: %s of processor each, %.2f of the threads' time\n", before.Round(time.Microsecond), after.Round(time.Microsecond),
		h.rate, (h.used / time.Duration(len(all))).Round(time.Microsecond), h.used.Seconds()/b.length.Seconds()/float64(b.threads))
	fmt.Printf("    %d requests, %.0f %% of them while the hypervisor took no processor away: these are told. The load's own delay: 50 %% %s, 99 %% %s\n",
		len(all), 100*float64(len(quiet))/float64(len(all)), at(late, 0.5).Round(time.Microsecond), at(late, 0.99).Round(time.Microsecond))
	for _, p := range []float64{0.5, 0.9, 0.99, 0.999} {
		fmt.Printf("    %5.1f %% within %8s, %.1f times its own computing (all: %.1f)\n", 100*p, at(quiet, p).Round(10*time.Microsecond), float64(at(quiet, p))/own, float64(at(all, p))/own)
	}
	return float64(at(quiet, 0.99)) / own, nil
}

// half holds the results of one half of a run against the server.
type half struct {
	rate  float64 // requests a second
	list  []asked
	used  time.Duration // of the server's processors
	watch watch
}

// halfLoad finds out what a request costs the server, HTTP and all, and sends as many at random
// times as keep its threads busy for half of the time.
func (b *bench) halfLoad(s *server, bodies []string, own time.Duration, seed uint64) (*half, error) {
	l := newLoad(s.url)
	defer l.close()
	requests := make([][]byte, len(bodies))
	for i, body := range bodies {
		requests[i] = httpRequest(body)
	}
	h := &half{rate: 0.3 * float64(b.threads) / own.Seconds()}
	for range 2 { // and a second time with what was measured, which computing alone is not
		before := cpuTime(s.command.Process.Pid)
		list, err := l.open(requests, h.rate, b.length/4, seed+1000, &watch{})
		if err != nil {
			return nil, err
		}
		each := (cpuTime(s.command.Process.Pid) - before) / time.Duration(len(list))
		h.rate = 0.5 * float64(b.threads) / each.Seconds()
	}
	used := cpuTime(s.command.Process.Pid)
	var err error
	h.list, err = l.open(requests, h.rate, b.length, seed, &h.watch)
	h.used = cpuTime(s.command.Process.Pid) - used
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
