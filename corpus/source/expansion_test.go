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
		if err == nil || !strings.Contains(err.Error(), "a line of more than 32 MiB comes out of") {
			t.Errorf("%s: %v", format, err)
		}
	}
}

// panicking panics when it is read, as a decompressor might.
type panicking struct{}

func (panicking) Read([]byte) (int, error) { panic("no such table") }

// A decompressor that panics is an error of the input, not the end of the program.
func TestDecompressorPanics(t *testing.T) {
	a := newReadAhead(panicking{}, func() error { return nil })
	if _, err := a.Read(make([]byte, 10)); err == nil || err.Error() != "no such table" {
		t.Errorf("%v", err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}
