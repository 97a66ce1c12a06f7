package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/topoi-lda/topoi/internal/human"
)

// hostileDocs have words, ids and labels that would colour, clear and retitle the
// screen, overwrite the line, add lines and turn text round.
const hostileDocs = `{"id":"\u001b[31mred","label":"\u202egnp.exe","tokens":["\u001b]0;owned\u0007","two\nlines","over\rwritten","\u009b2J","cat"]}
{"id":"bell\u0007","label":"x","tokens":["\u001b]0;owned\u0007","two\nlines","over\rwritten","\u009b2J","dog\u007f"]}
`

// runSafely runs a command and fails if anything that it prints is not safe.
func runSafely(t *testing.T, args ...string) (code int, output string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(args, strings.NewReader(""), &out, &errs)
	output = out.String() + errs.String()
	for i := 0; i < len(output); {
		r, n := utf8.DecodeRuneInString(output[i:])
		if !human.Safe(r, n) && r != '\n' && r != '\t' {
			t.Errorf("topoi %q prints %q", args, output)
			return code, output
		}
		i += n
	}
	return code, output
}

func TestNothingSteersTheTerminal(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	const corpus, model = "evil\x1b[2J.topoi", "evil\x1b]0;x\x07.model"
	if err := os.WriteFile("docs\x1b[1m.jsonl", []byte(hostileDocs), 0o666); err != nil {
		t.Skip("this file system does not take such names: ", err)
	}
	for _, c := range []struct {
		args []string
		code int
		want string // in what is printed
	}{
		{[]string{"import", "docs\x1b[1m.jsonl", "-o", corpus}, 0, `saved evil\u001b[2J.topoi`},
		{[]string{"import", "docs\x1b[1m.jsonl", "-o", corpus}, 2, `evil\u001b[2J.topoi already exists`},
		{[]string{"train", corpus, "-k", "2", "-o", model, "--iterations", "5"}, 0, `\u001b]0;owned\u0007`},
		{[]string{"topics", model}, 0, `two\u000alines`},
		{[]string{"topics", model, "--json"}, 0, `\u001b]0;owned\u0007`},
		{[]string{"info", corpus, model}, 0, `evil\u001b[2J.topoi: a corpus`},
		{[]string{"info", "\x1b[31mmissing"}, 2, `\u001b[31mmissing does not exist`},
		{[]string{"import", "broken\x1b[2J.jsonl", "-o", "x.topoi"}, 2, ""},
		{[]string{"\x1b[2Jcommand"}, 2, "unknown command"},
		{[]string{"help", "\x1b[2Jcommand"}, 2, "unknown command"},
		{[]string{"help", "cluster", "nope"}, 2, `unknown command "nope"`},
		{[]string{"train", "--\x1b[2Jflag"}, 2, ""},
		{[]string{"export", model, "--format", "gibbslda", "-o", "exported"}, 0, ""},
	} {
		code, output := runSafely(t, c.args...)
		if code != c.code || !strings.Contains(output, c.want) {
			t.Errorf("topoi %q: code %d, want %d and %q in\n%s", c.args, code, c.code, c.want, output)
		}
	}
	checkTopWords(t)
}

// checkTopWords looks at the file of top words, which people read.
func checkTopWords(t *testing.T) {
	t.Helper()
	paths, err := filepath.Glob("exported*/*.twords")
	if more, _ := filepath.Glob("exported*.twords"); len(more) > 0 {
		paths = append(paths, more...)
	}
	if err != nil || len(paths) != 1 {
		t.Fatalf("top words in %q, %v", paths, err)
	}
	text, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	if got := string(text); human.Lines(got) != got || !strings.Contains(got, "_]0;owned_") || strings.Contains(got, "\nlines") {
		t.Errorf("top words:\n%q", got)
	}
}
