package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/scripts"
	"github.com/topoi-lda/topoi/internal/redistest"
)

func open(t *testing.T, url string) *Store {
	t.Helper()
	s, err := Open(t.Context(), Options{URL: url, Patience: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// accept renames what waits if its round is not over; found makes the head that says so.
var accept, found = NewScript(scripts.Text("accept")), NewScript(scripts.Text("found"))

func headOf(key string) string { return key[:strings.LastIndex(key, ":")] + ":head" }

// makeHead makes the head of a key, whose round 5 is over.
func makeHead(t *testing.T, s *Store, key string) {
	t.Helper()
	call := Call{Keys: []string{headOf(key)}, Args: []string{"id", "5", "mark"}}
	if _, err := s.Run(t.Context(), found, call); err != nil {
		t.Fatal(err)
	}
}

// offer puts a blob under a key, or tries to: a round that is over is refused.
func offer(ctx context.Context, s *Store, key, value string, over bool) error {
	round := "6"
	if over {
		round = "5"
	}
	call := Call{Keys: []string{key + ":new", headOf(key), key}, Args: []string{"id", round}}
	_, err := s.Offer(ctx, accept, []Blob{{Value: []byte(value), Call: call}})
	return err
}

// Blobs, keys and scripts work alike on a single server and on a Cluster.
func TestStore(t *testing.T) {
	run := func(t *testing.T, s *Store) {
		ctx := t.Context()
		var names, heads []string
		for i := range 40 {
			name := fmt.Sprintf("topoi:{a:s%d}:x", i)
			names, heads = append(names, name), append(heads, headOf(name))
			makeHead(t, s, name)
			if err := offer(ctx, s, name, strings.Repeat("b", i), false); err != nil {
				t.Fatal(err)
			}
			if err := offer(ctx, s, name+"refused", "b", true); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Delete(ctx, heads...); err != nil {
			t.Fatal(err)
		}
		slices.Sort(names)
		if got, err := s.Keys(ctx, "topoi:{a:s"); err != nil || !slices.Equal(got, names) {
			t.Errorf("keys %q, %v", got, err)
		}
		values, err := s.Get(ctx, append(names, "topoi:{none}")...)
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range names {
			var n int
			if _, err := fmt.Sscanf(name, "topoi:{a:s%d}:x", &n); err != nil || string(values[i]) != strings.Repeat("b", n) {
				t.Errorf("%s holds %q, %v", name, values[i], err)
			}
		}
		if values[len(names)] != nil {
			t.Errorf("a key that does not exist holds %q", values[len(names)])
		}
		if n, err := s.Missing(ctx, append(names, "topoi:{none}", "topoi:{nor}")...); len(n) != 2 || err != nil {
			t.Errorf("%q are missing, %v", n, err)
		}
		if err := s.Delete(ctx, append(names, "topoi:{none}")...); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Keys(ctx, "topoi:"); err != nil || len(got) > 0 {
			t.Errorf("left: %q, %v", got, err)
		}
		if sent, received := s.Moved(); sent != 40*39/2+40 || received != 40*39/2 {
			t.Errorf("moved %d and %d bytes", sent, received)
		}
		if info, err := s.Info(ctx, "memory"); err != nil || len(info) == 0 {
			t.Errorf("info %v, %v", info, err)
		}
	}
	redistest.Each(t, redistest.Config{}, func(t *testing.T, server *redistest.Server) {
		run(t, open(t, server.SocketURL()))
	})
	t.Run("Cluster", func(t *testing.T) { run(t, open(t, redistest.StartCluster(t, 3, redistest.Config{}).URL())) })
}

// Commands outlast cut connections and a restarted server, but not a store that
// stays away.
func TestRetry(t *testing.T) {
	server := redistest.Start(t, redistest.Config{Persistent: true})
	proxy := redistest.NewProxy(t, server.Addr)
	s := open(t, proxy.URL(server))
	value := strings.Repeat("v", 1<<20)
	makeHead(t, s, "topoi:{k}:x")
	for i := range 10 {
		proxy.CutAfter(int64(1 + i*150_000)) // in the middle of the value
		if err := offer(t.Context(), s, "topoi:{k}:x", value, false); err != nil {
			t.Fatal(err)
		}
		got, err := s.Get(t.Context(), "topoi:{k}:x")
		if err != nil || string(got[0]) != value {
			t.Fatalf("after cut %d: %d bytes, %v", i, len(got[0]), err)
		}
	}
	if proxy.Cuts() < 5 {
		t.Errorf("only %d cuts", proxy.Cuts())
	}
	server.Restart() // forgets scripts
	if err := offer(t.Context(), s, "topoi:{k}:y", "v", false); err != nil {
		t.Fatal(err)
	}
	server.Kill()
	s.patience = 50 * time.Millisecond
	_, err := s.Get(t.Context(), "topoi:{k}:y")
	if !errors.Is(err, ErrAway) || !strings.Contains(err.Error(), "has not answered for 50ms") {
		t.Errorf("a store that is away: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Get(ctx, "topoi:{k}:y"); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled command: %v", err)
	}
}

func TestRedacted(t *testing.T) {
	for url, want := range map[string]string{
		"redis://user:secret@host:1/2?addr=x": "redis://user@host:1/2",
		"unix:///tmp/s":                       "unix:///tmp/s",
		"://":                                 "(unreadable)",
		"rediss//default:secret@h:1":          "…@h:1",
		"redis:/default:secret@h:1?addr=x":    "…@h:1",
		"default:secret@h:1":                  "…@h:1",
	} {
		if got := Redacted(url); got != want {
			t.Errorf("%s is shown as %s, want %s", url, got, want)
		}
	}
	for _, url := range []string{"://", "ftp://host", "redis://host/x"} {
		if _, err := Open(t.Context(), Options{URL: url}); err == nil || !strings.Contains(err.Error(), "redis://host:6379") {
			t.Errorf("%s: %v", url, err)
		}
	}
	if _, err := Open(t.Context(), Options{URL: "rediss://localhost?cert=x"}); err == nil || !strings.Contains(err.Error(), "needs its key") {
		t.Errorf("a certificate without key: %v", err)
	}
}
