package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/explore"
	"github.com/topoi-lda/topoi/serve"
)

// openServed serves a model and opens its page.
func openServed(t *testing.T, o serve.Options) (*tab, string) {
	t.Helper()
	if allocator == nil {
		t.Skip("no Chromium here")
	}
	dir := filepath.Join(t.TempDir(), "stories.model")
	if err := trained(t, storyCorpus(200), 6, 60).Save(dir, topoi.SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	o.Models = []serve.Source{{Name: "stories", Path: dir}}
	s, err := serve.New(o)
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
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	address := "http://" + l.Addr().String()
	return openPage(t, address+"/"), address
}

// A text that is typed gets the topics, words and similar documents that the server has
// for it.
func TestTypedText(t *testing.T) {
	p, address := openServed(t, serve.Options{})
	const text = "The gardener put a rose into the soil of the garden, and a ship came to the harbour. <b>Zyzzyva</b>"
	answer, err := http.Get(address + "/v1/infer?words=true&top=12&text=" + url.QueryEscape(text))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var want struct {
		Documents []struct {
			Tokens int `json:"doc_tokens"`
			Topics []struct {
				Topic int
				Theta float64
			}
			Words []struct{ Word string }
		}
		Unknown []int `json:"unknown_tokens"`
	}
	body, _ := io.ReadAll(answer.Body)
	if err := json.Unmarshal(body, &want); err != nil {
		t.Fatal(err)
	}
	doc := want.Documents[0]
	p.goTo("#/text")
	p.typeInto("#typed", text)
	// A browser that types slowly also asks about the beginning.
	answered := fmt.Sprintf("%d words that the model knows, %d that it does not know.", doc.Tokens, want.Unknown[0])
	p.waitFor(fmt.Sprintf(`document.querySelector("#answered").textContent === %s && document.querySelectorAll('#answers [data-panel="topics"] tbody tr').length > 0`, quote(answered)))
	rows := p.csv("topics")
	if len(rows) != 1+len(doc.Topics) {
		t.Fatalf("%d rows, want %d", len(rows)-1, len(doc.Topics))
	}
	for i, k := range doc.Topics {
		var topic int
		var theta float64
		fmt.Sscan(rows[i+1][0], &topic)
		fmt.Sscan(rows[i+1][1], &theta)
		if topic != k.Topic || math.Abs(theta-k.Theta) > 1e-9 {
			t.Errorf("row %d: %v, want %v", i, rows[i+1], k)
		}
	}
	if p.count(`#answers [data-panel="bag"] a.mark`) != len(doc.Words) || p.count(`#answers [data-panel="similar"] li`) != 8 || p.count("#answers b") != 0 {
		t.Errorf("%d words, %d similar documents", p.count(`#answers [data-panel="bag"] a.mark`), p.count(`#answers [data-panel="similar"] li`))
	}
	p.shoot("served-text")
	p.click(`#answers [data-panel="similar"] a.doc`)
	p.waitFor(`document.getElementById("content").dataset.view === "doc"`)
	p.goTo("#/text") // what was typed is still there
	p.waitFor(`document.querySelector("#typed").value !== "" && document.querySelectorAll("#answers tbody tr").length > 0`)
	p.typeInto("#typed", " ")
	p.do(`document.querySelector("#typed").dispatchEvent(new Event("input"))`)
	p.waitFor(`document.querySelector("#answers").children.length === 0`)
}

// The page may ask its server and nobody else.
func TestServedPageAsksItsServerOnly(t *testing.T) {
	p, _ := openServed(t, serve.Options{})
	other := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { t.Errorf("asked for %s", r.URL) })}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = other.Serve(l) }()
	defer other.Close()
	if got := eval[string](p, `fetch("http://`+l.Addr().String()+`/").then(() => "asked", () => "refused")`); got != "refused" {
		t.Errorf("got %s", got)
	}
	if got := eval[int](p, `fetch("/v1/models").then((r) => r.status)`); got != 200 {
		t.Errorf("got %d", got)
	}
	p.forgive("Content Security Policy", "request: http://"+l.Addr().String())
}

// A page in a file has no box, and asks nobody.
func TestFilesHaveNoBox(t *testing.T) {
	p := openModel(t, trained(t, storyCorpus(60), 3, 20), explore.Options{})
	if p.count("nav.tabs a") != 6 || strings.Contains(p.text("nav.tabs"), "Text") {
		t.Errorf("tabs: %s", p.text("nav.tabs"))
	}
	p.goTo("#/text")
	if !strings.Contains(p.text("#content"), "There is no such view") {
		t.Errorf("got %s", p.text("#content"))
	}
}

// forgive drops faults that a test has caused on purpose.
func (p *tab) forgive(parts ...string) {
	p.Helper()
	p.waitFor("true")
	p.mu.Lock()
	defer p.mu.Unlock()
	var left []string
	for _, f := range p.faults {
		meant := false
		for _, part := range parts {
			meant = meant || strings.Contains(f, part)
		}
		if !meant {
			left = append(left, f)
		}
	}
	p.faults = left
}
