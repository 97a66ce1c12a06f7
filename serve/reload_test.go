package serve

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/topic"
)

// replace puts a model where another one is.
func replace(t *testing.T, from, to string) {
	t.Helper()
	old := to + ".old"
	if err := os.Rename(to, old); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(old); err != nil {
		t.Fatal(err)
	}
}

// A model that is replaced on disk again and again is taken up without a request being
// lost; every answer is of one version as a whole; and nothing of old ones is left.
func TestReplacedModels(t *testing.T) {
	dir := t.TempDir()
	models := []string{filepath.Join(dir, "a"), filepath.Join(dir, "b")}
	saveModel(t, models[0], 1)
	saveModel(t, models[1], 2)
	place := filepath.Join(dir, "served")
	if err := os.CopyFS(place, os.DirFS(models[0])); err != nil {
		t.Fatal(err)
	}
	body := jsonBody(texts(7, 12), `,"top":2`)
	want := map[string]string{}
	for _, m := range models {
		s := start(t, Options{Models: []Source{{"m", m}}})
		want[s.Models()[0].Fingerprint] = s.postJSON("/v1/infer", body).body
	}
	if len(want) != 2 {
		t.Fatal("the models are the same")
	}
	check := leaks(t)
	s := start(t, Options{Models: []Source{{"m", place}}, Reload: 5 * time.Millisecond})
	var seen sync.Map
	var ended atomic.Bool
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for !ended.Load() {
				r := s.postJSON("/v1/infer", body)
				fingerprint := r.header.Get("Topoi-Fingerprint")
				if r.status != 200 || r.body != want[fingerprint] {
					t.Errorf("got %d %.200s", r.status, r.body)
					return
				}
				seen.Store(fingerprint, true)
			}
		})
	}
	for i := range 6 {
		replace(t, models[(i+1)%2], place)
		wait(t, func() bool {
			return s.Models()[0].Fingerprint != "" && want[s.Models()[0].Fingerprint] != "" && s.reloads() > i
		})
	}
	ended.Store(true)
	group.Wait()
	for fingerprint := range want {
		if _, ok := seen.Load(fingerprint); !ok {
			t.Errorf("nobody was answered by %s", fingerprint)
		}
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	check()
}

// reloads is how often a model was taken up.
func (s *running) reloads() (n int) {
	for _, line := range strings.Split(s.get("/metrics").body, "\n") {
		if rest, ok := strings.CutPrefix(line, `topoi_serve_reloads_total{model="m",result="taken up"} `); ok {
			_ = json.Unmarshal([]byte(rest), &n)
		}
	}
	return n
}

func wait(t testing.TB, done func() bool) {
	t.Helper()
	for began := time.Now(); !done(); time.Sleep(time.Millisecond) {
		if time.Since(began) > 2*time.Minute {
			t.Fatal("waited in vain")
		}
	}
}

// A model that cannot be opened, or has gone, leaves the one before; labels are taken up.
func TestBrokenModels(t *testing.T) {
	place := filepath.Join(t.TempDir(), "served")
	saveModel(t, place, 3)
	s := start(t, Options{Models: []Source{{"m", place}}, Reload: -1})
	before := s.get("/v1/infer?text=garden")
	manifest := filepath.Join(place, manifestFile)
	content, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	write(t, manifest, "{}")
	s.Reload()
	if r := s.get("/v1/infer?text=garden"); r.body != before.body {
		t.Errorf("got %s", r.body)
	}
	write(t, manifest, string(content))
	s.Reload()
	m, err := topoi.Open(place)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if err := m.SetLabels(topic.Labels{Names: map[int]string{0: "null", 1: "uno", 2: "due", 3: "tre", 4: "quattro"}}); err != nil {
		t.Fatal(err)
	}
	s.Reload()
	after := s.get("/v1/infer?text=garden")
	if !strings.Contains(after.body, "due") || after.header.Get("ETag") == before.header.Get("ETag") {
		t.Errorf("labels are not taken up: %s", after.body)
	}
	if err := os.RemoveAll(place); err != nil {
		t.Fatal(err)
	}
	s.Reload()
	if r := s.get("/v1/infer?text=garden"); r.body != after.body {
		t.Errorf("got %s", r.body)
	}
	if r := s.get("/"); r.status != 200 {
		t.Errorf("the page of a model that has gone: %d %.100s", r.status, r.body)
	}
}

// Told to end, the server goes on answering for a while: it says that it is not ready and asks
// clients to close their connections.
func TestDrainAnswers(t *testing.T) {
	const drain = 2 * time.Second // in which a busy machine answers four times
	s := start(t, Options{Drain: drain})
	get := func(path string) (status int, last bool) {
		answer, err := http.Get(s.url + path)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		_, _ = io.Copy(io.Discard, answer.Body)
		return answer.StatusCode, answer.Close
	}
	if status, last := get("/v1/infer?text=garden"); status != 200 || last {
		t.Errorf("before: %d, the last of its connection: %t", status, last)
	}
	ended := make(chan error, 1)
	begun := time.Now()
	go func() { ended <- s.stop() }()
	wait(t, s.draining.Load)
	if status, last := get("/readyz"); status != 503 || !last {
		t.Errorf("readiness: %d, the last of its connection: %t", status, last)
	}
	for range 3 {
		if status, last := get("/v1/infer?text=garden"); status != 200 || !last {
			t.Errorf("while draining: %d, the last of its connection: %t", status, last)
		}
	}
	if err := <-ended; err != nil || time.Since(begun) < drain {
		t.Errorf("ended after %v: %v", time.Since(begun), err)
	}
}

// After that it finishes what it has begun and takes nothing new.
func TestDrain(t *testing.T) {
	check := leaks(t)
	s := start(t, Options{Threads: 1})
	release, held := make(chan struct{}), make(chan struct{}, 9)
	s.workers.hook = func(*item) { held <- struct{}{}; <-release }
	done := make(chan reply, 1)
	go func() { done <- s.get("/v1/infer?text=garden") }()
	<-held
	ended := make(chan error, 1)
	go func() { ended <- s.stop() }()
	wait(t, s.draining.Load)
	wait(t, func() bool {
		c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err == nil {
			c.Close()
		}
		return err != nil
	})
	close(release)
	if r := <-done; r.status != 200 {
		t.Error(r)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	check()
}

// Requests that do not end in time are cut off.
func TestDrainCuts(t *testing.T) {
	check := leaks(t)
	s := start(t, Options{Limits: Limits{Time: 50 * time.Millisecond}})
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	body, feed := net.Pipe()
	defer feed.Close()
	r, _ := http.NewRequestWithContext(ctx, "POST", s.url+"/v1/infer", body)
	r.Header.Set("Content-Type", "application/x-ndjson")
	go func() { _, _ = feed.Write([]byte("\"garden\"\n")) }()
	answer, err := http.DefaultClient.Do(r) // has begun, and waits for more
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	feed.Close()
	answer.Body.Close()
	check()
}

// While it ends, the server says that it is not ready.
func TestReadiness(t *testing.T) {
	s := start(t, Options{})
	for _, path := range []string{"/livez", "/readyz", "/v2/health/live", "/v2/health/ready", "/v2/models/stories/ready"} {
		if r := s.get(path); r.status != 200 {
			t.Errorf("%s: %v", path, r)
		}
	}
	s.draining.Store(true)
	for path, status := range map[string]int{"/livez": 200, "/readyz": 503, "/v2/health/ready": 503, "/v2/health/live": 200} {
		if r := s.get(path); r.status != status {
			t.Errorf("%s: %v", path, r)
		}
	}
}
