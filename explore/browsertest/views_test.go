package browsertest

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/rank"
	"github.com/topoi-lda/topoi/analysis/topicmap"
	"github.com/topoi-lda/topoi/explore"
	"github.com/topoi-lda/topoi/topic"
)

// near fails unless two numbers agree to nine digits, as far as float32 is not in between.
func near(t *testing.T, what string, got string, want, digits float64) {
	t.Helper()
	x, err := strconv.ParseFloat(got, 64)
	if err != nil || math.Abs(x-want) > digits*max(1, math.Abs(want)) {
		t.Errorf("%s is %s in the page, %v in the library", what, got, want)
	}
}

const (
	exact  = 1e-9
	single = 1e-6 // through float32
	sixty  = 1e-5 // through 16 bits
)

// Every view shows the library's numbers.
func TestViews(t *testing.T) {
	m := trained(t, storyCorpus(400), 8, 60)
	p := openModel(t, m, explore.Options{Name: "stories"})
	p.story("topics", func(t *testing.T) { topicsTable(t, p, m) })
	p.story("words", func(t *testing.T) { topicWords(t, p, m) })
	p.story("word", func(t *testing.T) { oneWord(t, p, m) })
	p.story("documents", func(t *testing.T) { documents(t, p, m) })
	p.story("map", func(t *testing.T) { mapPlaces(t, p, m) })
	p.story("groups", func(t *testing.T) { groupsShares(t, p, m) })
	p.story("time", func(t *testing.T) { timeShares(t, p, m) })
	p.story("relations", func(t *testing.T) { relations(t, p, m) })
}

func topicsTable(t *testing.T, p *tab, m *topoi.Model) {
	p.goTo("#/topics")
	rows := p.csv("topics")
	if len(rows) != m.NumTopics()+1 || p.count("tr[data-topic]") != m.NumTopics() {
		t.Fatalf("%d rows of CSV, %d of the table", len(rows), p.count("tr[data-topic]"))
	}
	exclusivity := map[int]float64{}
	for topic := range rank.New(m).Each(nil) {
		exclusivity[topic.Topic] = topic.Exclusivity
	}
	summary := slices.Collect(m.Summary(nil, 1))
	for _, row := range rows[1:] {
		k, _ := strconv.Atoi(row[0])
		near(t, "the share", row[2], summary[k].Share, exact)
		near(t, "the tokens", row[3], float64(summary[k].Tokens), exact)
		near(t, "the exclusivity", row[6], exclusivity[k], exact)
	}
	p.click("th:nth-child(1) .sort")
	if got := p.text("tbody tr .badge"); got != "0" {
		t.Errorf("sorted by topic, the first is %s", got)
	}
	p.typeInto("#filter", "violin")
	if got := p.count("tr[data-topic]"); got < 1 || got >= m.NumTopics() {
		t.Errorf("%d topics with violin", got)
	}
	p.shoot("topics")
}

func topicWords(t *testing.T, p *tab, m *topoi.Model) {
	r := rank.New(m)
	k := m.LargestTopics(1)[0]
	topic := r.Topic(k)
	for _, lambda := range []float64{0, 0.25, 0.6, 1} {
		p.goTo(fmt.Sprintf("#/topic/%d?order=relevance&lambda=%g", k, lambda))
		sameWords(t, p, topic.Top(rank.Order{Measure: "relevance", Weight: lambda}, 30), func(w rank.Word) float64 { return w.Relevance(lambda) }, exact)
	}
	p.slide("#lambda", "0.33")
	sameWords(t, p, topic.Top(rank.Order{Measure: "relevance", Weight: 0.33}, 30), func(w rank.Word) float64 { return w.Relevance(0.33) }, exact)
	if hash := eval[string](p, "location.hash"); hash != fmt.Sprintf("#/topic/%d?order=relevance&lambda=0.33", k) {
		t.Errorf("the slider left the address %s", hash)
	}
	p.click(`.choice [data-value="lift"]`)
	sameWords(t, p, topic.Top(rank.Order{Measure: "lift"}, 30), func(w rank.Word) float64 { return w.Lift }, exact)
	p.click(`.choice [data-value="probability"]`)
	sameWords(t, p, topic.Top(rank.Order{}, 30), func(w rank.Word) float64 { return w.Phi }, exact)
	p.click(`.choice [data-value="frex"]`)
	sameScores(t, p, topic.Top(rank.Order{Measure: "frex", Weight: 0.5}, 30), func(w rank.Word) float64 { return w.FREX(0.5) }, sixty)
	p.shoot("topic")
	near9 := p.csv("neighbours")
	d, err := topicmap.Between(t.Context(), m, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range d.Nearest(k, len(near9)-1) {
		near(t, "a neighbour", near9[i+1][0], float64(n.Topic), exact)
		near(t, "its distance", near9[i+1][1], n.Distance, single)
	}
}

type shown struct {
	Word  int
	Score float64
}

// sameWords compares the list of words with that of the library: order and scores.
func sameWords(t *testing.T, p *tab, want []rank.Word, score func(rank.Word) float64, digits float64) {
	t.Helper()
	for i, got := range sameScores(t, p, want, score, digits) {
		if i < len(want) && got.Word != want[i].Word {
			t.Errorf("word %d of the list is %d, of the library's %d", i, got.Word, want[i].Word)
		}
	}
}

func sameScores(t *testing.T, p *tab, want []rank.Word, score func(rank.Word) float64, digits float64) []shown {
	t.Helper()
	list := eval[[]shown](p, `Array.from(document.querySelectorAll("ol.words li"), (li) => ({Word: +li.dataset.word, Score: +li.dataset.score}))`)
	if len(list) != len(want) {
		t.Fatalf("%d words, want %d", len(list), len(want))
	}
	for i, got := range list {
		near(t, "a score", fmt.Sprint(got.Score), score(want[i]), digits)
	}
	return list
}

func oneWord(t *testing.T, p *tab, m *topoi.Model) {
	const w = 3
	p.goTo(fmt.Sprintf("#/word/%d", w))
	if got := p.text("h1"); got != m.Words().At(w) {
		t.Errorf("the word is %q, want %q", got, m.Words().At(w))
	}
	rows := p.csv("topics")
	list, total := m.AppendRow(nil, w), 0.0
	for _, e := range list {
		total += float64(e.Count)
	}
	slices.SortStableFunc(list, func(a, b topic.Count) int { return int(b.Count) - int(a.Count) })
	for i, want := range list {
		near(t, "a topic of the word", rows[i+1][0], float64(want.Topic), exact)
		near(t, "its tokens", rows[i+1][1], float64(want.Count)/float64(max(1, m.Manifest().Draws)), exact) // a mean
		near(t, "its share", rows[i+1][2], float64(want.Count)/total, exact)
	}
	p.shoot("word")
}

func documents(t *testing.T, p *tab, m *topoi.Model) {
	docs, err := m.Docs()
	if err != nil {
		t.Fatal(err)
	}
	const k, d = 2, 5
	p.goTo(fmt.Sprintf("#/topic/%d", k))
	rows := p.csv("documents")
	before := math.Inf(1)
	for _, row := range rows[1:min(len(rows), 40)] {
		number, _ := strconv.Atoi(row[0])
		want := theta(m, number, k)
		near(t, "θ of "+row[1], row[5], want, exact)
		if want > before || row[1] != docs.ID(number) {
			t.Errorf("document %s with θ %v follows one with %v", row[1], want, before)
		}
		before = want
	}
	p.goTo(fmt.Sprintf("#/doc/%d", d))
	if got := p.text("h1"); got != docs.Title(d) {
		t.Errorf("the title is %q", got)
	}
	if got := p.text(".text"); got != docs.Snippet(d) {
		t.Errorf("the text is %q", got)
	}
	tokens := 0
	for _, row := range p.csv("bag")[1:] {
		n, _ := strconv.Atoi(row[2])
		tokens += n
	}
	if want := len(docs.Doc(d)); tokens != want || p.count(".text .mark") < 15 {
		t.Errorf("%d of %d tokens, %d words of the text have a colour", tokens, want, p.count(".text .mark"))
	}
	p.shoot("document")
}

// theta returns θ_dk.
func theta(m *topoi.Model, d, k int) float64 {
	docs, _ := m.Docs() // in memory
	begin, end := int(docs.Offsets()[d]), int(docs.Offsets()[d+1])
	n, alpha := 0.0, 0.0
	for _, z := range m.AppendTopics(nil, begin, end) {
		if int(z) == k {
			n++
		}
	}
	for _, a := range m.Alpha() {
		alpha += a
	}
	return (n + m.Alpha()[k]) / (float64(end-begin) + alpha)
}

func mapPlaces(t *testing.T, p *tab, m *topoi.Model) {
	p.goTo("#/map")
	layout, err := topicmap.Map(t.Context(), m, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range p.csv("map")[1:] {
		k, _ := strconv.Atoi(row[0])
		near(t, "x", row[2], layout.Points[k].X, single)
		near(t, "y", row[3], layout.Points[k].Y, single)
	}
	p.shoot("map")
	p.click(`[aria-label="Zoom in"]`)
	if hash := eval[string](p, "location.hash"); hash == "#/map" {
		t.Error("zooming left no trace in the address")
	}
	p.click(`.map [data-topic="3"]`)
	p.waitFor(`location.hash.startsWith("#/topic/3")`)
}

func relations(t *testing.T, p *tab, m *topoi.Model) {
	p.goTo("#/relations")
	c, err := topicmap.Correlate(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	rows := p.csv("matrix")
	for i := 1; i < len(rows); i++ {
		for j := 1; j < len(rows); j++ {
			a, _ := strconv.Atoi(rows[i][0])
			b, _ := strconv.Atoi(rows[0][j])
			near(t, "a correlation", rows[i][j], c.At(a, b), single)
		}
	}
	if got := p.count(".tree [data-topic]"); got != m.NumTopics() {
		t.Errorf("the tree has %d topics", got)
	}
	p.shoot("relations")
}
