// Package compile turns the kernels' CUDA C++ into PTX with clang, which needs
// no CUDA toolkit for that, and tells whether PTX is up to date.
package compile

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Compiler is the compiler's command. Its major version is fixed because another
// one gives another, equally right, text.
const Compiler = "clang++-19"

// Flags are the compiler's. No contraction to fused multiply-add: results must
// equal those of plain Go. With it off, clang writes add.rn and mul.rn, which the
// driver's compiler may not fuse either.
var Flags = []string{
	"-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib",
	"--cuda-gpu-arch=sm_80", "--cuda-feature=+ptx70",
	"-std=c++17", "-O3", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-S",
}

const (
	sourceLine   = "// sources sha256:"
	compilerLine = "// compiler "
)

// Names lists the kernels in a directory: x for x.cu, sorted.
func Names(dir string) ([]string, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.cu"))
	if err != nil {
		return nil, err
	}
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i] = strings.TrimSuffix(filepath.Base(path), ".cu")
	}
	slices.Sort(names)
	return names, nil
}

// Hash is the hash of everything the PTX of a kernel is made from: the flags,
// name.cu and the headers of the directory that it includes, directly or not.
func Hash(dir, name string) (string, error) {
	files, err := sources(dir, name+".cu")
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	fmt.Fprintln(sum, Compiler, Flags)
	for _, file := range files {
		fmt.Fprintln(sum, file.name, len(file.text))
		sum.Write(file.text)
	}
	return fmt.Sprintf("%x", sum.Sum(nil)), nil
}

// source is a file with its name in the kernels' directory.
type source struct {
	name string
	text []byte
}

var include = regexp.MustCompile(`(?m)^#include "([^"/]+)"`)

// sources lists a file and what it includes, each once, in the order of the first
// include. Headers in other directories are the emulator's and not in the PTX.
func sources(dir, name string) ([]source, error) {
	var files []source
	names := []string{name}
	for i := 0; i < len(names); i++ {
		text, err := os.ReadFile(filepath.Join(dir, names[i]))
		if err != nil {
			return nil, err
		}
		files = append(files, source{names[i], text})
		for _, m := range include.FindAllSubmatch(text, -1) {
			if header := string(m[1]); !slices.Contains(names, header) {
				names = append(names, header)
			}
		}
	}
	return files, nil
}

// Version is the version of the compiler on this machine, as "19.1.7". The error
// is exec.ErrNotFound if there is none.
var Version = sync.OnceValues(func() (string, error) {
	out, err := exec.Command(Compiler, "-dumpversion").Output()
	if err != nil {
		return "", fmt.Errorf("compile: %s -dumpversion: %w", Compiler, err)
	}
	return strings.TrimSpace(string(out)), nil
})

// PTX compiles a kernel. Two lines at the head tell what it was made from.
func PTX(dir, name string) ([]byte, error) {
	hash, err := Hash(dir, name)
	if err != nil {
		return nil, err
	}
	version, err := Version()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(Compiler, append(slices.Clone(Flags), name+".cu", "-o", "-")...)
	cmd.Dir = dir
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("compile: %s.cu: %w\n%s", name, err, complaints.Bytes())
	}
	head := fmt.Sprintf("// Compiled from %s.cu by go generate; do not edit.\n%s%s\n%s%s\n", name, sourceLine, hash, compilerLine, version)
	return append([]byte(head), text...), nil
}

// Head reads the two lines at the head of PTX: the hash of its sources and the
// version of its compiler.
func Head(ptx string) (hash, version string, err error) {
	lines := strings.SplitN(ptx, "\n", 4)
	if len(lines) < 4 || !strings.HasPrefix(lines[1], sourceLine) || !strings.HasPrefix(lines[2], compilerLine) {
		return "", "", errors.New("compile: the PTX does not say what it was made from: run go generate")
	}
	return strings.TrimPrefix(lines[1], sourceLine), strings.TrimPrefix(lines[2], compilerLine), nil
}
