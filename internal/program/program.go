// Package program builds the command line for tests of what is written around it: the packages for Python and R.
package program

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// sources prints the files of this module that the program is made of.
const sources = `{{if .Module}}{{if .Module.Main}}{{$dir := .Dir}}{{range .GoFiles}}{{$dir}}/{{.}}
{{end}}{{range .EmbedFiles}}{{$dir}}/{{.}}
{{end}}{{end}}{{end}}`

// module is this module, and command the package of the program in it.
const (
	module  = "github.com/topoi-lda/topoi"
	command = module + "/cmd/topoi"
)

// Build builds the program and returns its path. It vanishes with the test. If TOPOI_TEST_PROGRAM names a program that
// was built from this tree, Build returns that.
func Build(t *testing.T) string {
	t.Helper()
	root, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := strings.TrimSpace(string(root)) // tests of other modules do not know what the program needs
	find := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", sources, command)
	find.Dir = dir
	list, err := find.Output()
	if err != nil {
		t.Fatal(err)
	}
	for path := range strings.Lines(string(list)) {
		if path = strings.TrimSpace(path); path != "" {
			Depend(t, path)
		}
	}
	if path := os.Getenv("TOPOI_TEST_PROGRAM"); path != "" {
		return path
	}
	path := filepath.Join(t.TempDir(), "topoi")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-s -w", "-o", path, command)
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// Depend makes the test depend on a file, or on all files of a directory: the Go tool takes a result from its cache
// only if what a test itself has looked at has not changed, and knows nothing of what other programs read.
func Depend(t *testing.T, path string) {
	t.Helper()
	err := filepath.WalkDir(path, func(path string, _ fs.DirEntry, err error) error {
		if err == nil {
			_, err = os.Stat(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
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
