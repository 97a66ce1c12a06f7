package browsertest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Opens all views of pages made elsewhere, of real corpora: TOPOI_PAGES is a pattern such
// as /tmp/pages/*.html. With TOPOI_SCREENSHOTS it leaves their pictures.
func TestGivenPages(t *testing.T) {
	pages, err := filepath.Glob(os.Getenv("TOPOI_PAGES"))
	if err != nil || len(pages) == 0 || allocator == nil {
		t.Skip("no pages are given")
	}
	for _, path := range pages {
		t.Run(filepath.Base(path), func(t *testing.T) {
			p := openFile(t, path)
			t.Logf("ready after %.0f ms", eval[float64](p, "performance.now()"))
			p.goTo("#/topic/0")
			p.everyView(0, 0, eval[int](p, `+(document.querySelector("ol.docs li")?.dataset.doc || 0)`))
			for _, view := range []string{"topics", "map", "groups", "time", "relations", "topic/0", "doc/0", "word/9"} {
				p.goTo("#/" + view)
				p.shoot(fmt.Sprintf("%s-%s", strings.TrimSuffix(filepath.Base(path), ".html"), strings.ReplaceAll(view, "/", "-")))
			}
		})
	}
}
