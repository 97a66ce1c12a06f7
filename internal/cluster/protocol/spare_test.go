package protocol

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Files of blobs that were deleted are written again, whatever was in them, and whoever is reading one then finds that it is gone.
func TestSpareFiles(t *testing.T) {
	dir := t.TempDir()
	var s spares
	write := func(name, text string) os.FileInfo {
		t.Helper()
		f := s.take()
		if f == nil {
			f, _ = os.Create(filepath.Join(dir, "new"))
		}
		if err := fill(f, []byte(text), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	deleted := write("a", "a long one")
	early, err := os.Open(filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	defer early.Close()
	for range 2 { // another time it is not there any more
		if err := s.add(filepath.Join(dir, "a"), filepath.Join(dir, "spare"), 1); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := readBeside(nil, filepath.Join(dir, "a")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if again := write("b", "short"); !os.SameFile(deleted, again) || again.Size() != 5 {
		t.Errorf("%d bytes in another file", again.Size())
	}
	if other := write("c", "text"); os.SameFile(deleted, other) {
		t.Error("a file is written twice")
	}
	write("a", "another")
	if b, err := readOpen(nil, early, filepath.Join(dir, "a")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%q, %v", b, err)
	}
	if b, err := readBeside(nil, filepath.Join(dir, "b")); err != nil || string(b) != "short" {
		t.Errorf("%q, %v", b, err)
	}
	for _, name := range []string{"b", "c"} { // one of which is too many
		if err := s.add(filepath.Join(dir, name), filepath.Join(dir, "spare"), 1); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	}
	if left, err := os.ReadDir(filepath.Join(dir, "spare")); len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "spare")); err != nil {
		t.Fatal(err)
	}
	write("d", "without spares")
}
