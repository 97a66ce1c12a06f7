//go:build linux

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime"
	"runtime/debug"
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
