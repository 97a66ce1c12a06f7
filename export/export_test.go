package export

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/topoi-lda/topoi"
)

var update = flag.Bool("update", false, "write the golden files anew")

// goldenModel opens the frozen model of the root package: 5 documents, one of
// them empty, 16 words, 23 tokens, 3 topics.
func goldenModel(t testing.TB) *topoi.Model {
	t.Helper()
	m, err := topoi.Open(filepath.Join("..", "internal", "modelfile", "testdata", "model-v1"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// exported writes the model and returns the bytes of every file by name; ""
// names a file that is no directory.
func exported(t testing.TB, m *topoi.Model, format string, o Options) map[string][]byte {
	t.Helper()
	f, err := Find(format)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "out")
	if err := Write(t.Context(), m, format, path, o); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	names := []string{""}
	if f.Directory {
		entries, err := os.ReadDir(path)
		if err != nil {
			t.Fatal(err)
		}
		names = nil
		for _, e := range entries {
			if e.Name() != "model" { // a model, of which the fingerprint is in MLmodel
				names = append(names, e.Name())
			}
		}
	}
	for _, name := range names {
		if files[name], err = os.ReadFile(filepath.Join(path, name)); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// Every format has its grammar in the documentation, or at least its name there.
func TestFormatsAreDescribed(t *testing.T) {
	page, err := os.ReadFile("../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	_, exports, _ := strings.Cut(string(page), "\n## Exports\n")
	for _, name := range formatNames() {
		if !strings.Contains(exports, "`"+name+"`") {
			t.Errorf("docs/formats.md does not say what `%s` is", name)
		}
	}
}

// logarithmic names the formats with numbers that pass through logarithms, whose
// last digit is not the same on all processors.
var logarithmic = []string{"csv-topics", "csv-topic-words", "mallet-diagnostics", "pyldavis"}

// TestGolden compares all text formats with frozen files, made on amd64.
func TestGolden(t *testing.T) {
	m := goldenModel(t)
	for _, f := range Formats() {
		if !f.Text && f.Name != "gibbslda" && f.Name != "gensim" && !strings.HasPrefix(f.Name, "npy-") {
			continue
		}
		if runtime.GOARCH != "amd64" && slices.Contains(logarithmic, f.Name) {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			for name, got := range exported(t, m, f.Name, Options{}) {
				golden := filepath.Join("testdata", strings.TrimSuffix(f.Name+"-"+name, "-")+".golden")
				if *update {
					if err := os.WriteFile(golden, got, 0o666); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(golden)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got, want) {
					t.Errorf("%s differs:\n%s", golden, got)
				}
			}
		})
	}
}

// The bytes are the same for any number of threads, also of a model whose export is cut
// into many pieces, and whatever the compression.
func TestSameBytes(t *testing.T) {
	defer func(n int) { parquetRowGroup = n }(parquetRowGroup)
	parquetRowGroup = 100
	docs := 1800
	if testing.Short() {
		docs = 500
	}
	many := manyTopics(t, docs, 40)
	for _, m := range []*topoi.Model{goldenModel(t), many} {
		for _, f := range Formats() {
			want := exported(t, m, f.Name, Options{Threads: 1})
			for name, got := range exported(t, m, f.Name, Options{Threads: 4}) {
				if !bytes.Equal(got, want[name]) {
					t.Errorf("%s %s: the bytes depend on the number of threads", f.Name, name)
				}
			}
		}
	}
	for _, extension := range []string{".gz", ".zst"} {
		var files [2][]byte
		for i, threads := range []int{1, 4} {
			path := filepath.Join(t.TempDir(), "out"+extension)
			if err := Write(t.Context(), many, "mallet-doc-topics", path, Options{Threads: threads}); err != nil {
				t.Fatal(err)
			}
			files[i], _ = os.ReadFile(path)
		}
		if !bytes.Equal(files[0], files[1]) {
			t.Errorf("%s: %d and %d bytes, different", extension, len(files[0]), len(files[1]))
		}
	}
}

func TestCompressionByName(t *testing.T) {
	m := manyTopics(t, 3000, 40) // several blocks of compression
	want := exported(t, m, "mallet-doc-topics", Options{})[""]
	for extension, open := range map[string]func(io.Reader) (io.Reader, error){
		".gz":  func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		".zst": func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
	} {
		path := filepath.Join(t.TempDir(), "state"+extension)
		if err := Write(t.Context(), m, "mallet-doc-topics", path, Options{}); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		r, err := open(f)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(got, want) || len(want) < deflateBlock+1 {
			t.Errorf("%s: %v, %d bytes, want %d", extension, err, len(got), len(want))
		}
	}
}

func TestRefusals(t *testing.T) {
	m := goldenModel(t)
	dir := t.TempDir()
	taken := filepath.Join(dir, "taken")
	if err := os.Mkdir(taken, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		format, path string
		options      Options
		want         string
	}{
		{"malet-state", "x", Options{}, `unknown export format "malet-state": did you mean "mallet-state"?`},
		{"mallet-state", filepath.Join(dir, "no", "x"), Options{}, "make it first"},
		{"mallet-state", taken, Options{}, "it is a directory"},
		{"gibbslda", taken, Options{}, "cannot write " + taken + ": file already exists; choose another name or remove it"},
		{"gibbslda", "-", Options{}, "this format is a directory of several files: give the name of a directory instead of -"},
		{"parquet-topics", filepath.Join(dir, "x.gz"), Options{}, "this format is already compressed; choose a name without .gz"},
		{"json", filepath.Join(dir, "x"), Options{MinTheta: 2}, "the smallest share is 2: it must be between 0 and 1"},
		{"json", filepath.Join(dir, "x"), Options{Top: -1}, "the number of topics per document is -1: it must not be negative"},
	} {
		if err := Write(t.Context(), m, test.format, test.path, test.options); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s to %s: %v\nwant %s", test.format, test.path, err, test.want)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestCancelledLeavesNothing(t *testing.T) {
	m := goldenModel(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, f := range Formats() {
		dir := t.TempDir()
		err := Write(ctx, m, f.Name, filepath.Join(dir, "out"), Options{})
		if f.Name == "json" { // one step: nothing to cancel
			continue
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", f.Name, err)
		}
		if entries, _ := os.ReadDir(dir); len(entries) != 0 {
			t.Errorf("%s left %v", f.Name, entries)
		}
	}
	if _, err := (&job{modelJob: modelJob{ctx: ctx, model: m}}).exclusivities(); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestProgressEnds(t *testing.T) {
	m := goldenModel(t)
	var done, total int64 = -1, -2
	err := Write(t.Context(), m, "mallet-state", filepath.Join(t.TempDir(), "x"), Options{Progress: func(d, n int64) { done, total = d, n }})
	if err != nil || done != total || total != 5 {
		t.Errorf("%v, progress ended at %d of %d", err, done, total)
	}
}

// TestWithoutDocuments exports what needs no documents from a model without any.
func TestWithoutDocuments(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "model")
	if err := goldenModel(t).Save(dir, topoi.SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "corpus.topoi")); err != nil {
		t.Fatal(err)
	}
	m, err := topoi.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for _, f := range Formats() {
		err := Write(t.Context(), m, f.Name, filepath.Join(t.TempDir(), "out"), Options{})
		if (err != nil) != f.Docs {
			t.Errorf("%s: needs documents %v, got %v", f.Name, f.Docs, err)
		}
	}
}
