package browsertest

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/effects"
	"github.com/topoi-lda/topoi/analysis/prevalence"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/explore"
)

// values is a column in memory.
type values []string

func (v values) Len() int        { return len(v) }
func (v values) At(d int) string { return v[d] }

// tableCorpus is storyCorpus with columns of every kind, with gaps and hostile names.
func tableCorpus(t *testing.T, docs int) *corpus.Corpus {
	t.Helper()
	c := storyCorpus(docs)
	kinds := []column.Column{{Name: "<party>", Kind: column.Category}, {Name: "rating", Kind: column.Number}, {Name: "weight of the thing in grams", Kind: column.Number}, {Name: "published", Kind: column.Date}, {Name: "themes", Kind: column.List}}
	lists := make([]values, len(kinds))
	for d := range docs {
		row := []string{[]string{"red & blue", "<b>green</b>", "", "Vereinigung für Rechtsstaatlichkeit und Fortschritt"}[d%4], strconv.Itoa(1 + d%5), fmt.Sprintf("%d,5", 3*d), fmt.Sprintf("%d-0%d-15", 2010+d%7, 1+d%9), []string{"tax|war", "war", "", "health; tax"}[d/2%4]}
		for i := range lists {
			lists[i] = append(lists[i], row[i])
		}
	}
	for i := range kinds {
		kinds[i].Values = lists[i]
	}
	c, err := c.WithColumns(kinds)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Documents are grouped and filtered by any column, with the library's numbers.
func TestColumns(t *testing.T) {
	m := trained(t, tableCorpus(t, 400), 6, 40)
	p := openModel(t, m, explore.Options{Name: "tables"})
	p.story("groups", func(t *testing.T) {
		for _, by := range []string{"<party>", "rating"} {
			p.goTo("#/groups?by=" + url.QueryEscape(by))
			r := compute(t, m, prevalence.Options{By: by})
			rows := map[string][]string{}
			for _, row := range p.csv("heat")[1:] {
				rows[row[0]+" "+row[2]] = row
			}
			for c, cell := range r.Cells {
				for k, s := range r.Shares[c] {
					row := rows[fmt.Sprintf("%d %s", k, cell.Label)]
					if len(row) < 7 {
						t.Fatalf("topic %d in %s is missing", k, cell.Label)
					}
					near(t, "the share of a group", row[4], s.Share, single)
					near(t, "the low end", row[5], s.Low, single)
				}
			}
		}
		p.click(`[data-panel="heat"] tr[data-topic="3"] [data-group="1"]`)
		docs, _ := m.Docs()
		for _, row := range p.csv("documents")[1:] {
			if d, _ := strconv.Atoi(row[0]); 1+d%5 != 2 || docs.ID(d) != row[1] {
				t.Errorf("document %s stands behind rating 2", row[1])
			}
		}
		p.shoot("columns-groups")
	})
	p.story("filters", func(t *testing.T) {
		for where, condition := range map[string]string{
			`[["<party>","red & blue",""]]`:                                    "`<party>` = 'red & blue'",
			`[["<party>","red & blue",""],["<party>","<b>green</b>",""]]`:      "`<party>` in ('red & blue', '<b>green</b>')",
			`[["<party>","missing",""],["rating","2","4"]]`:                    "`<party>` is missing and rating >= 2 and rating <= 4",
			`[["published","2012","2013-06"],["themes","tax",""]]`:             "published >= 2012 and published <= 2013-06 and themes = tax",
			`[["weight of the thing in grams","","300,5"],["length","40",""]]`: "`weight of the thing in grams` <= 300.5 and length >= 40",
		} {
			filtered(t, p, m, where, condition)
		}
		p.shoot("columns-documents")
	})
	p.story("controls", func(t *testing.T) { filterByHand(t, p, m) })
}

// filtered compares the view of a filter with the model of the chosen documents.
func filtered(t *testing.T, p *tab, m *topoi.Model, where, condition string) {
	t.Helper()
	part, err := m.Where(t.Context(), condition)
	if err != nil {
		t.Fatal(err)
	}
	p.goTo("#/documents?by=rating&where=" + url.QueryEscape(where))
	docs, _ := part.Docs()
	if got, want := p.text("#chosen"), fmt.Sprintf("%d of 400 documents", docs.NumDocs()); !strings.HasPrefix(got, want) {
		t.Errorf("%s: %q, want %q", where, got, want)
	}
	for _, row := range p.csv("here")[1:] {
		k, _ := strconv.Atoi(row[0])
		near(t, "a share", row[1], float64(part.TopicTotals()[k])/float64(docs.NumTokens()), exact)
	}
	r := compute(t, part, prevalence.Options{By: "rating", Interval: -1})
	shares := map[string]float64{}
	for c, cell := range r.Cells {
		for k, s := range r.Shares[c] {
			shares[fmt.Sprint(k, " ", cell.Label)] = s.Share
		}
	}
	rows := p.csv("heat")[1:]
	if len(rows) != len(shares) {
		t.Errorf("%s: %d shares by rating, want %d", where, len(rows), len(shares))
	}
	for _, row := range rows {
		near(t, "a share by rating", row[4], shares[row[0]+" "+row[2]], exact)
	}
	for _, row := range p.csv("documents")[1:] {
		d, _ := strconv.Atoi(row[0])
		found := false
		for i := range docs.NumDocs() {
			found = found || docs.Number(i) == d
		}
		if !found {
			t.Errorf("%s: document %d is listed", where, d)
		}
	}
}

// filterByHand uses the controls, and goes on from the address that they leave.
func filterByHand(t *testing.T, p *tab, m *topoi.Model) {
	p.goTo("#/documents")
	choose := func(selector, value string) {
		p.do(fmt.Sprintf(`{ const e = document.querySelector(%q); e.value = %q; e.dispatchEvent(new Event("change", {bubbles: true})); }`, selector, value))
	}
	option := func(selector, text string) string {
		return eval[string](p, fmt.Sprintf(`Array.from(document.querySelector(%q).options).find((o) => o.textContent === %q).value`, selector, text))
	}
	choose("#addfilter", option("#addfilter", "<party>"))
	choose(".filter select", option(".filter select", "<b>green</b>"))
	choose("#addfilter", option("#addfilter", "published"))
	choose(`.filter input[aria-label="published from"]`, "2013")
	part, err := m.Where(t.Context(), "`<party>` = '<b>green</b>' and published >= 2013")
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("%d of 400 documents", part.Manifest().Docs)
	if got := p.text("#chosen"); !strings.HasPrefix(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	hash := eval[string](p, "location.hash")
	p.goTo("#/topics")
	p.goTo(hash)
	if got := p.text("#chosen"); !strings.HasPrefix(got, want) || p.count(".filter") != 2 {
		t.Errorf("after going back: %q, %d filters", got, p.count(".filter"))
	}
	choose(`.filter input[aria-label="published from"]`, "soon")
	if got := p.text("#chosen"); !strings.Contains(got, "Write dates as 2017, 2017-09 or 2017-09-24.") {
		t.Errorf("a date that cannot be read: %q", got)
	}
	p.click(".filter button")
	p.click(".filter button")
	if got := p.text("#chosen"); !strings.HasPrefix(got, "400 of 400 documents") {
		t.Errorf("without filters: %q", got)
	}
	p.goTo("#/doc/5")
	if got := p.text(".facts"); !strings.Contains(got, "<b>green</b>") || !strings.Contains(got, "15.5") {
		t.Errorf("the document says %q", got)
	}
}

// The page shows the effects of a formula.
func TestEffects(t *testing.T) {
	m := trained(t, tableCorpus(t, 200), 4, 20)
	const formula = "~ rating + published"
	p := openModel(t, m, explore.Options{Effects: formula})
	docs, _ := m.Docs()
	r, err := effects.Compute(t.Context(), m, effects.Options{Formula: formula, Columns: docs.Columns()})
	if err != nil {
		t.Fatal(err)
	}
	holm := r.Holm()
	for term := range r.Names {
		p.goTo(fmt.Sprintf("#/effects?term=%d", term))
		rows := p.csv("effects")[1:]
		if len(rows) != 4 {
			t.Fatalf("%d topics", len(rows))
		}
		for _, row := range rows {
			k, _ := strconv.Atoi(row[0])
			near(t, "an effect", row[1], r.Effects[k][term].Estimate, single)
			near(t, "its low end", row[2], r.Effects[k][term].Low, single)
			near(t, "its p", row[4], r.Effects[k][term].P(), single)
			if term > 0 {
				near(t, "its p by Holm", row[5], holm[k][term], single)
			}
			if row[6] != r.Bases[term] || row[7] != fmt.Sprint(r.With[term]) {
				t.Errorf("%s is compared with %q and n is %s, want %q and %d", r.Names[term], row[6], row[7], r.Bases[term], r.With[term])
			}
		}
	}
	if got := p.text(`[data-panel="methods"]`); !strings.Contains(got, formula) {
		t.Errorf("what was done: %q", got)
	}
	p.resize(360)
	p.goTo("#/effects?term=1")
	if wide := eval[int](p, "document.documentElement.scrollWidth - innerWidth"); wide > 0 || p.count("svg circle") != 4 {
		t.Errorf("%d pixels too wide, %d dots", wide, p.count("svg circle"))
	}
	p.shoot("effects")
}

// A value that one document has does not glow among the groups, and its effect has no interval.
func TestValuesOfOneDocument(t *testing.T) {
	c := tableCorpus(t, 200)
	club := slices.Repeat(values{"large"}, 200)
	club[17], club[18], club[19] = "small", "small", "single"
	c, err := c.WithColumns([]column.Column{{Name: "club", Kind: column.Category, Values: club}})
	if err != nil {
		t.Fatal(err)
	}
	p := openModel(t, trained(t, c, 4, 20), explore.Options{Effects: "~ club"})
	p.goTo("#/groups?by=club")
	const heats = `Array.from(document.querySelectorAll('[data-panel="heat"] [data-group="%d"]')).map((e) => Number(e.style.getPropertyValue("--heat")))`
	glow := func(group int) float64 { return slices.Max(eval[[]float64](p, fmt.Sprintf(heats, group))) }
	if large, single, small := glow(0), glow(1), glow(2); large == 0 || single != 0 || max(large, small) < 1 {
		t.Errorf("the cells glow by %v, %v and %v, want none for the single document", large, single, small)
	}
	p.goTo("#/effects?term=1")
	if got := p.text(`[data-panel="effects"]`); !strings.Contains(got, "single document") || strings.Contains(got, "NaN") {
		t.Errorf("the effect of the single document: %q", got)
	}
	if row := p.csv("effects")[1]; row[6] != "large" || row[7] != "1" {
		t.Errorf("the single document is compared with %q, and n is %s", row[6], row[7])
	}
	p.goTo("#/effects?term=2")
	if got := p.text(`[data-panel="effects"]`); strings.Contains(got, "single document") {
		t.Errorf("the effect of two documents: %q", got)
	}
}

// Views of columns fit a telephone, and a page of many columns stays within its size.
func TestColumnsOnAPhone(t *testing.T) {
	p := openModel(t, trained(t, tableCorpus(t, 200), 12, 10), explore.Options{})
	where := url.QueryEscape(`[["<party>","Vereinigung für Rechtsstaatlichkeit und Fortschritt",""],["published","2011","2016"],["weight of the thing in grams","1",""]]`)
	for _, width := range []int{360, 768} {
		p.resize(width)
		for _, hash := range []string{"#/documents", "#/documents?by=published&where=" + where, "#/groups?by=rating&group=1", "#/doc/3"} {
			p.goTo(hash)
			p.waitFor(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
			if wide := eval[int](p, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
				t.Errorf("%s is %d pixels wider than a window of %d", hash, wide, width)
			}
			for what, script := range map[string]string{"outside": outside, "tiny": tiny, "broken": broken} {
				if list := eval[[]string](p, script); len(list) > 0 {
					t.Errorf("%s at %d: %d elements are %s, first %s", hash, width, len(list), what, list[0])
				}
			}
		}
	}
	p.resize(360)
	p.goTo("#/documents?by=published&where=" + where)
	p.shoot("columns-phone")
}
