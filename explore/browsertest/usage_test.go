package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/topoi-lda/topoi/explore"
)

// The keyboard reaches everything, the address keeps it, and printing leaves controls out.
func TestUse(t *testing.T) {
	m := trained(t, storyCorpus(120), 6, 20)
	p := openModel(t, m, explore.Options{})
	p.story("search", func(t *testing.T) { searching(t, p) })
	p.story("keys", func(t *testing.T) { keys(t, p) })
	p.story("reload", func(t *testing.T) { reload(t, p) })
	p.story("missing", func(t *testing.T) { missing(t, p) })
	p.story("labels for screen readers", func(t *testing.T) { labelled(t, p) })
	p.story("print", func(t *testing.T) { printed(t, p) })
	p.story("narrow", func(t *testing.T) { narrow(t, p) })
}

func (p *tab) press(keys string) {
	p.Helper()
	p.run(chromedp.KeyEvent(keys))
}

func searching(t *testing.T, p *tab) {
	p.goTo("#/topics")
	p.press("/")
	if id := eval[string](p, "document.activeElement.id"); id != "search" {
		t.Fatalf("/ goes to %q", id)
	}
	p.typeInto("#search", "viol") // a driver's key is typed even where the page has taken it
	p.waitFor(`document.querySelectorAll("#results li .kind").length > 2`)
	kinds := eval[[]string](p, `Array.from(document.querySelectorAll("#results .kind"), (e) => e.textContent)`)
	if all := strings.Join(kinds, " "); !strings.Contains(all, "topic") || !strings.Contains(all, "word") || !strings.Contains(all, "document") {
		t.Errorf("the results are %v", kinds)
	}
	for range strings.Count(strings.Join(kinds, " "), "topic") {
		p.press(kb.ArrowDown)
	}
	p.press(kb.Enter)
	p.waitFor(`location.hash.startsWith("#/word/")`)
	p.waitFor(`document.querySelector("h1")?.textContent === "violin"`)
}

func keys(t *testing.T, p *tab) {
	p.goTo("#/topic/0")
	p.press("]")
	p.waitFor(`location.hash.startsWith("#/topic/1")`)
	p.press("[[")
	p.waitFor(`location.hash.startsWith("#/topic/5")`)
	p.press("2")
	p.waitFor(`document.getElementById("content").dataset.view === "map"`)
	// A change of the address that the page has not heard of yet draws the map again, without the focus.
	p.waitFor(`document.querySelector(".map a").focus(), new Promise((say) => setTimeout(() => say(document.activeElement.dataset.topic !== undefined), 50))`)
	before := eval[string](p, "document.activeElement.dataset.topic")
	for _, arrow := range []string{kb.ArrowLeft, kb.ArrowRight, kb.ArrowUp, kb.ArrowDown} {
		p.press(arrow)
	}
	if eval[string](p, "document.activeElement.dataset.topic") == "" {
		t.Errorf("arrow keys left the map from topic %s", before)
	}
	p.press(kb.Enter)
	p.waitFor(`location.hash.startsWith("#/topic/")`)
}

// reload opens addresses afresh and finds what was there.
func reload(t *testing.T, p *tab) {
	for hash, condition := range map[string]string{
		"#/topic/2?order=frex":                     `document.querySelector('[data-value="frex"]').getAttribute("aria-pressed") === "true"`,
		"#/topic/2?order=relevance&lambda=0.15":    `document.getElementById("lambda").value === "0.15"`,
		"#/topics?sort=npmi&q=garden":              `document.getElementById("filter").value === "garden" && document.querySelector("[aria-sort=ascending]").textContent.startsWith("Coherence")`,
		"#/time?topics=1,3&unit=year&bin=2002":     `document.querySelectorAll(".chip").length === 2 && document.querySelector("rect.chosen") !== null`,
		"#/groups?topic=1&group=2":                 `document.querySelector('[data-panel="documents"]') !== null`,
		"#/map?at=400.0,300.0,3.00":                `location.hash.includes("at=400.0")`,
		"#/topic/1?order=nonsense&lambda=nonsense": `document.getElementById("lambda").value === "0"`,
	} {
		p.goTo(hash)
		p.run(chromedp.Reload())
		p.waitFor(`document.documentElement.dataset.ready === "yes"`)
		if !eval[bool](p, condition) {
			t.Errorf("%s is not what it was: now at %s", hash, eval[string](p, "location.hash"))
		}
	}
}

func missing(t *testing.T, p *tab) {
	for hash, want := range map[string]string{
		"#/topic/99": "There is no topic 99: topics are 0 to 5.", "#/topic/": "There is no topic", "#/doc/9999": "There is no document 9999.",
		"#/word/99999": "Word 99999 is not in this page.", "#/nowhere": "There is no such view.", "#/topic/%E0%A4%A": "There is no topic",
	} {
		p.goTo(hash)
		if got := p.text("#content"); !strings.Contains(got, want) {
			t.Errorf("%s shows %q, want %q", hash, got, want)
		}
	}
}

// labelled looks for controls and pictures without a name.
func labelled(t *testing.T, p *tab) {
	for _, hash := range []string{"#/topics", "#/map", "#/topic/1", "#/groups?topic=1&group=1", "#/time", "#/relations", "#/doc/3", "#/word/2"} {
		p.goTo(hash)
		nameless := eval[[]string](p, `Array.from(document.querySelectorAll("a, button, input, select, svg:not([aria-hidden]), canvas"))
			.filter((e) => !(e.textContent.trim() || e.getAttribute("aria-label") || e.closest("label"))).map((e) => e.outerHTML.slice(0, 120))`)
		if len(nameless) > 0 {
			t.Errorf("%s has no names for %v", hash, nameless)
		}
		if n := p.count("table:not(:has(caption))"); n > 0 {
			t.Errorf("%s has %d tables without a caption", hash, n)
		}
	}
}

func printed(t *testing.T, p *tab) {
	p.goTo("#/topic/1")
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}); err != nil {
		t.Fatal(err)
	}
	for _, selector := range []string{".search", ".tabs", ".names", ".copy"} {
		if !eval[bool](p, fmt.Sprintf(`document.querySelector(%s).offsetParent === null`, quote(selector))) {
			t.Errorf("%s is printed", selector)
		}
	}
	p.media("light")
}

// narrow looks at every view on a telephone.
func narrow(t *testing.T, p *tab) {
	p.run(chromedp.EmulateViewport(390, 800))
	for _, hash := range []string{"#/topics", "#/map", "#/topic/1", "#/groups?topic=1&group=1", "#/time", "#/relations", "#/doc/3", "#/word/2"} {
		p.goTo(hash)
		if wide := eval[int](p, "document.documentElement.scrollWidth - innerWidth"); wide > 1 {
			t.Errorf("%s is %d pixels wider than the window", hash, wide)
		}
	}
	p.goTo("#/topic/1")
	p.shoot("narrow")
	p.run(chromedp.EmulateViewport(1280, 900))
}
