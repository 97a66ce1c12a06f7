package input

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// A file that is read ahead has the same text, also where its encoding shows late, and can be closed at any time.
func TestReadAheadOfLargeFiles(t *testing.T) {
	defer func(size int64) { readAheadFrom = size }(readAheadFrom)
	latin := append(bytes.Repeat([]byte("some lines of text\n"), 100_000), "caf\xe9 cr\xe8me\n"...)
	path := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(path, latin, 0o600); err != nil {
		t.Fatal(err)
	}
	var want []byte
	for _, size := range []int64{1 << 40, 1} {
		readAheadFrom = size
		f, err := OpenFile(path, Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, ahead := f.plain.(*readAhead); ahead != (size == 1) {
			t.Errorf("from %d bytes on: read ahead is %v", size, ahead)
		}
		got, err := io.ReadAll(f)
		if err != nil || !bytes.HasSuffix(got, []byte("café crème\n")) {
			t.Fatalf("got %d bytes that end in %q, %v", len(got), got[max(0, len(got)-20):], err)
		}
		if want == nil {
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Error("read ahead, the text is another")
		}
		if f, err = OpenFile(path, Options{}, nil); err == nil {
			_, err = f.Read(make([]byte, 10))
		}
		if err != nil || f.Close() != nil {
			t.Errorf("closing it early: %v", err)
		}
	}
}
