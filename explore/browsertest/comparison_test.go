package browsertest

import (
	"fmt"
	"io"
	"path/filepath"
	"testing"

	"github.com/topoi-lda/topoi/analysis/compare"
	"github.com/topoi-lda/topoi/explore"
	"github.com/topoi-lda/topoi/internal/wholefile"
	"github.com/topoi-lda/topoi/topic"
)

// The page of two models shows the library's links and fates.
func TestComparison(t *testing.T) {
	if allocator == nil {
		t.Skip("no Chromium here")
	}
	a, b := trained(t, storyCorpus(150), 3, 30), trained(t, storyCorpus(150), 7, 30)
	if err := a.SetLabels(topic.Labels{Names: map[int]string{1: attacks[2]}}); err != nil {
		t.Fatal(err)
	}
	r, err := compare.Models(t.Context(), a, b, compare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "comparison.html")
	err = wholefile.Write(path, func(w io.Writer) error {
		return explore.WriteComparison(explore.Side{Name: "few", Model: a}, explore.Side{Name: attacks[0], Model: b}, r, w)
	})
	if err != nil {
		t.Fatal(err)
	}
	p := openFile(t, path)
	p.shoot("comparison")
	rows := map[string][]string{}
	for _, row := range p.csv("links")[1:] {
		rows[row[0]+" "+row[2]] = row
	}
	if len(rows) != len(r.Links) {
		t.Errorf("%d links, the library has %d", len(rows), len(r.Links))
	}
	for _, l := range r.Links {
		row := rows[fmt.Sprintf("%d %d", l.A, l.B)]
		if len(row) < 7 || row[1] != string(r.A[l.A]) || row[3] != string(r.B[l.B]) {
			t.Fatalf("the link %+v is shown as %v", l, row)
		}
		near(t, "a similarity", row[4], l.Similarity, exact)
		near(t, "the shared words", row[5], float64(l.Shared), exact)
	}
	if got := p.count(".link"); got != len(r.Links) {
		t.Errorf("%d lines are drawn for %d links", got, len(r.Links))
	}
	p.click(`.choice [data-value="split"]`)
	p.waitFor(`location.hash.includes("fate=split")`)
	if eval[bool](p, `"owned" in window`) {
		t.Error("an attack ran")
	}
}
