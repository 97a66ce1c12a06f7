package serve

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// dial opens a connection and writes to it.
func (s *running) dial(text string) net.Conn {
	s.t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		s.t.Fatal(err)
	}
	_, _ = io.WriteString(c, text) // the server may have hung up
	return c
}

// closed reports whether the server ends a connection, and what it said.
func closed(c net.Conn) (string, bool) {
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(2 * time.Minute))
	b, err := io.ReadAll(c)
	netErr, ok := err.(net.Error)
	return string(b), !ok || !netErr.Timeout()
}

const post = "POST /v1/infer HTTP/1.1\r\nHost: x\r\n"

// Clients that send slowly, or not at all, are cut off.
func TestSlowSenders(t *testing.T) {
	check := leaks(t)
	s := start(t, Options{Limits: Limits{Idle: 150 * time.Millisecond, Time: 300 * time.Millisecond}})
	for text, want := range map[string]string{
		"":                    "",
		"GET /v1/models HTTP": "",
		post + "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"docu":                          "408 Request Timeout",
		post + "Content-Type: application/x-ndjson\r\nContent-Length: 100\r\n\r\n\"gard":                       "408 Request Timeout",
		post + "Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n\"garden\"\n\r\n": `"code":"too_slow"`,
	} {
		got, ended := closed(s.dial(text))
		if !ended || !strings.Contains(got, want) {
			t.Errorf("%.90q: got %q, closed %v", text, got, ended)
		}
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	check()
}

// Clients that do not take their answer are cut off.
func TestSlowReaders(t *testing.T) {
	check := leaks(t)
	s := start(t, Options{Limits: Limits{Idle: 200 * time.Millisecond}})
	lines := strings.Repeat("\"garden soil ship\"\n", 60_000) // whose answers do not fit into the buffers of a connection
	c := s.dial("")
	go func() {
		fmt.Fprintf(c, "%sContent-Type: application/x-ndjson\r\nContent-Length: %d\r\n\r\n%s", post, len(lines), lines)
	}()
	wait(t, func() bool { return s.workedDocs() > 1000 })
	wait(t, func() bool { _, requests := s.queue.waitingDocs(); return requests == 0 })
	c.Close()
	if !s.buffered.TryAcquire(s.limits.Buffered) {
		t.Error("bytes of the budget are lost")
	}
	s.buffered.Release(s.limits.Buffered)
	if r := s.get("/v1/infer?text=garden"); r.status != 200 {
		t.Error(r)
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	check()
}

// Connections that are cut at any place leave nothing behind.
func TestCutConnections(t *testing.T) {
	check := leaks(t)
	s := start(t, Options{})
	body := strings.Repeat("\"garden soil ship\"\n", 200)
	requests := []string{
		fmt.Sprintf("%sContent-Type: application/x-ndjson\r\nContent-Length: %d\r\n\r\n%s", post, len(body), body),
		fmt.Sprintf("%sContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", post, len(jsonBody(texts(1, 50), "")), jsonBody(texts(1, 50), "")),
		"GET /v1/topics HTTP/1.1\r\nHost: x\r\n\r\n",
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 150 {
		text := requests[r.IntN(len(requests))]
		c := s.dial(text[:r.IntN(len(text)+1)])
		if r.IntN(2) == 0 {
			_ = c.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
			_, _ = bufio.NewReader(io.LimitReader(c, int64(r.IntN(100)))).ReadString(0)
		}
		if half, ok := c.(*net.TCPConn); ok && r.IntN(3) == 0 {
			_ = half.SetLinger(0) // a reset
		}
		c.Close()
	}
	wait(t, func() bool { _, requests := s.queue.waitingDocs(); return requests == 0 })
	if r := s.get("/v1/infer?text=garden"); r.status != 200 {
		t.Error(r)
	}
	if !s.buffered.TryAcquire(s.limits.Buffered) {
		t.Error("bytes of the budget are lost")
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	check()
}

// Random bytes as requests, and as bodies of all kinds to all routes, get nothing but the
// answers that are documented.
func TestRandomBytes(t *testing.T) {
	check := leaks(t)
	s := start(t, Options{Limits: Limits{Idle: time.Second}})
	r := rand.New(rand.NewPCG(2, 2))
	random := func() string {
		b := make([]byte, r.IntN(300))
		for i := range b {
			b[i] = byte(r.Uint32())
			if r.IntN(2) == 0 {
				b[i] = "{}[]\":,\\u0 \r\ndocumentstx123"[r.IntN(27)]
			}
		}
		return string(b)
	}
	for range 50 {
		c := s.dial(random())
		_ = c.(*net.TCPConn).CloseWrite()
		got, ended := closed(c)
		if !ended || got != "" && !strings.HasPrefix(got, "HTTP/1.1 ") {
			t.Errorf("got %q", got)
		}
	}
	documented := map[int]bool{200: true, 304: true, 400: true, 404: true, 405: true, 408: true, 412: true, 413: true, 415: true, 429: true, 503: true}
	kinds := []string{"application/json", "application/x-ndjson", "text/plain", "x/y", ""}
	for range 300 {
		route := routes[r.IntN(len(routes))]
		path := strings.NewReplacer("{model}", "stories", "{topic}", "1").Replace(route.path)
		headers := []string{"Content-Type", kinds[r.IntN(len(kinds))]}
		if r.IntN(5) == 0 {
			headers = append(headers, "Content-Encoding", "gzip")
		}
		body := random()
		if got := s.ask("POST", path, body, headers...); !documented[got.status] {
			t.Errorf("%s %v %q: got %d %s", path, headers, body, got.status, got.body)
		}
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	check()
}

// A thousand clients at once: everyone gets an answer, and afterwards nothing is left.
func TestThousandClients(t *testing.T) {
	check := leaks(t)
	s := start(t, Options{})
	want := s.get("/v1/infer?top=1&text=garden+soil").body
	transport := &http.Transport{MaxIdleConns: 1000, MaxIdleConnsPerHost: 1000}
	client := &http.Client{Transport: transport}
	var group sync.WaitGroup
	var mu sync.Mutex
	count := map[int]int{}
	for range 1000 {
		group.Go(func() {
			for range 2 {
				answer, err := client.Get(s.url + "/v1/infer?top=1&text=garden+soil")
				if err != nil {
					t.Error(err)
					return
				}
				b, _ := io.ReadAll(answer.Body)
				answer.Body.Close()
				mu.Lock()
				count[answer.StatusCode]++
				mu.Unlock()
				if answer.StatusCode == 200 && string(b) != want || answer.StatusCode != 200 && answer.StatusCode != 429 {
					t.Errorf("got %d %s", answer.StatusCode, b)
				}
			}
		})
	}
	group.Wait()
	transport.CloseIdleConnections()
	if count[200] < 1000 || count[200]+count[429] != 2000 {
		t.Errorf("got %v", count)
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	check()
}

// More connections than are allowed wait for their turn.
func TestManyConnections(t *testing.T) {
	s := start(t, Options{Limits: Limits{Connections: 2}})
	first, second := s.dial(""), s.dial("")
	defer first.Close()
	third := s.dial("GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	_ = third.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	if n, err := third.Read(make([]byte, 1)); err == nil {
		t.Errorf("read %d bytes", n)
	}
	second.Close()
	if got, _ := closed(third); !strings.Contains(got, "200 OK") {
		t.Errorf("got %q", got)
	}
}

// A stream that ends with a bad line leaves its connection fit for the next request. The
// reader of the stream must not be stopped by a deadline when it has ended by itself:
// net/http would meet the deadline and cancel every later request of the connection.
func TestRequestAfterBadLine(t *testing.T) {
	s := start(t, Options{})
	for range 2000 {
		if got := s.ask("POST", "/v1/infer", "{", "Content-Type", "application/x-ndjson"); got.status != 400 {
			t.Fatal(got)
		}
		if got := s.postJSON("/v1/infer", `{"documents": ["garden"]}`); got.status != 200 {
			t.Fatal(got)
		}
	}
}

// A request with two lengths is refused and ends its connection, also behind one that is answered. Chunks alone, and
// bodies that look like headers, are fine.
func TestTwoLengths(t *testing.T) {
	s := start(t, Options{})
	body := `{"documents":["garden"]}`
	chunked := fmt.Sprintf("Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(body), body)
	get := "GET /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"
	last := "GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
	for name, c := range map[string]struct {
		text string
		bad  bool
	}{
		"chunks":          {post + chunked + last, false},
		"both":            {post + "Content-Length: 5\r\n" + chunked + last, true},
		"both, otherwise": {post + "content-LENGTH: 5\r\n" + chunked + last, true},
		"after a request": {get + post + "Content-Length: 5\r\n" + chunked + last, true},
		"a length before": {get + post + chunked + last, false},
	} {
		answer, ended := closed(s.dial(c.text))
		bad := strings.Contains(answer, "400 Bad Request") && strings.Contains(answer, "both Content-Length and")
		if bad != c.bad || !ended || c.bad && strings.HasSuffix(answer, "ok\n") {
			t.Errorf("%s: %s", name, answer)
		}
	}
}
