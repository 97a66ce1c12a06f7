package redistest

import (
	"net"
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
	open   map[net.Conn]bool
	delay  time.Duration
	budget int64 // bytes that may still pass before connections are cut; negative: no limit
	cuts   int
}

// NewProxy starts a proxy in front of addr.
func NewProxy(tb testing.TB, addr string) *Proxy {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	p := &Proxy{Addr: l.Addr().String(), target: addr, listener: l, open: map[net.Conn]bool{}, budget: -1}
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
		p.open[client], p.open[server] = true, true
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

// admit says how many of n bytes may pass, when, and whether they are the last.
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
