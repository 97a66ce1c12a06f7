package browsertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/explore"
	"github.com/topoi-lda/topoi/internal/wholefile"
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
			if err := chromedp.Do(browser); err != nil {
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
	if err := wholefile.Write(path, func(w io.Writer) error { return explore.Write(t.Context(), m, w, o) }); err != nil {
		t.Fatal(err)
	}
	return openFile(t, path)
}

func openFile(t *testing.T, path string) *tab {
	t.Helper()
	return openPage(t, "file://"+path)
}

// openPage opens the page at an address, of a file or of a server, which it may ask.
func openPage(t *testing.T, address string) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	ctx, stop := context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(stop)
	p := &tab{T: t, ctx: ctx, file: address}
	p.listen()
	p.run(chromedp.Navigate(p.file))
	p.waitFor(`document.documentElement.dataset.ready === "yes"`)
	t.Cleanup(p.checkFaults)
	return p
}

// listen gathers faults.
func (p *tab) listen() {
	p.run(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, e1 := cdp.Call(ctx, t, network.Enable, network.EnableParams{})
		_, e2 := cdp.Call(ctx, t, log.Enable, cdp.Empty{})
		_, e3 := cdp.Call(ctx, t, runtime.Enable, cdp.Empty{})
		_, e4 := cdp.Call(ctx, t, page.Enable, page.EnableParams{})
		return errors.Join(e1, e2, e3, e4)
	}))
	each(p, runtime.ConsoleAPICalled, func(e runtime.EventConsoleAPICalled) string {
		fault := fmt.Sprintf("console.%s", e.Type)
		for _, a := range e.Args {
			fault += " " + string(a.Value) + a.Description
		}
		return fault
	})
	each(p, runtime.ExceptionThrown, func(e runtime.EventExceptionThrown) string {
		fault := "exception: " + e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			fault += " " + e.ExceptionDetails.Exception.Description
		}
		return fault
	})
	each(p, log.EntryAdded, func(e log.EventEntryAdded) string { return "log: " + e.Entry.Text })
	each(p, page.JavascriptDialogOpening, func(e page.EventJavascriptDialogOpening) string {
		_, _ = chromedp.Call(p.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
		return "dialog: " + e.Message
	})
	each(p, network.RequestWillBeSent, func(e network.EventRequestWillBeSent) string {
		if u, err := url.Parse(e.Request.URL); err == nil && (u.Scheme == "file" || u.Scheme == "data" || u.Scheme == "blob" || strings.HasPrefix(p.file, u.Scheme+"://"+u.Host+"/")) {
			return ""
		}
		return "request: " + e.Request.URL
	})
}

// each turns events of one kind into faults; the empty one is none.
func each[E any](p *tab, kind cdp.Event[E], fault func(E) string) {
	events := chromedp.Events(p.ctx, kind)
	go func() {
		for e, err := range events {
			if err != nil {
				return // the tab is closed
			}
			if f := fault(e); f != "" {
				p.mu.Lock()
				p.faults = append(p.faults, f)
				p.mu.Unlock()
			}
		}
	}()
}

func (p *tab) checkFaults() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.faults {
		p.Errorf("the page caused: %.500s", f)
	}
}

// story runs a part of a test on the same page.
func (p *tab) story(name string, f func(t *testing.T)) {
	whole := p.T
	whole.Run(name, func(t *testing.T) {
		p.T = t
		defer func() { p.T = whole }()
		f(t)
	})
}

func (p *tab) run(steps ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	if err := chromedp.Do(p.ctx, steps...); err != nil {
		p.checkFaults()
		p.Fatal(err)
	}
}

// eval evaluates an expression, which may be a promise, and takes its value as JSON.
func eval[T any](p *tab, script string) T {
	p.Helper()
	value, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		p.checkFaults()
		p.Fatalf("%s: %v", script, err)
	}
	return value
}

// do evaluates an expression for what it does.
func (p *tab) do(script string) {
	p.Helper()
	eval[chromedp.Void](p, "{"+script+"}")
}

// waitFor waits until an expression is true. A page that is just giving way to another one
// cannot be asked, which is not an answer.
func (p *tab) waitFor(condition string) {
	p.Helper()
	for began := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		yes, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool](condition, chromedp.EvalAwaitPromise))
		switch {
		case err == nil && yes:
			return
		case err != nil && !strings.Contains(err.Error(), "navigated or closed"):
			p.checkFaults()
			p.Fatalf("%s: %v", condition, err)
		case time.Since(began) > 30*time.Second:
			p.checkFaults()
			p.Fatalf("in vain waited for %s", condition)
		}
	}
}

// goTo shows a view.
func (p *tab) goTo(hash string) {
	p.Helper()
	view, _, _ := strings.Cut(strings.TrimPrefix(hash, "#/"), "/")
	view, _, _ = strings.Cut(view, "?")
	p.do(`document.getElementById("content").dataset.view = ""; location.hash = "#/"; location.hash = ` + quote(hash))
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
	p.do(fmt.Sprintf(`document.querySelector(%s).dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}))`, quote(selector)))
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

// shoot takes pictures on a telephone, a tablet and a screen, in light and in dark, if they are wanted.
func (p *tab) shoot(name string) {
	p.Helper()
	dir := os.Getenv("TOPOI_SCREENSHOTS")
	if dir == "" {
		return
	}
	for _, width := range []int{360, 768, 1400} {
		p.resize(width)
		p.do(`dispatchEvent(new Event("hashchange"))`) // some views show less on a telephone
		for _, scheme := range []string{"light", "dark"} {
			p.media(scheme)
			p.do(`for (const a of document.getAnimations()) a.finish()`)
			picture, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d-%s.png", name, width, scheme)), picture, 0o666)
			}
			if err != nil {
				p.Fatal(err)
			}
		}
	}
	p.media("light")
	p.resize(1280)
}

// resize gives the window another width, and waits until the page has taken it up.
func (p *tab) resize(width int) {
	p.Helper()
	p.run(chromedp.EmulateViewport(int64(width), 800))
	p.waitFor(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
}

// media sets what the reader prefers.
func (p *tab) media(scheme string) {
	p.Helper()
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	if err != nil {
		p.Fatal(err)
	}
}

// typeInto puts text into a field as a reader would.
func (p *tab) typeInto(selector, text string) {
	p.Helper()
	p.do(fmt.Sprintf(`document.querySelector(%s).value = ""`, quote(selector)))
	p.run(chromedp.SendKeys(chromedp.CSS(selector), text))
}

// slide moves a slider.
func (p *tab) slide(selector, value string) {
	p.Helper()
	p.do(fmt.Sprintf(`const e = document.querySelector(%s); e.value = %s; e.dispatchEvent(new Event("input"));`, quote(selector), quote(value)))
}
