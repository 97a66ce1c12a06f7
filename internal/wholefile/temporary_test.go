package wholefile

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

const leaveBehind = "TOPOI_TEST_LEAVE_BEHIND"

// What a killed process leaves is removed by the next one that writes the same path; what one
// that is alive is writing, and what only looks alike, stays.
func TestLeftovers(t *testing.T) {
	if !canLock {
		t.Skip("this system has no locks that end with their process")
	}
	if path := os.Getenv(leaveBehind); path != "" {
		if _, err := Create(path); err != nil {
			t.Fatal(err)
		}
		if _, err := MakeDir(path + ".model"); err != nil {
			t.Fatal(err)
		}
		os.Exit(3) // as if killed
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "a[b")
	child := exec.Command(os.Args[0], "-test.run=^TestLeftovers$")
	child.Env = append(os.Environ(), leaveBehind+"="+path)
	if err := child.Run(); child.ProcessState.ExitCode() != 3 {
		t.Fatal(err)
	}
	count := func() int {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	if n := count(); n != 4 {
		t.Fatalf("%d files were left behind, want two and their locks", n)
	}
	foreign := filepath.Join(dir, ".a[b.x.topoi-tmp")
	if err := os.WriteFile(foreign, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	alive, err := Create(path) // clears, and is then in the way of another one
	if err != nil {
		t.Fatal(err)
	}
	made, err := MakeDir(path + ".model")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(made.Temporary, "x"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	Clear(path)
	Clear(path + ".model")
	if n := count(); n != 5 {
		t.Errorf("%d files are there, want two that are being written, their locks and a foreign one", n)
	}
	if err := alive.Commit(); err != nil {
		t.Error(err)
	}
	made.Abort()
	if n := count(); n != 2 {
		t.Errorf("%d files are there, want the one written and a foreign one", n)
	}
}

// Where other machines do not see a lock, a temporary file without one may be theirs: it stays while it is new.
func TestLeftoversOfOtherMachines(t *testing.T) {
	defer func(before func(string) bool) { local = before }(local)
	local = func(string) bool { return false }
	path := filepath.Join(t.TempDir(), ".m.0123abcd"+suffix)
	for _, age := range []time.Duration{0, 2 * leftAlone} {
		if err := os.WriteFile(path, []byte("a part of it"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Now(), time.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
		Clear(filepath.Join(filepath.Dir(path), "m"))
		if _, err := os.Stat(path); (err == nil) != (age == 0) {
			t.Errorf("a file that is %v old: %v", age, err)
		}
	}
}
