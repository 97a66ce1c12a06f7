package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// target is a system that the program is built for.
type target struct {
	name     string // in names of files
	os, arch string // GOOS and GOARCH
	tags     string // build tags
	platform string // tag of the wheel
}

// targets lists all. On Linux the program loads the CUDA driver, for which it needs glibc;
// the static one has no GPU and runs anywhere.
var targets = []target{
	{"linux-amd64", "linux", "amd64", "", "manylinux_2_17_x86_64"},
	{"linux-arm64", "linux", "arm64", "", "manylinux_2_17_aarch64"},
	{"linux-amd64-static", "linux", "amd64", "nocuda", "musllinux_1_1_x86_64"},
	{"linux-arm64-static", "linux", "arm64", "nocuda", "musllinux_1_1_aarch64"},
	{"macos-amd64", "darwin", "amd64", "", "macosx_12_0_x86_64"},
	{"macos-arm64", "darwin", "arm64", "", "macosx_12_0_arm64"},
	{"windows-amd64", "windows", "amd64", "", "win_amd64"},
}

// program returns the file name of the program.
func (t target) program() string {
	if t.os == "windows" {
		return "topoi.exe"
	}
	return "topoi"
}

func targetNames() []string {
	names := make([]string, len(targets))
	for i, t := range targets {
		names[i] = t.name
	}
	return names
}

// chooseTargets returns the targets of a comma-separated list, all if it is empty.
func chooseTargets(names string) ([]target, error) {
	if names == "" {
		return targets, nil
	}
	var list []target
	for _, name := range strings.Split(names, ",") {
		i := slices.Index(targetNames(), name)
		if i < 0 {
			return nil, fmt.Errorf("unknown target %q: there are %s", name, strings.Join(targetNames(), ", "))
		}
		list = append(list, targets[i])
	}
	return list, nil
}

// wheel builds the wheel of a target around the program that was built for it. Without a Python package there is nothing to do.
func (r *release) wheel(t target, python string) error {
	source := filepath.Join(r.root, "python")
	if _, err := os.Stat(filepath.Join(source, "pyproject.toml")); err != nil {
		return nil
	}
	dir, err := os.MkdirTemp("", "topoi-wheel-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, t.program())
	if err := r.compile(t, program); err != nil { // from the cache
		return err
	}
	c := exec.Command(python, "-c", "import hatchling.build, sys; hatchling.build.build_wheel(sys.argv[1])", r.out)
	c.Dir = source
	c.Env = append(os.Environ(), "TOPOI_WHEEL_BINARY="+program, "TOPOI_WHEEL_PLATFORM="+t.platform, "TOPOI_WHEEL_VERSION="+wheelVersion(r.version),
		fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.time.Unix()), "GOOS="+t.os, "GOARCH="+t.arch)
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("the wheel: %w\n%s", err, out)
	}
	made, err := filepath.Glob(filepath.Join(r.out, "*-"+t.platform+".whl"))
	if err != nil || len(made) != 1 {
		return fmt.Errorf("the wheel: found %q of the platform %s, expected one", made, t.platform)
	}
	return os.Chmod(made[0], 0o644) // hatchling makes it for its owner alone
}

// wheelVersion makes a version of Python's kind: that of a tag without the v, and of a commit
// 1.2.3.devTIME.
func wheelVersion(version string) string {
	version = strings.TrimPrefix(version, "v")
	if source, commit, ok := strings.Cut(version, "-dev."); ok {
		when, _, _ := strings.Cut(commit, ".")
		return source + ".dev" + when
	}
	return strings.Replace(version, "-rc", "rc", 1)
}
