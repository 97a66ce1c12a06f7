package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
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

// longest is the number of words that a sentence may have: in pages for users, and in those about algorithms.
const (
	longest         = 40
	longestSamplers = 100
	widest          = 100 // characters of a line of prose
)

// Pages for users have short sentences and lines, and none of the phrases that are gone.
func TestDocsWords(t *testing.T) {
	checked := 0
	for _, page := range pages(t) {
		limit := longest
		switch {
		case strings.HasPrefix(page, "docs/internals/"), strings.HasPrefix(page, "bench/"), page != "README.md" && !strings.HasPrefix(page, "docs/"):
			continue
		case strings.HasPrefix(page, "docs/samplers/"):
			limit = longestSamplers
		}
		for _, fault := range wordFaults(pageLines(t, page), limit) {
			t.Errorf("%s: %s", page, fault)
		}
		checked++
	}
	if checked < 30 {
		t.Errorf("%d pages were checked: the test has lost the others", checked)
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
		for _, phrase := range gone {
			if strings.Contains(strings.ToLower(text.String()), phrase) {
				t.Errorf("topoi %s --help-all has %q", c.CommandPath(), phrase)
			}
		}
	}
}

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
