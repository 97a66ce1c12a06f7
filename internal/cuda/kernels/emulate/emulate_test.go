package emulate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFaults(t *testing.T) {
	Need(t, Available())
	if _, err := Compile("..", "nosuch"); err == nil || !strings.Contains(err.Error(), "nosuch.cu") {
		t.Errorf("a source that is not there: %v", err)
	}
	program, err := Compile("..", "philox")
	if err != nil {
		t.Fatal(err)
	}
	for want, launch := range map[string]func(*Emulator) error{
		"no kernel nosuch":            func(e *Emulator) error { return e.Launch("nosuch", 1, 32) },
		"threads must be whole warps": func(e *Emulator) error { return e.Launch("philox_blocks", 1, 33) },
		"cannot be an argument":       func(e *Emulator) error { return e.Launch("philox_blocks", 1, 32, "text") },
	} {
		e, err := Start(program)
		if err != nil {
			t.Fatal(err)
		}
		if err := launch(e); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
		_ = e.Close() // already ended by the fault
	}
}

// A program is made once, and another one as soon as a header changes.
func TestProgramsAreKept(t *testing.T) {
	Need(t, Available())
	dir := t.TempDir()
	for _, file := range []string{"philox.cu", "philox.h", "device.h", "emulate/runtime/emulate.cc", "emulate/runtime/device.h"} {
		text, err := os.ReadFile(filepath.Join("..", file))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	made := func(dir string) (string, os.FileInfo) {
		t.Helper()
		program, err := Compile(dir, "philox")
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(program)
		if err != nil {
			t.Fatal(err)
		}
		return program, info
	}
	_, first := made("..")
	if _, again := made(dir); !os.SameFile(first, again) {
		t.Error("the same sources were compiled again")
	}
	header, err := os.OpenFile(filepath.Join(dir, "philox.h"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := header.WriteString("// changed\n"); err != nil {
		t.Fatal(err)
	}
	if err := header.Close(); err != nil {
		t.Fatal(err)
	}
	program, changed := made(dir)
	if os.SameFile(first, changed) {
		t.Error("another header gives the old program")
	}
	if err := os.Remove(program); err != nil {
		t.Fatal(err)
	}
}
