package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
)

// The commands of the documentation work. Blocks of kind sh and console are run by a
// shell, each in a directory of its own with small files of the names that the pages
// use, unless <!-- not run: REASON --> stands before them. Whatever is not run must at least
// be a command line that is understood.
func TestDocsCommands(t *testing.T) {
	needShell(t)
	files := docsFiles(t)
	for _, page := range pages(t) {
		blocks, _ := fences(page, pageLines(t, page))
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			if isStory(page) {
				runStory(t, blocks)
				return
			}
			for _, f := range blocks {
				if !f.marked && len(f.commands()) > 0 {
					runFence(t, f, files, t.TempDir())
				}
			}
		})
	}
}

// Every block says what it is, every marker why.
func TestDocsFences(t *testing.T) {
	root := newApp(nil, strings.NewReader(""), io.Discard, io.Discard).Root
	for _, page := range pages(t) {
		blocks, prose := fences(page, pageLines(t, page))
		for _, f := range blocks {
			if fault := f.fault(root); fault != nil {
				t.Errorf("%s:%d: %v", f.page, f.line, fault)
			}
		}
		for i, line := range prose {
			if indentedCommand.MatchString(line) {
				t.Errorf("%s:%d: a command stands outside of a fence, where nothing runs it", page, i+1)
			}
		}
	}
}

var (
	indentedCommand = regexp.MustCompile(`^(    |\t)+(\$ )?(topoi|go|bench/\S+|\./\S+|apt|apt-get) `)
	// The tests of the packages for Python and R run what is in their languages.
	kinds = []string{"sh", "console", "go", "json", "text", "python", "r"}
)

// fault returns what is wrong with a block that nothing needs to be run for.
func (f fence) fault(root *cobra.Command) error {
	switch {
	case !slices.Contains(kinds, f.kind):
		return fmt.Errorf("the kind of the block is %q, not one of %s", f.kind, strings.Join(kinds, ", "))
	case f.marked && f.reason == "":
		return fmt.Errorf("the marker gives no reason")
	case f.marked && len(f.commands()) == 0:
		return fmt.Errorf("the marker stands before a block without commands")
	}
	for _, line := range f.commands() {
		for _, call := range shellWords(line) {
			if fault := callFault(root, call); fault != nil {
				return fmt.Errorf("%s: %w", line, fault)
			}
		}
	}
	return nil
}

// callFault tells whether a call of this program cannot be understood, or one of a
// program of the repository names a file that is not there.
func callFault(root *cobra.Command, call []string) error {
	call = unwrap(call)
	if len(call) > 0 && call[0] == "topoi" {
		return topoiFault(root, call[1:])
	}
	dir := repository
	if len(call) > 0 && call[0] == "nice" {
		call = call[1:]
	}
	if len(call) > 2 && call[0] == "go" && call[1] == "-C" {
		dir = filepath.Join(dir, call[2])
	}
	for _, word := range call {
		if strings.HasPrefix(word, "./") || strings.HasPrefix(word, "bench/") {
			if _, err := os.Stat(filepath.Join(dir, word)); err != nil && word != "./cuda.test" && word != "./mallet" && !strings.HasPrefix(word, "./topoi") {
				return err
			}
		}
	}
	return nil
}

// unwrap drops what sets the environment, and takes go run ./cmd/topoi for topoi.
func unwrap(call []string) []string {
	for len(call) > 0 && (call[0] == "export" || regexp.MustCompile(`^[A-Z_]+=`).MatchString(call[0])) {
		call = call[1:]
	}
	if strings.HasPrefix(strings.Join(call, " "), "go run ./cmd/topoi") {
		return append([]string{"topoi"}, call[3:]...)
	}
	return call
}

func topoiFault(root *cobra.Command, args []string) error {
	c, args, err := root.Find(args)
	if err != nil {
		return err
	}
	if c == root {
		return fmt.Errorf("unknown command")
	}
	if fault := oldSpelling(c, args); fault != nil {
		return fault
	}
	if _, faults := cli.ParseAll(c.Flags(), args); len(faults) > 0 {
		return faults[0]
	}
	return nil
}

// oldFault returns a fault if a span names a command or a flag as it was spelled before. The list of changes may.
func oldFault(root *cobra.Command, page string, words []string) error {
	if page == "CHANGELOG.md" || len(words) < 2 || words[0] != "topoi" {
		return nil
	}
	c, _, err := root.Find(words[1:])
	if err != nil {
		return nil // which spanFault says, if it is one
	}
	return oldSpelling(c, words)
}

// oldSpelling returns a fault if a command or one of the flags among its arguments has another name or place now.
func oldSpelling(c *cobra.Command, args []string) error {
	if now := c.Annotations[cli.MovedKey]; now != "" {
		return fmt.Errorf("topoi %s is now %s", c.Name(), now)
	}
	for _, arg := range args {
		m := flagName.FindStringSubmatch(arg)
		if m == nil {
			continue
		}
		if f := c.Flags().Lookup(m[1]); f != nil && f.Annotations[cli.MovedKey] != nil {
			return fmt.Errorf("--%s of topoi %s is now %s", f.Name, c.Name(), f.Annotations[cli.MovedKey][0])
		}
	}
	return nil
}

func needShell(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell to run commands with")
	}
}

// runFence runs the commands of a block in a directory, and returns what they print.
func runFence(t *testing.T, f fence, files, dir string) string {
	script := strings.ReplaceAll(strings.Join(f.commands(), "\n"), "go run ./cmd/topoi", "topoi")
	if f.needs != "" {
		if _, err := exec.LookPath(f.needs); err != nil {
			t.Skipf("%s:%d: there is no %s", f.page, f.line, f.needs)
		}
	}
	provide(t, files, dir, script)
	out, err := shell(dir, script)
	if err != nil {
		t.Errorf("%s:%d: %v\n%s\n%s", f.page, f.line, err, script, out)
	}
	return string(out)
}

// isStory tells whether the blocks of a page follow each other.
func isStory(page string) bool {
	return page == "docs/guide.md" || strings.HasPrefix(page, "docs/tutorials/")
}

// runStory runs the blocks of a page one after the other in one directory, which has the data of docs/data. What a page
// shows of the output must be there, up to blanks at the end; … stands for what is left out.
func runStory(t *testing.T, blocks []fence) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(repository, "docs/data"))); err != nil {
		t.Fatal(err)
	}
	for _, f := range blocks {
		if f.marked || len(f.commands()) == 0 {
			continue
		}
		out := runFence(t, f, t.TempDir(), dir)
		if t.Failed() {
			return
		}
		printed := strings.Split(out, "\n")
		for i, line := range printed {
			printed[i] = strings.TrimRight(line, " ")
		}
		for _, line := range f.shown() {
			if !slices.Contains(printed, line) {
				t.Errorf("%s:%d: the page shows\n%s\nand the output is\n%s", f.page, f.line, line, out)
			}
		}
	}
}

// shell runs a script, with programs that do nothing in place of a browser.
func shell(dir, script string) ([]byte, error) {
	browsers := filepath.Join(dir, ".browsers")
	if err := os.MkdirAll(browsers, 0o755); err != nil {
		return nil, err
	}
	for _, name := range []string{"xdg-open", "open"} {
		if err := os.WriteFile(filepath.Join(browsers, name), []byte("#!/bin/sh\n"), 0o755); err != nil {
			return nil, err
		}
	}
	// What a page leaves running, in $store or $server, ends with the script.
	c := exec.Command("sh", "-e", "-c", "trap 'kill $store $server 2>/dev/null || true' EXIT\n"+script)
	c.Dir, c.WaitDelay = dir, 10*time.Second
	c.Env = append(os.Environ(), "PATH="+browsers+string(filepath.ListSeparator)+os.Getenv("PATH"), "TOPOI_STORE=")
	return c.CombinedOutput()
}

// provide copies the files that pages take for granted, but those that the script makes.
func provide(t *testing.T, files, dir, script string) {
	entries, err := os.ReadDir(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name, from, to := e.Name(), filepath.Join(files, e.Name()), filepath.Join(dir, e.Name())
		if regexp.MustCompile(`-o ` + regexp.QuoteMeta(name) + `(\s|$)`).MatchString(script) {
			continue
		}
		if e.IsDir() {
			err = os.CopyFS(to, os.DirFS(from))
		} else {
			err = os.Link(from, to)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// docsFiles makes the files.
func docsFiles(t *testing.T) string {
	dir := t.TempDir()
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	articles, uci, vocab := docsArticles(150)
	write("articles.csv", articles)
	write("docword.kos.txt", uci)
	write("vocab.kos.txt", vocab)
	writeKinds(t, dir, articles)
	out, err := shell(dir, `
gzip docword.kos.txt
cp articles.csv new.csv
cp articles.csv today.csv
topoi import articles.csv -o news.topoi --label-field section
topoi generate --docs 100 --words 100 --mean-length 20 --topics 5 -o corpus.topoi
topoi train news.topoi -k 4 --iterations 20 -o news.model
topoi train news.topoi -k 3 --iterations 20 --seed 1 -o old.model
topoi train news.topoi -k 4 --iterations 20 --seed 2 -o new.model
mkdir models
cp -R news.model models/news.model
topoi name news.model 1=energy
topoi name news.model --json > labels.json
`)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// docsArticles makes n documents of two themes as a table and as counts of words.
func docsArticles(n int) (csv, uci, vocab string) {
	themes := [][]string{
		strings.Fields("team goal match player season coach league striker referee stadium victory cup"),
		strings.Fields("vote minister parliament election party government senate law campaign budget debate reform"),
	}
	sections := []string{"sport", "politics"}
	var table, counts strings.Builder
	table.WriteString("id,headline,section,date,text\n")
	for d := range n {
		words := make([]string, 15)
		theme := d % 2
		for i := range words {
			w := (d*7 + i*i + i*d) % 12
			words[i] = themes[theme][w]
			fmt.Fprintf(&counts, "%d %d 1\n", d+1, theme*12+w+1)
		}
		fmt.Fprintf(&table, "n%d,Report %d,%s,%d-%02d-01,the %s of the %s\n", d, d, sections[theme],
			2020+d%4, 1+d%12, strings.Join(words[:8], " and the "), strings.Join(words[8:], " "))
	}
	vocab = strings.Join(slices.Concat(themes...), "\n") + "\n"
	return table.String(), fmt.Sprintf("%d\n24\n%d\n%s", n, n*15, counts.String()), vocab
}

// Flags that the text of pages names exist: those of a command in a span such as
// `topoi train --memory 6GiB`, those of any command in a span of their own.
func TestDocsFlags(t *testing.T) {
	root := newApp(nil, strings.NewReader(""), io.Discard, io.Discard).Root
	all := family(root)
	for _, page := range pages(t) {
		_, prose := fences(page, pageLines(t, page))
		for i, line := range prose {
			for _, span := range codeSpan.FindAllStringSubmatch(line, -1) {
				words := strings.Fields(span[1])
				if fault := cmp.Or(spanFault(root, all, words), oldFault(root, page, words)); fault != nil {
					t.Errorf("%s:%d: `%s`: %v", page, i+1, span[1], fault)
				}
			}
		}
	}
}

var (
	codeSpan    = regexp.MustCompile("`([^`]+)`")
	flagName    = regexp.MustCompile(`^--([a-z][a-z0-9-]*)`)
	commandName = regexp.MustCompile(`^[a-z]+$`)
)

func spanFault(root *cobra.Command, all []*cobra.Command, words []string) error {
	if len(words) == 0 {
		return nil
	}
	scope := all
	if words[0] == "topoi" && len(words) > 1 && words[1] == "help" {
		words = slices.Delete(slices.Clone(words), 1, 2) // what it is about
		if len(words) == 1 || words[1] == cli.GroupMore {
			return nil
		}
	}
	if words[0] == "topoi" && len(words) > 1 && commandName.MatchString(words[1]) {
		c, _, err := root.Find(words[1:])
		if err != nil || c == root {
			return cmp.Or(err, fmt.Errorf("unknown command"))
		}
		scope = []*cobra.Command{c}
	} else if words[0] != "topoi" && !strings.HasPrefix(words[0], "--") {
		return nil // of another program
	}
	for _, word := range words {
		m := flagName.FindStringSubmatch(word)
		if m == nil || m[1] == "help" || m[1] == "version" {
			continue
		}
		if !slices.ContainsFunc(scope, func(c *cobra.Command) bool { return c.Flags().Lookup(m[1]) != nil }) {
			return fmt.Errorf("unknown flag --%s", m[1])
		}
	}
	return nil
}
