package main

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fence is a block of code of a page of the documentation.
type fence struct {
	page string // path below the repository's root
	line int    // of its first line of code, from 1
	kind string // what stands behind the backticks
	code []string

	marked bool   // <!-- not run: REASON --> stands on the line before
	reason string // why it is not run
	needs  string // <!-- needs: PROGRAM --> stands on the line before: run where there is one
}

// repository is the root of the repository, seen from the directory of the tests.
const repository = "../.."

// pages returns the paths of the pages in the root and in .github, and of all below docs and bench/notes,
// from the root.
func pages(t *testing.T) []string {
	list := []string{"README.md", "CHANGELOG.md", ".github/CONTRIBUTING.md", ".github/SECURITY.md"}
	for _, dir := range []string{"docs", "bench/notes"} {
		err := filepath.WalkDir(filepath.Join(repository, dir), func(path string, _ fs.DirEntry, err error) error {
			if strings.HasSuffix(path, ".md") {
				below, _ := filepath.Rel(repository, path)
				list = append(list, filepath.ToSlash(below))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return list
}

func pageLines(t *testing.T, page string) []string {
	data, err := os.ReadFile(filepath.Join(repository, page))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(data), "\n")
}

var (
	notRun = regexp.MustCompile(`^<!-- not run:\s*(.*?)\s*-->$`)
	needs  = regexp.MustCompile(`^<!-- needs: (\S+) -->$`)
)

// fences parts a page into its blocks of code and the rest, in which lines of code are
// empty, so that lines keep their numbers.
func fences(page string, lines []string) (blocks []fence, prose []string) {
	prose = make([]string, len(lines))
	open := false
	for i, line := range lines {
		kind, ticks := strings.CutPrefix(line, "```")
		switch {
		case ticks && open:
			open = false
		case ticks:
			open = true
			f := fence{page: page, line: i + 2, kind: kind}
			if m := notRun.FindStringSubmatch(lines[max(0, i-1)]); m != nil {
				f.marked, f.reason = true, m[1]
			}
			if m := needs.FindStringSubmatch(lines[max(0, i-1)]); m != nil {
				f.needs = m[1]
			}
			blocks = append(blocks, f)
		case open:
			last := &blocks[len(blocks)-1]
			last.code = append(last.code, line)
		default:
			prose[i] = line
		}
	}
	return blocks, prose
}

// commands returns the shell commands of a block: all lines of sh, those after a $ of
// console, where the rest is what the program wrote. A line that ends in a backslash
// goes on.
func (f fence) commands() []string {
	var list []string
	more := false
	for _, line := range f.code {
		command, prompt := strings.CutPrefix(line, "$ ")
		switch {
		case more:
			list[len(list)-1] += " " + strings.TrimSpace(strings.TrimSuffix(line, `\`))
		case f.kind == "sh" || prompt:
			list = append(list, strings.TrimSuffix(command, `\`))
		default:
			continue
		}
		more = strings.HasSuffix(line, `\`)
	}
	return list
}

// shown returns the lines of a console's output that are written out.
func (f fence) shown() []string {
	if f.kind != "console" {
		return nil
	}
	var list []string
	more := false
	for _, line := range f.code {
		command := more || strings.HasPrefix(line, "$ ")
		more = command && strings.HasSuffix(line, `\`)
		if line = strings.TrimRight(line, " "); !command && line != "…" && line != "" {
			list = append(list, line)
		}
	}
	return list
}

// shellWords cuts a command line into its commands and these into words, as a shell
// does that knows quotation marks, comments, pipes and redirections.
func shellWords(line string) [][]string {
	calls := [][]string{nil}
	var word strings.Builder
	begun, quote := false, rune(0)
	end := func() {
		if begun {
			last := len(calls) - 1
			calls[last] = append(calls[last], word.String())
		}
		word.Reset()
		begun = false
	}
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, begun = r, true
		case r == '#' && !begun:
			return calls
		case strings.ContainsRune("|&;<>", r):
			end()
			calls = append(calls, nil) // the file of a redirection counts as a command
		case r == ' ':
			end()
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	end()
	return calls
}

func TestShellWords(t *testing.T) {
	got := shellWords(`a "b c" --x='1|2' | d > e && f#g  # h "`)
	want := "a,b c,--x=1|2;d;e;;f#g"
	var parts []string
	for _, call := range got {
		parts = append(parts, strings.Join(call, ","))
	}
	if s := strings.Join(parts, ";"); s != want {
		t.Errorf("got %s, want %s", s, want)
	}
}

// What the tests of the documentation are to find, they find.
func TestDocsFaults(t *testing.T) {
	root := newApp(nil, strings.NewReader(""), io.Discard, io.Discard).Root
	for _, c := range []struct{ page, want string }{
		{"```\ntopoi demo\n```", "the kind of the block"},
		{"<!-- not run: -->\n```sh\ntopoi demo\n```", "gives no reason"},
		{"<!-- not run: needs a GPU -->\n```text\ntopoi demo\n```", "without commands"},
		{"<!-- not run: needs a GPU -->\n```sh\ntopoi trian c.topoi\n```", "unknown command"},
		{"<!-- not run: needs a GPU -->\n```sh\nA=1 topoi train c.topoi \\\n  --topcis 5\n```", "unknown flag --topcis"},
		{"<!-- not run: needs a GPU -->\n```console\n$ cat c | go run ./cmd/topoi train -k many -\nread\n```", "a whole number"},
		{"<!-- not run: needs a GPU -->\n```sh\nbench/nothing.sh\n```", "no such file"},
	} {
		blocks, _ := fences("page.md", strings.Split(c.page, "\n"))
		if len(blocks) != 1 {
			t.Fatalf("%d blocks in %s", len(blocks), c.page)
		}
		if fault := blocks[0].fault(root); fault == nil || !strings.Contains(fault.Error(), c.want) {
			t.Errorf("%s\ngives %v, want %s", c.page, fault, c.want)
		}
	}
	needShell(t)
	if out, err := shell(t.TempDir(), "topoi topics nothing.model\ntrue"); err == nil {
		t.Errorf("a command that fails is not noticed: %s", out)
	}
}
