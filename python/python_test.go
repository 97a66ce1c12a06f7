// Package python_test runs the tests of the Python package with the program of this
// tree.
package python_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/program"
)

// modules are the modules that the package and its tests need.
const modules = "numpy scipy pandas sklearn anndata tqdm pytest hatchling pip nbconvert ipykernel tornado"

// looks is a program that fails if a module is missing. It imports none, which takes seconds.
const looks = `import importlib.util, sys; sys.exit(not all(map(importlib.util.find_spec, "` + modules + `".split())))`

func TestPython(t *testing.T) {
	if testing.Short() {
		t.Skip("runs for some seconds")
	}
	python := interpreter()
	program.Need(t, "TOPOI_REQUIRE_PYTHON", "there is no Python with "+modules, python, "-c", looks)
	for _, path := range []string{"src", "tests", "notebooks", "README.md", "pyproject.toml", "hatch_build.py", "hatch_version.py", "../docs/python.md"} {
		program.Depend(t, path)
	}
	source, err := filepath.Abs("src")
	if err != nil {
		t.Fatal(err)
	}
	// Sources are not compiled to files: the tree stays as it is. Small matrices need no threads.
	// TOPOI_PYTHONPATH names where modules lie that Debian does not package, such as MLflow.
	path := strings.TrimSuffix(source+string(filepath.ListSeparator)+os.Getenv("TOPOI_PYTHONPATH"), string(filepath.ListSeparator))
	environment := []string{"PYTHONPATH=" + path, "PYTHONDONTWRITEBYTECODE=1", "OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1"}
	program.Run(t, ".", program.Build(t), environment, python, "-m", "pytest", "--durations=5", "-rs")
}

// interpreter returns a Python that has the modules, if there is one: the first on PATH
// may be another than the system's.
func interpreter() string {
	if exec.Command("python3", "-c", looks).Run() == nil {
		return "python3"
	}
	return "/usr/bin/python3"
}
