package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/explore"
)

// outside lists what a reader of a telephone does not see: cells, tabs, buttons, words and texts of pictures that
// stick out of the window or of their panel. The table of topics × groups scrolls sideways behind its first column.
const outside = `Array.from(document.querySelectorAll("nav.tabs a, td, tbody th, button, select, input, .panel h2, .chip, .facts dd, ol.words a, ol.words .number, ol.docs .number, svg text, #content .topic, .note"))
	.filter((e) => e.offsetParent !== null || e.closest("svg"))
	.filter((e) => !e.closest("[data-panel=heat] .scroll, .offscreen, [hidden], details:not([open]) .sheet"))
	.filter((e) => { const r = e.getBoundingClientRect(); return r.width > 0 && !e.matches(".offscreen") && (r.left < -1 || r.right > innerWidth + 1); })
	.map((e) => e.outerHTML.slice(0, 160))`

// tiny lists pictures whose text is shown smaller than it is written.
const tiny = `Array.from(document.querySelectorAll("svg:has(text)")).filter((e) => e.getScreenCTM() && e.getScreenCTM().a < 0.9).map((e) => e.outerHTML.slice(0, 160))`

// broken lists tabs that take more than one line, or stick out of their row.
const broken = `Array.from(document.querySelectorAll("nav.tabs a")).filter((e) => e.getClientRects().length !== 1 || e.getBoundingClientRect().height > 40
	|| e.getBoundingClientRect().right > e.parentElement.getBoundingClientRect().right + 1).map((e) => e.textContent)`

// clipped lists words of topics and names of topics in tables of which a telephone shows less than half.
const clipped = `Array.from(document.querySelectorAll("ol.words a, .short .topic bdi, table.cards .topic"))
	.filter((e) => e.offsetParent !== null && (e.scrollWidth > e.clientWidth + 1 && e.matches("ol.words a") || e.textContent.length > 8 && e.clientWidth > 0 && e.clientWidth < 40))
	.map((e) => e.outerHTML.slice(0, 160))`

// Every view shows all that it has on a telephone, whatever the length of names.
func TestPhone(t *testing.T) {
	m := trained(t, speechCorpus(300), 30, 20)
	p := openModel(t, m, explore.Options{Name: "Plenarprotokolle der Nationalversammlung"})
	views := []string{"#/topics", "#/map", "#/topic/1", "#/groups?topic=1&group=1", "#/time", "#/relations", "#/doc/3", "#/word/2"}
	for _, width := range []int{360, 390, 768} {
		p.resize(width)
		for _, hash := range views {
			p.goTo(hash)
			p.waitFor(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
			if wide := eval[int](p, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
				t.Errorf("%s is %d pixels wider than a window of %d", hash, wide, width)
			}
			scripts := map[string]string{"outside": outside, "tiny": tiny, "broken": broken}
			if width < 640 {
				scripts["clipped"] = clipped
			}
			for what, script := range scripts {
				if list := eval[[]string](p, script); len(list) > 0 {
					t.Errorf("%s at %d: %d elements are %s, first %s", hash, width, len(list), what, list[0])
				}
			}
		}
	}
	p.goTo("#/topics")
	if wide := eval[float64](p, `document.querySelector('td[data-column="name"]').getBoundingClientRect().width`); wide < 200 {
		t.Errorf("a tablet leaves %.0f pixels for the words of topics", wide)
	}
	p.resize(360)
	p.goTo("#/groups")
	seen := eval[int](p, `Array.from(document.querySelectorAll("[data-panel=heat] tbody tr:first-child .heat")).filter((e) => e.getBoundingClientRect().right <= innerWidth).length`)
	if seen < 4 {
		t.Errorf("a telephone shows %d groups of the table", seen)
	}
	p.goTo("#/topics")
	if got := eval[string](p, `getComputedStyle(document.querySelector("tbody td.number"), "::before").content`); got == "none" {
		t.Error("numbers of cards do not say what they are")
	}
	p.shoot("speeches-topics")
	for _, hash := range views[1:] {
		p.goTo(hash)
		p.shoot(fmt.Sprintf("speeches-%.5s", strings.ReplaceAll(hash[2:], "/", "-")))
	}
}
