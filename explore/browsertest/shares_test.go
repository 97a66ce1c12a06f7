package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/prevalence"
)

// compute is prevalence.Compute with the options of the page.
func compute(t *testing.T, m *topoi.Model, o prevalence.Options) *prevalence.Result {
	t.Helper()
	r, err := prevalence.Compute(t.Context(), m, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func groupsShares(t *testing.T, p *tab, m *topoi.Model) {
	r := compute(t, m, prevalence.Options{By: "label"})
	p.goTo("#/groups")
	rows := map[string][]string{} // by topic and group
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
			near(t, "the high end", row[6], s.High, single)
		}
	}
	// The documents behind a cell are of its group, and the library's.
	p.click(`[data-panel="heat"] tr[data-topic="3"] [data-group="1"]`)
	docs, _ := m.Docs() // in memory
	list := p.csv("documents")[1:]
	for _, row := range list {
		if row[3] != r.Cells[1].Label {
			t.Errorf("document %s of group %s stands behind group %s", row[1], row[3], r.Cells[1].Label)
		}
	}
	if len(list) == 0 || len(list) > docs.NumDocs() {
		t.Errorf("%d documents behind the bar", len(list))
	}
	p.shoot("groups")
	cross := compute(t, m, prevalence.Options{By: "label,time", Interval: -1})
	shares := map[string]float64{}
	for c, cell := range cross.Cells {
		shares[cell.Label+" "+cell.Period.Name] = cross.Shares[c][3].Share
	}
	for _, row := range p.csv("cross")[1:] {
		if row[2] != "" {
			near(t, "group × time", row[2], shares[row[0]+" "+row[1]], exact)
		}
	}
}

func timeShares(t *testing.T, p *tab, m *topoi.Model) {
	for _, bins := range []string{"month", "quarter", "year"} {
		r := compute(t, m, prevalence.Options{By: "time", Bins: bins})
		p.goTo("#/time?topics=2,5&unit=" + string(bins))
		rows := p.csv("time")[1:]
		if len(rows) != 2*len(r.Cells) {
			t.Fatalf("%d rows for %d periods by %s", len(rows), len(r.Cells), bins)
		}
		for i, row := range rows[:len(r.Cells)] {
			s := r.Shares[i][2]
			if row[0] != r.Cells[i].Period.Name {
				t.Errorf("period %d is %s, want %s", i, row[0], r.Cells[i].Period.Name)
			}
			near(t, "the share of a period", row[4], s.Share, single)
			near(t, "the low end", row[5], s.Low, single)
			near(t, "the high end", row[6], s.High, single)
		}
	}
	p.goTo("#/time?topics=2,5&unit=quarter")
	p.click(`rect[data-bin="1"]`)
	for _, row := range p.csv("documents")[1:] {
		if !strings.HasPrefix(row[4], "2001-0") || row[4] < "2001-04" || row[4] > "2001-06-30" {
			t.Errorf("a document of %s stands behind the second quarter of 2001", row[4])
		}
	}
	if hash := eval[string](p, "location.hash"); !strings.Contains(hash, "bin=2001-Q2") {
		t.Errorf("a chosen period left the address %s", hash)
	}
	p.shoot("time")
}
