package topoi

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/topic"
)

var update = flag.Bool("update", false, "write the golden files anew")

// readDir returns the content of every file in dir by name.
func readDir(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string][]byte)
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = b
	}
	return files
}

// sameModel compares everything that users see of two models.
func sameModel(t testing.TB, got, want *Model) {
	t.Helper()
	equal := func(what string, got, want any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: %v, want %v", what, got, want)
		}
	}
	equal("manifest", got.Manifest(), want.Manifest())
	equal("words", got.Words().List(), want.Words().List())
	equal("alpha", got.Alpha(), want.Alpha())
	equal("totals", got.TopicTotals(), want.TopicTotals())
	for w := range want.NumWords() {
		equal("row", append([]topic.Count{}, got.Row(w)...), append([]topic.Count{}, want.Row(w)...))
	}
	n := want.Manifest().Tokens
	equal("topics", got.AppendTopics(nil, 0, n), want.AppendTopics(nil, 0, n))
	for i := range n {
		equal("topic", got.Topic(i), want.Topic(i))
	}
	equal("fingerprint", got.Fingerprint(), want.Fingerprint())
	gotDocs, err := got.Docs()
	if err != nil {
		t.Fatal(err)
	}
	wantDocs, err := want.Docs()
	if err != nil {
		t.Fatal(err)
	}
	equal("documents", gotDocs.Fingerprint(), wantDocs.Fingerprint())
}

func TestModelRoundTrip(t *testing.T) {
	dir := t.TempDir()
	count := 0
	rapid.Check(t, func(rt *rapid.T) {
		k := rapid.SampledFrom([]int{1, 3, 65536, 65537}).Draw(rt, "k")
		words := rapid.SliceOfNDistinct(rapid.String(), 1, 20, rapid.ID[string]).Draw(rt, "words")
		docs := rapid.SliceOfN(rapid.SliceOfN(rapid.Uint32Range(0, uint32(len(words)-1)), 0, 10), 0, 10).Draw(rt, "docs")
		topics := rapid.SliceOfN(rapid.Uint32Range(0, uint32(k-1)), 100, 100).Draw(rt, "z")
		want := assign(corpus.FromIDs(words, docs), k, func(i int) uint32 { return topics[i] })
		count++
		path := filepath.Join(dir, string(rune('a'+count%26)))
		if err := want.Save(path, SaveOptions{Overwrite: true}); err != nil {
			rt.Fatal(err)
		}
		got, err := Open(path)
		if err != nil {
			rt.Fatal(err)
		}
		sameModel(t, got, want)
		if err := got.Verify(); err != nil {
			rt.Fatal(err)
		}
		if err := got.Close(); err != nil {
			rt.Fatal(err)
		}
	})
}

// TestModelBytesRepeat saves a model, opens it and saves it again.
func TestModelBytesRepeat(t *testing.T) {
	dir := t.TempDir()
	first, second := filepath.Join(dir, "first"), filepath.Join(dir, "second")
	if err := handModel(3).Save(first, SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	m, err := Open(first)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if err := m.Save(second, SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(readDir(t, first), readDir(t, second)) {
		t.Error("a model that was opened and saved again has other bytes")
	}
}

// TestModelWithHeldOutDocuments saves a model whose documents are the first of
// a larger corpus.
func TestModelWithHeldOutDocuments(t *testing.T) {
	all := corpus.FromTokens([][]string{{"a", "b"}, {"b", "c", "c"}, {"a", "d"}})
	want := assign(all.Docs(0, 2), 2, func(i int) uint32 { return uint32(i % 2) })
	dir := filepath.Join(t.TempDir(), "model")
	if err := want.Save(dir, SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	got, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	sameModel(t, got, want)
	docs, err := got.Docs()
	if err != nil || docs.NumDocs() != 2 || docs.Whole().Fingerprint() != all.Fingerprint() {
		t.Errorf("documents: %v, %v", docs, err)
	}
}

// TestGoldenModel opens the frozen model of format version 1 and finds that
// today's program would write the same arrays. The manifest may have gained
// fields since; sameModel compares its content.
func TestGoldenModel(t *testing.T) {
	golden := filepath.Join("internal", "modelfile", "testdata", "model-v1")
	want := handModel(3)
	if *update {
		if err := want.Save(golden, SaveOptions{Overwrite: true}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Open(golden)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	sameModel(t, got, want)
	if print := got.Fingerprint(); print != goldenFingerprint {
		t.Errorf("fingerprint %s, want %s", print, goldenFingerprint)
	}
	if err := got.Verify(); err != nil {
		t.Error(err)
	}
	fresh := filepath.Join(t.TempDir(), "fresh")
	if err := want.Save(fresh, SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	gotFiles, wantFiles := readDir(t, fresh), readDir(t, golden)
	for name := range wantFiles {
		if name != modelfile.Manifest && !bytes.Equal(gotFiles[name], wantFiles[name]) {
			t.Errorf("%s differs from the golden one", name)
		}
	}
	if len(gotFiles) != len(wantFiles) {
		t.Errorf("%d files, the golden model has %d", len(gotFiles), len(wantFiles))
	}
}

const goldenFingerprint = "123633f7fde055d1613854de7d039aa0"

func TestFingerprintFollowsWhatWasLearned(t *testing.T) {
	base := handModel(3).Fingerprint()
	changed := map[string]func(m *Model){
		"α":      func(m *Model) { m.has.Alpha[1] *= 2 },
		"β":      func(m *Model) { m.beta *= 2 },
		"z":      func(m *Model) { m.has.Topics.Wide[0]++ },
		"counts": func(m *Model) { m.has.Entries[0].Count++ },
	}
	for what, change := range changed {
		m := handModel(3)
		change(m)
		if m.Fingerprint() == base {
			t.Errorf("the fingerprint does not follow %s", what)
		}
	}
	m := handModel(3)
	m.manifest.Pipeline, m.manifest.History, m.manifest.Stopped = nil, nil, StopPlateau
	if m.Fingerprint() != base {
		t.Error("the fingerprint follows more than what was learned")
	}
}

func TestSaveRefuses(t *testing.T) {
	dir := t.TempDir()
	m := handModel(2)
	model, other, file := filepath.Join(dir, "model"), filepath.Join(dir, "other"), filepath.Join(dir, "file")
	if err := m.Save(model, SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(other, "precious"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("precious"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		path      string
		overwrite bool
		want      string
	}{
		{model, false, "cannot write the model: " + model + ": file already exists; choose another name or allow overwriting"},
		{other, true, "cannot write the model: " + other + " exists and is not a topoi model; choose another name"},
		{file, true, "cannot write the model: " + file + " exists and is not a topoi model; choose another name"},
		{filepath.Join(dir, "no", "model"), false, "cannot write " + filepath.Join(dir, "no", "model") + ": the directory " + filepath.Join(dir, "no") + " does not exist; make it first (no such file or directory)"},
	} {
		if err := m.Save(test.path, SaveOptions{Overwrite: test.overwrite}); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v\nwant %s", test.path, err, test.want)
		}
	}
	if err := m.Save(model, SaveOptions{Overwrite: true, Run: []byte("{}")}); err != nil {
		t.Errorf("overwriting a model: %v", err)
	}
	if err := os.WriteFile(filepath.Join(model, "notes.txt"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := m.Save(model, SaveOptions{Overwrite: true}); err == nil || !strings.Contains(err.Error(), "the directory also holds notes.txt") {
		t.Errorf("a model with notes in it: %v", err)
	}
	var names []string
	for name := range readNames(t, dir) {
		names = append(names, name)
	}
	slices.Sort(names)
	if want := []string{"file", "model", "other"}; !slices.Equal(names, want) {
		t.Errorf("the directory holds %v, want %v", names, want)
	}
}

func readNames(t testing.TB, dir string) map[string]bool {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, e := range entries {
		names[e.Name()] = true
	}
	return names
}

func TestOpenElsewhere(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no directory: %v", err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(file); !errors.Is(err, ErrNotModel) || !strings.Contains(err.Error(), "this is a file, and a model is a directory") {
		t.Errorf("a file: %v", err)
	}
}

// TestModelWithoutDocuments opens and uses a model whose corpus is gone, and
// refuses one whose corpus is another.
func TestModelWithoutDocuments(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "model")
	if err := handModel(3).Save(dir, SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	documents := filepath.Join(dir, modelfile.Documents)
	if err := os.Remove(documents); err != nil {
		t.Fatal(err)
	}
	m, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.TopWords(0, 3)) != 3 || m.Verify() != nil {
		t.Error("the model is of no use without its documents")
	}
	if _, err := m.Docs(); err == nil || !strings.Contains(err.Error(), "put the training corpus at") {
		t.Errorf("missing documents: %v", err)
	}
	m.Close()
	if err := corpus.FromTokens([][]string{{"x"}}).Save(documents); err != nil {
		t.Fatal(err)
	}
	if m, err = Open(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Docs(); !errors.Is(err, ErrModelDamaged) {
		t.Errorf("another corpus: %v", err)
	}
	m.Close()
}
