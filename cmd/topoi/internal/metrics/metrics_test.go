package metrics

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cluster"
)

func get(t *testing.T, url string) string {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestServe(t *testing.T) {
	w := New("news", "v1")
	s, err := w.Serve("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	text := get(t, "http://"+s.Addr+"/metrics")
	if !strings.Contains(text, `topoi_worker_tokens_total{job_name="news"} 0`) || strings.Contains(text, "topoi_training") {
		t.Errorf("before it has done anything it says\n%s", text)
	}
	if live, ready := get(t, "http://"+s.Addr+"/livez"), get(t, "http://"+s.Addr+"/readyz"); live != "alive\n" || !strings.HasPrefix(ready, "not ready") {
		t.Errorf("before it has joined it says %q and %q", live, ready)
	}
	held := -8.25
	w.Report(cluster.Report{Tokens: 12345, Parts: 3, Round: 7, Sampling: 2 * time.Second, Coding: time.Second / 2, Waiting: time.Second / 4, Sent: 100, Received: 200})
	w.Iteration(topoi.IterationInfo{Iteration: 20, Score: &topoi.Score{LogLikelihood: -9.5, Heldout: &held}})
	w.Iteration(topoi.IterationInfo{Iteration: 21})
	if ready := get(t, "http://"+s.Addr+"/readyz"); ready != "ready\n" {
		t.Errorf("once it has joined it says %q", ready)
	}
	text = get(t, "http://"+s.Addr+"/metrics")
	for _, want := range []string{
		`topoi_build_info{job_name="news",version="v1"} 1`,
		`topoi_worker_tokens_total{job_name="news"} 12345`,
		`topoi_worker_seconds_total{doing="sampling",job_name="news"} 2`,
		`topoi_worker_seconds_total{doing="coding",job_name="news"} 0.5`,
		`topoi_worker_seconds_total{doing="waiting",job_name="news"} 0.25`,
		`topoi_worker_bytes_total{direction="received",job_name="news"} 200`,
		`topoi_worker_bytes_total{direction="sent",job_name="news"} 100`,
		`topoi_worker_parts{job_name="news"} 3`,
		`topoi_worker_round{job_name="news"} 7`,
		`topoi_training_iteration{job_name="news"} 21`,
		`topoi_training_log_likelihood_per_token{job_name="news"} -9.5`,
		`topoi_training_heldout_per_token{job_name="news"} -8.25`,
		"go_goroutines ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if text := get(t, "http://"+s.Addr+"/"); !strings.Contains(text, "/metrics") {
		t.Errorf("/ says %q", text)
	}
}

func TestAddressInUse(t *testing.T) {
	s, err := New("a", "v").Serve("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	_, err = New("b", "v").Serve(s.Addr)
	if err == nil || !strings.Contains(err.Error(), "cannot serve metrics at "+s.Addr) || !strings.Contains(err.Error(), "address already in use") {
		t.Errorf("got %v", err)
	}
}

// Training in one process shows how it goes, from its start on, and no worker.
func TestTraining(t *testing.T) {
	w := NewTraining("news.model", "v1")
	s, err := w.Serve("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	w.Start(topoi.StartInfo{Iteration: 30, Iterations: 1000})
	text := get(t, "http://"+s.Addr+"/metrics")
	if !strings.Contains(text, `topoi_training_iteration{job_name="news.model"} 30`) || strings.Contains(text, "topoi_worker") {
		t.Errorf("at the start it says\n%s", text)
	}
	w.Iteration(topoi.IterationInfo{Iteration: 31, Iterations: 1000, TokensPerSecond: 5e6})
	text = get(t, "http://"+s.Addr+"/metrics")
	for _, want := range []string{
		`topoi_training_iteration{job_name="news.model"} 31`, `topoi_training_iterations{job_name="news.model"} 1000`,
		`topoi_training_tokens_per_second{job_name="news.model"} 5e+06`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing", want)
		}
	}
}
