package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/topoi-lda/topoi/internal/sampler/registry"
)

// The pieces of Go in the documentation compile, and those of JSON are JSON.
func TestDocsCode(t *testing.T) {
	var bodies []string
	for _, page := range pages(t) {
		blocks, _ := fences(page, pageLines(t, page))
		for _, f := range blocks {
			code := strings.Join(f.code, "\n")
			switch f.kind {
			case "go":
				bodies = append(bodies, fmt.Sprintf("//line %s:%d\n%s", f.page, f.line, code))
			case "json":
				if !json.Valid([]byte(code)) {
					t.Errorf("%s:%d: this is no JSON", f.page, f.line)
				}
			}
		}
	}
	if len(bodies) == 0 {
		t.Fatal("no page has any Go: the test has lost them")
	}
	compile(t, bodies)
}

// compile makes every body a function, which has a context and an error, and lets the
// Go tool check them.
func compile(t *testing.T, bodies []string) {
	var file strings.Builder
	file.WriteString("package docs\n\nimport (\n\t\"context\"\n")
	all := strings.Join(bodies, "\n")
	for _, path := range []string{
		"fmt", "os", "slices", module, module + "/analysis/eval", module + "/corpus", module + "/explore",
		module + "/export", module + "/guide", module + "/serve/client", module + "/sweep", module + "/train",
	} {
		if regexp.MustCompile(`\b` + filepath.Base(path) + `\.[A-Z]`).MatchString(all) {
			fmt.Fprintf(&file, "\t%q\n", path)
		}
	}
	file.WriteString(")\n")
	for _, body := range bodies {
		fmt.Fprintf(&file, "\nfunc _(ctx context.Context, err error) {\n%s\n}\n", body)
	}
	path := filepath.Join(t.TempDir(), "docs.go")
	if err := os.WriteFile(path, []byte(file.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "vet", path).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

const module = "github.com/topoi-lda/topoi"

// docs/go.md has the lengths of the example programs.
func TestDocsPrograms(t *testing.T) {
	row := regexp.MustCompile(`\]\(\.\./([a-z_/]+_test\.go)\) \| (\d+) \|$`)
	found := 0
	for _, line := range pageLines(t, "docs/go.md") {
		m := row.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		found++
		if lines := fmt.Sprint(len(pageLines(t, m[1])) - 1); lines != m[2] {
			t.Errorf("docs/go.md: %s has %s lines, not %s", m[1], lines, m[2])
		}
	}
	if found != 4 {
		t.Errorf("docs/go.md lists %d programs", found)
	}
}

// All pages are in the index, and links lead to files and to headings that exist.
func TestDocsLinks(t *testing.T) {
	index := strings.Join(pageLines(t, "docs/README.md"), "\n")
	for _, page := range pages(t) {
		name, user := strings.CutPrefix(page, "docs/")
		if user && !strings.HasPrefix(name, "samplers/") && name != "README.md" && !strings.Contains(index, "]("+name+")") {
			t.Errorf("docs/README.md does not list %s", name)
		}
		_, prose := fences(page, pageLines(t, page))
		for i, line := range prose {
			for _, m := range link.FindAllStringSubmatch(line, -1) {
				if fault := linkFault(t, page, m[1]); fault != "" {
					t.Errorf("%s:%d: the link %s leads nowhere: %s", page, i+1, m[1], fault)
				}
			}
		}
	}
}

// linkFault returns what is wrong with a link of a page.
func linkFault(t *testing.T, page, to string) string {
	target, anchor, _ := strings.Cut(to, "#")
	if strings.Contains(to, "://") {
		return ""
	}
	path := page
	if target != "" {
		path = filepath.ToSlash(filepath.Join(filepath.Dir(page), target))
	}
	if _, err := os.Stat(filepath.Join(repository, path)); err != nil {
		return "there is no such file"
	}
	if anchor == "" || !strings.HasSuffix(path, ".md") {
		return ""
	}
	_, prose := fences(path, pageLines(t, path))
	for _, line := range prose {
		if heading := strings.TrimLeft(line, "#"); heading != line && anchorOf(heading) == anchor {
			return ""
		}
	}
	return "there is no such heading"
}

// anchorOf returns the anchor that a heading gets.
func anchorOf(heading string) string {
	kept := func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}
	return strings.Map(kept, strings.TrimSpace(heading))
}

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// The table of directories in docs/internals/architecture.md has all of them.
func TestDocsLayout(t *testing.T) {
	table := strings.Join(pageLines(t, "docs/internals/architecture.md"), "\n")
	for _, pattern := range []string{
		"*", "analysis/*", "cmd/topoi/internal/*", "corpus/*", "explore/*", "internal/*", "internal/*/*",
	} {
		dirs, err := filepath.Glob(filepath.Join(repository, pattern, "*.go"))
		if err != nil || len(dirs) == 0 {
			t.Fatal(dirs, err)
		}
		for _, file := range dirs {
			if dir, _ := filepath.Rel(repository, filepath.Dir(file)); !strings.Contains(table, "`"+dir+"/`") {
				t.Errorf("docs/internals/architecture.md does not say what is in %s/", dir)
			}
		}
	}
}

// The README counts the samplers right, and each has a page.
func TestDocsSamplers(t *testing.T) {
	var names []string
	for _, info := range registry.List() {
		names = append(names, info.Name)
	}
	numbers := map[int]string{9: "nine", 10: "ten", 11: "eleven", 12: "twelve"}
	if readme := strings.Join(pageLines(t, "README.md"), "\n"); !strings.Contains(readme, "| "+numbers[len(names)]+" algorithms |") {
		t.Errorf("README.md does not say that there are %s algorithms", numbers[len(names)])
	}
	table := strings.Join(pageLines(t, "docs/samplers/README.md"), "\n")
	for _, name := range names {
		if !regexp.MustCompile(`\| \[` + name + `\b`).MatchString(table) {
			t.Errorf("docs/samplers/README.md has no page for %s", name)
		}
	}
}
