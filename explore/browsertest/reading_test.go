package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/explore"
)

// A document is read as a whole, its words coloured; similar ones show label and date.
func TestWholeText(t *testing.T) {
	var b corpus.Builder
	for d := range 40 {
		list := strings.Fields(subjects[d%4].words)
		text := strings.Repeat(strings.Join(list, " ")+".\n\n", 30)
		b.Add(corpus.Document{ID: fmt.Sprint(d), Label: subjects[d%4].name, Time: "1709251200", Title: fmt.Sprintf("Text %d", d), Snippet: "the beginning …", Text: text, Tokens: list})
	}
	p := openModel(t, trained(t, b.Corpus(), 4, 60), explore.Options{})
	p.goTo("#/doc/1")
	if got := p.text(".text"); strings.Count(got, "harbour") != 30 || !strings.Contains(got, ".\n\n") {
		t.Errorf("the text has %d characters: %.80q", len(got), got)
	}
	if n := p.count(".text .mark"); n != 30*11 { // the last has a full stop
		t.Errorf("%d words have a colour", n)
	}
	if note := p.text(`[data-panel="text"] .note`); strings.Contains(note, "beginning") {
		t.Errorf("the note is %q", note)
	}
	if meta := p.text(`[data-panel="similar"] .meta`); meta != "harbour · 2024-03-01" {
		t.Errorf("a similar document shows %q", meta)
	}
	p.shoot("whole-text")
}

// Words are found by their spelling, menus close, and the address says how a chart was.
func TestSmallThings(t *testing.T) {
	m := trained(t, speechCorpus(200), 12, 20)
	p := openModel(t, m, explore.Options{})
	p.story("words by spelling", func(t *testing.T) {
		word := m.Words().At(5)
		p.goTo("#/word/" + word)
		if got := p.text("h1"); got != word {
			t.Errorf("the word is %q, want %q", got, word)
		}
	})
	p.story("menus close", func(t *testing.T) { menus(t, p) })
	p.story("lines", func(t *testing.T) { coloured(t, p) })
	p.story("groups by size", func(t *testing.T) { bySize(t, p) })
}

func menus(t *testing.T, p *tab) {
	open := func() bool { return p.count("details.menu[open]") == 1 }
	p.goTo("#/topics")
	p.do(`document.querySelector("details.menu summary").click()`)
	if !open() {
		t.Fatal("the menu does not open")
	}
	p.press(kb.Escape)
	if open() {
		t.Error("Escape leaves the menu open")
	}
	p.do(`document.querySelector("details.menu summary").click()`)
	p.do(`document.querySelector(".sheet p").dispatchEvent(new PointerEvent("pointerdown", {bubbles: true}))`)
	if !open() {
		t.Error("a click inside closes the menu")
	}
	p.do(`document.querySelector("h2").dispatchEvent(new PointerEvent("pointerdown", {bubbles: true}))`)
	if open() {
		t.Error("a click outside leaves the menu open")
	}
}

// coloured looks at the colours of lines: one each, kept when another line goes, and one legend.
func coloured(t *testing.T, p *tab) {
	colours := func() map[string]string {
		return eval[map[string]string](p, `Object.fromEntries(Array.from(document.querySelectorAll(".chip"), (e) => [e.querySelector(".badge").textContent, getComputedStyle(e.querySelector(".badge")).backgroundColor]))`)
	}
	p.goTo("#/time?topics=1,2,3,4,5,6,7,8")
	before, seen := colours(), map[string]bool{}
	for _, c := range before {
		seen[c] = true
	}
	if len(seen) != 8 || p.count(".chart polyline") != 8 || p.count("#content .legend") != 0 {
		t.Errorf("%d colours of %d lines, %d more legends", len(seen), p.count(".chart polyline"), p.count("#content .legend"))
	}
	p.click(`[aria-label="remove topic 3"]`)
	for k, c := range colours() {
		if before[k] != c {
			t.Errorf("topic %s changed its colour", k)
		}
	}
	if units := eval[[]string](p, `Array.from(document.querySelectorAll('[aria-label="Period"] button'), (e) => e.dataset.value)`); strings.Join(units, " ") != "decade year" {
		t.Errorf("periods are %v", units)
	}
	rough := p.csv("time")
	p.do(`const s = document.querySelector('[aria-label="Smoothing"]'); s.value = "5"; s.dispatchEvent(new Event("change"))`)
	smooth := p.csv("time")
	if rough[3][4] == smooth[3][4] || p.count(".band") != 0 || !strings.Contains(eval[string](p, "location.hash"), "smooth=5") {
		t.Errorf("smoothing left %s, %d bands and %s", smooth[3][4], p.count(".band"), eval[string](p, "location.hash"))
	}
	p.shoot("smoothed")
}

func bySize(t *testing.T, p *tab) {
	p.goTo("#/groups")
	docs := eval[[]int](p, `Array.from(document.querySelectorAll("[data-panel=heat] thead th[title]"), (e) => +e.title.match(/: (\d+) document/)[1])`)
	if len(docs) != 8 {
		t.Fatalf("%d groups at first", len(docs))
	}
	for i := 1; i < len(docs); i++ {
		if docs[i] > docs[i-1] {
			t.Errorf("a group of %d documents comes before one of %d", docs[i-1], docs[i])
		}
	}
	p.click("#allgroups")
	if n := p.count("[data-panel=heat] thead th[title]"); n != 12 {
		t.Errorf("%d of 12 groups after the click", n)
	}
}

// Tabs without data are absent.
func TestTabs(t *testing.T) {
	tabs := func(p *tab) string {
		return strings.Join(eval[[]string](p, `Array.from(document.querySelectorAll("nav.tabs a"), (e) => e.textContent)`), " ")
	}
	if got := tabs(openModel(t, generated(t, 30, 60, 4, 2), explore.Options{})); got != "Topics Map Relations" {
		t.Errorf("without labels and times: %s", got)
	}
	if got := tabs(openModel(t, trained(t, storyCorpus(30), 1, 3), explore.Options{})); got != "Topics Groups Time Docs" {
		t.Errorf("one topic: %s", got)
	}
}
