package chaos

import (
	"io"
	"math/rand/v2"
	"net"
	"path/filepath"
	"sync"
	"time"
)

// proxy stands between workers and their store, and treats some connections badly: bytes come late, a connection ends
// in the middle of an answer, an answer has a flipped bit.
type proxy struct {
	net.Listener
	store string // its socket

	mutex  sync.Mutex
	random *rand.Rand
	fault  func(kind, format string, args ...any)
}

// startProxy puts a proxy before the store of a job.
func (c *cluster) startProxy() (err error) {
	c.proxy = &proxy{store: c.store.Socket, random: rand.New(rand.NewPCG(c.seed, 3)), fault: c.fault}
	if c.proxy.Listener, err = net.Listen("unix", filepath.Join(c.dir, "proxy.sock")); err != nil {
		return err
	}
	go c.proxy.serve()
	return nil
}

func (p *proxy) serve() {
	for {
		worker, err := p.Accept()
		if err != nil {
			return
		}
		store, err := net.Dial("unix", p.store)
		if err != nil {
			worker.Close()
			continue
		}
		go func() {
			_, _ = io.Copy(store, worker) // what ends it is what the other direction tells
			store.Close()
		}()
		go p.answer(worker, store, p.draw())
	}
}

// treatment describes how the answers of a connection are disturbed.
type treatment struct {
	delay    time.Duration // before every piece
	cut, bit int           // after how many bytes it ends, and which bit is flipped; 0: none
}

func (p *proxy) draw() (t treatment) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	switch p.random.IntN(8) {
	case 0, 1:
		t.delay = time.Duration(p.random.IntN(10)) * time.Millisecond
		p.fault("delay", "of %v for every answer of a connection", t.delay)
	case 2, 3:
		t.cut = 1 + p.random.IntN(1<<16)
		p.fault("cut", "of a connection after %d bytes", t.cut)
	case 4:
		t.bit = 1 + p.random.IntN(1<<19)
		p.fault("flip", "of bit %d of what a connection answers", t.bit)
	}
	return t
}

// answer hands on what the store says, as the treatment has it.
func (p *proxy) answer(worker, store net.Conn, t treatment) {
	defer worker.Close()
	defer store.Close()
	b := make([]byte, 1<<14)
	for passed := 0; ; {
		n, err := store.Read(b)
		if at := t.bit/8 - passed; t.bit > 0 && at >= 0 && at < n {
			b[at] ^= 1 << (t.bit % 8)
		}
		time.Sleep(t.delay)
		if passed += n; t.cut > 0 && passed > t.cut {
			return
		}
		if _, fault := worker.Write(b[:n]); err != nil || fault != nil {
			return
		}
	}
}
