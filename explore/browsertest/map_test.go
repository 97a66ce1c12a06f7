package browsertest

import (
	"fmt"
	"testing"

	"github.com/topoi-lda/topoi/analysis/rank"
	"github.com/topoi-lda/topoi/explore"
	"github.com/topoi-lda/topoi/topic"
)

// overlaps counts names on the map that cover one another or leave the picture.
const overlaps = `(() => {
	const map = document.querySelector("svg.map").getBoundingClientRect();
	const boxes = Array.from(document.querySelectorAll("svg.map text"), (e) => e.getBoundingClientRect());
	let n = 0;
	boxes.forEach((a, i) => {
		if (a.left < map.left || a.right > map.right || a.top < map.top - 1 || a.bottom > map.bottom + 1) n++;
		for (const b of boxes.slice(0, i)) if (a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom) n++;
	});
	return n;
})()`

// Names on the map never cover one another, those that people gave are all there, the
// map fits the window, and the words beside it are those of the library.
func TestMap(t *testing.T) {
	m := generated(t, 400, 1500, 120, 5)
	names := map[int]string{}
	for k := range 8 {
		names[7*k] = fmt.Sprintf("Energie und Klima %d", k)
	}
	if err := m.SetLabels(topic.Labels{Names: names}); err != nil {
		t.Fatal(err)
	}
	p := openModel(t, m, explore.Options{})
	for _, width := range []int{360, 768, 1400} {
		p.resize(width)
		p.goTo("#/map")
		p.waitFor(fmt.Sprintf(`Math.abs(document.querySelector(".map").getBoundingClientRect().width - document.querySelector(".map").viewBox.baseVal.width) < 2 && innerWidth === %d`, width))
		if n := eval[int](p, overlaps); n > 0 {
			t.Errorf("at %d pixels %d names cover others or leave the map", width, n)
		}
		if got := p.count("svg.map text"); got < 10 {
			t.Errorf("at %d pixels the map has %d names", width, got)
		}
		if got := eval[float64](p, `document.querySelector(".map").getBoundingClientRect().height / innerHeight`); got > 1 {
			t.Errorf("at %d pixels the map is %.2f windows high", width, got)
		}
	}
	for k, name := range names {
		if got := p.text(fmt.Sprintf(`svg.map text[data-name="%d"]`, k)); got != name {
			t.Errorf("topic %d is called %q on the map, want %q", k, got, name)
		}
	}
	p.shoot("names-map")
	const k = 3
	p.do(fmt.Sprintf(`document.querySelector('.map [data-topic="%d"]').dispatchEvent(new MouseEvent("mouseenter"))`, k))
	list := rank.New(m).Topic(k).Top(rank.Order{Measure: "relevance", Weight: 0.6}, 20)
	for i, row := range eval[[]struct {
		Word        int
		Whole, Part float64
	}](p, `Array.from(document.querySelectorAll(".beside li"), (li) => ({Word: +li.dataset.word, Whole: +li.querySelector(".whole").getAttribute("width"), Part: +li.querySelector(".part").getAttribute("width")}))`) {
		if row.Word != list[i].Word || row.Part > row.Whole {
			t.Errorf("word %d beside the map is %d with %v of %v, want word %d", i, row.Word, row.Part, row.Whole, list[i].Word)
		}
		total := 0.0
		for _, e := range m.Row(row.Word) {
			total += float64(e.Count)
		}
		near(t, "the darker part", fmt.Sprint(row.Part/row.Whole), float64(list[i].Count)/total, 1e-3)
	}
}
