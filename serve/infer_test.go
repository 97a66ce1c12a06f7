package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/topoi-lda/topoi/export"
)

// Whatever the load, the order, the threads and the form of the request: answers are the
// lines that topoi infer writes.
func TestAnswersAreThoseOfInfer(t *testing.T) {
	docs := texts(1, 20)
	want := strings.SplitAfter(inferred(t, model(t), strings.Join(docs, "\n"), export.Options{Top: 3}), "\n")
	alone := make([]string, len(docs))
	for i, d := range docs {
		alone[i] = strings.TrimSuffix(inferred(t, model(t), d, export.Options{Top: 3}), "\n")
	}
	for _, threads := range []int{1, 3} {
		s := start(t, Options{Threads: threads})
		var group sync.WaitGroup
		for client := range 8 {
			group.Go(func() {
				r := rand.New(rand.NewPCG(uint64(client), 9))
				for range 6 {
					switch i := r.IntN(len(docs)); r.IntN(3) {
					case 0: // all as lines
						if got := s.lines("/v1/infer?top=3", strings.Join(docs, "\n")).body; got != strings.Join(want, "") {
							t.Errorf("lines: got %.300s", got)
						}
					case 1: // one in JSON
						if got := s.postJSON("/v1/infer", jsonBody(docs[i:i+1], `,"top":3`)).body; !strings.Contains(got, `"documents":[`+alone[i]+`]`) {
							t.Errorf("one: got %s, want %s in it", got, alone[i])
						}
					case 2: // all in JSON
						got := s.postJSON("/v1/infer?top=3", jsonBody(docs, "")).body
						all := strings.ReplaceAll(strings.TrimSuffix(strings.Join(want, ""), "\n"), "\n", ",")
						if !strings.Contains(got, `"documents":[`+all+`]`) {
							t.Errorf("all: got %.300s", got)
						}
					}
				}
			})
		}
		group.Wait()
	}
}

// A request with many documents does not keep others waiting for its end.
func TestSmallRequestsPassLargeOnes(t *testing.T) {
	s := start(t, Options{Threads: 1})
	release, worked, before := make(chan struct{}), 0, 0
	s.workers.hook = func(it *item) { // in the only worker
		<-release
		if worked++; string(it.doc.text) == "small garden" {
			before = worked - 1
		}
	}
	done := make(chan reply, 2)
	waits := func(n int) {
		wait(t, func() bool {
			_, requests := s.queue.waitingDocs()
			return requests == n
		})
	}
	go func() { done <- s.postJSON("/v1/infer", jsonBody(texts(2, 3000), "")) }()
	waits(1)
	go func() { done <- s.get("/v1/infer?text=small+garden") }()
	waits(2)
	close(release)
	for range 2 {
		if r := <-done; r.status != 200 {
			t.Fatal(r.status, r.body)
		}
	}
	if worked != 3001 || before > 1500 {
		t.Errorf("the small request came after %d of %d documents", before, worked)
	}
}

// The forms of a document, and what else an answer says.
func TestForms(t *testing.T) {
	s := start(t, Options{})
	body := `{"documents":["garden soil, garden; nowhere", {"text":"garden soil garden nowhere"}, {"tokens":["garden","soil","garden","nowhere",""]},
		{"counts":{"garden":2,"soil":1,"nowhere":1,"rose":0}}, null, {"text":null,"id":7,"label":true,"time":"2020","more":{"deep":[1]}}, {"tokens":[]}, {"counts":{}}], "top":2}`
	var got struct {
		Model, Fingerprint string
		Documents          []json.RawMessage
		Unknown            []int `json:"unknown_tokens"`
	}
	r := s.postJSON("/v1/infer", body)
	if err := json.Unmarshal([]byte(r.body), &got); err != nil || r.status != 200 {
		t.Fatal(err, r)
	}
	if got.Model != "stories" || len(got.Fingerprint) != 32 || r.header.Get("Topoi-Fingerprint") != got.Fingerprint || len(got.Documents) != 8 {
		t.Errorf("got %s", r.body)
	}
	if fmt.Sprint(got.Unknown) != "[1 1 1 1 0 0 0 0]" {
		t.Errorf("unknown words: %v", got.Unknown)
	}
	for i := range 4 {
		same := strings.Replace(string(got.Documents[i]), fmt.Sprintf(`"doc":%d,"id":"%d"`, i, i), `"doc":0,"id":"0"`, 1)
		if same != string(got.Documents[0]) {
			t.Errorf("form %d gives %s, text %s", i, same, got.Documents[0])
		}
	}
	if want := `{"doc":5,"id":"7","label":"true","time":"2020","doc_tokens":0,"topics":[`; !strings.HasPrefix(string(got.Documents[5]), want) {
		t.Errorf("got %s", got.Documents[5])
	}
	plain := s.ask("POST", "/v1/infer?top=2", "garden soil garden nowhere", "Content-Type", "text/plain; charset=utf-8")
	if !strings.Contains(plain.body, string(got.Documents[0])) {
		t.Errorf("plain text gives %s", plain.body)
	}
	if q := s.get("/v1/infer?top=2&text=" + url.QueryEscape("garden soil garden nowhere")); q.body != plain.body {
		t.Errorf("GET gives %s", q.body)
	}
	if empty := s.postJSON("/v1/infer", `{"documents":[]}`); !strings.Contains(empty.body, `"documents":[],"unknown_tokens":[]}`) {
		t.Errorf("no documents give %s", empty.body)
	}
}

// Bodies may be compressed.
func TestCompressedBodies(t *testing.T) {
	s := start(t, Options{})
	docs := texts(3, 20)
	for kind, body := range map[string]string{"application/json": jsonBody(docs, ""), "application/x-ndjson": strings.Join(docs, "\n")} {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		_, _ = z.Write([]byte(body))
		z.Close()
		plain := s.ask("POST", "/v1/infer", body, "Content-Type", kind)
		if got := s.ask("POST", "/v1/infer", packed.String(), "Content-Type", kind, "Content-Encoding", "gzip"); got.body != plain.body || got.status != 200 {
			t.Errorf("%s: got %d %.200s", kind, got.status, got.body)
		}
	}
}

// A stream answers every line before the next one comes, and ends where a fault is.
func TestStreams(t *testing.T) {
	s := start(t, Options{})
	r := s.lines("/v1/infer?top=1", "\ufeff\n{\"text\":\"garden\"}\n\n \"soil\" \r\n{\"tokens\":[\"ship\"]}")
	if lines := strings.Split(strings.TrimSpace(r.body), "\n"); r.status != 200 || len(lines) != 3 || !strings.HasPrefix(lines[2], `{"doc":2,`) {
		t.Errorf("got %d %s", r.status, r.body)
	}
	if r.header.Get("Content-Type") != "application/x-ndjson" {
		t.Error(r.header)
	}
	if r := s.lines("/v1/infer", ""); r.status != 200 || r.body != "" {
		t.Errorf("nothing gives %d %q", r.status, r.body)
	}
	r = s.lines("/v1/infer?top=1", "\"garden\"\noops\n\"soil\"\n")
	lines := strings.Split(r.body, "\n")
	if r.status != 200 || len(lines) != 3 || !strings.HasPrefix(lines[0], `{"doc":0,`) || !strings.Contains(lines[1], `"code":"bad_request","doc":1}`) {
		t.Errorf("got %d %s", r.status, r.body)
	}
	if r := s.lines("/v1/infer", "oops\n"); r.status != 400 || r.code() != "bad_request" {
		t.Errorf("got %d %s", r.status, r.body)
	}
}

// The answer is named by all that it depends on, and not made again for those who have it.
func TestTags(t *testing.T) {
	s := start(t, Options{})
	first := s.get("/v1/infer?text=garden")
	tag := first.header.Get("ETag")
	if len(tag) != 34 || first.header.Get("Cache-Control") != "no-cache" {
		t.Fatal(first)
	}
	before := s.workedDocs()
	again := s.get("/v1/infer?text=garden", "If-None-Match", `"x", W/`+tag)
	if again.status != 304 || again.body != "" || again.header.Get("ETag") != tag {
		t.Errorf("got %v", again)
	}
	if r := s.postJSON("/v1/infer", `{"documents":["garden"]}`, "If-None-Match", tag); r.status != 412 || r.code() != "answer_unchanged" {
		t.Errorf("got %v", r)
	}
	if s.workedDocs() != before {
		t.Error("an answer that the client has was made again")
	}
	seen := map[string]string{tag: "first"}
	for _, path := range []string{"text=soil", "text=garden&top=1", "text=garden&seed=1", "text=garden&iterations=50", "text=garden&burn_in=0", "text=garden&words=true", "text=garden&min_theta=0.1"} {
		other := s.get("/v1/infer?" + path).header.Get("ETag")
		if seen[other] != "" || other == "" {
			t.Errorf("%s has the tag of %s", path, seen[other])
		}
		seen[other] = path
	}
}

// workedDocs is how many documents the workers have done.
func (s *running) workedDocs() (n float64) {
	for _, line := range strings.Split(s.get("/metrics").body, "\n") {
		if rest, ok := strings.CutPrefix(line, `topoi_serve_documents_total{model="stories"} `); ok {
			fmt.Sscan(rest, &n)
		}
	}
	return n
}
