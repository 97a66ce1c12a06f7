package wholefile

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestCommitReplacesAbortKeeps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	for _, step := range []struct {
		content string
		commit  bool
		want    string
	}{{"one", true, "one"}, {"two", false, "one"}, {"three", true, "three"}} {
		f, err := Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(step.content); err != nil {
			t.Fatal(err)
		}
		if step.commit {
			if err := f.Commit(); err != nil {
				t.Fatal(err)
			}
		}
		f.Abort()
		got, err := os.ReadFile(path)
		if err != nil || string(got) != step.want {
			t.Errorf("after %+v the file holds %q, %v", step, got, err)
		}
		entries, _ := os.ReadDir(filepath.Dir(path))
		if len(entries) != 1 {
			t.Errorf("after %+v the directory holds %v", step, entries)
		}
	}
}

func TestErrorsNameThePathAndTheRemedy(t *testing.T) {
	dir := t.TempDir()
	_, err := Create(filepath.Join(dir, "no", "x"))
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "does not exist; make it first") {
		t.Errorf("missing directory: %v", err)
	}
	if _, err = Create(dir); err == nil || !strings.Contains(err.Error(), "it is a directory") {
		t.Errorf("a directory: %v", err)
	}
	full := Explain("corpus.topoi", &fs.PathError{Op: "write", Path: ".corpus.topoi.1.tmp", Err: syscall.ENOSPC})
	if want := "cannot write corpus.topoi: no space left on device"; full.Error() != want {
		t.Errorf("full disk: %q, want %q", full, want)
	}
	if os.Geteuid() != 0 { // who may write everywhere
		if err := os.Chmod(dir, 0o555); err != nil {
			t.Fatal(err)
		}
		_, err = Create(filepath.Join(dir, "no", "x"))
		if want := "cannot be made because " + dir + " is not writable"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("below a directory that cannot be written: %v", err)
		}
	}
	denied := Explain("d/corpus.topoi", &fs.PathError{Op: "open", Path: "d/.tmp", Err: syscall.EACCES})
	if want := "cannot write d/corpus.topoi: the directory . is not writable (permission denied)"; denied.Error() != want {
		t.Errorf("not writable: %q, want %q", denied, want)
	}
}

// A device must survive being written to: replacing /dev/full by a file would
// harm the whole machine.
func TestDevicesAreWrittenToAndKept(t *testing.T) {
	before, err := os.Stat("/dev/full")
	if err != nil || before.Mode().IsRegular() {
		t.Skip("no /dev/full on this machine")
	}
	f, err := Create("/dev/full")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("x"); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("writing gave %v, want no space left", err)
	}
	f.Abort()
	if after, err := os.Stat("/dev/full"); err != nil || !os.SameFile(before, after) {
		t.Errorf("/dev/full was replaced (%v)", err)
	}
}

// What is written early is what was written.
func TestEarly(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, want := Early(f), []byte{}
	for i := range 5 {
		piece := bytes.Repeat([]byte{byte(i)}, earlyBytes/2+i)
		want = append(want, piece...)
		if n, err := w.Write(piece); n != len(piece) || err != nil {
			t.Fatal(n, err)
		}
	}
	if got, err := os.ReadFile(f.Name()); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v; %d bytes, want %d", err, len(got), len(want))
	}
	f.Close()
	if _, err := w.Write(want); err == nil {
		t.Error("a closed file was written to")
	}
}
