package house

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// light are packages with which a program makes a corpus, trains, opens models, infers and looks at topics.
var light = []string{
	".", "./train", "./topic", "./corpus", "./corpus/source", "./corpus/text", "./analysis/...", "./guide/...",
	"./explore",
}

// heavy are packages that a program links only if it imports corpus/source/all, or writes what needs them: themselves
// and what is below them.
var heavy = []string{
	"net/http", "crypto/tls", "github.com/parquet-go", "github.com/apache", "google.golang.org", "cloud.google.com",
	"github.com/aws", "github.com/Azure", module + "/internal/remote",
}

// A program that opens a model and infers links no reader of Parquet and no HTTP: they register themselves when a
// program imports corpus/source/all, as image/png does.
func TestProgramsAreLight(t *testing.T) {
	goToRoot(t)
	for _, p := range load(t, light...) {
		if chain := heavyChain(p); chain != nil {
			t.Errorf("%s links %s:\n\t%s\nhave it register itself, and import it in corpus/source/all", p.PkgPath,
				chain[len(chain)-1], strings.Join(chain, " →\n\t"))
		}
	}
	for _, p := range load(t, "./corpus/source/all") {
		if heavyChain(p) == nil {
			t.Errorf("%s links nothing that is heavy: this test no longer sees what it is for", p.PkgPath)
		}
	}
}

// load returns packages with all that they import.
func load(t *testing.T, patterns ...string) []*packages.Package {
	t.Helper()
	mode := packages.NeedName | packages.NeedImports | packages.NeedDeps
	found, err := packages.Load(&packages.Config{Mode: mode}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range found {
		if len(p.Errors) > 0 {
			t.Fatal(p.Errors[0])
		}
	}
	return found
}

// heavyChain returns the shortest way of imports from a package to one of heavy, nil if there is none.
func heavyChain(from *packages.Package) []string {
	importer := map[*packages.Package]*packages.Package{from: nil}
	for queue := []*packages.Package{from}; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		if isHeavy(p.PkgPath) {
			var chain []string
			for ; p != nil; p = importer[p] {
				chain = append(chain, p.PkgPath)
			}
			slices.Reverse(chain)
			return chain
		}
		for _, next := range p.Imports {
			if _, seen := importer[next]; !seen {
				importer[next] = p
				queue = append(queue, next)
			}
		}
	}
	return nil
}

// isHeavy reports whether a package is one of heavy or below one.
func isHeavy(name string) bool {
	return slices.ContainsFunc(heavy, func(prefix string) bool {
		return name == prefix || strings.HasPrefix(name, prefix+"/")
	})
}
