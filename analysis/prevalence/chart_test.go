package prevalence

import (
	"fmt"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/dates"
)

// A chart of many groups and topics has the largest of both, says what it leaves out, has one
// legend, and shows shares in per cent from 0.
func TestChartOfMany(t *testing.T) {
	m := draw(9, 15, 600, func(d int) (label, time string) { // z-group has most documents
		group := min(d%12, d/12%12)
		return fmt.Sprintf("%c-group", 'z'-group), fmt.Sprint(1830 + 10*(d%4))
	})
	r := compute(t, m, Options{By: labelAndTime, Bins: dates.ByDecade, Replicates: 8})
	b := string(written(t, r, "svg"))
	if want := "Drawn: the 12 largest of 15 topics and the 9 largest of 12 groups."; r.ChartNote() != want || !strings.Contains(b, want) {
		t.Errorf("the note is %q", r.ChartNote())
	}
	for _, want := range []string{">z-group<", ">1830s<", ">0 %<"} {
		if !strings.Contains(b, want) {
			t.Errorf("no %s in the chart", want)
		}
	}
	if n := strings.Count(b, ">z-group<"); n != 1 {
		t.Errorf("%d legends", n)
	}
	if strings.Contains(b, ">o-group<") || strings.Contains(b, ">-") {
		t.Error("a small group is drawn, or an axis goes below 0")
	}
	if first := r.Cells[r.Blocks()[0]].Label; first != "z-group" {
		t.Errorf("the first group is %s", first)
	}
	sizes := make([]uint64, 15)
	for c := range r.Cells {
		for i, s := range r.Shares[c] {
			sizes[i] += s.Tokens
		}
	}
	order := r.largest(15)
	for i := 1; i < len(order); i++ {
		if sizes[order[i]] > sizes[order[i-1]] {
			t.Errorf("topic %d comes before a larger one", order[i-1])
		}
	}
	if few := compute(t, draw(8, 3, 60, byThree), Options{Replicates: 8}); few.ChartNote() != "" {
		t.Errorf("a chart of everything says %q", few.ChartNote())
	}
}
