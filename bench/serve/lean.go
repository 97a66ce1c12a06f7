//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// lean sends requests over connections that stay open, by one thread that waits for its
// sockets and for a timer of the kernel: what it measures is the server's time, and what it
// takes itself is small and known. A client of net/http computes as long as the server does,
// and sleeps in steps of a millisecond.
type lean struct {
	address unix.SockaddrInet4
	poll    int // of epoll
	timer   int // that wakes it when the next request is due
	conns   map[int32]*conn
	free    []*conn
	events  []unix.EpollEvent
	ticks   [8]byte // what the timer says
}

// conn is a connection with at most one request under way.
type conn struct {
	fd     int
	number int    // of its request
	answer []byte // what has come of its answer
}

// newLean returns a generator of requests for a server. Its thread is the caller's.
func newLean(server string) (*lean, error) {
	u, err := url.Parse(server)
	if err != nil {
		return nil, err
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		return nil, err
	}
	runtime.LockOSThread()
	debug.SetGCPercent(-1)
	l := &lean{address: unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}, conns: map[int32]*conn{}, events: make([]unix.EpollEvent, 256)}
	if l.poll, err = unix.EpollCreate1(0); err != nil {
		return nil, err
	}
	if l.timer, err = unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK); err != nil {
		return nil, err
	}
	return l, unix.EpollCtl(l.poll, unix.EPOLL_CTL_ADD, l.timer, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(l.timer)})
}

// close closes all connections and lets the thread go.
func (l *lean) close() {
	for _, c := range l.conns {
		_ = unix.Close(c.fd) // nothing is lost
	}
	_ = unix.Close(l.timer)
	_ = unix.Close(l.poll)
	debug.SetGCPercent(100)
	runtime.UnlockOSThread()
}

// dial opens one more connection.
func (l *lean) dial() (*conn, error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	c := &conn{fd: fd, answer: make([]byte, 0, 64<<10)}
	if err := errors.Join(unix.Connect(fd, &l.address), unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1), unix.SetNonblock(fd, true)); err != nil {
		return nil, err
	}
	l.conns[int32(fd)] = c
	return c, unix.EpollCtl(l.poll, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(fd)})
}

// send sends a request over a connection that has none.
func (l *lean) send(request []byte, number int) error {
	if len(l.free) == 0 {
		c, err := l.dial()
		if err != nil {
			return err
		}
		l.free = append(l.free, c)
	}
	c := l.free[len(l.free)-1]
	l.free = l.free[:len(l.free)-1]
	c.number, c.answer = number, c.answer[:0]
	for len(request) > 0 {
		n, err := unix.Write(c.fd, request)
		if err == unix.EAGAIN {
			continue
		}
		if err != nil {
			return err
		}
		request = request[n:]
	}
	return nil
}

// wake lets receive return after a time, though nothing may have come.
func (l *lean) wake(after time.Duration) error {
	after = max(1, after) // 0 would be never
	return unix.TimerfdSettime(l.timer, 0, &unix.ItimerSpec{Value: unix.NsecToTimespec(int64(after))}, nil)
}

// receive waits for answers, takes what has come, and calls done for every one that is whole.
func (l *lean) receive(done func(number int)) error {
	n, err := unix.EpollWait(l.poll, l.events, -1)
	if err != nil && err != unix.EINTR {
		return err
	}
	for _, e := range l.events[:max(0, n)] {
		c := l.conns[e.Fd]
		if c == nil { // the timer, which is set anew
			_, _ = unix.Read(l.timer, l.ticks[:])
			continue
		}
		if cap(c.answer)-len(c.answer) < 4<<10 {
			c.answer = slices.Grow(c.answer, 64<<10)
		}
		n, err := unix.Read(c.fd, c.answer[len(c.answer):cap(c.answer)])
		if err == unix.EAGAIN {
			continue
		}
		if err != nil {
			return err
		}
		if n == 0 {
			return errors.New("the server closed a connection")
		}
		c.answer = c.answer[:len(c.answer)+n]
		whole, err := isWhole(c.answer)
		if err != nil {
			return err
		}
		if whole {
			l.free = append(l.free, c)
			done(c.number)
		}
	}
	return nil
}

// isWhole says whether all of an answer has come, whose length its head gives.
func isWhole(answer []byte) (bool, error) {
	head, body, found := bytes.Cut(answer, []byte("\r\n\r\n"))
	if !found {
		return false, nil
	}
	if !bytes.HasPrefix(head, []byte("HTTP/1.1 200 ")) {
		return false, fmt.Errorf("the server answered %.300s", answer)
	}
	_, after, _ := bytes.Cut(head, []byte("\r\nContent-Length: "))
	digits, _, _ := bytes.Cut(after, []byte("\r\n"))
	length, err := strconv.Atoi(string(digits))
	if err != nil {
		return false, fmt.Errorf("the answer does not say its length: %.300s", head)
	}
	return len(body) >= length, nil
}

// httpRequest is a request for topics as it travels.
func httpRequest(body string) []byte {
	return fmt.Appendf(nil, "POST /v1/infer HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

// closed lets so many clients ask, each the next request as soon as it has its answer, until
// next returns nil. It returns the number of answers.
func (l *lean) closed(clients int, next func() []byte) (int, error) {
	answers, asked := 0, 0
	one := func(int) { answers++ }
	for ended := false; ; {
		for !ended && asked-answers < clients {
			request := next()
			if ended = request == nil; ended {
				break
			}
			asked++
			if err := l.send(request, asked); err != nil {
				return answers, err
			}
		}
		if answers == asked {
			break
		}
		if err := l.receive(one); err != nil {
			return answers, err
		}
	}
	return answers, nil
}

// asked is a request of an open load.
type asked struct {
	due     time.Duration // when it should be sent
	late    time.Duration // by how much later it was
	latency time.Duration // from when it was due to the end of its answer
}

// open sends requests in turn at random times, rate of them a second on average with exponential
// gaps between them, whether or not those before are answered.
func (l *lean) open(requests [][]byte, rate float64, length time.Duration, seed uint64, w *watch) ([]asked, error) {
	list, answers := make([]asked, 0, int(2*rate*length.Seconds())+1000), 0
	r := rand.New(rand.NewPCG(seed, 1))
	begun := time.Now()
	answered := func(number int) {
		list[number].latency = time.Since(begun) - list[number].due
		answers++
	}
	for due := time.Duration(0); due < length || answers < len(list); {
		for now := time.Since(begun); due < length && now >= due; due += time.Duration(r.ExpFloat64() / rate * 1e9) {
			list = append(list, asked{due: due})
			if err := l.send(requests[len(list)%len(requests)], len(list)-1); err != nil {
				return nil, err
			}
			list[len(list)-1].late = time.Since(begun) - due
		}
		w.look(time.Since(begun), len(list)-answers)
		if due < length {
			if err := l.wake(due - time.Since(begun)); err != nil {
				return nil, err
			}
		}
		if err := l.receive(answered); err != nil {
			return nil, err
		}
	}
	return list, nil
}
