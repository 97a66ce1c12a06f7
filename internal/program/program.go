// Package program builds the command line for tests of what is written around it: the
// packages for Python and R.
package program

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Build builds the program and returns its path. It vanishes with the test.
func Build(t *testing.T) string {
	t.Helper()
	name := "topoi"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path := filepath.Join(t.TempDir(), name)
	build := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-s -w", "-o", path, "github.com/topoi-lda/topoi/cmd/topoi")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// Need ends the test if the command that looks for what it needs fails: skipped, or
// failed if the variable is set, as the continuous integration has it.
func Need(t *testing.T, variable, what string, command ...string) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), command[0], command[1:]...).CombinedOutput()
	switch {
	case err == nil:
	case os.Getenv(variable) == "1":
		t.Fatalf("%s: %v\n%s", what, err, out)
	default:
		t.Skipf("skipped: %s (%s=1 makes this a failure)", what, variable)
	}
}

// Run runs a command in a directory, with the program as TOPOI_BINARY and more of the
// environment, and fails the test with what it wrote.
func Run(t *testing.T, dir, program string, environment []string, command ...string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), command[0], command[1:]...)
	c.Dir = dir
	c.Env = append(append(os.Environ(), "TOPOI_BINARY="+program), environment...)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, out)
	}
	t.Logf("%s", out)
}
