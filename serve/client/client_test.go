package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/serve"
	"github.com/topoi-lda/topoi/serve/client"
	"github.com/topoi-lda/topoi/train"
)

// start serves a small model and returns a client of it.
func start(t testing.TB, o serve.Options, c client.Options) *client.Client {
	t.Helper()
	var b corpus.Builder
	for d := range 40 {
		words := strings.Fields([]string{"garden soil seed plant rose", "ship dock tide anchor sail"}[d%2])
		b.Add(corpus.Document{ID: fmt.Sprint("d", d), Title: fmt.Sprint("Title ", d), Tokens: append(words, words...)})
	}
	m, err := train.Run(t.Context(), b.Corpus(), topoi.Options{Topics: 3, Iterations: 30})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "pair.model")
	if err := m.Save(dir, topoi.SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	o.Models = []serve.Source{{Name: "pair", Path: dir}}
	s, err := serve.New(o)
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s)
	t.Cleanup(func() { h.Close(); s.Close() })
	got, err := client.New(h.URL+"/", c)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestInfer(t *testing.T) {
	c := start(t, serve.Options{}, client.Options{})
	docs := []client.Document{
		{ID: "x", Text: "garden soil nowhere"}, {Tokens: []string{"garden", "soil", "nowhere"}}, {Counts: map[string]int{"garden": 1, "soil": 1, "nowhere": 1}}, {},
	}
	answer, err := c.Infer(t.Context(), docs, client.InferOptions{Top: 2, Words: true, Iterations: 50, BurnIn: -1, Seed: 3, MinTheta: 0.001})
	if err != nil {
		t.Fatal(err)
	}
	if answer.Model != "pair" || len(answer.Documents) != 4 || fmt.Sprint(answer.Unknown) != "[1 1 1 0]" || answer.Documents[0].ID != "x" {
		t.Errorf("got %+v", answer)
	}
	first := answer.Documents[0]
	if len(first.Topics) != 2 || first.Topics[0].Theta < 0.5 || first.Tokens != 2 || len(first.Words) != 2 {
		t.Errorf("got %+v", first)
	}
	for _, d := range answer.Documents[1:3] {
		if fmt.Sprint(d.Topics, d.Words) != fmt.Sprint(first.Topics, first.Words) {
			t.Errorf("got %+v", d)
		}
	}
}

// A stream gives what a request gives, for more documents than a connection holds, and can
// be left at any time.
func TestStream(t *testing.T) {
	c := start(t, serve.Options{}, client.Options{})
	const n = 5000
	docs := func(yield func(client.Document) bool) {
		for i := range n {
			if !yield(client.Document{ID: fmt.Sprint("x", i), Text: strings.Repeat([]string{"garden ", "ship "}[i%2], 1+i%5)}) {
				return
			}
		}
	}
	seen := 0
	for d, err := range c.Stream(t.Context(), docs, client.InferOptions{Iterations: 5}) {
		if err != nil {
			t.Fatal(err)
		}
		if d.Doc != seen || d.ID != fmt.Sprint("x", seen) || d.Tokens != 1+seen%5 {
			t.Fatalf("got %+v as number %d", d, seen)
		}
		seen++
	}
	if seen != n {
		t.Errorf("%d documents", seen)
	}
	for d, err := range c.Stream(t.Context(), docs, client.InferOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		if d.Doc == 10 {
			break
		}
	}
	bad := func(yield func(client.Document) bool) {
		_ = yield(client.Document{Text: "garden"}) && yield(client.Document{Text: "a\x00b"})
	}
	var fault *client.Error
	for _, err := range c.Stream(t.Context(), bad, client.InferOptions{}) {
		if err != nil && !errors.As(err, &fault) {
			t.Error(err)
		}
	}
	if fault == nil || fault.Code != "bad_request" || fault.Doc == nil || *fault.Doc != 1 {
		t.Errorf("got %v", fault)
	}
	for _, err := range c.Stream(t.Context(), docs, client.InferOptions{Model: "x"}) {
		if !errors.As(err, &fault) || fault.Status != 404 {
			t.Errorf("got %v", err)
		}
	}
}

func TestLooks(t *testing.T) {
	c := start(t, serve.Options{}, client.Options{})
	if err := c.Ready(t.Context()); err != nil {
		t.Error(err)
	}
	models, err := c.Models(t.Context())
	if err != nil || len(models) != 1 || models[0].Topics != 3 || !models[0].Similar {
		t.Errorf("got %v, %v", models, err)
	}
	topics, err := c.Topics(t.Context(), "", 2)
	if err != nil || len(topics) != 3 || len(topics[0].Words) > 2 {
		t.Errorf("got %v, %v", topics, err)
	}
	topic, err := c.Topic(t.Context(), "pair", 1, 2)
	if err != nil || fmt.Sprint(*topic) != fmt.Sprint(topics[1]) {
		t.Errorf("got %v, %v", topic, err)
	}
	similar, err := c.Similar(t.Context(), []client.Document{{Text: "garden soil"}}, 3, client.InferOptions{})
	if err != nil || len(similar) != 1 || len(similar[0]) != 3 || similar[0][0].Title == "" {
		t.Errorf("got %v, %v", similar, err)
	}
}

// A client waits as it is told, a few times.
func TestRetries(t *testing.T) {
	var asked atomic.Int32
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) < 3 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			fmt.Fprint(w, `{"error":"busy","code":"busy"}`)
			return
		}
		fmt.Fprint(w, `{"models":[{"name":"m"}]}`)
	}))
	defer h.Close()
	c, _ := client.New(h.URL, client.Options{Retries: 2})
	if models, err := c.Models(t.Context()); err != nil || len(models) != 1 {
		t.Errorf("got %v, %v", models, err)
	}
	asked.Store(0)
	c, _ = client.New(h.URL, client.Options{Retries: -1})
	var fault *client.Error
	if _, err := c.Models(t.Context()); !errors.As(err, &fault) || fault.Code != "busy" || fault.RetryAfter != time.Second {
		t.Errorf("got %v", err)
	}
	asked.Store(0)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	c, _ = client.New(h.URL, client.Options{})
	if _, err := c.Models(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestToken(t *testing.T) {
	file, token := filepath.Join(t.TempDir(), "tokens"), serve.NewToken()
	if err := os.WriteFile(file, []byte(serve.HashToken(token, "me")), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := start(t, serve.Options{TokensFile: file}, client.Options{Token: token}).Models(t.Context()); err != nil {
		t.Error(err)
	}
	var fault *client.Error
	if _, err := start(t, serve.Options{TokensFile: file}, client.Options{}).Models(t.Context()); !errors.As(err, &fault) || fault.Status != 401 {
		t.Errorf("got %v", err)
	}
}

func TestAddresses(t *testing.T) {
	for _, address := range []string{"", "localhost:8080", "ftp://x", "http://", ":"} {
		if _, err := client.New(address, client.Options{}); err == nil {
			t.Errorf("%q is taken for an address", address)
		}
	}
}
