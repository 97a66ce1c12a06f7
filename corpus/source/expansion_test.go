package source

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// A few kilobytes that stand for an endless line are refused after some megabytes.
func TestEndlessLine(t *testing.T) {
	var packed bytes.Buffer
	z, err := zstd.NewWriter(&packed)
	if err != nil {
		t.Fatal(err)
	}
	for range 70 {
		if _, err := z.Write(bytes.Repeat([]byte("a"), 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "bomb.txt")
	if err := os.WriteFile(path, packed.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"lines", "text"} {
		r, err := Open([]string{path}, Options{Format: format})
		if err == nil {
			err = r.Next(&Document{})
			r.Close()
		}
		if err == nil || !strings.Contains(err.Error(), "a line of more than 32 MiB was unpacked from") {
			t.Errorf("%s: %v", format, err)
		}
	}
}
