package corpus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/corpus/text"
)

// write puts files into a new directory and returns its path.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestImportUCI(t *testing.T) {
	dir := write(t, map[string]string{
		"docword.tiny.txt": "4\n3\n4\n1 2 2\n1 3 1\n3 1 1\n3 2 1\n",
		"vocab.tiny.txt":   "ship\nwhale\nunused\n",
	})
	out := filepath.Join(dir, "tiny.topoi")
	report, err := Import(context.Background(), []string{filepath.Join(dir, "docword.tiny.txt")}, out, ImportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	report.Seconds = 0
	want := Report{Format: "uci", Guessed: true, Bytes: 30, Docs: 4, Words: 3, Tokens: 5, EmptyDocs: 2}
	if !reflect.DeepEqual(*report, want) {
		t.Errorf("report %+v, want %+v", *report, want)
	}
	c, err := Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if got, want := show(c), "0: whale whale unused\n1:\n2: ship whale\n3:\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if len(c.Pipeline()) != 0 {
		t.Errorf("pipeline %q for an input of counts", c.Pipeline())
	}
}

func TestImportText(t *testing.T) {
	dir := write(t, map[string]string{"a.tsv": "id\tlabel\ttext\nm1\tsea\tThe whales and the sea\nm2\ttown\tA town by the SEA\n"})
	opts := ImportOptions{Text: text.Options{Stem: true}}
	c, report, err := Load(context.Background(), []string{filepath.Join(dir, "a.tsv")}, opts)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if got, want := show(c), "m1: sea whale\nm2: sea town\n"; got != want || c.Label(1) != "town" {
		t.Errorf("%q, want %q; label %q", got, want, c.Label(1))
	}
	if got, want := string(c.Pipeline()), `{"version":4,"languages":["auto","en","zh","ja","ko"],"stem":true}`; got != want {
		t.Errorf("pipeline %s, want %s", got, want)
	}
	if report.Format != "tsv" || !report.Guessed {
		t.Errorf("report %+v", report)
	}
	if left := leftovers(t, dir); !slices.Equal(left, []string{"a.tsv"}) {
		t.Errorf("left behind %v", left)
	}
}

func TestCorpusFilesAsInput(t *testing.T) {
	golden := filepath.Join("testdata", "v1.topoi")
	want := goldenCorpus()
	ctx := context.Background()

	same, report, err := Load(ctx, []string{golden}, ImportOptions{Vocabulary: want.Words()})
	if err != nil {
		t.Fatal(err)
	}
	defer same.Close()
	sameContent(t, want, same)
	if same.file.path != golden || report.Format != "topoi" || report.EmptyDocs != 1 || report.Tokens != 7 {
		t.Errorf("opened %s, report %+v", same.file.path, report)
	}

	copied := filepath.Join(t.TempDir(), "copy.topoi")
	if _, err := Import(ctx, []string{golden}, copied, ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(readAll(t, golden), readAll(t, copied)) {
		t.Error("importing a corpus file gives other bytes")
	}

	pruned, report, err := Load(ctx, []string{golden}, ImportOptions{MinCF: 2, DropEmpty: true})
	if err != nil {
		t.Fatal(err)
	}
	defer pruned.Close()
	if got, want := show(pruned), "moby: ship whale whale\nzürich: ship\n"; got != want || report.EmptyDocs != 1 || report.Format != "topoi" {
		t.Errorf("%q, want %q; %+v", got, want, report)
	}
	if string(pruned.Pipeline()) != `{"stem":true}` {
		t.Errorf("pipeline %q", pruned.Pipeline())
	}

	mixed := []string{"files_test.go", golden}
	if _, _, err := Load(ctx, mixed, ImportOptions{}); err == nil || !strings.Contains(err.Error(), "other corpus files only") {
		t.Errorf("a corpus file and another: %v", err)
	}
}

func TestAllFaultsOfOptionsAtOnce(t *testing.T) {
	opts := ImportOptions{
		Source:     source.Options{Format: "ucl"},
		Text:       text.Options{Languages: []string{"klingon"}, Phrases: []string{"new york"}},
		Phrases:    &PhraseOptions{MinCount: -1, MinNPMI: 2},
		Vocabulary: MakeStrings([]string{"a"}),
		MinDF:      5, MaxDF: 2, MinCF: -1, MaxWords: -1, Threads: -1,
	}
	_, _, err := Load(context.Background(), []string{"nothing"}, opts)
	if err == nil {
		t.Fatal("accepted")
	}
	for _, want := range []string{
		`unknown format "ucl"`, `unknown language "klingon"`, "Phrases.MinCount is -1", "Phrases.MinNPMI is 2",
		"phrases cannot be both given and searched for", "phrases cannot be searched for with a fixed vocabulary",
		"no word can occur in at most 2 and at least 5 documents", "occurrences of a word is -1",
		"largest number of words is -1", "number of threads is -1",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in:\n%v", want, err)
		}
	}
}

// TestFullDiskIsOneSentence: neither the temporary file's name nor its system
// call is the user's concern.
func TestFullDiskIsOneSentence(t *testing.T) {
	full := writing(&fs.PathError{Op: "write", Path: "/data/.topoi-17.tmp", Err: syscall.ENOSPC})
	err := explainWrite("kos.topoi", fmt.Errorf("in passing: %w", full))
	if got, want := err.Error(), "cannot write kos.topoi: no space left on device"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Error("the cause is lost")
	}
}
