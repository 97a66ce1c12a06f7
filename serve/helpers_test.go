package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/export"
	"github.com/topoi-lda/topoi/topic"
	"github.com/topoi-lda/topoi/train"
)

var themes = [][]string{
	strings.Fields("garden soil seed plant flower water bee compost root leaf rose prune"),
	strings.Fields("harbour ship crane dock tide anchor sailor cargo rope pilot wharf ferry"),
	strings.Fields("kitchen bread oven flour butter knife soup salt pepper spoon recipe stove"),
}

// themedText is a text of one theme and a little of another, and words of none.
func themedText(r *rand.Rand, words int) string {
	first, second := themes[r.IntN(len(themes))], themes[r.IntN(len(themes))]
	var text []string
	for i := range words {
		list := first
		if i%4 == 3 {
			list = second
		}
		text = append(text, list[r.IntN(len(list))])
		if i%9 == 8 {
			text = append(text, "Zyzzyva", "the")
		}
	}
	return strings.Join(text, " ")
}

// saveModel trains a model on texts and saves it in a directory.
func saveModel(t testing.TB, dir string, seed uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	var lines strings.Builder
	for d := range 60 {
		fmt.Fprintf(&lines, `{"id":"d%d","label":"l%d","title":"Title %d","text":%q}`+"\n", d, d%3, d, themedText(r, 30))
	}
	input := filepath.Join(t.TempDir(), "texts.jsonl")
	if err := os.WriteFile(input, []byte(lines.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	c, _, err := corpus.Load(t.Context(), []string{input}, corpus.ImportOptions{Snippet: 80, MinDF: 1, MaxDF: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	m, err := train.Run(t.Context(), c, topoi.Options{Topics: 5, Iterations: 30, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.SetLabels(topic.Labels{Names: map[int]string{1: "one"}}); err != nil {
		t.Fatal(err)
	}
	if err := m.Save(dir, topoi.SaveOptions{}); err != nil {
		t.Fatal(err)
	}
}

// sharedModel is the directory of a model that tests do not change.
var sharedModel = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "topoi-serve-")
	if err != nil {
		panic(err)
	}
	return filepath.Join(dir, "stories.model")
})

var sharedOnce sync.Once

func model(t testing.TB) string {
	t.Helper()
	sharedOnce.Do(func() { saveModel(t, sharedModel(), 1) })
	return sharedModel()
}

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(filepath.Dir(sharedModel()))
	os.Exit(code)
}

// running is a server that listens.
type running struct {
	t testing.TB
	*Server
	url  string
	stop func() error // ends it and waits
}

// start starts a server with a model unless the options name some.
func start(t testing.TB, o Options) *running {
	t.Helper()
	if o.Models == nil {
		o.Models = []Source{{"stories", model(t)}}
	}
	if o.Drain == 0 {
		o.Drain = -1 // else every test would take as long
	}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	scheme := "http"
	if o.CertFile != "" {
		scheme = "https"
	}
	stop := sync.OnceValue(func() error { cancel(); return <-ended })
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	return &running{t, s, scheme + "://" + l.Addr().String(), stop}
}

// reply is an answer.
type reply struct {
	status int
	header http.Header
	body   string
}

// code is the code of an error.
func (r reply) code() string {
	var e struct{ Error, Code string }
	if json.Unmarshal([]byte(r.body), &e) != nil || e.Error == "" {
		return "no error: " + r.body
	}
	return e.Code
}

// ask sends a request with headers given as name and value in turn.
func (s *running) ask(method, path, body string, headers ...string) reply {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return reply{answer.StatusCode, answer.Header, string(b)}
}

func (s *running) get(path string, headers ...string) reply {
	s.t.Helper()
	return s.ask("GET", path, "", headers...)
}

func (s *running) postJSON(path, body string, headers ...string) reply {
	s.t.Helper()
	return s.ask("POST", path, body, append(headers, "Content-Type", "application/json")...)
}

func (s *running) lines(path, body string) reply {
	s.t.Helper()
	return s.ask("POST", path, body, "Content-Type", "application/x-ndjson")
}

// inferred is a line of topoi infer in JSON.
func inferred(t testing.TB, dir, lines string, o export.Options) string {
	t.Helper()
	m, err := topoi.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	input := filepath.Join(t.TempDir(), "input.jsonl")
	if err := os.WriteFile(input, []byte(lines), 0o666); err != nil {
		t.Fatal(err)
	}
	how, err := m.ImportOptions()
	if err != nil {
		t.Fatal(err)
	}
	docs, _, err := corpus.Load(t.Context(), []string{input}, how)
	if err != nil {
		t.Fatal(err)
	}
	defer docs.Close()
	output := filepath.Join(t.TempDir(), "output.jsonl")
	if err := export.Infer(t.Context(), m, docs, "jsonl", output, topoi.InferOptions{Threads: 1}, o); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(output)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// texts makes lines of JSON with a text each.
func texts(seed uint64, n int) []string {
	r := rand.New(rand.NewPCG(seed, 2))
	list := make([]string, n)
	for i := range list {
		b, _ := json.Marshal(map[string]any{"id": fmt.Sprint("x", i), "label": "l", "text": themedText(r, r.IntN(60))})
		list[i] = string(b)
	}
	return list
}

// jsonBody joins documents to a body of JSON.
func jsonBody(docs []string, rest string) string {
	return `{"documents":[` + strings.Join(docs, ",") + `]` + rest + `}`
}

// leaks returns a function that fails the test if goroutines or files are left.
func leaks(t testing.TB) func() {
	t.Helper()
	goroutines, files := runtime.NumGoroutine(), openFiles()
	return func() {
		t.Helper()
		http.DefaultClient.CloseIdleConnections()
		for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
			g, f := runtime.NumGoroutine(), openFiles()
			if g <= goroutines && f <= files {
				return
			}
			if time.Since(began) > time.Minute {
				var stacks bytes.Buffer
				b := make([]byte, 1<<20)
				stacks.Write(b[:runtime.Stack(b, true)])
				t.Errorf("%d goroutines and %d files, there were %d and %d before\n%s", g, f, goroutines, files, stacks.String())
				return
			}
		}
	}
}

// openFiles counts the open files of this process, where that can be seen.
func openFiles() int {
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(list)
}
