//go:build unix

package source

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Named pipes and devices in a directory are told and left out; a device that is named is refused.
func TestPipesAndDevices(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.txt", "some words")
	write(t, dir, "b.pdf", "x")
	write(t, dir, "c.docx", "x")
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.txt"), 0o600); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("/dev/zero", filepath.Join(dir, "zero.txt")); err != nil {
		t.Fatal(err)
	}
	r, err := Open([]string{dir}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var doc Document
	docs := 0
	for r.Next(&doc) == nil {
		docs++
	}
	taken := r.Taken()
	want := "1 .docx file, 1 .pdf file, 1 pipe.txt (a pipe or device) file, 1 zero.txt (a pipe or device) file"
	if docs != 1 || taken.Left() != want {
		t.Errorf("%d documents, left %s", docs, taken.Left())
	}
	if _, err := Open([]string{"/dev/zero"}, Options{}); err == nil || !strings.Contains(err.Error(), "this is a device") {
		t.Errorf("%v", err)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
