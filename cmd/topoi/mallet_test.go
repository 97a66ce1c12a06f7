package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// malletPython returns a Python that has what wrappers of MALLET need. Without one the test
// is skipped, or fails if TOPOI_REQUIRE_PYTHON=1.
func malletPython(t *testing.T) string {
	for _, python := range []string{"/usr/bin/python3", "python3"} {
		if exec.Command(python, "-c", "from importlib.util import find_spec as find; exit(not all(map(find, ['numpy', 'pandas', 'gensim'])))").Run() == nil {
			return python
		}
	}
	if os.Getenv("TOPOI_REQUIRE_PYTHON") == "1" {
		t.Fatal("no Python with numpy, pandas and gensim: install the packages python3-pandas and python3-gensim")
	}
	t.Skip("skipped: no Python with numpy, pandas and gensim (TOPOI_REQUIRE_PYTHON=1 makes this a failure)")
	return ""
}

// The wrappers of MALLET that people use get what they need from this program under MALLET's name.
func TestMalletWrappers(t *testing.T) {
	t.Parallel()
	python := malletPython(t)
	mallet, err := exec.LookPath("mallet") // TestMain has put it there
	if err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs("testdata/mallet/wrappers.py")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), python, script, mallet, t.TempDir()).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "all wrappers are served") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestCalledArguments(t *testing.T) {
	for _, c := range []struct{ program, want string }{
		{"/opt/bin/mallet", "mallet train-topics"},
		{"mallet.exe", "mallet train-topics"},
		{"topoi", "train-topics"},
		{"/opt/mallet/topoi", "train-topics"},
	} {
		if got := strings.Join(calledArguments([]string{c.program, "train-topics"}), " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.program, got, c.want)
		}
	}
}
