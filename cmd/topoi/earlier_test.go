package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/topoi-lda/topoi/internal/program"
)

// earlier is a commit whose program wrote the first formats.
const earlier = "87a3a985"

// What the program of an earlier commit has written, this one reads: a corpus, a model, and the checkpoint
// of a run that was killed. The history is needed for it, which shallow clones and archives lack.
func TestEarlierProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	dir := t.TempDir()
	before, now := buildEarlier(t, filepath.Join(dir, "tree")), program.Build(t)
	var text bytes.Buffer
	text.WriteString("id,text\n")
	for i := range 300 {
		text.WriteString([]string{"1,cats and kittens purr\n", "2,dogs and puppies bark\n"}[i%2])
	}
	if err := os.WriteFile(filepath.Join(dir, "a.csv"), text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(name string, args ...string) string {
		t.Helper()
		c := exec.CommandContext(t.Context(), name, args...)
		c.Dir = dir
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	run(before, "import", "a.csv", "-o", "a.topoi", "--quiet")
	run(before, "train", "a.topoi", "-k", "2", "--seed", "3", "--iterations", "40", "--quiet", "-o", "old.model")
	run(now, "verify", "a.topoi", "old.model", "--quiet")
	for _, command := range [][]string{{"fingerprint"}, {"topics"}} {
		want := run(before, append(command, "old.model")...)
		if got := run(now, append(command, "old.model")...); got != want {
			t.Errorf("%v of the earlier model: %s, want %s", command, got, want)
		}
	}
	if want, got := run(before, "infer", "old.model", "a.csv", "--quiet"), run(now, "infer", "old.model", "a.csv", "--quiet"); got != want {
		t.Error("the earlier model gives other topics")
	}
	killed := exec.CommandContext(t.Context(), "sh", "-c", `"$0" "$@" --checkpoint c --checkpoint-every 10 --tolerance 0 & p=$!
		until test -s c; do sleep 0.01; done; kill -KILL $p`, before,
		"train", "a.topoi", "-k", "2", "--seed", "3", "--iterations", "1000000000", "--quiet", "-o", "killed.model")
	killed.Dir = dir
	if out, err := killed.CombinedOutput(); err != nil {
		t.Skipf("nothing could be killed: %v\n%s", err, out)
	}
	run(now, "verify", "c", "--quiet")
}

// buildEarlier builds the program of the earlier commit, or skips the test.
func buildEarlier(t *testing.T, tree string) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err == nil {
		err = os.Mkdir(tree, 0o777)
	}
	if err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(tree, "tree.tar")
	if out, err := exec.Command("git", "-C", root, "archive", "-o", archive, earlier).CombinedOutput(); err != nil {
		t.Skipf("the history is not there: %s", out)
	}
	path := filepath.Join(tree, "topoi.exe")
	for _, command := range [][]string{{"tar", "-xf", archive}, {"go", "build", "-trimpath", "-o", path, "./cmd/topoi"}} {
		c := exec.CommandContext(t.Context(), command[0], command[1:]...)
		c.Dir = tree
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", command, err, out)
		}
	}
	return path
}
