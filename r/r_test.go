// Package r_test runs the tests of the R package with the program of this tree.
package r_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/program"
)

const packages = `for (p in c("generics", "jsonlite", "Matrix", "reshape2", "testthat", "tibble", "tidytext", "tm")) loadNamespace(p)`

// install installs the package into a library of its own, without help pages.
func install(t *testing.T) (library, binary string) {
	if testing.Short() {
		t.Skip("runs for some seconds")
	}
	program.Need(t, "TOPOI_REQUIRE_R", "there is no R with the packages that are needed", "Rscript", "-e", packages)
	for _, path := range []string{"DESCRIPTION", "NAMESPACE", "R", "tests", "../docs/r.md", "../python/src"} {
		program.Depend(t, path)
	}
	library, binary = t.TempDir(), program.Build(t)
	program.Run(t, ".", binary, nil, "R", "CMD", "INSTALL", "--no-docs", "--no-test-load", "--library="+library, ".")
	return library, binary
}

func TestR(t *testing.T) {
	library, binary := install(t)
	// Whatever is written stays out of the tree.
	tests := filepath.Join(t.TempDir(), "tests")
	if err := os.CopyFS(tests, os.DirFS("tests")); err != nil {
		t.Fatal(err)
	}
	program.Run(t, tests, binary, []string{"R_LIBS=" + library}, "Rscript", "testthat.R")
	t.Run("page", func(t *testing.T) { page(t, library, binary) })
	t.Run("same bytes", func(t *testing.T) { sameBytes(t, library, binary) })
}

// R's own check of packages finds nothing to note. It takes a while, and runs where the tests of
// R are required.
func TestCheck(t *testing.T) {
	if os.Getenv("TOPOI_REQUIRE_R") != "1" {
		t.Skip("skipped: R CMD check takes a while (TOPOI_REQUIRE_R=1 runs it)")
	}
	for _, path := range []string{"DESCRIPTION", "NAMESPACE", "R", "man", "tests"} {
		program.Depend(t, path)
	}
	source, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	dir, binary := t.TempDir(), program.Build(t)
	// What needs a network is left out; packages that Debian lacks may be missing.
	environment := []string{
		"_R_CHECK_CRAN_INCOMING_=false", "_R_CHECK_SYSTEM_CLOCK_=0", "_R_CHECK_FORCE_SUGGESTS_=false", "LC_ALL=C.UTF-8",
	}
	program.Run(t, dir, binary, nil, "R", "CMD", "build", source)
	check := []string{"R", "CMD", "check", "--as-cran", "--no-manual", "--no-tests", "topoi_0.1.0.tar.gz"}
	program.Run(t, dir, binary, environment, check...)
	log, err := os.ReadFile(filepath.Join(dir, "topoi.Rcheck", "00check.log"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(log), "\nStatus: OK") {
		t.Errorf("R CMD check has something to say:\n%s", log)
	}
}

// page runs what the documentation shows in R.
func page(t *testing.T, library, binary string) {
	text, err := os.ReadFile("../docs/r.md")
	if err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	for _, block := range regexp.MustCompile("(?ms)^```r\n(.*?)^```").FindAllStringSubmatch(string(text), -1) {
		script.WriteString(block[1])
	}
	if !strings.Contains(script.String(), "tidy(") {
		t.Fatal("the page shows no tidy table")
	}
	path := filepath.Join(t.TempDir(), "page.R")
	if err := os.WriteFile(path, []byte(script.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	program.Run(t, t.TempDir(), binary, []string{"R_LIBS=" + library}, "Rscript", path)
}

// sameBytes trains one model from R, from Python and from the command line.
func sameBytes(t *testing.T, library, binary string) {
	dir := t.TempDir()
	var texts strings.Builder
	for i := range 60 {
		fmt.Fprintln(&texts, strings.Repeat([]string{"cat dog pet fur ", "bank loan fund rate ", "rain wind snow hail "}[i%3], 1+i%4))
	}
	if err := os.WriteFile(filepath.Join(dir, "texts.txt"), []byte(texts.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	source, err := filepath.Abs("../python/src")
	if err != nil {
		t.Fatal(err)
	}
	environment := append(os.Environ(), "TOPOI_BINARY="+binary, "R_LIBS="+library, "PYTHONPATH="+source, "PYTHONDONTWRITEBYTECODE=1")
	run := func(command ...string) string {
		c := exec.CommandContext(t.Context(), command[0], command[1:]...)
		c.Dir, c.Env = dir, environment
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", command[0], err, out)
		}
		return strings.TrimSpace(string(out))
	}
	program.Need(t, "TOPOI_REQUIRE_PYTHON", "there is no Python with numpy and scipy", "/usr/bin/python3", "-c", "import numpy, scipy")
	run(binary, "train", "texts.txt", "--format", "lines", "-k", "3", "--iterations", "30", "--seed", "7", "-o", "m", "--quiet")
	want, _, _ := strings.Cut(run(binary, "info", "--fingerprint", "m"), " ")
	for _, other := range [][]string{
		{"Rscript", "-e", `cat(topoi::topoi_fingerprint(topoi::topoi_train(readLines("texts.txt"), 3, iterations = 30, seed = 7)))`},
		{"/usr/bin/python3", "-c", `import topoi; print(topoi.train(open("texts.txt").read().splitlines(), 3, iterations=30, seed=7).fingerprint)`},
	} {
		if got := run(other...); got != want || len(want) != 32 {
			t.Errorf("%s gives a model with the fingerprint %q, the command line one with %q", other[0], got, want)
		}
	}
}
