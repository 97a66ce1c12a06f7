package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/explore"
)

// allocator is the browser that all tests share; nil without Chromium.
var allocator context.Context

func TestMain(m *testing.M) {
	if !haveChromium() && os.Getenv("TOPOI_REQUIRE_CHROMIUM") != "" {
		fmt.Fprintln(os.Stderr, "TOPOI_REQUIRE_CHROMIUM is set, but there is no Chromium")
		os.Exit(1)
	}
	code := 0
	func() {
		if haveChromium() {
			options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.WindowSize(1280, 900), chromedp.NoSandbox)
			alloc, cancel := chromedp.NewExecAllocator(context.Background(), options...)
			defer cancel()
			browser, stop := chromedp.NewContext(alloc)
			defer stop()
			if err := chromedp.Run(browser); err != nil {
				fmt.Fprintln(os.Stderr, "Chromium does not start:", err)
				code = 1
				return
			}
			allocator = browser
		}
		code = m.Run()
	}()
	os.Exit(code)
}

func haveChromium() bool {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if _, err := exec.LookPath(name); err == nil {
			return true
		}
	}
	return false
}

// tab is a page in the browser. Whatever the page says to the console, asks from
// elsewhere, throws or opens is a fault of the test.
type tab struct {
	*testing.T
	ctx  context.Context
	file string

	mu     sync.Mutex
	faults []string
}

// openModel writes the page of a model and opens it from disk.
func openModel(t *testing.T, m *topoi.Model, o explore.Options) *tab {
	t.Helper()
	if allocator == nil {
		t.Skip("no Chromium here")
	}
	path := filepath.Join(t.TempDir(), "page.html")
	if err := explore.Save(t.Context(), m, path, o); err != nil {
		t.Fatal(err)
	}
	return openFile(t, path)
}

func openFile(t *testing.T, path string) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	t.Cleanup(stop)
	p := &tab{T: t, ctx: ctx, file: "file://" + path}
	chromedp.ListenTarget(ctx, p.listen)
	p.run(network.Enable(), log.Enable(), runtime.Enable(), chromedp.Navigate(p.file))
	p.waitFor(`document.documentElement.dataset.ready === "yes"`)
	t.Cleanup(p.checkFaults)
	return p
}

// listen gathers faults.
func (p *tab) listen(event any) {
	fault := ""
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		fault = fmt.Sprintf("console.%s", e.Type)
		for _, a := range e.Args {
			fault += " " + string(a.Value) + a.Description
		}
	case *runtime.EventExceptionThrown:
		fault = "exception: " + e.ExceptionDetails.Error()
	case *log.EventEntryAdded:
		fault = "log: " + e.Entry.Text
	case *page.EventJavascriptDialogOpening:
		fault = "dialog: " + e.Message
		go func() { _ = chromedp.Run(p.ctx, page.HandleJavaScriptDialog(true)) }()
	case *network.EventRequestWillBeSent:
		if u, err := url.Parse(e.Request.URL); err != nil || u.Scheme != "file" && u.Scheme != "data" && u.Scheme != "blob" {
			fault = "request: " + e.Request.URL
		}
	}
	if fault != "" {
		p.mu.Lock()
		p.faults = append(p.faults, fault)
		p.mu.Unlock()
	}
}

func (p *tab) checkFaults() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.faults {
		p.Errorf("the page caused: %.500s", f)
	}
}

func (p *tab) run(actions ...chromedp.Action) {
	p.Helper()
	if err := chromedp.Run(p.ctx, actions...); err != nil {
		p.checkFaults()
		p.Fatal(err)
	}
}

// eval evaluates an expression, which may be a promise, and takes its value as JSON.
func eval[T any](p *tab, script string) T {
	p.Helper()
	var value T
	p.run(chromedp.Evaluate(script, &value, func(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }))
	return value
}

// waitFor waits until an expression is true.
func (p *tab) waitFor(condition string) {
	p.Helper()
	p.run(chromedp.Poll(condition, nil, chromedp.WithPollingInterval(5*time.Millisecond), chromedp.WithPollingTimeout(30*time.Second)))
}

// goTo shows a view.
func (p *tab) goTo(hash string) {
	p.Helper()
	view, _, _ := strings.Cut(strings.TrimPrefix(hash, "#/"), "/")
	view, _, _ = strings.Cut(view, "?")
	p.run(chromedp.Evaluate("location.hash = "+quote(hash), nil))
	p.waitFor(fmt.Sprintf(`document.getElementById("content").dataset.view === %s && document.getElementById("content").children.length > 0`, quote(view)))
}

func quote(s string) string {
	b, _ := json.Marshal(s) // strings always can be encoded
	return string(b)
}

// text returns the text of the first element that a selector finds.
func (p *tab) text(selector string) string {
	p.Helper()
	return eval[string](p, fmt.Sprintf(`(document.querySelector(%s) || {textContent: "(missing)"}).textContent`, quote(selector)))
}

// count returns how many elements a selector finds.
func (p *tab) count(selector string) int {
	p.Helper()
	return eval[int](p, fmt.Sprintf(`document.querySelectorAll(%s).length`, quote(selector)))
}

func (p *tab) click(selector string) {
	p.Helper()
	p.run(chromedp.Evaluate(fmt.Sprintf(`document.querySelector(%s).click()`, quote(selector)), nil))
}

// csv returns what the copy button of a panel copies.
func (p *tab) csv(panel string) [][]string {
	p.Helper()
	text := eval[string](p, fmt.Sprintf(`new Promise((done) => {
		navigator.clipboard.writeText = async (text) => done(text);
		document.querySelector('[data-panel="%s"] .copy').click();
	})`, panel))
	var rows [][]string
	for _, line := range strings.Split(strings.TrimSuffix(text, "\r\n"), "\r\n") {
		rows = append(rows, strings.Split(line, ","))
	}
	return rows
}

// shoot takes a picture in light and in dark, if they are wanted.
func (p *tab) shoot(name string) {
	p.Helper()
	dir := os.Getenv("TOPOI_SCREENSHOTS")
	if dir == "" {
		return
	}
	for _, scheme := range []string{"light", "dark"} {
		var picture []byte
		p.run(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
			chromedp.FullScreenshot(&picture, 100))
		if err := os.WriteFile(filepath.Join(dir, name+"-"+scheme+".png"), picture, 0o666); err != nil {
			p.Fatal(err)
		}
	}
	p.run(emulation.SetEmulatedMedia())
}
