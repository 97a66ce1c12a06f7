package chaos

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// disturbAnswers asks a server for answers that grow: repeated outputs, all topics of thousands of documents, words,
// bodies that unpack, and clients that leave. Each gets its answer or one sentence with a code. The memory of the
// server stays in proportion to what it was told. A plain question has the same answer before and after. The server
// ends when it is told to.
func (s *schedule) disturbAnswers() error {
	const buffered = 32 << 20
	socket := filepath.Join(s.dir, "s")
	p, err := s.start(s.dir, 0, "serve", s.model, "--listen", "unix:"+socket, "--quiet",
		"--max-buffered", strconv.Itoa(buffered), "--max-body", strconv.Itoa(8<<20), "--max-answer", strconv.Itoa(16<<20))
	if err != nil {
		return err
	}
	defer p.Signal(syscall.SIGKILL)
	client := &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", socket)
		},
	}}
	defer client.CloseIdleConnections()
	plain, err := s.firstAnswer(client)
	if err != nil {
		return err
	}
	before, err := peak(p.cmd.Process.Pid)
	if err != nil {
		return err
	}
	if err := s.askForMuch(client); err != nil {
		return err
	}
	after, err := peak(p.cmd.Process.Pid)
	if err != nil {
		return err
	}
	// What counts once is held as it came, unpacked and as words, and the collector lets as much again wait: up to five
	// times as much was seen. Before answers were bounded, one question of 385 kB took 1.2 GB.
	if most := before + 8*buffered; after > most {
		return fmt.Errorf("out of proportion: the server took %d MiB, %d before anybody asked, %d at most",
			after>>20, before>>20, most>>20)
	}
	again, err := ask(client, question{path: "/v1/infer", body: plainQuestion})
	if err != nil || !bytes.Equal(plain, again) {
		return fmt.Errorf("%w: the plain question is answered with %q, before with %q, %w", errDifferent, again, plain, err)
	}
	p.Signal(syscall.SIGTERM)
	ok, err := p.wait(false)
	if err == nil && !ok {
		err = fmt.Errorf("the server ends with %s", p.said())
	}
	return err
}

// plainQuestion is a question that is correct.
const plainQuestion = `{"documents": [{"tokens": ["bebaba", "bebabo", "bebada", "bebaba"]}], "top": 3}`

// firstAnswer asks the plain question until the server listens.
func (s *schedule) firstAnswer(client *http.Client) (answer []byte, err error) {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if answer, err = ask(client, question{path: "/v1/infer", body: plainQuestion}); err == nil {
			return answer, nil
		}
	}
	return nil, fmt.Errorf("the server does not answer: %w", err)
}

// askForMuch asks up to eight questions at once, up to 40 in all.
func (s *schedule) askForMuch(client *http.Client) error {
	var group sync.WaitGroup
	slots := make(chan struct{}, 1+s.random.IntN(8))
	failed := make(chan error, 40)
	for range 10 + s.random.IntN(30) {
		q := s.muchAsked()
		s.fault(q.name, "%d bytes to %s", len(q.body), q.path)
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			_, err := ask(client, q)
			var refusal *refusal
			switch {
			case q.leaves > 0 && errors.Is(err, context.DeadlineExceeded):
			case errors.As(err, &refusal):
				s.say("%s: %s", q.name, refusal)
			case err != nil:
				failed <- fmt.Errorf("%s: %w", q.name, err)
			}
		})
	}
	group.Wait()
	close(failed)
	return <-failed
}

// question is a request.
type question struct {
	name, path, body string
	packed           bool          // by gzip
	leaves           time.Duration // after which the client goes away; 0 if it stays
}

// muchAsked draws a question whose answer may be large.
func (s *schedule) muchAsked() question {
	many := 1 + s.random.IntN(11000)
	documents := strings.TrimSuffix(strings.Repeat(`{"tokens": ["bebaba", "bebabu"]},`, many), ",")
	texts := strings.TrimSuffix(strings.Repeat(`"bebaba bebabo",`, many), ",")
	tensor := func(n int, outputs string) string {
		list := strings.TrimSuffix(strings.Repeat(`"bebaba bebabo",`, n), ",")
		const form = `{"inputs": [{"name": "text", "datatype": "BYTES", "shape": [%d], "data": [%s]}], "outputs": [%s]}`
		return fmt.Sprintf(form, n, list, outputs)
	}
	const infer = "/v2/models/small/infer"
	all := []question{
		{name: "repeat", path: infer, body: tensor(10, strings.TrimSuffix(strings.Repeat(`{"name": "theta"},`, many), ","))},
		{name: "shares", path: infer, body: tensor(many, `{"name": "theta"}`)},
		{name: "topics", path: "/v1/infer", body: `{"documents": [` + documents + `], "top": 1000000}`},
		{name: "words", path: "/v1/infer", body: `{"documents": ["` + strings.Repeat("bebaba bebabo ", many) + `"], "words": true}`},
		{name: "neighbours", path: "/v1/similar", body: fmt.Sprintf(`{"documents": [%s], "count": %d}`, texts, 1+many%1100)},
		{name: "unpack", path: "/v1/infer", body: `{"documents": ["` + strings.Repeat("a", 1000*many) + `"]}`, packed: true},
		{name: "deep", path: "/v1/infer", body: `{"documents": ` + strings.Repeat("[", many)},
		{name: "sweeps", path: "/v1/infer", body: `{"documents": [` + documents + `], "iterations": 1000}`},
		{name: "not a number", path: "/v1/infer?top=-1e9", body: plainQuestion},
		{name: "names", path: "/v1/topics?words=" + strconv.Itoa(many%1100) + "&limit=1000000000"},
	}
	q := all[s.random.IntN(len(all))]
	if s.chance(5) {
		q.leaves = time.Millisecond + s.within(100*time.Millisecond)
		q.name += ", and leave"
	}
	return q
}

// refusal is an answer that says in one sentence why there is none.
type refusal struct {
	status   int
	sentence string
}

func (r *refusal) Error() string { return fmt.Sprintf("%d: %s", r.status, r.sentence) }

// ask returns the body of an answer, or a *refusal.
func ask(client *http.Client, q question) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	if q.leaves > 0 {
		ctx, cancel = context.WithTimeout(context.Background(), q.leaves)
	}
	defer cancel()
	method, body := http.MethodPost, io.Reader(strings.NewReader(q.body))
	if q.body == "" {
		method, body = http.MethodGet, nil
	}
	if q.packed {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := io.WriteString(z, q.body); err != nil {
			return nil, err
		}
		if err := z.Close(); err != nil {
			return nil, err
		}
		body = &b
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://localhost"+q.path, body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	if q.packed {
		r.Header.Set("Content-Encoding", "gzip")
	}
	response, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode == http.StatusOK {
		return text, err
	}
	var said struct{ Error, Code string }
	if err := json.Unmarshal(text, &said); err != nil || said.Error == "" {
		return nil, fmt.Errorf("status %d without a sentence: %q", response.StatusCode, text)
	}
	if response.StatusCode == http.StatusInternalServerError {
		return nil, fmt.Errorf("status 500: %s", said.Error)
	}
	return nil, &refusal{response.StatusCode, said.Error}
}

// peak returns the most memory that a process has had, in bytes.
func peak(pid int) (int64, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	_, after, _ := strings.Cut(string(b), "VmHWM:")
	fields := strings.Fields(after)
	if len(fields) == 0 {
		return 0, errors.New("this kind needs the memory of a process, which Linux tells")
	}
	kib, err := strconv.ParseInt(fields[0], 10, 64)
	return kib << 10, err
}
