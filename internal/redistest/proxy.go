package redistest

import (
	"net"
	"slices"
	"sync"
	"testing"
	"time"
)

// Proxy passes TCP connections on to a server, badly if asked to.
type Proxy struct {
	Addr string // where it listens

	target   string
	listener net.Listener
	pumps    sync.WaitGroup

	mu     sync.Mutex
	open   map[net.Conn]chan struct{} // until they are closed, nothing passes; nil: none
	delay  time.Duration
	budget int64 // bytes that may still pass before connections are cut; negative: no limit
	cuts   int
	held   []chan struct{} // gates that are closed
}

// NewProxy starts a proxy in front of addr.
func NewProxy(tb testing.TB, addr string) *Proxy {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	p := &Proxy{Addr: l.Addr().String(), target: addr, listener: l, open: map[net.Conn]chan struct{}{}, budget: -1}
	p.pumps.Go(p.accept)
	tb.Cleanup(func() {
		l.Close()
		p.Cut()
		p.pumps.Wait()
	})
	return p
}

// URL is the server's URL by way of the proxy.
func (p *Proxy) URL(s *Server) string { return s.urlFor(p.Addr) }

// Delay holds back everything that passes from now on, in either direction.
func (p *Proxy) Delay(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.delay = d
}

// CutAfter cuts all connections once so many more bytes have passed, in the middle of whatever is passing then. Later
// connections are served again.
func (p *Proxy) CutAfter(bytes int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.budget = bytes
}

// Hold holds back everything on the connections of now, as a lost packet does. Later connections are served. It goes on
// when the returned function is called, or when the connections are cut.
func (p *Proxy) Hold() (release func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	gate := make(chan struct{})
	for c := range p.open {
		p.open[c] = gate
	}
	p.held = append(p.held, gate)
	return sync.OnceFunc(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.release(gate)
	})
}

// release opens a gate, unless it is open.
func (p *Proxy) release(gate chan struct{}) {
	if i := slices.Index(p.held, gate); i >= 0 {
		p.held = slices.Delete(p.held, i, i+1)
		close(gate)
	}
}

// Cut cuts all connections now.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cutLocked()
}

// Cuts returns how often connections were cut.
func (p *Proxy) Cuts() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cuts
}

func (p *Proxy) cutLocked() {
	if len(p.open) > 0 {
		p.cuts++
	}
	for c := range p.open {
		c.Close()
	}
	for _, gate := range slices.Clone(p.held) {
		p.release(gate)
	}
	clear(p.open)
	p.budget = -1
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", p.target)
		if err != nil {
			client.Close()
			continue
		}
		p.mu.Lock()
		p.open[client], p.open[server] = nil, nil
		p.mu.Unlock()
		p.pumps.Go(func() { p.pump(client, server) })
		p.pumps.Go(func() { p.pump(server, client) })
	}
}

// pump passes bytes one way until either side ends.
func (p *Proxy) pump(from, to net.Conn) {
	defer p.drop(from, to)
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		p.await(from)
		pass, delay, cut := p.admit(n)
		time.Sleep(delay)
		if _, werr := to.Write(buffer[:pass]); werr != nil {
			return
		}
		if cut {
			p.Cut()
		}
		if err != nil {
			return
		}
	}
}

// await waits until a connection is not held back.
func (p *Proxy) await(c net.Conn) {
	p.mu.Lock()
	gate := p.open[c]
	p.mu.Unlock()
	if gate != nil {
		<-gate
	}
}

// admit returns how many of n bytes may pass, when, and whether they are the last.
func (p *Proxy) admit(n int) (pass int, delay time.Duration, cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.budget < 0 {
		return n, p.delay, false
	}
	pass = int(min(int64(n), p.budget))
	p.budget -= int64(pass)
	return pass, p.delay, p.budget == 0
}

func (p *Proxy) drop(from, to net.Conn) {
	from.Close()
	to.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, from)
	delete(p.open, to)
}
