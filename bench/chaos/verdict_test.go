package chaos

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A schedule passes with success or one sentence, and with nothing else.
func TestVerdict(t *testing.T) {
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\neval \"$1\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	f := &fixture{program: program}
	for _, test := range []struct {
		does   string
		ok     bool
		failed string
	}{
		{"true", true, ""},
		{"echo 'topoi: the file is damaged' >&2; exit 2", false, ""},
		{"exit 1", false, "0 sentences"},
		{"echo 'topoi: a' >&2; echo 'topoi: b' >&2; exit 2", false, "2 sentences"},
		{"echo 'goroutine 1 [running]:' >&2; echo 'topoi: a' >&2; exit 2", false, "a trace"},
		{"echo 'fatal error: fault' >&2; exit 0", true, "a trace"},
		{"kill -SEGV $$", false, "ended by a signal"},
	} {
		p, err := f.start(t.TempDir(), 0, test.does)
		if err != nil {
			t.Fatal(err)
		}
		ok, err := p.wait(false)
		if ok != test.ok || (err == nil) != (test.failed == "") || err != nil && !strings.Contains(err.Error(), test.failed) {
			t.Errorf("%s: %v, %v", test.does, ok, err)
		}
	}
}

// A file that was refused must still be there as it was.
func TestFlipped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("some bytes"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := draw(&fixture{}, 1, []string{"rest"}, t.TempDir())
	x, err := s.flip(path)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) == "some bytes" {
		t.Errorf("nothing was flipped: %v", err)
	}
	if err := x.undo(); err != nil {
		t.Error(err)
	}
	if err := x.undo(); err != nil {
		t.Errorf("a file that was written anew as it was: %v", err)
	}
	if err := os.WriteFile(path, []byte("other bytes"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := x.undo(); err == nil {
		t.Error("a changed file passes")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := x.undo(); err == nil {
		t.Error("a lost file passes")
	}
}
