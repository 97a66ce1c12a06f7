package store

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/redis/rueidis"

	"github.com/topoi-lda/topoi/internal/redistest"
)

// Commands whose answers do not come are sent again on other connections, and what arrives late does no harm.
func TestHeldLines(t *testing.T) {
	server := redistest.Start(t, redistest.Config{})
	proxy := redistest.NewProxy(t, server.Addr)
	s := open(t, proxy.URL(server))
	makeHead(t, s, "topoi:{k}:x")
	if err := offer(t.Context(), s, "topoi:{k}:x", "old", false); err != nil {
		t.Fatal(err)
	}
	release := proxy.Hold()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute) // a busy machine opens other lines late
	defer cancel()
	if err := offer(ctx, s, "topoi:{k}:x", "new", false); err != nil {
		t.Fatal(err)
	}
	values, err := s.Get(ctx, "topoi:{k}:x")
	if err != nil || string(values[0]) != "new" {
		t.Fatalf("got %q, %v", values, err)
	}
	if absent, err := s.Missing(ctx, "topoi:{k}:x", "topoi:{k}:y"); err != nil || len(absent) != 1 {
		t.Fatalf("missing %q, %v", absent, err)
	}
	release()
	s.settle()
	if keys := server.Keys(); len(keys) != 2 || server.Do("GET", keys[1]) != "new" { // behind the head
		t.Errorf("left: %q", keys)
	}
}

// settle blocks until nothing is under way.
func (s *Store) settle() {
	for _, l := range []*lines{s.control, s.blobs} {
		l.mutex.Lock()
		for _, x := range l.lines {
			for x.waits.Load() > 0 {
				time.Sleep(time.Millisecond)
			}
		}
		l.mutex.Unlock()
	}
}

// A large value is sent once, however long the answer takes.
func TestLargeOnce(t *testing.T) {
	server := redistest.Start(t, redistest.Config{})
	proxy := redistest.NewProxy(t, server.Addr)
	s := open(t, proxy.URL(server))
	makeHead(t, s, "topoi:{k}:x")
	release := proxy.Hold()
	done := make(chan error)
	go func() { done <- offer(t.Context(), s, "topoi:{k}:x", strings.Repeat("v", mostTwice+1), false) }()
	time.Sleep(500 * time.Millisecond) // three times as long as it takes to send it in time
	release()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	s.settle()
	if stats := server.Do("INFO", "commandstats"); !strings.Contains(stats, "cmdstat_set:calls=1,") {
		t.Errorf("the value was sent more than once:\n%s", stats)
	}
}

// Where answers are large, they are asked for once, until enough others are small.
func TestLargeAnswerOnce(t *testing.T) {
	server := redistest.Start(t, redistest.Config{})
	proxy := redistest.NewProxy(t, server.Addr)
	s := open(t, proxy.URL(server))
	makeHead(t, s, "topoi:{k}:x")
	if err := offer(t.Context(), s, "topoi:{k}:x", strings.Repeat("v", mostTwice+1), false); err != nil {
		t.Fatal(err)
	}
	get := func() {
		if _, err := s.Get(t.Context(), "topoi:{k}:x"); err != nil {
			t.Error(err)
		}
	}
	get()
	release := proxy.Hold()
	done := make(chan bool)
	go func() {
		get()
		close(done)
	}()
	time.Sleep(500 * time.Millisecond)
	release()
	<-done
	s.settle()
	if stats := server.Do("INFO", "commandstats"); !strings.Contains(stats, "cmdstat_get:calls=2,") {
		t.Errorf("the value was asked for more than once:\n%s", stats)
	}
	for range 64 {
		if _, err := s.Get(t.Context(), "topoi:{none}"); err != nil {
			t.Fatal(err)
		}
	}
	if n := s.blobs.expect(); n > mostTwice/16 {
		t.Errorf("after 64 small answers one of %d bytes is expected", n)
	}
}

// An answer that is on its way is not asked for again.
func TestSlowAnswerOnce(t *testing.T) {
	server := redistest.Start(t, redistest.Config{})
	proxy := redistest.NewProxy(t, server.Addr)
	s := open(t, proxy.URL(server))
	makeHead(t, s, "topoi:{k}:x")
	if err := offer(t.Context(), s, "topoi:{k}:x", strings.Repeat("v", 2<<20), false); err != nil {
		t.Fatal(err)
	}
	proxy.Delay(3 * time.Millisecond) // for each 32 kB
	if _, err := s.Get(t.Context(), "topoi:{k}:x"); err != nil {
		t.Fatal(err)
	}
	s.settle()
	if stats := server.Do("INFO", "commandstats"); !strings.Contains(stats, "cmdstat_get:calls=1,") {
		t.Errorf("the value was asked for more than once:\n%s", stats)
	}
}

// The usual time follows the answers, so that a distant store does not get everything twice.
func TestUsual(t *testing.T) {
	l := new(lines)
	for range 2000 {
		l.learn(40 * time.Millisecond)
	}
	l.learn(time.Hour) // one outlier moves it little
	if w := l.wait(0); w < 150*time.Millisecond || w > 250*time.Millisecond {
		t.Errorf("after answers of 40 ms it waits %v", w)
	}
	if w := l.wait(slowest); w < time.Second {
		t.Errorf("it waits %v for a value that takes a second to send", w)
	}
	for range 2000 {
		l.learn(0)
	}
	if w := l.wait(0); w != leastWait {
		t.Errorf("after answers at once it waits %v", w)
	}
}

// A line that breaks does not hide the answer of another.
func TestBrokenLine(t *testing.T) {
	server := redistest.Start(t, redistest.Config{})
	breaks, slow := redistest.NewProxy(t, server.Addr), redistest.NewProxy(t, server.Addr)
	s, other := open(t, breaks.URL(server)), open(t, slow.URL(server))
	s.control.lines = append(s.control.lines, other.control.lines...)
	s.control.lines[1].waits.Store(1) // the other is asked first
	s.control.opens = mostLines       // and there is no third
	breaks.Hold()
	slow.Delay(100 * time.Millisecond)
	time.AfterFunc(60*time.Millisecond, breaks.Cut)
	answers := s.control.do(t.Context(), 0, func(c rueidis.Client) rueidis.Commands {
		return rueidis.Commands{c.B().Ping().Build()}
	})
	if err := answers[0].Error(); err != nil {
		t.Error(err)
	}
}
