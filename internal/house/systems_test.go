package house

import (
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/suite/vet"
	"golang.org/x/tools/go/packages"
)

// The sources are right for another system, which TOPOI_SYSTEM names as in windows/amd64: they have types, and go vet
// has nothing to say. The Go tool would compile all packages for it first, which takes five times as long.
func TestOtherSystem(t *testing.T) {
	system, processor, _ := strings.Cut(os.Getenv("TOPOI_SYSTEM"), "/")
	if system == "" {
		t.Skip("TOPOI_SYSTEM names no system")
	}
	goToRoot(t)
	config := &packages.Config{
		Mode: packages.LoadAllSyntax, Tests: true,
		Env: append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0"),
	}
	all, err := packages.Load(config, "./...")
	if err != nil {
		t.Fatal(err)
	}
	ours := slices.DeleteFunc(all, func(p *packages.Package) bool { return strings.Contains(p.PkgPath, "/bench") })
	if len(ours) < 100 {
		t.Fatalf("there are %d packages", len(ours))
	}
	packages.Visit(ours, nil, func(p *packages.Package) {
		for _, err := range p.Errors {
			t.Error(err)
		}
	})
	graph, err := checker.Analyze(vet.Suite, ours, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, action := range graph.Roots {
		if action.Err != nil {
			t.Error(action.Err)
		}
		for _, d := range action.Diagnostics {
			t.Errorf("%s: %s", action.Package.Fset.Position(d.Pos), d.Message)
		}
	}
}
