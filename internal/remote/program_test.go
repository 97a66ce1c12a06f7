package remote_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/topoi-lda/topoi/internal/program"
	"github.com/topoi-lda/topoi/internal/redistest"
	"github.com/topoi-lda/topoi/internal/remote"
)

// topoi runs the program in dir and returns what it printed and its exit code.
func topoi(t *testing.T, command, dir string, args ...string) (string, int) {
	t.Helper()
	c := exec.CommandContext(t.Context(), command, args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil && c.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), c.ProcessState.ExitCode()
}

// table writes a CSV file with n documents.
func table(t *testing.T, path string, first, n int) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("id,text\n")
	for i := first; i < first+n; i++ {
		fmt.Fprintf(&b, "d%d,%s\n", i, []string{"soil garden rain leaves compost", "train station passengers track carriage", "ball team match coach fans"}[i%3])
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// From a data set in a store to topics in the store, every file is the one that files on disk give.
func TestProgram(t *testing.T) {
	put, get := remote.StartStore(t)
	command := program.Build(t)
	dir := t.TempDir()
	table(t, filepath.Join(dir, "data/day=1/a.csv"), 0, 60)
	table(t, filepath.Join(dir, "data/day=2/b.csv"), 60, 60)
	put(filepath.Join(dir, "data"), "s3://bucket/data")
	run := func(args ...string) string {
		t.Helper()
		out, code := topoi(t, command, dir, args...)
		if code != 0 {
			t.Fatalf("%v: exit code %d\n%s", args, code, out)
		}
		return out
	}
	for _, place := range []string{"", "s3://bucket/"} {
		run("import", place+"data", "-o", place+"x.topoi", "--quiet", "--min-df", "1")
		out := run("train", place+"x.topoi", "-k", "3", "--iterations", "20", "-o", place+"m.model")
		if !strings.Contains(out, "saved "+place+"m.model") || strings.Contains(out, os.TempDir()) {
			t.Errorf("train says %s", out)
		}
		run("infer", place+"m.model", place+"data", "--as", "csv", "-o", place+"topics/", "--incremental")
		out = run("infer", place+"m.model", place+"data", "--as", "csv", "-o", place+"topics/", "--incremental")
		if !strings.Contains(out, "wrote 0 files") || !strings.Contains(out, "2 files had not changed") {
			t.Errorf("the second run says %s", out)
		}
		run("export", place+"m.model", "--format", "csv-topics", "-o", place+"topics.csv", "--quiet")
	}
	for _, name := range []string{"x.topoi", "m.model/rows.u32", "m.model/manifest.json", "topics.csv", "topics/day=1/a.csv", "topics/day=2/b.csv"} {
		want, err := os.ReadFile(filepath.Join(dir, name))
		if got := get("s3://bucket/" + name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs: %d bytes, %d on disk (%v)", name, len(got), len(want), err)
		}
	}
	if out := run("topics", "s3://bucket/m.model"); out != run("topics", "m.model") {
		t.Errorf("topics says %s", out)
	}
	for name, text := range map[string]string{"a.txt": "soil garden rain", "sub/b.txt": "train station track", "c.md": "no"} {
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, "texts/sub"), 0o777), os.WriteFile(filepath.Join(dir, "texts", name), []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	put(filepath.Join(dir, "texts"), "s3://bucket/texts")
	run("import", "texts", "-o", "here.topoi", "--min-df", "1", "--quiet")
	run("import", "s3://bucket/texts/", "-o", "there.topoi", "--min-df", "1", "--quiet")
	here, _ := os.ReadFile(filepath.Join(dir, "here.topoi"))
	if there, err := os.ReadFile(filepath.Join(dir, "there.topoi")); err != nil || !bytes.Equal(here, there) {
		t.Errorf("texts of a store differ from those of a disk: %v", err)
	}
	table(t, filepath.Join(dir, "data/day=2/b.csv"), 60, 61)
	put(filepath.Join(dir, "data/day=2/b.csv"), "s3://bucket/data/day=2/b.csv")
	if out := run("infer", "s3://bucket/m.model", "s3://bucket/data", "--as", "csv", "-o", "s3://bucket/topics/", "--incremental"); !strings.Contains(out, "wrote 1 file ") {
		t.Errorf("after a change: %s", out)
	}
	for want, args := range map[string][]string{
		"s3://bucket/m.model already exists":                                         {"train", "s3://bucket/x.topoi", "-k", "2", "-o", "s3://bucket/m.model"},
		"s3://bucket/none.csv: the store answered 404":                               {"import", "s3://bucket/none.csv", "-o", "y.topoi"},
		"--checkpoint must be on a disk":                                             {"train", "x.topoi", "-k", "2", "-o", "m2.model", "--checkpoint", "s3://bucket/c"},
		"topics/ holds topics already":                                               {"infer", "m.model", "data", "-o", "topics/"},
		"topoi name writes into the directory of the model: fetch s3://bucket/m.mod": {"name", "s3://bucket/m.model", "0=x"},
	} {
		if out, code := topoi(t, command, dir, args...); code != 2 || !strings.Contains(out, want) {
			t.Errorf("%v: exit code %d, %s", args, code, out)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), ".topoi-remote*")); len(left) > 0 {
		t.Errorf("copies are left: %v", left)
	}
}

// Of a Parquet file with a large column that is not wanted, little more than the wanted columns is fetched.
func TestProgramColumns(t *testing.T) {
	command, dir := program.Build(t), t.TempDir()
	type row struct {
		ID    int64  `parquet:"id"`
		Text  string `parquet:"text"`
		Large []byte `parquet:"large"`
	}
	if err := os.Mkdir(filepath.Join(dir, "data"), 0o777); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, "data/a.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	w := parquet.NewGenericWriter[row](f, parquet.MaxRowsPerRowGroup(1000))
	noise := rand.NewChaCha8([32]byte{})
	for i := range 4000 {
		large := make([]byte, 15000)
		_, _ = noise.Read(large)
		if _, err := w.Write([]row{{int64(i), "soil garden rain leaves " + fmt.Sprint("word", i%50), large}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	root := remote.StartClouds(t, filepath.Join(dir, "data"), "data")[0]
	remote.Asked()
	if out, code := topoi(t, command, dir, "import", root+"data/a.parquet", "--columns", "id", "-o", "x.topoi", "--quiet"); code != 0 {
		t.Fatal(out)
	}
	if n := remote.Asked(); n > 20<<20 {
		t.Errorf("%.1f MiB were fetched of a file of 58 MiB with four row groups, in blocks of 4 MiB", float64(n)/(1<<20))
	}
}

// Machines import the parts of a data set, and workers read their own parts of the corpus, from a store. The model is
// the one that one machine makes.
func TestProgramParts(t *testing.T) {
	command, dir := program.Build(t), t.TempDir()
	for day := range 4 {
		table(t, filepath.Join(dir, fmt.Sprintf("data/day=%d/a.csv", day)), 60*day, 60)
	}
	root := remote.StartClouds(t, filepath.Join(dir, "data"), "data")[0]
	server := redistest.Start(t, redistest.Config{})
	job := []string{"--store", server.SocketURL(), "--job", "parts"}
	run := func(args ...string) {
		t.Helper()
		if out, code := topoi(t, command, dir, args...); code != 0 {
			t.Fatalf("%v: exit code %d\n%s", args, code, out)
		}
	}
	// Short copies in different parts are not found, so that they are not looked for here.
	run("import", "data", "-o", "x.topoi", "--quiet", "--duplicates", "keep")
	run("train", "x.topoi", "-k", "3", "--iterations", "20", "--sampler", "warp", "-o", "m.model", "--quiet")
	run("import", root+"data/", "--part", "1/2", "-o", root+"part1.topoi", "--quiet")
	run("import", root+"data/", "--part", "2/2", "-o", root+"part2.topoi", "--quiet")
	run("import", root+"part1.topoi", root+"part2.topoi", "-o", root+"x.topoi", "--quiet", "--duplicates", "keep")
	run(append([]string{"cluster", "submit", root + "x.topoi", "-k", "3", "--iterations", "20", "--sampler", "warp", "--workers", "2", "--quiet"}, job...)...)
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			if out, code := topoi(t, command, dir, append([]string{"cluster", "work", "--log", "none"}, job...)...); code != 0 {
				t.Error(out)
			}
		})
	}
	workers.Wait()
	run(append([]string{"cluster", "result", "-o", root + "m.model", "--wait", "--quiet"}, job...)...)
	if err := errors.Join(remote.Fetch(root+"m.model", filepath.Join(dir, "there.model")), remote.Fetch(root+"x.topoi", filepath.Join(dir, "there.topoi"))); err != nil {
		t.Fatal(err)
	}
	for a, b := range map[string]string{"x.topoi": "there.topoi", "m.model/rows.u32": "there.model/rows.u32"} {
		want, err := os.ReadFile(filepath.Join(dir, a))
		if got, fault := os.ReadFile(filepath.Join(dir, b)); err != nil || fault != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs: %d bytes, %d expected (%v, %v)", b, len(got), len(want), err, fault)
		}
	}
}

// Documents and models of a web server are read without a store.
func TestProgramWeb(t *testing.T) {
	command, dir := program.Build(t), t.TempDir()
	table(t, filepath.Join(dir, "a.csv"), 0, 60)
	web := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer web.Close()
	for _, in := range []string{"a.csv", web.URL + "/a.csv"} {
		if out, code := topoi(t, command, dir, "import", in, "-o", "x.topoi", "--overwrite", "--quiet"); code != 0 {
			t.Fatal(out)
		}
		b, err := os.ReadFile(filepath.Join(dir, "x.topoi"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.topoi", len(in))), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	a, _ := os.ReadFile(filepath.Join(dir, "5.topoi"))
	b, _ := os.ReadFile(filepath.Join(dir, fmt.Sprintf("%d.topoi", len(web.URL)+6)))
	if len(a) == 0 || !bytes.Equal(a, b) {
		t.Error("the corpora differ")
	}
	if out, code := topoi(t, command, dir, "info", web.URL+"/x.topoi"); code != 0 || !strings.Contains(out, "60 documents") {
		t.Error(out)
	}
}

// Objects of Google and Azure may stand wherever those of Amazon may.
func TestProgramClouds(t *testing.T) {
	command, dir := program.Build(t), t.TempDir()
	table(t, filepath.Join(dir, "data/day=1/a.csv"), 0, 60)
	table(t, filepath.Join(dir, "data/day=2/b.csv"), 60, 60)
	for _, root := range remote.StartClouds(t, filepath.Join(dir, "data"), "data") {
		for _, args := range [][]string{
			{"import", root + "data/", "-o", root + "x.topoi", "--quiet", "--min-df", "1"},
			{"train", root + "x.topoi", "-k", "3", "--iterations", "20", "-o", root + "m.model", "--quiet"},
			{"infer", root + "m.model", root + "data/day=*/*.csv", "--as", "csv", "-o", root + "topics/", "--quiet"},
		} {
			if out, code := topoi(t, command, dir, args...); code != 0 {
				t.Fatalf("%v: exit code %d\n%s", args, code, out)
			}
		}
	}
}
