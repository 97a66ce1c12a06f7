//go:build linux

package serve

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// load asks a server over connections that stay open. It writes its requests as they travel: a client of
// net/http computes as long as the server does.
type load struct {
	address string
	free    chan *conn // without a request
}

// conn is a connection with at most one request under way.
type conn struct {
	net.Conn
	answers *bufio.Reader
}

func newLoad(server string) *load {
	return &load{strings.TrimPrefix(server, "http://"), make(chan *conn, 1<<16)}
}

// close closes all connections.
func (l *load) close() {
	for len(l.free) > 0 {
		(<-l.free).Close()
	}
}

// httpRequest is a request for topics as it travels.
func httpRequest(body string) []byte {
	return fmt.Appendf(nil, "POST /v1/infer HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

// ask sends a request over a connection that has none and waits for its answer.
func (l *load) ask(request []byte) error {
	var c *conn
	select {
	case c = <-l.free:
	default:
		dialed, err := net.Dial("tcp", l.address)
		if err != nil {
			return err
		}
		c = &conn{dialed, bufio.NewReaderSize(dialed, 64<<10)}
	}
	if _, err := c.Write(request); err != nil {
		return err
	}
	answer, err := http.ReadResponse(c.answers, nil)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the server answered %s", answer.Status)
	}
	_, err = io.Copy(io.Discard, answer.Body)
	l.free <- c
	return err
}

// closed lets so many clients ask, each the next request as soon as it has its answer, until next returns nil.
func (l *load) closed(clients int, next func() []byte) error {
	var mu sync.Mutex
	var group sync.WaitGroup
	faults := make([]error, clients)
	for i := range faults {
		group.Go(func() {
			for faults[i] == nil {
				mu.Lock()
				request := next()
				mu.Unlock()
				if request == nil {
					return
				}
				faults[i] = l.ask(request)
			}
		})
	}
	group.Wait()
	return errors.Join(faults...)
}

// asked is a request of an open load.
type asked struct {
	due     time.Duration // when it should be sent
	late    time.Duration // by how much later it was
	latency time.Duration // from when it was due to the end of its answer
	fault   error
}

// open sends requests in turn at random times, rate of them a second on average with exponential
// gaps between them, whether or not those before are answered.
func (l *load) open(requests [][]byte, rate float64, length time.Duration, seed uint64, w *watch) ([]asked, error) {
	var list []asked
	r := rand.New(rand.NewPCG(seed, 1))
	for due := time.Duration(0); due < length; due += time.Duration(r.ExpFloat64() / rate * 1e9) {
		list = append(list, asked{due: due})
	}
	runtime.LockOSThread() // which sleeps by the kernel's timer: Go's own goes by milliseconds
	defer runtime.UnlockOSThread()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8)) // a thread that sleeps keeps others from running
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var answers atomic.Int64
	var group sync.WaitGroup
	begun := time.Now()
	for i := range list {
		a := &list[i]
		if wait := syscall.NsecToTimespec(int64(a.due - time.Since(begun))); wait.Nano() > 0 {
			_ = syscall.Nanosleep(&wait, nil) // if a signal ends it, that is seen as late
		}
		w.look(time.Since(begun), i-int(answers.Load()))
		group.Go(func() {
			a.late = time.Since(begun) - a.due
			a.fault = l.ask(requests[i%len(requests)])
			a.latency = time.Since(begun) - a.due
			answers.Add(1)
		})
	}
	group.Wait()
	w.look(time.Since(begun), 0)
	for _, a := range list {
		if a.fault != nil {
			return nil, a.fault
		}
	}
	return list, nil
}

// watch looks every tenth of a second whether the hypervisor took processors away. What is
// measured then says nothing about the server, nor what is until it has caught up.
type watch struct {
	disturbed []bool // per tenth of a second
	behind    bool   // something was taken away, and requests have been waiting ever since
	last      string // what was stolen so far
}

const watchStep = 100 * time.Millisecond

// look notes what was stolen, once in a step. waiting is the number of requests that are not
// answered.
func (w *watch) look(now time.Duration, waiting int) {
	step := int(now / watchStep)
	if step >= len(w.disturbed) {
		for len(w.disturbed) <= step {
			w.disturbed = append(w.disturbed, w.behind)
		}
		said := stealTicks()
		if w.last != "" && said != w.last {
			w.behind = true
			w.disturbed[max(0, step-1)] = true // it was before this moment
		}
		w.last = said
	}
	w.disturbed[step] = w.disturbed[step] || w.behind
	if waiting == 0 {
		w.behind = false
	}
}

// quiet reports whether nothing disturbed a request that was due then.
func (w *watch) quiet(due time.Duration) bool { return !w.disturbed[int(due/watchStep)] }

// stealTicks returns, of every processor, for how long it had work and was given to others.
func stealTicks() string {
	b, err := os.ReadFile("/proc/stat")
	if err != nil {
		return "unknown"
	}
	said := ""
	for line := range strings.Lines(string(b)) {
		// cpu0 user nice system idle iowait irq softirq steal …
		if fields := strings.Fields(line); len(fields) > 8 && strings.HasPrefix(fields[0], "cpu") && fields[0] != "cpu" {
			said += fields[8] + " "
		}
	}
	return said
}

// times returns the sorted latencies and delays of requests that keep says yes to.
func times(list []asked, keep func(asked) bool) (latency, late []time.Duration) {
	for _, a := range list {
		if keep(a) {
			latency, late = append(latency, a.latency), append(late, a.late)
		}
	}
	slices.Sort(latency)
	slices.Sort(late)
	return latency, late
}

// at returns the time that a share of a sorted list is within.
func at(list []time.Duration, share float64) time.Duration {
	if len(list) == 0 {
		return 0
	}
	return list[min(len(list)-1, int(share*float64(len(list))))]
}
