package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/program"
	"github.com/topoi-lda/topoi/internal/redistest"
)

// earlier is a commit of this repository whose program spoke protocol 10 and wrote the first formats of corpora, models
// and checkpoints.
const earlier = "87a3a985"

// buildEarlier builds the program of an earlier commit. It skips the test where the history does not reach back, as in a
// shallow clone or an archive of the source.
func buildEarlier(t *testing.T) string {
	t.Helper()
	root := filepath.Join("..", "..")
	if err := exec.Command("git", "-C", root, "cat-file", "-e", earlier+"^{commit}").Run(); err != nil {
		t.Skipf("the history does not reach back to %s: %v", earlier, err)
	}
	tree, built := t.TempDir(), filepath.Join(t.TempDir(), "topoi")
	source, err := exec.Command("git", "-C", root, "archive", earlier).Output()
	if err != nil {
		t.Fatal(err)
	}
	unpack := exec.Command("tar", "-x", "-C", tree)
	unpack.Stdin = bytes.NewReader(source)
	build := exec.Command("go", "build", "-buildvcs=false", "-o", built, "./cmd/topoi")
	build.Dir = tree
	for _, command := range []*exec.Cmd{unpack, build} {
		if said, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", command.Args, err, said)
		}
	}
	return built
}

// versions are the programs of two versions.
type versions struct {
	*testing.T
	old, now string
}

// does runs a program, which must succeed, and returns what it says.
func (v versions) does(program string, args ...string) string {
	v.Helper()
	said, err := exec.Command(program, args...).CombinedOutput()
	if err != nil {
		v.Fatalf("%v: %v\n%s", args, err, said)
	}
	return string(said)
}

// refuses runs a program, which must refuse with exit code 2 and one sentence.
func (v versions) refuses(words, program string, args ...string) {
	v.Helper()
	said, err := exec.Command(program, args...).CombinedOutput()
	var exit *exec.ExitError
	sentence := strings.TrimSpace(string(said))
	if !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.HasPrefix(sentence, "topoi: ") ||
		strings.Contains(sentence, "\n") || !strings.Contains(sentence, words) {
		v.Errorf("%v: %v\n%s\nwant exit code 2 and one sentence with %q", args, err, said, words)
	}
}

// resumes kills the earlier program when it has written a checkpoint. This one goes on from there, to the same model.
func (v versions) resumes(train []string, model, checkpoint string) {
	v.Helper()
	v.does(v.old, train...)
	want := v.does(v.old, "fingerprint", model)
	train = append(train, "--checkpoint", checkpoint, "--checkpoint-every", "1")
	killed := exec.Command(v.old, train...)
	if err := killed.Start(); err != nil {
		v.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if _, err := os.Stat(checkpoint); err == nil {
			break
		}
	}
	_ = killed.Process.Kill() // it may have ended, and then there is no checkpoint
	_ = killed.Wait()
	if _, err := os.Stat(checkpoint); err != nil {
		v.Fatal(err)
	}
	v.does(v.now, append(train, "--resume")...)
	if got := v.does(v.now, "info", "--fingerprint", model); got != want {
		v.Errorf("a run that goes on from the checkpoint gives %s, and the earlier program %s", got, want)
	}
}

// A corpus, a model and a checkpoint of an earlier program are read by this one. A job of one version is refused by the
// workers of the other, in one sentence that says what to do, and can be watched and removed by both.
func TestEarlierVersion(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds an earlier program")
	}
	v := versions{t, buildEarlier(t), program.Build(t)}
	dir := t.TempDir()
	corpus, model, checkpoint := filepath.Join(dir, "c.topoi"), filepath.Join(dir, "m"), filepath.Join(dir, "m.checkpoint")
	v.does(v.old, "generate", "--docs", "300", "--words", "200", "--topics", "5", "-o", corpus, "--quiet")
	train := []string{"train", corpus, "-k", "8", "--sampler", "warp", "--seed", "3", "--tolerance", "0", "--quiet", "-o", model}
	v.does(v.old, append(train, "--iterations", "20")...)
	if was, is := v.does(v.old, "fingerprint", model), v.does(v.now, "info", "--fingerprint", "--verify", model); was != is {
		t.Errorf("the model has the fingerprint %s, which was %s", is, was)
	}
	v.does(v.now, "verify", corpus, model, "--quiet")
	v.does(v.now, "topics", model)
	v.resumes(append(train, "--overwrite", "--iterations", "400"), model, checkpoint)
	if err := os.RemoveAll(model); err != nil {
		t.Fatal(err)
	}
	server := redistest.Start(t, redistest.Config{})
	for _, mix := range [][2]string{{v.old, v.now}, {v.now, v.old}} {
		job := []string{"--store", server.SocketURL(), "--job", "mixed"}
		v.does(mix[0], append([]string{"cluster", "submit", corpus, "-k", "8", "--iterations", "10", "--quiet"}, job...)...)
		v.refuses("run the same program everywhere", mix[1], append([]string{"cluster", "work", "--log", "none"}, job...)...)
		v.refuses("run the same program everywhere", mix[1], append([]string{"cluster", "result", "-o", model}, job...)...)
		v.does(mix[1], append([]string{"cluster", "cancel"}, job...)...)
		if left := server.Left(); len(left) > 0 {
			t.Errorf("keys are left: %q", left)
		}
	}
}
