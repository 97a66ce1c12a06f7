package emulate

import (
	"os"
	"path/filepath"
	"testing"
)

// The hash changes with the source and with any header it includes, and with
// nothing else.
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
	const head = "#include \"x.h\"\n"
	write("x.cu", head+"a")
	write("x.h", "#pragma once\n#include \"deep.h\"\n#include \"x.h\"\n")
	write("deep.h", "b")
	write("other.h", "c")
	first := hash()
	write("y.cu", "another kernel")
	write("other.h", "not included")
	if hash() != first {
		t.Error("what is not included changes the hash")
	}
	write("deep.h", "d")
	second := hash()
	write("x.cu", head+"ac")
	if third := hash(); second == first || third == second || third == first {
		t.Errorf("hashes %s, %s, %s", first, second, third)
	}
	if err := os.Remove(filepath.Join(dir, "deep.h")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"x", "z"} {
		if _, err := Hash(dir, name); err == nil {
			t.Errorf("%s has a hash, though not all of it is there", name)
		}
	}
}
