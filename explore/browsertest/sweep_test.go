package browsertest

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	measures "github.com/topoi-lda/topoi/analysis/eval"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/metrics"
	"github.com/topoi-lda/topoi/sweep"
)

// sweepStories sweeps a small corpus and returns the directory.
func sweepStories(t *testing.T, topics []int, seeds int) (*sweep.Result, string) {
	t.Helper()
	if allocator == nil {
		t.Skip("no Chromium here")
	}
	dir := filepath.Join(t.TempDir(), "stories.sweep")
	if err := sweep.Dir(dir).PutCorpus(storyCorpus(150)); err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Open(sweep.Dir(dir).Corpus())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	s, err := sweep.Begin(dir, c, sweep.Options{
		Topics: topics, Seeds: seeds, Name: attacks[0], Train: topoi.Options{Iterations: 20, Holdout: 0.2},
	}, false)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r, dir
}

// The page of a sweep shows the library's numbers: every run as a dot of every measure,
// topics, agreements, and links that lead to the pages of models.
func TestSweep(t *testing.T) {
	r, dir := sweepStories(t, []int{2, 3, 5}, 2)
	p := openFile(t, filepath.Join(dir, "index.html"))
	p.shoot("sweep")
	p.story("measures", func(t *testing.T) { sweepMeasures(t, p, r) })
	p.story("the table is that of sweep.csv", func(t *testing.T) { sweepTable(t, p, dir) })
	p.story("topics", func(t *testing.T) { sweepTopics(t, p, r) })
	p.story("agreement", func(t *testing.T) {
		p.do(`location.hash = "#/sweep?k=3"`)
		p.waitFor(`document.querySelector(".agreement thead th").textContent === "3 topics"`)
		g := r.Groups[1]
		want := strconv.FormatFloat(g.Stability.Agreement[0][1], 'f', 3, 64)
		if got := p.text(`[data-pair="0-1"]`); got != want {
			t.Errorf("the runs agree by %s, the library has %s", got, want)
		}
		if got := p.count(".agreement .heat"); got != 4 {
			t.Errorf("%d cells for two runs", got)
		}
	})
	p.story("recommendation", func(t *testing.T) {
		text := p.text(`[data-panel="recommendation"]`)
		for _, reason := range append(r.Recommendation.Reasons, r.Recommendation.Cautions...) {
			if !strings.Contains(text, reason) {
				t.Errorf("the page does not say %q", reason)
			}
		}
	})
	p.story("links", func(t *testing.T) {
		links := eval[[]string](p, `Array.from(document.querySelectorAll('[data-panel="runs"] a.page'), (a) => a.getAttribute("href"))`)
		if len(links) != 3 {
			t.Errorf("links lead to %v", links)
		}
		for _, link := range links {
			if _, err := os.Stat(filepath.Join(dir, link)); err != nil {
				t.Error(err)
			}
		}
		p.click(`[data-panel="runs"] a.page`)
		p.waitFor(`document.documentElement?.dataset.ready === "yes" && location.pathname.includes("/pages/")`)
	})
	if eval[bool](p, `"owned" in window`) {
		t.Error("an attack ran")
	}
}

// sweepMeasures compares the dots and marks of the small charts.
func sweepMeasures(t *testing.T, p *tab, r *sweep.Result) {
	if got, want := p.count("figure[data-metric]"), len(measures.Metrics()); got != want {
		t.Errorf("%d charts for %d measures", got, want)
	}
	for _, m := range measures.Metrics() {
		chart := fmt.Sprintf(`figure[data-metric="%s"]`, m.Name)
		if got := p.count(chart + " .dot"); got != 6 {
			t.Errorf("%s has %d dots for 6 runs", m.Name, got)
		}
		if got := p.count(chart + " .best"); got != 1 {
			t.Errorf("%s marks %d best numbers", m.Name, got)
		}
	}
	knee := 0
	if r.Recommendation.Knee > 0 {
		knee = 1
	}
	if got := p.count(".knee"); got != knee {
		t.Errorf("%d knees are marked, want %d", got, knee)
	}
}

// sweepTable compares what the page copies with the table on disk.
func sweepTable(t *testing.T, p *tab, dir string) {
	f, err := os.Open(filepath.Join(dir, "sweep.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	got := p.csv("multiples")
	if len(got) != len(want) {
		t.Fatalf("%d lines, the table has %d", len(got), len(want))
	}
	for column, name := range want[0] {
		at := -1
		for i, shown := range got[0] {
			if shown == name {
				at = i
			}
		}
		isMetric := slices.ContainsFunc(measures.Metrics(), func(m measures.Metric) bool { return m.Name == name })
		if at < 0 && isMetric {
			t.Errorf("the page has no %s", name)
		}
		for row := 1; at >= 0 && row < len(want); row++ {
			x, _ := strconv.ParseFloat(got[row][at], 64)
			y, _ := strconv.ParseFloat(want[row][column], 64)
			if math.Abs(x-y) > 1e-12*math.Abs(y) {
				t.Errorf("%s of run %d is %s, the table has %s", name, row, got[row][at], want[row][column])
			}
		}
	}
}

// sweepTopics compares the topics of a number of topics.
func sweepTopics(t *testing.T, p *tab, r *sweep.Result) {
	p.do(`location.hash = "#/sweep?k=5"`)
	p.waitFor(`document.querySelectorAll(".scatter .dot").length === 10`)
	rows := p.csv("topics")[1:]
	for i, rec := range r.Groups[2].Records {
		for k := range rec.Top {
			row := rows[5*i+k]
			near(t, "NPMI", row[4], rec.ByTopic[metrics.NPMI][k], exact)
			near(t, "exclusivity", row[7], rec.ByTopic[metrics.Exclusivity][k], exact)
			near(t, "stability", row[8], rec.ByTopic[metrics.Stability][k], exact)
		}
	}
	p.click(`[data-panel="topics"] [data-value="c_v"]`)
	p.waitFor(`location.hash.includes("coherence=c_v") && document.querySelectorAll(".scatter .dot").length === 10`)
}

// One number of topics and one seed: nothing to compare, and a page all the same.
func TestSweepOfOneRun(t *testing.T) {
	r, dir := sweepStories(t, []int{1}, 1)
	p := openFile(t, filepath.Join(dir, "index.html"))
	if got := p.count(`figure[data-metric="heldout"] .dot`); got != 1 {
		t.Errorf("%d dots for one run", got)
	}
	if p.count(".agreement") != 0 || r.Groups[0].Stability != nil {
		t.Error("one run agrees with something")
	}
}
