package redistest

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/redisserver"
)

func TestSingle(t *testing.T) {
	t.Parallel()
	s := Start(t, Config{})
	s.Do("SET", "a", "1")
	s.Do("SET", "b", strings.Repeat("x", 100_000))
	if got := s.Do("GET", "b"); len(got) != 100_000 {
		t.Errorf("got %d bytes back", len(got))
	}
	if got := s.Keys(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("keys %v", got)
	}
	for _, command := range [][]string{
		{"SET", "forgotten:new", "", "PX", "60000"},
		{"SET", "for ever:new", ""},
		{"SET", "later:new", "", "PX", "70000"},
		{"SET", "named otherwise", "", "PX", "60000"},
		{"SET", "topoi:ended:j", ""},
	} {
		s.Do(command...)
	}
	if got, want := s.Left(), []string{"a", "b", "for ever:new", "later:new", "named otherwise"}; !slices.Equal(got, want) {
		t.Errorf("%q is left, not %q", got, want)
	}
	s.Restart()
	if got := s.Keys(); got != nil {
		t.Errorf("keys %v after a restart without persistence", got)
	}
	if s.URL() != "redis://"+s.Addr || s.SocketURL() != "unix://"+s.Socket {
		t.Errorf("URLs %s and %s", s.URL(), s.SocketURL())
	}
}

func TestPersistent(t *testing.T) {
	t.Parallel()
	s := Start(t, Config{Persistent: true})
	s.Do("SET", "a", "1")
	s.Restart()
	if got := s.Do("GET", "a"); got != "1" {
		t.Errorf("a is %q after a restart", got)
	}
}

func TestFull(t *testing.T) {
	t.Parallel()
	s := Start(t, Config{MaxMemory: 2 << 20})
	if _, err := s.Try("SET", "a", strings.Repeat("x", 3<<20)); err == nil || !strings.HasPrefix(err.Error(), "OOM") {
		t.Errorf("a write over the limit gives %v", err)
	}
}

// trust returns the settings of a client that trusts the server's authority.
func trust(t *testing.T, s *Server) *tls.Config {
	pem, err := os.ReadFile(s.CAFile)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	return &tls.Config{RootCAs: pool}
}

func TestUserAndTLS(t *testing.T) {
	t.Parallel()
	s := Start(t, Config{TLS: true, User: "alice", Password: "secret", Rules: "~job:* +@all"})
	if want := "rediss://alice:secret@" + s.Addr; s.URL() != want {
		t.Errorf("URL %s, want %s", s.URL(), want)
	}
	for _, step := range []struct{ as, command, want string }{
		{"", "PING", "NOAUTH"},
		{"alice:wrong@", "PING", "WRONGPASS invalid username-password pair or user is disabled."},
		{"alice:secret@", "SET job:1 x", "OK"},
		{"alice:secret@", "SET other x", "NOPERM"}, // Redis and Valkey go on in other words
	} {
		got, err := redisserver.Do("rediss://"+step.as+s.Addr, trust(t, s), strings.Fields(step.command)...)
		if err != nil {
			got = err.Error()
		}
		if s.Inner && step.want == "NOPERM" {
			step.want = "OK" // it has no rules
		}
		if !strings.HasPrefix(got, step.want) {
			t.Errorf("%s as %q: %q, want %q", step.command, step.as, got, step.want)
		}
	}
	if got, err := redisserver.Do("redis://"+s.Addr, nil, "PING"); err == nil {
		t.Errorf("a plain connection is answered with %q", got)
	}
}

func TestCluster(t *testing.T) {
	t.Parallel()
	c := StartCluster(t, 3, Config{})
	moved := 0
	for _, key := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		for _, node := range c.Nodes {
			if _, err := node.Try("SET", key, "1"); err != nil && strings.HasPrefix(err.Error(), "MOVED") {
				moved++
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := len(c.Keys()); got != 8 || moved != 16 {
		t.Errorf("%d keys, %d of 24 commands sent elsewhere", got, moved)
	}
	if !strings.HasPrefix(c.URL(), "redis://"+c.Nodes[0].Addr+"?addr=") || strings.Count(c.URL(), "addr=") != 2 {
		t.Errorf("URL %s", c.URL())
	}
}

// The nodes of a Cluster with TLS send clients to each other's TLS ports.
func TestClusterWithTLS(t *testing.T) {
	t.Parallel()
	c := StartCluster(t, 3, Config{TLS: true, Password: "secret"})
	sent := make(map[string]bool)
	for i := range 50 {
		_, err := redisserver.Do(c.Nodes[0].URL(), trust(t, c.Nodes[0]), "SET", fmt.Sprint("key", i), "1")
		if err == nil {
			continue
		}
		fields := strings.Fields(err.Error()) // MOVED slot address
		if len(fields) != 3 || fields[0] != "MOVED" {
			t.Fatal(err)
		}
		sent[fields[2]] = true
	}
	for _, addr := range c.Addrs()[1:] {
		if !sent[addr] {
			t.Errorf("nobody was sent to %s, but to %v", addr, sent)
		}
	}
}

func TestProxy(t *testing.T) {
	t.Parallel()
	s := Start(t, Config{})
	p := NewProxy(t, s.Addr)
	do := func(args ...string) (string, error) { return redisserver.Do(p.URL(s), nil, args...) }
	if _, err := do("SET", "a", strings.Repeat("x", 200_000)); err != nil {
		t.Fatal(err)
	}
	p.CutAfter(100_000)
	if _, err := do("GET", "a"); err == nil || p.Cuts() != 1 {
		t.Errorf("a reply was not cut in the middle (%v, %d cuts)", err, p.Cuts())
	}
	p.CutAfter(1000)
	if _, err := do("SET", "b", strings.Repeat("x", 200_000)); err == nil {
		t.Error("a command was not cut in the middle")
	}
	if got := s.Do("EXISTS", "b"); got != "0" {
		t.Error("half a command was carried out")
	}
	p.Delay(20 * time.Millisecond)
	begin := time.Now()
	if _, err := do("GET", "a"); err != nil || time.Since(begin) < 40*time.Millisecond {
		t.Errorf("a delayed round trip took %v (%v)", time.Since(begin), err)
	}
	p.Delay(0)
	if _, err := do("PING"); err != nil {
		t.Error(err)
	}
}
