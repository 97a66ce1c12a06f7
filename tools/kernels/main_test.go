package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/topoi-lda/topoi/internal/program"
)

// withKernels lists the folders of packages that have kernels.
func withKernels(t *testing.T) (dirs []string) {
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "kernel" {
			dirs = append(dirs, filepath.Dir(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(dirs) == 0 {
		t.Fatal("no folder has kernels")
	}
	return dirs
}

// Every file was made from the sources beside it. This needs no compiler.
func TestSourcesUnchangedSinceGenerate(t *testing.T) {
	for _, dir := range withKernels(t) {
		if err := generate(dir, true); err != nil {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

// Every file is what the compiler that made it makes again.
func TestCompiledAgain(t *testing.T) {
	program.Need(t, "TOPOI_REQUIRE_CLANG", "there is no clang-19", "clang-19", "--version")
	version, err := compilerVersion()
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range withKernels(t) {
		sources, err := filepath.Glob(filepath.Join(dir, "kernel", "*.c"))
		if err != nil {
			t.Fatal(err)
		}
		for _, target := range targets {
			old, err := os.ReadFile(filepath.Join(dir, target.file))
			if os.IsNotExist(err) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			first, rest, _ := bytes.Cut(old, []byte("\n\n"))
			if !bytes.Contains(first, []byte("clang "+version+";")) {
				t.Logf("%s of %s was made by another compiler: %s", target.file, dir, first)
				continue
			}
			d, err := declarations(dir, sources, target)
			if err != nil {
				t.Fatal(err)
			}
			text, err := assembly(d, sources, target)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(text, rest) {
				t.Errorf("%s of %s is not what its C source gives: run go generate, and commit the file", target.file, dir)
			}
		}
	}
}
