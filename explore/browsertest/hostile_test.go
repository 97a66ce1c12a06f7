package browsertest

import (
	"strconv"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/explore"
	"github.com/topoi-lda/topoi/topic"
)

// attacks are texts that would run code, break out of where they stand, or spoil the
// page if it took them for anything but text.
var attacks = []string{
	`<script>window.owned=1</script>`,
	`</script><script>window.owned=1</script>`,
	`<img src=x onerror=window.owned=1>`,
	`"><svg/onload=window.owned=1>`,
	`' onmouseover='window.owned=1`,
	`javascript:window.owned=1`,
	`{{constructor.constructor('window.owned=1')()}}`,
	`<!--<script>`, `]]>`, `&lt;script&gt;`, `</title><script>window.owned=1</script>`,
	`__proto__`, `constructor`, `toString`,
	"مرحبا بالعالم", "\u202edesrever\u202c", "שלום \u202e", "👩‍👩‍👧‍👦🏳️‍🌈", "e\u0301\u0301\u0301",
	"\x00\x01\x1b[31mred", "line\nbreak\ttab\r", "\ufeffmark", "\xff\xfe broken",
	strings.Repeat("endless", 1429), strings.Repeat("𝕏", 10_000), `=HYPERLINK("http://example.org")`, `../../etc`, `#/topic/1?x=y`, `%00%ff`, " ", "a,b;c\"d",
}

// A word, title, id, label, time, snippet, model name or topic label cannot run code.
func TestHostileTexts(t *testing.T) {
	var b corpus.Builder
	for d := range 3 * len(attacks) {
		a := attacks[d%len(attacks)]
		tokens := []string{"calm", "word"}
		for i := range 12 {
			tokens = append(tokens, attacks[(d+i*i)%len(attacks)])
		}
		b.Add(corpus.Document{ID: a, Label: attacks[d%7], Time: a, Title: a, Snippet: a + " calm " + a, Tokens: tokens})
	}
	m := trained(t, b.Corpus(), 4, 10)
	if err := m.SetLabels(topic.Labels{Names: map[int]string{0: attacks[0], 1: attacks[2], 2: attacks[4], 3: attacks[14]}}); err != nil {
		t.Fatal(err)
	}
	p := openModel(t, m, explore.Options{Name: attacks[1]})
	p.everyView(0, 0, 0)
	for w := range m.NumWords() {
		p.goTo("#/word/" + strconv.Itoa(w))
	}
	for d := range len(attacks) {
		p.goTo("#/doc/" + strconv.Itoa(d))
		if p.count("h1 bdi") != 1 || p.count("#content script, #content img, #content iframe") != 0 {
			t.Errorf("the title of document %d became markup", d)
		}
		if wide := eval[bool](p, "document.documentElement.scrollWidth > innerWidth + 1"); wide {
			t.Errorf("document %d (%.20q) makes the page wider than the window", d, attacks[d])
		}
	}
	p.goTo("#/topics")
	for _, a := range attacks[:6] {
		p.typeInto("#search", a)
		p.goTo("#/word/" + a)
	}
	p.goTo("#/doc/2")
	p.shoot("hostile-document")
	p.goTo("#/topics")
	p.shoot("hostile-topics")
	if eval[bool](p, `"owned" in window`) {
		t.Error("an attack ran")
	}
	if got := eval[int](p, `document.querySelectorAll("script").length`); got != 1 {
		t.Errorf("the page has %d scripts", got)
	}
}
