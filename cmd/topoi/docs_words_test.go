package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
)

// gone are phrases that readers stumbled over. They must not come back, neither in pages nor in help.
var gone = []string{
	"no use known", "folded open", "no longer predicted better", "whoever", "is told in", "how to mend",
	"changes nothing but", "the more so the more", "of which of", "said so of", "are to be had", "as it were", "so many of them",
}

// goneMessages are more such phrases, which help, messages and the pages of explore and sweep must not have.
var goneMessages = append([]string{
	"exclude each other", "does not go with", "begin afresh", "cannot be honoured", "speak for", "stands twice", "lines aside",
	"by and by", "taken as given", "comes out of", "come out of", "not a sound", "is of no use", "made ready", "is no address",
	"this is no ", "these are no ", "is no string", "is no number of", "mend ", "is mended", "fell away", "how it stands",
	"in mallet neither", "takes its place", "a line goes through", "ran away", "whoever",
}, gone...)

const (
	longest = 40  // words of a sentence
	widest  = 100 // characters of a line of prose
)

// The README and all pages of docs have short sentences and lines, and none of the phrases that are gone.
func TestDocsWords(t *testing.T) {
	checked := 0
	for _, page := range pages(t) {
		if page == "docs/internals/cluster.md" || page != "README.md" && !strings.HasPrefix(page, "docs/") {
			continue
		}
		for _, fault := range wordFaults(pageLines(t, page), longest) {
			t.Errorf("%s: %s", page, fault)
		}
		checked++
	}
	if checked < 30 {
		t.Errorf("%d pages were checked: the test has lost the others", checked)
	}
}

// The first screen of the README says in fewer than 200 words what topoi is, why to use it and how.
func TestReadmeFirstScreen(t *testing.T) {
	first, _, found := strings.Cut(strings.Join(pageLines(t, "README.md"), "\n"), "\n## ")
	if words := len(strings.Fields(picture.ReplaceAllString(first, ""))); !found || words >= 200 {
		t.Errorf("it has %d words", words)
	}
	for _, want := range []string{"**topoi finds out", "**Fast.**", "**Repeatable.**", "topoi train ", "topoi explore "} {
		if !strings.Contains(first, want) {
			t.Errorf("it does not have %q", want)
		}
	}
}

// The help of all commands has none of the phrases either.
func TestHelpWords(t *testing.T) {
	root := newApp(nil, strings.NewReader(""), io.Discard, io.Discard).Root
	for _, c := range family(root) {
		var text bytes.Buffer
		if err := cli.Man(&text, c); err != nil {
			t.Fatal(err)
		}
		for _, phrase := range goneMessages {
			if strings.Contains(strings.ToLower(text.String()), phrase) {
				t.Errorf("topoi %s --help-all has %q", c.CommandPath(), phrase)
			}
		}
	}
}

// messageFiles lists the files that hold messages, help and the texts of pages, those of the cluster aside.
func messageFiles(t *testing.T) (files []string) {
	t.Helper()
	out, err := exec.Command("git", "-C", repository, "ls-files", "*.go", "*.js").Output()
	if err != nil {
		t.Skipf("the files are listed by git: %v", err)
	}
	for _, name := range strings.Fields(string(out)) {
		if first, _, _ := strings.Cut(name, "/"); !slices.Contains([]string{"bench", "deploy", "release", "site"}, first) &&
			!strings.HasSuffix(name, "_test.go") && !strings.Contains(name, "cluster/") && !strings.Contains(name, "testdata/") {
			files = append(files, filepath.Join(repository, name))
		}
	}
	return files
}

// stringLiterals returns the texts of a Go or JavaScript file that a user may see.
func stringLiterals(t *testing.T, path string) (texts []string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(path, ".js") {
		return scriptString.FindAllString(scriptComment.ReplaceAllString(string(data), ""), -1)
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, data, 0)
	if err != nil {
		t.Fatal(err)
	}
	for n := range ast.Preorder(file) {
		if s, ok := n.(*ast.BasicLit); ok && s.Kind == token.STRING {
			texts = append(texts, s.Value)
		}
	}
	return texts
}

// Messages and pages have none of the phrases either.
func TestMessageWords(t *testing.T) {
	read := 0
	for _, path := range messageFiles(t) {
		for _, text := range stringLiterals(t, path) {
			read++
			for _, phrase := range goneMessages {
				if strings.Contains(strings.ToLower(text), phrase) {
					t.Errorf("%s: this phrase is gone: %s: %s", path, phrase, text)
				}
			}
		}
	}
	if read < 5000 {
		t.Errorf("%d texts were read: the test has lost the others", read)
	}
}

var (
	scriptComment = regexp.MustCompile(`(?s)/\*.*?\*/|(?m)^\s*//.*$`)
	scriptString  = regexp.MustCompile("\"(?:[^\"\\\\\n]|\\\\.)*\"|`[^`]*`")
)

var (
	comment   = regexp.MustCompile(`(?s)<!--.*?-->`)
	picture   = regexp.MustCompile(`!\[[^\]]*\]\([^)]*\)`)
	linked    = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	listItem  = regexp.MustCompile(`^\s*(?:[-*]|\d+\.)\s+`)
	sentences = regexp.MustCompile(`[.!?:]["”)]?\s+["“(]?(?:\p{Lu}|\d|topoi\b|[φθαβ]|n_)`)
)

// wordFaults returns what is wrong with the prose of a page.
func wordFaults(lines []string, limit int) (faults []string) {
	_, prose := fences("", lines)
	for i, line := range prose {
		if utf8.RuneCountInString(line) > widest && !strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "![") && !strings.HasPrefix(line, "    ") {
			faults = append(faults, "this line is too long, wrap it: "+line)
		}
		if line == "" || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "    ") || listItem.MatchString(line) {
			prose[i] = "\n\n" + listItem.ReplaceAllString(strings.TrimLeft(line, "|#"), "")
			if strings.HasPrefix(line, "|") || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "    ") {
				prose[i] = "\n\n"
			}
		}
	}
	text := comment.ReplaceAllString(strings.Join(prose, "\n"), "")
	for _, phrase := range gone {
		if strings.Contains(strings.ToLower(strings.Join(lines, "\n")), phrase) {
			faults = append(faults, "this phrase is gone: "+phrase)
		}
	}
	text = linked.ReplaceAllString(picture.ReplaceAllString(text, ""), "$1")
	text = strings.ReplaceAll(codeSpan.ReplaceAllString(text, "Code"), "*", "")
	for _, paragraph := range strings.Split(text, "\n\n") {
		for _, s := range cutSentences(strings.Join(strings.Fields(paragraph), " ")) {
			if len(strings.Fields(s)) > limit {
				faults = append(faults, "this sentence is too long, make two of it: "+s)
			}
		}
	}
	return faults
}

// cutSentences parts a paragraph after each full stop that a capital letter follows.
func cutSentences(paragraph string) (list []string) {
	for {
		at := sentences.FindStringIndex(paragraph)
		if at == nil {
			return append(list, paragraph)
		}
		list = append(list, paragraph[:at[0]+1])
		paragraph = strings.TrimLeft(paragraph[at[0]+1:], `"”) `)
	}
}

// The test finds what it is to find.
func TestDocsWordsFaults(t *testing.T) {
	long := strings.Repeat("word ", longest+1)
	for text, want := range map[string]string{
		"A " + strings.Join(strings.Fields(long), "\n") + ".": "sentence is too long",
		long + "more":               "line is too long",
		"Whoever reads this stops.": "phrase is gone",
	} {
		faults := strings.Join(wordFaults(strings.Split(text, "\n"), longest), "\n")
		if !strings.Contains(faults, want) {
			t.Errorf("%.40s…: got %q, want %s", text, faults, want)
		}
	}
	if faults := wordFaults([]string{"One. Two.", "| " + long + " |", "```sh", long, "```"}, longest); len(faults) > 0 {
		t.Errorf("sound text has faults: %q", faults)
	}
	if _, err := os.Stat(filepath.Join(repository, "docs")); err != nil {
		t.Fatal(err)
	}
}
