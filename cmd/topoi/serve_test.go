package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// topoiIn runs the program in a directory and returns what it prints.
func topoiIn(t *testing.T, dir, stdin string, args ...string) string {
	t.Helper()
	c := exec.Command("topoi", args...)
	c.Dir, c.Stdin = dir, strings.NewReader(stdin)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		t.Fatalf("topoi %s: %v\n%s", strings.Join(args, " "), err, errs.String())
	}
	return out.String()
}

// serving starts topoi serve and returns its address and what ends it.
func serving(t *testing.T, dir string, args ...string) (url string, process *exec.Cmd, said *bufio.Reader) {
	t.Helper()
	c := exec.Command("topoi", append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	c.Dir = dir
	out, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill() })
	said = bufio.NewReader(out)
	for {
		line, err := said.ReadString('\n')
		if err != nil {
			t.Fatalf("the server ended: %v", err)
		}
		if m := regexp.MustCompile(`^listening on (http\S+)/;`).FindStringSubmatch(line); m != nil {
			return m[1], c, said
		}
	}
}

// The server's answers are the bytes of topoi infer, while many clients ask in any order
// and with any number of threads.
func TestServeAnswersLikeInfer(t *testing.T) {
	dir := t.TempDir()
	articles, _, _ := docsArticles(120)
	if err := os.WriteFile(filepath.Join(dir, "articles.csv"), []byte(articles), 0o666); err != nil {
		t.Fatal(err)
	}
	topoiIn(t, dir, "", "train", "articles.csv", "-k", "6", "--iterations", "30", "-o", "news.model", "--quiet")
	topoiIn(t, dir, "", "name", "news.model", "1=energy", "--quiet")
	var docs []string
	for i, line := range strings.Split(articles, "\n")[1:100] {
		b, _ := json.Marshal(map[string]string{"id": fmt.Sprint("a", i), "label": "x", "text": line})
		docs = append(docs, string(b))
	}
	lines := strings.Join(docs, "\n") + "\n"
	if err := os.WriteFile(filepath.Join(dir, "docs.jsonl"), []byte(lines), 0o666); err != nil {
		t.Fatal(err)
	}
	want := topoiIn(t, dir, "", "infer", "news.model", "docs.jsonl", "--as", "jsonl", "--quiet", "--threads", "1")
	if piped := topoiIn(t, dir, lines, "infer", "news.model", "-", "--quiet"); piped != want {
		t.Fatal("a pipe gives other lines than a file")
	}
	for _, threads := range []string{"1", "3"} {
		url, process, _ := serving(t, dir, "news.model", "--threads", threads)
		var group sync.WaitGroup
		for client := range 6 {
			group.Go(func() {
				for range 3 {
					if got := ask(t, url+"/v1/infer", "application/x-ndjson", lines); got != want {
						t.Errorf("got %.300s\nwant %.300s", got, want)
					}
					body := `{"documents":[` + docs[client] + `]}`
					alone := strings.Replace(strings.Split(want, "\n")[client], fmt.Sprintf(`"doc":%d,`, client), `"doc":0,`, 1)
					if got := ask(t, url+"/v1/infer", "application/json", body); !strings.Contains(got, `"documents":[`+alone+`]`) {
						t.Errorf("got %.300s\nwant %.300s", got, alone)
					}
				}
			})
		}
		group.Wait()
		if err := process.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if err := process.Wait(); err != nil {
			t.Errorf("after SIGTERM: %v", err)
		}
	}
}

func ask(t *testing.T, url, kind, body string) string {
	answer, err := http.Post(url, kind, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return ""
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Error(err)
	}
	return string(b)
}

// SIGHUP takes up a model that was trained again in the same place; the time to look by
// itself is set to never.
func TestServeReloadsWhenTold(t *testing.T) {
	dir := t.TempDir()
	articles, _, _ := docsArticles(30)
	if err := os.WriteFile(filepath.Join(dir, "articles.csv"), []byte(articles), 0o666); err != nil {
		t.Fatal(err)
	}
	topoiIn(t, dir, "", "train", "articles.csv", "-k", "3", "--iterations", "5", "-o", "news.model", "--quiet")
	url, process, said := serving(t, dir, "news.model", "--reload", "0")
	before := ask(t, url+"/v1/infer", "text/plain", "goal")
	topoiIn(t, dir, "", "train", "articles.csv", "-k", "4", "--iterations", "5", "-o", "news.model", "--quiet", "--overwrite")
	if again := ask(t, url+"/v1/infer", "text/plain", "goal"); again != before {
		t.Errorf("got %s", again)
	}
	if err := process.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	for {
		line, err := said.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(line, "loaded a model that changed on disk") {
			break
		}
	}
	if after := ask(t, url+"/v1/infer", "text/plain", "goal"); strings.Count(after, `"topic"`) != 4 {
		t.Errorf("got %s", after)
	}
	_ = process.Process.Signal(os.Interrupt)
	done := make(chan error, 1)
	go func() { done <- process.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(2 * time.Minute):
		t.Error("it does not end")
	}
}

// A GPU that fails under a server costs nobody an answer: the CPU gives the same.
func TestServeSurvivesItsGPU(t *testing.T) {
	driver := fakeDriver(t.TempDir())
	if driver == "" {
		t.Skip("needs Linux and cc")
	}
	dir := t.TempDir()
	articles, _, _ := docsArticles(30)
	if err := os.WriteFile(filepath.Join(dir, "articles.csv"), []byte(articles), 0o666); err != nil {
		t.Fatal(err)
	}
	topoiIn(t, dir, "", "train", "articles.csv", "-k", "3", "--iterations", "5", "-o", "news.model", "--quiet")
	url, cpu, _ := serving(t, dir, "news.model")
	want := ask(t, url+"/v1/infer?iterations=20", "text/plain", "goal and vote")
	_ = cpu.Process.Signal(os.Interrupt)
	t.Setenv("TOPOI_LIBCUDA", driver)
	t.Setenv("FAKECUDA_FAIL", "cuStreamSynchronize:1:700")
	url, gpu, said := serving(t, dir, "news.model", "--device", "cuda")
	go func() { _, _ = io.Copy(io.Discard, said) }()
	if got := ask(t, url+"/v1/infer?iterations=20", "text/plain", "goal and vote"); got != want || want == "" {
		t.Errorf("got %s, want %s", got, want)
	}
	answer, err := http.Get(url + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if b, _ := io.ReadAll(answer.Body); !bytes.Contains(b, []byte("topoi_serve_device_faults_total 1\n")) {
		t.Error("the GPU did not fail")
	}
	_ = gpu.Process.Signal(os.Interrupt)
}
