package kernels

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/internal/cuda/kernels/emulate"
)

const (
	sourceLine   = "// sources sha256:"
	compilerLine = "// compiler "
)

// kernelNames lists the kernels in a directory: x for x.cu, sorted.
func kernelNames(dir string) ([]string, error) {
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

// compilePTX compiles a kernel. Two lines at the head tell what it was made from.
func compilePTX(dir, name string) ([]byte, error) {
	hash, err := emulate.Hash(dir, name)
	if err != nil {
		return nil, err
	}
	version, err := emulate.Version()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(emulate.Compiler, append(slices.Clone(emulate.Flags), name+".cu", "-o", "-")...)
	cmd.Dir = dir
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("kernels: %s.cu: %w\n%s", name, err, complaints.Bytes())
	}
	head := fmt.Sprintf("// Compiled from %s.cu by go generate; do not edit.\n%s%s\n%s%s\n", name, sourceLine, hash, compilerLine, version)
	return append([]byte(head), text...), nil
}

// ptxHead reads the two lines at the head of PTX: the hash of its sources and the
// version of its compiler.
func ptxHead(ptx string) (hash, version string, err error) {
	lines := strings.SplitN(ptx, "\n", 4)
	if len(lines) < 4 || !strings.HasPrefix(lines[1], sourceLine) || !strings.HasPrefix(lines[2], compilerLine) {
		return "", "", errors.New("kernels: the PTX does not say what it was made from: run go generate")
	}
	return strings.TrimPrefix(lines[1], sourceLine), strings.TrimPrefix(lines[2], compilerLine), nil
}
