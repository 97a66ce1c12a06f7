package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/explore"
)

// arabicCorpus has documents that are written from right to left, with names of both directions.
func arabicCorpus(docs int) *corpus.Corpus {
	themes := []string{"البحر السفينة الميناء العاصفة البحار المرساة الشراع الموج", "الاقتصاد السوق المصرف النقود الضرائب الدين الأسعار التجارة", "الحديقة الزهور البذور الماء التربة الأشجار النحل الورد"}
	var b corpus.Builder
	for d := range docs {
		words := strings.Fields(themes[d%3])
		var tokens []string
		for i := range 30 {
			tokens = append(tokens, words[(i*i+d)%len(words)])
		}
		b.Add(corpus.Document{
			ID: fmt.Sprintf("وثيقة-%d", d), Label: []string{"حزب العدالة والتنمية", "Party of the Left", "حزب الوسط"}[d%3], Time: fmt.Sprint(2001 + d%12),
			Title: fmt.Sprintf("خطاب رقم %d عن %s (2024)", d, words[0]), Snippet: strings.Join(tokens[:12], " ") + "، 100 %.", Tokens: tokens,
		})
	}
	return b.Corpus()
}

// fits reports what sticks out, is too small or breaks in every view at the widths of telephone, tablet and screen.
func (p *tab) fits(views []string) {
	p.Helper()
	for _, width := range []int{360, 768, 1400} {
		p.resize(width)
		for _, hash := range views {
			p.goTo(hash)
			p.waitFor(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
			if wide := eval[int](p, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
				p.Errorf("%s is %d pixels wider than a window of %d", hash, wide, width)
			}
			for what, script := range map[string]string{"outside": outside, "tiny": tiny, "broken": broken} {
				if list := eval[[]string](p, script); len(list) > 0 {
					p.Errorf("%s at %d: %d elements are %s, first %s", hash, width, len(list), what, list[0])
				}
			}
		}
	}
}

// Words, titles and texts that are written from right to left stand so, whatever surrounds them.
func TestRightToLeft(t *testing.T) {
	m := trained(t, arabicCorpus(120), 3, 30)
	p := openModel(t, m, explore.Options{Name: "خطب البرلمان"})
	views := []string{"#/topics", "#/map", "#/topic/1", "#/groups?topic=1&group=1", "#/time", "#/relations", "#/doc/3", "#/word/2"}
	p.fits(views)
	p.resize(1280)
	p.goTo("#/doc/3")
	wrong := eval[[]string](p, `Array.from(document.querySelectorAll("#content h1, #content h2, #content p, #content blockquote, ol.docs .title, ol.docs .snippet"))
		.filter((e) => /^[\u0600-\u06ff]/.test(e.textContent.trim()))
		.filter((e) => getComputedStyle(e).direction !== "rtl" && getComputedStyle(e).unicodeBidi !== "plaintext" && !e.querySelector("[dir=auto], bdi"))
		.map((e) => e.outerHTML.slice(0, 160))`)
	if len(wrong) > 0 {
		t.Errorf("%d texts are laid out from left to right, first %s", len(wrong), wrong[0])
	}
	for i, hash := range views {
		p.goTo(hash)
		p.shoot(fmt.Sprintf("arabic-%d", i))
	}
}

// One topic, and documents without groups and times.
func TestOneTopicFits(t *testing.T) {
	m := trained(t, plainStories(40), 1, 5)
	p := openModel(t, m, explore.Options{})
	views := []string{"#/topics", "#/map", "#/topic/0", "#/relations", "#/doc/3", "#/word/2"}
	p.fits(views)
	p.resize(1280)
	if got := p.text("nav.tabs"); strings.Contains(got, "Groups") || strings.Contains(got, "Time") {
		t.Errorf("tabs without data: %q", got)
	}
	for i, hash := range views {
		p.goTo(hash)
		p.shoot(fmt.Sprintf("one-%d", i))
	}
}

// plainStories are stories without ids, labels, times, titles and texts.
func plainStories(docs int) *corpus.Corpus {
	var b corpus.Builder
	for d := range docs {
		b.Add(corpus.Document{Tokens: strings.Fields(subjects[d%len(subjects)].words)})
	}
	return b.Corpus()
}
