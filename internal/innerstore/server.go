package innerstore

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

const (
	// expireTime is how often keys are removed whose time is over.
	expireTime = time.Second

	// mostClients is how many connections there may be. A worker has up to six.
	mostClients = 10_000
)

// Server is a store that runs.
type Server struct {
	options Options
	full    sync.Once
	group   sync.WaitGroup
	stop    chan struct{}

	mutex     sync.Mutex // of what follows
	listeners []net.Listener
	database  *database
	conns     map[*conn]bool
	watchers  watchers
	last      int64 // number of the last connection
	closed    bool
}

// New returns a server without keys that listens nowhere. It must be closed.
func New(o Options) *Server {
	s := &Server{
		options: o, stop: make(chan struct{}), database: newDatabase(o.Memory, time.Now),
		conns: map[*conn]bool{}, watchers: watchers{},
	}
	s.group.Go(s.tick)
	return s
}

// Listen serves clients at an address as net.Listen takes it: "tcp" and "host:port", or "unix" and the path of a
// socket, which only this user may open. secure makes it speak TLS alone, unless it is nil. Clients are answered as soon
// as Listen returns. Listen may be called again for another address.
func (s *Server) Listen(network, address string, secure *tls.Config) (net.Addr, error) {
	l, err := net.Listen(network, address)
	if errors.Is(err, syscall.EADDRINUSE) && network == "unix" && forsaken(address) {
		l, err = net.Listen(network, address)
	}
	if err != nil {
		return nil, fmt.Errorf("the store cannot listen on %s: %w", address, cause(err))
	}
	if network == "unix" {
		if err := os.Chmod(address, 0o600); err != nil {
			return nil, errors.Join(fmt.Errorf("the store cannot protect its socket: %w", err), l.Close())
		}
	}
	where := l.Addr()
	if secure != nil {
		l = tls.NewListener(l, secure)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.closed {
		return nil, errors.Join(errors.New("the store has ended"), l.Close())
	}
	s.listeners = append(s.listeners, l)
	s.group.Go(func() { s.accept(l) })
	return where, nil
}

// forsaken reports whether a socket was left by a process that was killed, and removes it.
func forsaken(path string) bool {
	c, err := net.Dial("unix", path)
	if err == nil {
		_ = c.Close() // somebody serves it
		return false
	}
	return errors.Is(err, syscall.ECONNREFUSED) && os.Remove(path) == nil
}

// cause returns why listening failed, without the address, which the message has.
func cause(err error) error {
	var network *net.OpError
	if errors.As(err, &network) {
		return network.Err
	}
	return err
}

// Close ends the server with all connections. What it held is lost. It may be called twice.
func (s *Server) Close() {
	s.mutex.Lock()
	was := s.closed
	s.closed = true
	if !was {
		close(s.stop)
	}
	for _, l := range s.listeners {
		_ = l.Close() // nobody is served any more, whether or not it says so
	}
	for c := range s.conns {
		_ = c.Close() // it may have ended by itself
	}
	s.mutex.Unlock()
	s.group.Wait()
}

// Keys returns how many keys there are, and how many bytes they take.
func (s *Server) Keys() (n int, bytes int64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.database.expire()
	return len(s.database.keys), s.database.used
}

// Ended reports whether a job was here that has been cancelled or collected, and whose workers have left.
func (s *Server) Ended(job string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.database.ended(job)
}

// SetMemory changes how many bytes of data the server takes; 0 is no bound.
func (s *Server) SetMemory(bytes int64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.database.most = bytes
}

func (s *Server) accept(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			select {
			case <-s.stop:
				return
			case <-time.After(10 * time.Millisecond): // no file descriptors, for example: others may end
				continue
			}
		}
		s.begin(c)
	}
}

// begin serves a connection, unless there are too many.
func (s *Server) begin(raw net.Conn) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.closed || len(s.conns) >= mostClients {
		_ = raw.Close() // it was never served
		return
	}
	s.last++
	c := newConn(s, s.options, raw, s.last)
	s.conns[c] = true
	s.group.Go(func() {
		defer s.forget(c)
		c.serve()
	})
}

func (s *Server) forget(c *conn) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	delete(s.conns, c)
	if s.watchers.drop(c); len(s.watchers) == 0 {
		s.database.note = nil
	}
}

// watch begins to tell a connection of commands.
func (s *Server) watch(c *conn) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	c.watches = true
	s.group.Go(s.watchers.add(c))
	s.database.note = s.watchers.note // the mutex is held when the database calls it
}

// tick removes what has expired.
func (s *Server) tick() {
	ticker := time.NewTicker(expireTime)
	defer ticker.Stop()
	for {
		select {
		case <-s.stop:
			return
		case <-ticker.C:
		}
		s.mutex.Lock()
		s.database.expire()
		s.mutex.Unlock()
	}
}

// run carries out a command on the database.
func (s *Server) run(name string, args [][]byte) reply {
	s.mutex.Lock()
	answer := s.database.run(name, args)
	s.mutex.Unlock()
	if answer.form == formFault && string(answer.text) == faultFull {
		s.tellFull()
	}
	return answer
}

func (s *Server) reserve(n int64) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.database.reserve(n)
}

func (s *Server) release(n int64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.database.release(n)
}

func (s *Server) tellFull() {
	if s.options.Full != nil {
		s.full.Do(s.options.Full)
	}
}

// closeOthers closes all connections but one, and those that watch. It returns how many.
func (s *Server) closeOthers(but *conn) (n int) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for c := range s.conns {
		if c != but && !c.watches {
			_ = c.Close() // it may have ended by itself
			n++
		}
	}
	return n
}

// pause lets all commands wait.
func (s *Server) pause(d time.Duration) {
	s.mutex.Lock()
	time.AfterFunc(d, s.mutex.Unlock)
}
