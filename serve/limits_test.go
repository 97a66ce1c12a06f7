package serve

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
)

// Every fault of a request has its status, its code and a sentence that says what to do.
func TestRefusals(t *testing.T) {
	s := start(t, Options{Limits: Limits{Body: 1 << 20, Docs: 5, Tokens: 50, Iterations: 200}})
	long := strings.Repeat("garden ", 60)
	for _, c := range []struct {
		kind, path, body string
		status           int
		code, says       string
	}{
		{"application/json", "/v1/infer", `{"documents":["a"]`, 400, "bad_request", "line 1, byte 18: unexpected end"},
		{"application/json", "/v1/infer", ``, 400, "bad_request", "not valid JSON"},
		{"application/json", "/v1/infer", `[]`, 400, "bad_request", "must be a JSON object"},
		{"application/json", "/v1/infer", `null`, 400, "bad_request", "must be a JSON object"},
		{"application/json", "/v1/infer", `{}`, 400, "bad_request", `documents\" is missing`},
		{"application/json", "/v1/infer", `{"documents":{}}`, 400, "bad_request", "must be an array"},
		{"application/json", "/v1/infer", `{"documents":[1]}`, 400, "bad_request", "must be a string"},
		{"application/json", "/v1/infer", `{"documents":["a",{"id":"x"}]}`, 400, "bad_request", `it must have exactly one","code":"bad_request","doc":1`},
		{"application/json", "/v1/infer", `{"documents":[{"text":"a","tokens":["b"]}]}`, 400, "bad_request", "has 2 of text"},
		{"application/json", "/v1/infer", `{"documents":[{"tokens":"b"}]}`, 400, "bad_request", "array of strings"},
		{"application/json", "/v1/infer", `{"documents":[{"tokens":["a",null]}]}`, 400, "bad_request", "token 1 is null"},
		{"application/json", "/v1/infer", `{"documents":[{"counts":{"a":-1}}]}`, 400, "bad_request", "a whole number from 0"},
		{"application/json", "/v1/infer", `{"documents":[{"counts":{"a":1.5}}]}`, 400, "bad_request", "whole number"},
		{"application/json", "/v1/infer", `{"documents":[{"counts":{"garden":4000000000}}]}`, 413, "too_large", "more than 50 words"},
		{"application/json", "/v1/infer", `{"documents":[{"id":[1],"text":"a"}]}`, 400, "bad_request", "id is"},
		{"application/json", "/v1/infer", `{"documents":["a\u0000b"]}`, 400, "bad_request", "which text never holds"},
		{"application/json", "/v1/infer", "{\"documents\":[\"a\xffb\"]}", 400, "bad_request", "byte 17 of the body is not UTF-8"},
		{"application/json", "/v1/infer", `{"documents":["a"],"tops":3}`, 400, "bad_request", `unknown option \"tops\": did you mean \"top\"?`},
		{"application/json", "/v1/infer", `{"documents":["a"],"top":"3"}`, 400, "bad_request", "top is"},
		{"application/json", "/v1/infer", `{"documents":["a"],"top":-1}`, 400, "bad_request", "between 0 and"},
		{"application/json", "/v1/infer", `{"documents":["a"],"min_theta":2}`, 400, "bad_request", "between 0 and 1"},
		{"application/json", "/v1/infer", `{"documents":["a"],"words":1}`, 400, "bad_request", "true or false"},
		{"application/json", "/v1/infer", `{"documents":["a"],"iterations":201}`, 400, "bad_request", "between 1 and 200"},
		{"application/json", "/v1/infer", `{"documents":["a"],"iterations":10,"burn_in":10}`, 400, "bad_request", "leaves none"},
		{"application/json", "/v1/infer", `{"documents":["a"],"model":"novels"}`, 404, "not_found", `there is no model \"novels\"`},
		{"application/json", "/v1/infer?seed=x", `{"documents":["a"]}`, 400, "bad_request", "seed is"},
		{"application/json", "/v1/infer?top=1&top=2", `{"documents":["a"]}`, 400, "bad_request", "appears twice"},
		{"application/json", "/v1/infer?top=%zz", `{"documents":["a"]}`, 400, "bad_request", "the query cannot be read"},
		{"application/json", "/v1/infer", `{"documents":["a","b","c","d","e","f"]}`, 413, "too_large", "at most 5 are allowed"},
		{"application/json", "/v1/infer", `{"documents":["` + long + `"]}`, 413, "too_large", `a document has 60 words: at most 50 are allowed","code":"too_large","doc":0`},
		{"application/json", "/v1/infer", `{"documents":["` + strings.Repeat("x", 1<<20) + `"]}`, 413, "too_large", "more than 1048576 bytes"},
		{"application/json", "/v1/infer", `{"documents":` + strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000) + `}`, 400, "bad_request", "exceeded max depth"},
		{"application/x-www-form-urlencoded", "/v1/infer", `{"documents":["a"]}`, 415, "unsupported_media_type", "application/json"},
		{"", "/v1/infer", `{"documents":["a"]}`, 415, "unsupported_media_type", "application/json"},
		{"application/json; charset=latin1", "/v1/infer", `{"documents":["a"]}`, 415, "unsupported_media_type", "UTF-8"},
		{"application/x-ndjson", "/v1/similar", `"a"`, 415, "unsupported_media_type", "text/plain"},
		{"application/x-ndjson", "/v1/infer", `"` + strings.Repeat("x", 1<<20) + `"`, 413, "too_large", "a line has more than"},
		{"application/x-ndjson", "/v1/infer", "\"a\xff\"", 400, "bad_request", "byte 3 of the line is not UTF-8"},
		{"application/json", "/v1/similar?count=0", `{"documents":["a"]}`, 400, "bad_request", "between 1 and 1000"},
		{"application/json", "/v1/nothing", `{"documents":["a"]}`, 404, "not_found", "/openapi.yaml lists"},
		{"application/json", "/v1/models", `{}`, 405, "method_not_allowed", "use GET, HEAD"},
		{"application/json", "//v1/infer", `{"documents":["a"]}`, 404, "not_found", "nothing at"},
		{"application/json", "/v1/../v1/infer", `{"documents":["a"]}`, 404, "not_found", "nothing at"},
	} {
		r := s.ask("POST", c.path, c.body, "Content-Type", c.kind)
		if r.status != c.status || r.code() != c.code || !strings.Contains(r.body, c.says) {
			t.Errorf("%s %s %.80s:\ngot %d %s\nwant %d %s %s", c.kind, c.path, c.body, r.status, r.body, c.status, c.code, c.says)
		}
		if r.header.Get("Content-Type") != "application/json" || r.header.Get("ETag") != "" {
			t.Errorf("%s %.80s: %v", c.path, c.body, r.header)
		}
	}
	for path, status := range map[string]int{
		"/v1/topics/5": 404, "/v1/topics/-1": 404, "/v1/topics/x": 404, "/v1/topics?words=0": 400, "/v1/topics?nothing=1": 400, "/v1/models/x": 404,
		"/v1/infer": 400, "/debug/pprof/": 404, "/debug/vars": 404, "/?model=x": 404, "/v2/models/x": 404, "/v1/infer?text=%ff": 400, "/favicon.ico": 404,
	} {
		if r := s.get(path); r.status != status || strings.HasPrefix(r.code(), "no error") {
			t.Errorf("%s: got %d %s", path, r.status, r.body)
		}
	}
}

// packed returns n blanks, compressed.
func packed(n int) string {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	zeros := bytes.Repeat([]byte(" "), 1<<16)
	for range n >> 16 {
		_, _ = z.Write(zeros)
	}
	z.Close()
	return b.String()
}

// Bodies that unpack to more than is allowed are given up when they exceed it, and those
// that are no gzip at once.
func TestBombs(t *testing.T) {
	s := start(t, Options{Limits: Limits{Body: 1 << 20, Stream: 4 << 20}})
	bomb := packed(16 << 20)
	for kind, says := range map[string]string{"application/json": "1048576 bytes", "text/plain": "1048576 bytes", "application/x-ndjson": "4194304 bytes"} {
		r := s.ask("POST", "/v1/infer", bomb, "Content-Type", kind, "Content-Encoding", "gzip")
		if r.status != 413 || !strings.Contains(r.body, says) {
			t.Errorf("%s: got %d %s", kind, r.status, r.body)
		}
		for _, body := range []string{"no gzip", "", packed(1 << 16)[:20]} {
			if r := s.ask("POST", "/v1/infer", body, "Content-Type", kind, "Content-Encoding", "gzip"); r.status != 400 {
				t.Errorf("%s %q: got %d %s", kind, body, r.status, r.body)
			}
		}
		if r := s.ask("POST", "/v1/infer", "x", "Content-Type", kind, "Content-Encoding", "br"); r.status != 415 {
			t.Errorf("%s: got %d %s", kind, r.status, r.body)
		}
	}
	if !s.buffered.TryAcquire(s.limits.Buffered) {
		t.Error("bytes of the budget are lost")
	}
}

// endless is a body without end that says how much of it was taken.
type endless struct{ read atomic.Int64 } // the transport may go on reading after the answer

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	e.read.Add(int64(len(p)))
	return len(p), nil
}

// Of a body of 100 MB nothing is read if its length is told, and not much if it is not.
func TestLargeBodies(t *testing.T) {
	s := start(t, Options{Limits: Limits{Body: 1 << 20}})
	for _, told := range []bool{true, false} {
		body := &endless{}
		r, _ := http.NewRequest("POST", s.url+"/v1/infer", http.MaxBytesReader(nil, struct{ *endlessBody }{&endlessBody{body}}, 100<<20))
		r.Header.Set("Content-Type", "application/json")
		if r.ContentLength = -1; told {
			r.ContentLength = 100 << 20
		}
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != 413 || body.read.Load() > 32<<20 {
			t.Errorf("got %d after %d bytes", answer.StatusCode, body.read.Load())
		}
	}
}

type endlessBody struct{ *endless }

func (endlessBody) Close() error { return nil }

// When the queue is full others are told when to come back, and nothing else suffers.
func TestFullQueue(t *testing.T) {
	s := start(t, Options{Threads: 1, Limits: Limits{Queue: 2}})
	release := make(chan struct{})
	s.workers.hook = func(*item) { <-release }
	done := make(chan reply, 2)
	for range 2 {
		go func() { done <- s.postJSON("/v1/infer", `{"documents":["garden"]}`) }()
	}
	for {
		if _, requests := s.queue.waitingDocs(); requests == 2 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	for _, kind := range []string{"application/json", "application/x-ndjson"} {
		r := s.ask("POST", "/v1/infer", `{"documents":["garden"]}`, "Content-Type", kind)
		if r.status != 429 || r.code() != "busy" || r.header.Get("Retry-After") != "1" {
			t.Errorf("%s: got %d %s %v", kind, r.status, r.body, r.header)
		}
	}
	if r := s.get("/v1/topics"); r.status != 200 {
		t.Error(r)
	}
	close(release)
	for range 2 {
		if r := <-done; r.status != 200 {
			t.Error(r)
		}
	}
	if r := s.get("/v1/infer?text=garden"); r.status != 200 {
		t.Error(r)
	}
}

// When bodies take too much memory others are told to come back.
func TestFullMemory(t *testing.T) {
	s := start(t, Options{Limits: Limits{Body: 1 << 20, Buffered: 1 << 20}})
	s.buffered.TryAcquire(1<<20 - 100_000)
	if r := s.postJSON("/v1/infer", `{"documents":["`+strings.Repeat("garden ", 30_000)+`"]}`); r.status != 429 {
		t.Errorf("got %d %s", r.status, r.body)
	}
	if r := s.postJSON("/v1/infer", `{"documents":["garden"]}`); r.status != 200 {
		t.Errorf("got %d %s", r.status, r.body)
	}
}

// An answer that takes too long is given up.
func TestTimeout(t *testing.T) {
	s := start(t, Options{Threads: 1, Limits: Limits{Time: 200 * time.Millisecond}})
	s.workers.hook = func(*item) { time.Sleep(400 * time.Millisecond) }
	r := s.get("/v1/infer?text=garden")
	if r.status != 503 || r.code() != "timeout" || r.header.Get("Retry-After") == "" {
		t.Errorf("got %d %s", r.status, r.body)
	}
}

// A panic is the end of one request and of no other, in the same batch or elsewhere.
func TestPanics(t *testing.T) {
	s := start(t, Options{Threads: 1})
	s.workers.hook = func(it *item) {
		if bytes.Contains(it.doc.text, []byte("poison")) {
			panic("poisoned")
		}
	}
	release := make(chan struct{})
	first := true
	inner := s.workers.hook
	s.workers.hook = func(it *item) {
		if first {
			first = false
			<-release // so that the others come together
		}
		inner(it)
	}
	done := make(chan reply, 21)
	go func() { done <- s.get("/v1/infer?text=first") }()
	for i := range 20 {
		go func() { done <- s.get(fmt.Sprintf("/v1/infer?text=garden+%s", []string{"soil", "poison"}[i%2])) }()
	}
	for {
		if _, requests := s.queue.waitingDocs(); requests == 21 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	close(release)
	count := map[int]int{}
	for range 21 {
		r := <-done
		count[r.status]++
		if r.status == 500 && r.code() != "internal" || strings.Contains(r.body, "poisoned") {
			t.Errorf("got %s", r.body)
		}
	}
	if count[200] != 11 || count[500] != 10 {
		t.Errorf("got %v", count)
	}
	line := s.lines("/v1/infer?top=1", "\"garden\"\n\"poison\"\n")
	if !strings.HasSuffix(line.body, `"code":"internal","doc":1}`+"\n") {
		t.Errorf("got %s", line.body)
	}
}

// What an answer may cost is known before work begins, whatever the route: a request that asks for too much is refused
// at once, and small ones are answered.
func TestAnswersAreBounded(t *testing.T) {
	s := start(t, Options{Limits: Limits{Buffered: 8 << 20, Body: 1 << 20, Answer: 40_000}})
	var worked atomic.Bool
	s.workers.hook = func(*item) { worked.Store(true) }
	tensor := func(n int, outputs string) string {
		data := strings.TrimSuffix(strings.Repeat(`"garden",`, n), ",")
		return fmt.Sprintf(`{"inputs":[{"name":"text","datatype":"BYTES","shape":[%d],"data":[%s]}]%s}`, n, data, outputs)
	}
	many := jsonBody(slices.Repeat([]string{`"garden"`}, 1000), "")
	for _, c := range []struct{ path, body string }{
		{"/v1/infer", many},
		{"/v1/infer", jsonBody(slices.Repeat([]string{`"garden"`}, 100), `,"words":true`)},
		{"/v1/similar", jsonBody(slices.Repeat([]string{`"garden"`}, 10), `,"count":1000`)},
		{"/v2/models/stories/infer", tensor(1000, "")},
	} {
		r := s.postJSON(c.path, c.body)
		if r.status != 413 || r.code() != "too_large" || !strings.Contains(r.body, "the answer may have") {
			t.Errorf("%s %.60s: %d %.200s", c.path, c.body, r.status, r.body)
		}
	}
	if r := s.get("/v1/topics?words=1000"); r.status != 413 {
		t.Errorf("topics: %d %.200s", r.status, r.body)
	}
	if worked.Load() {
		t.Error("work began")
	}
	for _, c := range []struct{ path, body string }{
		{"/v1/infer", jsonBody(slices.Repeat([]string{`"garden"`}, 20), "")},
		{"/v1/infer", jsonBody(slices.Repeat([]string{`"garden"`}, 50), `,"top":1`)},
		{"/v1/similar", jsonBody([]string{`"garden"`}, `,"count":2`)},
		{"/v2/models/stories/infer", tensor(100, "")},
		{"/v2/models/stories/infer", tensor(500, `,"outputs":[{"name":"topic"}]`)},
	} {
		if r := s.postJSON(c.path, c.body); r.status != 200 || len(r.body) > 40_000 {
			t.Errorf("%s %.60s: %d %.200s", c.path, c.body, r.status, r.body)
		}
	}
	if r := s.lines("/v1/infer", strings.Repeat("\"garden\"\n", 1000)); r.status != 200 || strings.Count(r.body, "\n") != 1000 {
		t.Errorf("lines: %d, %d lines", r.status, strings.Count(r.body, "\n"))
	}
	if !s.buffered.TryAcquire(s.limits.Buffered) {
		t.Error("memory is still taken from the budget")
	}
}

// What is asked for twice, or given twice, is refused: readers differ in what they take.
func TestTwice(t *testing.T) {
	s := start(t, Options{})
	input := `"inputs":[{"name":"text","datatype":"BYTES","shape":[1],"data":["garden"]}]`
	outputs := `{"name":"theta"}` + strings.Repeat(`,{"name":"theta"}`, 20_000)
	for path, bodies := range map[string][]string{
		"/v2/models/stories/infer": {
			`{` + input + `,"outputs":[` + outputs + `]}`,
			`{` + input + `,"id":"1","ID":"2"}`,
			`{` + input + `,"parameters":{"seed":1,"seed":2}}`,
			`{"inputs":[{"name":"text","name":"text","datatype":"BYTES","shape":[1],"data":["garden"]}]}`,
		},
		"/v1/infer": {
			`{"documents":["a"],"documents":["b"]}`,
			`{"documents":["a"],"top":1,"top":2}`,
			`{"documents":[{"text":"a","text":"b"}]}`,
			`{"documents":[{"text":"a","Text":"b"}]}`,
			`{"documents":[{"counts":{"garden":1,"garden":2}}]}`,
		},
	} {
		for _, body := range bodies {
			if r := s.postJSON(path, body); r.status != 400 || !strings.Contains(r.body, "twice") || len(r.body) > 300 {
				t.Errorf("%.80s: %d %.200s", body, r.status, r.body)
			}
		}
	}
}
