package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/tier"
)

// guideImport is the guide's command that reads the folder of speeches.
var guideImport = regexp.MustCompile(`topoi import speeches --name-pattern '\S+'`)

// fileNames are the names of label and time in the file, in which the guide's commands work too.
var fileNames = []struct {
	role *regexp.Regexp
	name string
}{
	{regexp.MustCompile(`\blabel\b`), "party"}, {regexp.MustCompile(`\btime\b`), "date"},
}

func inFileNames(s string) string {
	for _, n := range fileNames {
		s = n.role.ReplaceAllString(s, n.name)
	}
	return s
}

// Every command of the guide works on a table of the same speeches with the columns party and date, and shows what the
// guide shows; and so do its commands about groups and times in the file's own names.
func TestDocsGuideOnTable(t *testing.T) {
	needShell(t)
	tier.Long(t, "TestDocsCommands runs the guide on the folder of speeches")
	page := "docs/guide.md"
	blocks, _ := fences(page, pageLines(t, page))
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(repository, "docs/data"))); err != nil {
		t.Fatal(err)
	}
	imported, renamed := false, 0
	for _, f := range blocks {
		script := strings.Join(f.commands(), "\n")
		if f.marked || script == "" {
			continue
		}
		shown := f.shown()
		if guideImport.MatchString(script) {
			speechesTable(t, dir)
			script, shown, imported = guideImport.ReplaceAllString(script, "topoi import speeches.csv"), nil, true
		}
		out := shellLines(t, dir, f, script)
		missingLines(t, f, shown, out)
		if own := inFileNames(script); imported && own != script {
			renamed++
			for i, line := range shown {
				shown[i] = inFileNames(line)
			}
			missingLines(t, f, shown, shellLines(t, dir, f, strings.ReplaceAll(own, " -o ", " --overwrite -o ")))
		}
	}
	if !imported || renamed < 8 {
		t.Errorf("the guide imports the speeches: %v; commands in the file's names: %d", imported, renamed)
	}
}

// From a table to a model, a table, a figure, a description of the method and a page it takes at most six commands: those
// of the page on analysis.
func TestDocsTableToPaper(t *testing.T) {
	needShell(t)
	const page, most = "docs/analysis.md", 6
	blocks, _ := fences(page, pageLines(t, page))
	i := slices.IndexFunc(blocks, func(f fence) bool { return strings.Contains(strings.Join(f.code, "\n"), "methods.txt") })
	if i < 0 || len(blocks[i].commands()) > most {
		t.Fatalf("%s leads to a paper in more than %d commands, or not at all", page, most)
	}
	dir := t.TempDir()
	articles, _, _ := docsArticles(150)
	if err := os.WriteFile(filepath.Join(dir, "articles.csv"), []byte(articles), 0o644); err != nil {
		t.Fatal(err)
	}
	shellLines(t, dir, blocks[i], strings.Join(blocks[i].commands(), "\n"))
	fingerprint := strings.TrimSpace(strings.Join(shellLines(t, dir, blocks[i], "topoi info --fingerprint paper.model"), ""))
	for name, all := range map[string][]string{
		"effects.csv": {"section[sport]", "politics", "p_holm"},
		"figure.svg":  {"<svg", "<polyline", "sport", "politics"},
		"methods.txt": {"150 documents", fingerprint, "~ section + date", "section = politics", "stop words", "topoi v", "confidence intervals"},
		"page.html":   {"<html", "</html>"}, // what it shows is packed, and tested in a browser
	} {
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
		}
		for _, want := range all {
			if !strings.Contains(string(content), want) {
				t.Errorf("%s lacks %q: %.500s", name, want, content)
			}
		}
	}
}

// speechesTable makes a table of the folder of speeches, with what their names say as columns.
func speechesTable(t *testing.T, dir string) {
	paths, err := filepath.Glob(filepath.Join(dir, "speeches", "*.txt"))
	if err != nil || len(paths) == 0 {
		t.Fatal("there are no speeches", err)
	}
	slices.Sort(paths)
	table := [][]string{{"id", "date", "party", "speaker", "number", "text"}}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(path)
		row := append([]string{name}, strings.Split(strings.TrimSuffix(name, ".txt"), "_")...)
		table = append(table, append(row, string(text)))
	}
	file, err := os.Create(filepath.Join(dir, "speeches.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := csv.NewWriter(file).WriteAll(table); err != nil {
		t.Fatal(err)
	}
}

// shellLines runs a script and returns what it prints, without blanks at ends of lines.
func shellLines(t *testing.T, dir string, f fence, script string) []string {
	t.Helper()
	out, err := shell(dir, script)
	if err != nil {
		t.Fatalf("%s:%d: %v\n%s\n%s", f.page, f.line, err, script, out)
	}
	lines := strings.Split(string(out), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return lines
}

func missingLines(t *testing.T, f fence, shown, out []string) {
	t.Helper()
	for _, line := range shown {
		if !slices.Contains(out, line) {
			t.Errorf("%s:%d: a table of the same speeches does not show\n%s\nbut\n%s", f.page, f.line, line, strings.Join(out, "\n"))
		}
	}
}
