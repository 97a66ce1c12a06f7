package topoi

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/topic"
)

// edit changes one file of a saved model.
type edit func(t *testing.T, dir string)

func cut(name string, n int64) edit {
	return func(t *testing.T, dir string) {
		if err := os.Truncate(filepath.Join(dir, name), n); err != nil {
			t.Fatal(err)
		}
	}
}

func remove(name string) edit {
	return func(t *testing.T, dir string) {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

func flip(name string, i int) edit {
	return func(t *testing.T, dir string) {
		path := filepath.Join(dir, name)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		b[i] ^= 1
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func write(name, content string) edit {
	return func(t *testing.T, dir string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// manifest changes the manifest and mends its checksum.
func manifest(change func(f *manifestFile)) edit {
	return func(t *testing.T, dir string) {
		path := filepath.Join(dir, modelfile.Manifest)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var f manifestFile
		if err := json.Unmarshal(b, &f); err != nil {
			t.Fatal(err)
		}
		change(&f)
		if b, err = modelfile.Seal(&f, &f.Checksum); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestBrokenModels(t *testing.T) {
	damaged := func(s string) string { return "damaged model: " + s + "; copy the model again" }
	for _, test := range []struct {
		name string
		edit edit
		kind error
		want string
	}{
		{"no manifest", remove(modelfile.Manifest), ErrNotModel, "not a topoi model: the directory has no manifest.json"},
		{"another manifest", write(modelfile.Manifest, `{"name":"web app"}`), ErrNotModel, "not a topoi model: its manifest.json does not describe a model"},
		{"a list", write(modelfile.Manifest, `[1, 2]`), ErrNotModel, "not a topoi model: its manifest.json does not describe a model"},
		{"empty manifest", write(modelfile.Manifest, ""), ErrNotModel, "not a topoi model: its manifest.json does not describe a model"},
		{"cut manifest", cut(modelfile.Manifest, 900), ErrModelDamaged, damaged("manifest.json is not valid JSON (unexpected end of JSON input)")},
		{"newer", manifest(func(f *manifestFile) { f.FormatVersion = 4 }), ErrModelVersion, "unknown version of the model: it has version 4, and this program reads versions 1 to 3; use a newer program or train again"},
		{"β altered", func(t *testing.T, dir string) {
			b, _ := os.ReadFile(filepath.Join(dir, modelfile.Manifest))
			write(modelfile.Manifest, strings.Replace(string(b), `"beta": 0.0125`, `"beta": 0.0126`, 1))(t, dir)
		}, ErrModelDamaged, damaged("the checksum of manifest.json does not match")},
		{"K of 0", manifest(func(f *manifestFile) { f.Topics = 0 }), ErrModelDamaged, damaged("manifest.json: its sizes are out of range")},
		{"negative β", manifest(func(f *manifestFile) { f.Beta = -1 }), ErrModelDamaged, damaged("manifest.json: β is -1")},
		{"an array less", manifest(func(f *manifestFile) { f.Arrays = f.Arrays[:7] }), ErrModelDamaged, damaged("manifest.json: it lists 7 arrays, not 8")},
		{"another array", manifest(func(f *manifestFile) { f.Arrays[3].Type = "f64" }), ErrModelDamaged, damaged("manifest.json: array 3 is rows.u32 of f64, not rows.u32 of u32")},
		{"other lengths", manifest(func(f *manifestFile) { f.Topics = 4 }), ErrModelDamaged, damaged("manifest.json: array alpha.f64 has 3 elements, not 4")},
		{"missing array", remove(modelfile.Rows), ErrModelDamaged, damaged("the file rows.u32 is missing")},
		{"cut array", cut(modelfile.Topics, 13), ErrModelDamaged, damaged("the file topics.u16 has 13 bytes, not 23 elements of 2 bytes")},
		{"empty array", cut(modelfile.Alpha, 0), ErrModelDamaged, damaged("the file alpha.f64 has 0 bytes, not 3 elements of 8 bytes")},
		{"row ends", flip(modelfile.RowEnds, 7), ErrModelDamaged, damaged("row_ends.u64 does not fit rows.u32")},
		{"word ends", flip(modelfile.WordEnds, 7), ErrModelDamaged, damaged("word_ends.u64 does not fit words.utf8")},
		{"totals", flip(modelfile.Totals, 0), ErrModelDamaged, damaged("topic_totals.u64 adds up to 22 tokens, not 23")},
		{"α negative", flip(modelfile.Alpha, 7), ErrModelDamaged, damaged("the checksum of alpha.f64 does not match")},
		{"topic altered", flip(modelfile.Topics, 0), ErrModelDamaged, damaged("the checksum of topics.u16 does not match")},
		{"a word altered", flip(modelfile.Words, 0), ErrModelDamaged, damaged("the checksum of words.utf8 does not match")},
		{"text options altered", flip(modelfile.Pipeline, 3), ErrModelDamaged, damaged("the checksum of pipeline.json does not match")},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "model")
			if err := handModel(3).Save(dir, SaveOptions{}); err != nil {
				t.Fatal(err)
			}
			test.edit(t, dir)
			_, err := Open(dir)
			if !errors.Is(err, test.kind) || err.Error() != dir+": "+test.want {
				t.Errorf("%v\nwant %s: %s", err, dir, test.want)
			}
		})
	}
}

// A model from a zip archive is the one of the directory, but for its documents.
func TestOpenFS(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "model")
	if err := handModel(3).Save(dir, SaveOptions{Run: []byte(`{"a":1}`)}); err != nil {
		t.Fatal(err)
	}
	want, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer want.Close()
	if err := want.SetLabels(topic.Labels{Names: map[int]string{1: "bread"}}); err != nil {
		t.Fatal(err)
	}
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	if err := w.AddFS(os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(archive.Bytes()), int64(archive.Len()))
	if err != nil {
		t.Fatal(err)
	}
	m, err := OpenFS(r)
	if err != nil {
		t.Fatal(err)
	}
	if m.Fingerprint() != want.Fingerprint() || m.Label(1) != "bread" || string(m.Run()) != `{"a":1}` {
		t.Errorf("fingerprint %s, label %q, run %s", m.Fingerprint(), m.Label(1), m.Run())
	}
	if a, b := fmt.Sprint(m.TopWords(2, 5)), fmt.Sprint(want.TopWords(2, 5)); a != b {
		t.Errorf("words %s, want %s", a, b)
	}
	if err := m.Verify(); err != nil {
		t.Error(err)
	}
	tokens := []string{"moon", "sea", "never seen", "wave"}
	a, err := m.InferTokens(t.Context(), tokens, InferOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := want.InferTokens(t.Context(), tokens, InferOptions{})
	if err != nil || a.Tokens != 3 || fmt.Sprint(a.Topics) != fmt.Sprint(b.Topics) {
		t.Errorf("%d tokens, topics %v, want %v, %v", a.Tokens, a.Topics, b.Topics, err)
	}
	if _, err := m.Docs(); !errors.Is(err, errNoDocuments) {
		t.Errorf("documents: %v", err)
	}
	if err := m.Save(filepath.Join(t.TempDir(), "copy"), SaveOptions{}); !errors.Is(err, errNoDocuments) {
		t.Errorf("saved without documents: %v", err)
	}
	if err := m.SetLabels(topic.Labels{Names: map[int]string{1: "flour"}}); err != nil || m.Label(1) != "flour" || want.Label(1) != "bread" {
		t.Errorf("labels %q and %q, %v", m.Label(1), want.Label(1), err)
	}
	if err := m.Close(); err != nil || m.NumTopics() != 0 {
		t.Errorf("closed: %v, %d topics", err, m.NumTopics())
	}
}

// Files that are missing, cut or altered, or that are no arrays, are errors.
func TestOpenFSBroken(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "model")
	if err := handModel(3).Save(dir, SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	whole := readDir(t, dir)
	for name, want := range map[string]error{
		modelfile.Manifest: ErrNotModel, modelfile.Rows: ErrModelDamaged, modelfile.Words: ErrModelDamaged,
		modelfile.Alpha: ErrModelDamaged,
	} {
		for fault, change := range map[string]func(b []byte) []byte{
			"missing": func([]byte) []byte { return nil },
			"cut":     func(b []byte) []byte { return b[:len(b)-1] },
			"altered": func(b []byte) []byte {
				b[len(b)/2] ^= 1
				return b
			},
		} {
			files := fstest.MapFS{}
			for other, b := range whole {
				if other == name {
					b = change(bytes.Clone(b))
				}
				if b != nil {
					files[other] = &fstest.MapFile{Data: b}
				}
			}
			_, err := OpenFS(files)
			if name == modelfile.Manifest && fault != "missing" {
				want = ErrModelDamaged
			}
			if !errors.Is(err, want) && !errors.Is(err, ErrNotModel) {
				t.Errorf("%s is %s: %v, want %v", name, fault, err, want)
			}
		}
	}
}
