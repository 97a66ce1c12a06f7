package disk

import (
	"path/filepath"
	"runtime"
	"testing"
)

func TestFree(t *testing.T) {
	dir := t.TempDir()
	if n, known := Free(dir); runtime.GOOS == "linux" && (!known || n == 0) {
		t.Errorf("%d bytes, known: %v", n, known)
	}
	if _, known := Free(filepath.Join(dir, "none")); known {
		t.Error("room in a directory that is not there")
	}
}
