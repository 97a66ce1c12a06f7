package main

import (
	"fmt"
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
