package topoi

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/topic"
)

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

// Files that are missing, cut, altered or of something else are told.
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
