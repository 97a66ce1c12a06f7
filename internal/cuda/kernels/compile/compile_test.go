package compile

import (
	"os"
	"path/filepath"
	"testing"
)

func TestHead(t *testing.T) {
	hash, version, err := Head("// Compiled from x.cu\n// sources sha256:abc\n// compiler 19.1.7\n.version 7.0\n")
	if hash != "abc" || version != "19.1.7" || err != nil {
		t.Errorf("got %q, %q, %v", hash, version, err)
	}
	for _, bad := range []string{"", ".version 7.0\n", "//\n//\n//\n//\n"} {
		if _, _, err := Head(bad); err == nil {
			t.Errorf("%q accepted", bad)
		}
	}
}

// The hash changes with the source and with any header, and with nothing else.
func TestHash(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	hash := func() string {
		t.Helper()
		h, err := Hash(dir, "x")
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	write("x.cu", "a")
	write("x.h", "b")
	first := hash()
	write("y.cu", "another kernel")
	if hash() != first {
		t.Error("another kernel changes the hash")
	}
	write("x.h", "c")
	second := hash()
	write("x.cu", "ac")
	if third := hash(); second == first || third == second || third == first {
		t.Errorf("hashes %s, %s, %s", first, second, third)
	}
	if _, err := Hash(dir, "z"); err == nil {
		t.Error("a source that is not there has a hash")
	}
}
