package store

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
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
	s.settle()
	before := calls(server, "get") // a busy machine may ask again where no large answer is expected
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
	if n := calls(server, "get") - before; n != 1 {
		t.Errorf("the value was asked for %d times", n)
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

// calls returns how often a server has got a command.
func calls(server *redistest.Server, command string) (n int) {
	_, rest, _ := strings.Cut(server.Do("INFO", "commandstats"), "cmdstat_"+command+":calls=")
	_, _ = fmt.Sscan(strings.ReplaceAll(rest, ",", " "), &n) // 0 if it has not
	return n
}

// slowly is a line whose answers take half a second. Bytes come all the while, or none.
type slowly struct {
	rueidis.Client
	asked int
	line  *line
	bytes int64
}

func (c *slowly) DoMulti(context.Context, ...rueidis.Completed) []rueidis.RedisResult {
	c.asked++
	for range 100 {
		time.Sleep(5 * time.Millisecond)
		c.line.read.Add(c.bytes)
	}
	return nil
}

// An answer that is on its way is not asked for again; one of which nothing comes is.
func TestSlowAnswerOnce(t *testing.T) {
	for bytes, want := range map[int64]int{1: 0, 0: 1} {
		synctest.Test(t, func(t *testing.T) {
			first, second := &slowly{bytes: bytes}, &slowly{bytes: 1}
			l := &lines{most: 2}
			for _, c := range []*slowly{first, second} {
				c.line = &line{Client: c, read: new(atomic.Int64)}
				l.lines = append(l.lines, c.line)
			}
			l.do(t.Context(), 0, func(rueidis.Client) rueidis.Commands { return nil })
			synctest.Wait()
			time.Sleep(time.Second) // until the other has its answer too
			if first.asked != 1 || second.asked != want {
				t.Errorf("%d bytes at a time: asked %d and %d times, want 1 and %d", bytes, first.asked, second.asked, want)
			}
		})
	}
}

// Lines count the bytes that come.
func TestBytesAreCounted(t *testing.T) {
	server := redistest.Start(t, redistest.Config{})
	s := open(t, server.URL())
	makeHead(t, s, "topoi:{k}:x")
	if err := offer(t.Context(), s, "topoi:{k}:x", strings.Repeat("v", 2<<20), false); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get(t.Context(), "topoi:{k}:x"); err != nil {
		t.Fatal(err)
	}
	read := int64(0)
	s.blobs.mutex.Lock()
	defer s.blobs.mutex.Unlock()
	for _, x := range s.blobs.lines {
		read += x.read.Load()
	}
	if read < 2<<20 {
		t.Errorf("%d bytes were read", read)
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
