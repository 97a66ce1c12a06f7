package browsertest

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/explore"
	"github.com/topoi-lda/topoi/guide"
	"github.com/topoi-lda/topoi/topic"
	"github.com/topoi-lda/topoi/train"
)

// A model that was trained by slices of time shows the words of a topic in each, as topoi drift prints them.
func TestWordsOverTime(t *testing.T) {
	m, err := guide.ByTime(t.Context(), storyCorpus(400), guide.ByTimeOptions{
		Bins: "quarter", Carry: 0.5, Options: topoi.Options{Topics: 6, Iterations: 30, Seed: 1, Device: "cpu"},
	})
	if err != nil {
		t.Fatal(err)
	}
	list, err := guide.Drift(m, "quarter", 0.5, []int{2}, 8)
	if err != nil {
		t.Fatal(err)
	}
	p := openModel(t, m, explore.Options{Name: "stories by quarter"})
	p.goTo("#/topic/2")
	shown := eval[[]string](p, `Array.from(document.querySelectorAll("[data-panel=drift] tbody tr"), (r) => [r.dataset.period, ...Array.from(r.querySelectorAll(".word"), (w) => w.textContent)].join(" "))`)
	table := p.csv("drift")
	if len(shown) != len(list) || len(list) != 8 {
		t.Fatalf("%d slices are shown of %d", len(shown), len(list))
	}
	for i, x := range list {
		words := []string{x.Period}
		for r, w := range x.Top {
			words = append(words, w.Term)
			line := table[1]
			table = slices.Delete(table, 1, 2)
			phi, err := strconv.ParseFloat(line[4], 64)
			if err != nil || line[0] != x.Period || line[1] != fmt.Sprint(x.Tokens) || line[2] != fmt.Sprint(r+1) || line[3] != w.Term || math.Abs(phi-w.Phi) > 1e-6 {
				t.Errorf("CSV has %v for %s, rank %d: %+v", line, x.Period, r+1, w)
			}
		}
		if want := strings.Join(words, " "); shown[i] != want {
			t.Errorf("slice %d shows %q, want %q", i, shown[i], want)
		}
	}
	if note := p.text("[data-panel=drift] .note"); !strings.Contains(note, "50 % of the counts before") {
		t.Errorf("the note says %q", note)
	}
	p.shoot("drift-topic")
	p.goTo("#/time?topics=2,3")
	if got := p.count("[data-panel=drift]"); got != 2 {
		t.Errorf("the view of time shows the words of %d topics", got)
	}
	p.shoot("drift-time")
	p.fits([]string{"#/topic/2", "#/time"})
}

// Pseudo-counts are no tokens: shares add up to 1, and words say what of their counts they are.
func TestPseudoCountsInThePage(t *testing.T) {
	c := storyCorpus(200)
	garden := slices.Index(c.Words().List(), "garden")
	pseudo := topic.NewPseudoCounts(c.NumWords(), 5, func(w int) []topic.Count {
		if w == garden {
			return []topic.Count{{Topic: 1, Count: 5000}}
		}
		return nil
	})
	m, err := train.Run(t.Context(), c, topoi.Options{Topics: 5, Iterations: 30, Seed: 1, Device: "cpu", Pseudo: pseudo})
	if err != nil {
		t.Fatal(err)
	}
	p := openModel(t, m, explore.Options{})
	p.goTo("#/topics")
	if got := p.text("[data-panel=topics] .note"); !strings.Contains(got, "5,000 pseudo-counts guide the topics") {
		t.Errorf("the page does not tell of pseudo-counts: %q", got)
	}
	sum, tokens := 0.0, 0.0
	for _, line := range p.csv("topics")[1:] {
		share, e1 := strconv.ParseFloat(line[2], 64)
		n, e2 := strconv.ParseFloat(line[3], 64)
		if e1 != nil || e2 != nil {
			t.Fatal(e1, e2)
		}
		sum, tokens = sum+share, tokens+n
	}
	if math.Abs(sum-1) > 1e-9 || int(tokens) != c.NumTokens() {
		t.Errorf("shares add up to %v and tokens to %v of %d", sum, tokens, c.NumTokens())
	}
	p.goTo("#/topic/1")
	if got := p.text(".facts"); !strings.Contains(got, "pseudo-counts5,000") {
		t.Errorf("the topic says %q", got)
	}
	n := 0
	for _, w := range c.Tokens() {
		if int(w) == garden {
			n++
		}
	}
	p.goTo("#/word/garden")
	if got := p.text(".facts"); !strings.Contains(got, fmt.Sprintf("tokens%d", n)) || !strings.Contains(got, "pseudo-counts5,000") {
		t.Errorf("the word, which occurs %d times, says %q", n, got)
	}
	p.shoot("guided-word")
	p.fits([]string{"#/topics", "#/topic/1", "#/word/garden"})
}

// Pairs that are marked leave the page as a file of edits, and come back with its address.
func TestMarkedMergers(t *testing.T) {
	m := trained(t, storyCorpus(300), 9, 30)
	p := openModel(t, m, explore.Options{Name: "stories"})
	p.goTo("#/relations")
	if eval[bool](p, `!document.getElementById("edits").disabled`) {
		t.Error("edits can be downloaded before there are any")
	}
	pairs := eval[[]string](p, `Array.from(document.querySelectorAll("[data-panel=similar] tbody tr"), (r) => r.dataset.pair)`)
	table := p.csv("similar")
	for i := 2; i < len(table); i++ {
		if before, now := number(t, table[i-1][2]), number(t, table[i][2]); before > now {
			t.Errorf("pair %d has distance %v, after %v", i, now, before)
		}
	}
	for _, pair := range pairs[:2] {
		p.click(fmt.Sprintf(`[data-pair="%s"] input`, pair))
	}
	p.shoot("similar-relations")
	address := eval[string](p, "location.hash")
	p.goTo("#/topics")
	p.goTo(address)
	if got := p.count("[data-panel=similar] input:checked"); got != 2 {
		t.Errorf("%d marks come back with the address %s", got, address)
	}
	text, err := os.ReadFile(p.download(t, "#edits", "edits.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Fingerprint string
		Merge       [][]int
	}
	if err := json.Unmarshal(text, &file); err != nil || file.Fingerprint != m.Fingerprint() {
		t.Fatalf("%s: %v", text, err)
	}
	joined := map[int]int{}
	for _, list := range file.Merge {
		for _, k := range list {
			joined[k] = list[0]
			if m.TopicTotals()[k] > m.TopicTotals()[list[0]] {
				t.Errorf("topic %d goes into the smaller topic %d", k, list[0])
			}
		}
	}
	for _, pair := range pairs[:2] {
		a, b, _ := strings.Cut(pair, "-")
		if x, ok := joined[int(number(t, a))]; !ok || joined[int(number(t, b))] != x {
			t.Errorf("%s is not merged by %s", pair, text)
		}
	}
	if _, err := guide.Edit(t.Context(), m, guide.Edits{Merge: file.Merge}); err != nil {
		t.Error(err)
	}
	p.fits([]string{address})
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
