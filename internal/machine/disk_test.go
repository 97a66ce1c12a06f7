package machine

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestDisk(t *testing.T) {
	dir := t.TempDir()
	if err := Writable(dir); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("%v is left, %v", entries, err)
	}
	missing := filepath.Join(dir, "missing")
	if Writable(missing) == nil {
		t.Error("a directory that is not there is writable")
	}
	if !SameDisk(dir, filepath.Dir(dir)) {
		t.Error("a directory is in another file system than the one above")
	}
	if runtime.GOOS != "linux" {
		return
	}
	if free, known := DiskFree(dir); !known || free == 0 || free > 1<<60 {
		t.Errorf("%d bytes are free, known: %v", free, known)
	}
	if _, known := DiskFree(missing); known || SameDisk(dir, missing) {
		t.Error("something is known of a directory that is not there")
	}
}
