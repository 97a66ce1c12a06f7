//go:build linux

package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// abuse is a thousand clients of whom some mean no good. Afterwards the server must be as
// it was, and have given nothing but the answers that are documented.
func (b *bench) abuse() error {
	s, err := b.start("--idle-timeout", "2s", "--timeout", "10s", "--max-body", "8MiB")
	if err != nil {
		return err
	}
	if _, _, err := s.post("/v1/infer", "text/plain", "warm"); err != nil {
		return err
	}
	s.client.CloseIdleConnections()
	time.Sleep(500 * time.Millisecond)
	goroutines, files := s.metric("go_goroutines"), s.metric("process_open_fds")
	said := &tally{count: map[string]int{}}
	bomb := bombOf(1 << 30)
	var group sync.WaitGroup
	begun := time.Now()
	for i := range 1000 {
		group.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 5))
			for time.Since(begun) < b.length {
				b.mischief(s, r, i%25, bomb, said)
			}
		})
	}
	largest := 0.0
	for time.Since(begun) < b.length {
		time.Sleep(100 * time.Millisecond)
		largest = max(largest, resident(s.command.Process.Pid))
	}
	group.Wait()
	s.client.CloseIdleConnections()
	for tries := 0; tries < 100 && (s.metric("go_goroutines") > goroutines+2 || s.metric("process_open_fds") > files+1); tries++ {
		time.Sleep(100 * time.Millisecond)
	}
	fmt.Printf("abuse by 1,000 clients over %s; most memory %.0f MB; goroutines %.0f before, %.0f after; open files %.0f before, %.0f after\n",
		b.length, largest, goroutines, s.metric("go_goroutines"), files, s.metric("process_open_fds"))
	fmt.Printf("  answers: %s\n", said)
	return s.stop()
}

// tally counts answers.
type tally struct {
	mu    sync.Mutex
	count map[string]int
}

func (t *tally) add(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count[what]++
}

func (t *tally) String() string {
	var list []string
	for what, n := range t.count {
		list = append(list, fmt.Sprintf("%s: %d", what, n))
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// mischief does one thing of the given kind; most of them are honest requests.
func (b *bench) mischief(s *server, r *rand.Rand, kind int, bomb string, said *tally) {
	doc := b.docs[r.IntN(len(b.docs))]
	switch kind {
	case 0:
		s.send(said, "deep JSON", `{"documents":`+strings.Repeat("[", 1_000_000), nil)
	case 1:
		s.send(said, "gzip bomb", bomb, map[string]string{"Content-Encoding": "gzip"})
	case 2:
		s.send(said, "100 MB", "", map[string]string{"large": "yes"})
	case 3:
		junk := make([]byte, r.IntN(5000))
		for i := range junk {
			junk[i] = byte(r.Uint32())
		}
		s.send(said, "random bytes", string(junk), nil)
	case 4:
		s.cut(r, `{"documents":[`+doc+`]}`)
		said.add("cut: none")
	case 5:
		s.slow(b, said)
	default:
		s.send(said, "honest", `{"documents":[`+doc+`]}`, nil)
	}
}

// send sends a body and counts the status of the answer.
func (s *server) send(said *tally, what, body string, headers map[string]string) {
	var in io.Reader = strings.NewReader(body)
	if headers["large"] != "" {
		in = io.LimitReader(zeros{}, 100<<20)
	}
	r, _ := http.NewRequest(http.MethodPost, s.url+"/v1/infer", in)
	r.Header.Set("Content-Type", "application/json")
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	answer, err := s.client.Do(r)
	if err != nil {
		said.add(what + ": cut off")
		return
	}
	_, _ = io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
	said.add(fmt.Sprintf("%s: %d", what, answer.StatusCode))
}

type zeros struct{}

// Read implements io.Reader.
func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// cut sends a part of a request and hangs up.
func (s *server) cut(r *rand.Rand, body string) {
	c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		return
	}
	defer c.Close()
	text := fmt.Sprintf("POST /v1/infer HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	_, _ = io.WriteString(c, text[:r.IntN(len(text))]) // whatever comes of it
}

// slow sends many lines and takes no answer.
func (s *server) slow(b *bench, said *tally) {
	c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		return
	}
	defer c.Close()
	body := strings.Join(b.docs[:1000], "\n")
	_ = c.SetDeadline(time.Now().Add(30 * time.Second))
	_, err = fmt.Fprintf(c, "POST /v1/infer HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	if err == nil {
		time.Sleep(5 * time.Second)
		_, err = io.Copy(io.Discard, c)
	}
	said.add(map[bool]string{true: "slow reader: answered", false: "slow reader: cut off"}[err == nil])
}

// bombOf returns so many bytes of zero, compressed.
func bombOf(n int) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.CopyN(z, zeros{}, int64(n)) // memory does not fail
	z.Close()
	return b.String()
}
