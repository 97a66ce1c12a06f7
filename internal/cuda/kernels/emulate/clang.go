package emulate

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Compiler is the compiler's command. Its major version is fixed because another
// one gives another, equally right, text.
const Compiler = "clang++-19"

// Flags are the compiler's for PTX, which the hash of a kernel is also made from. No
// contraction to fused multiply-add: results must equal those of plain Go. With it off,
// clang writes add.rn and mul.rn, which the driver's compiler may not fuse either.
var Flags = []string{
	"-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib",
	"--cuda-gpu-arch=sm_80", "--cuda-feature=+ptx70",
	"-std=c++17", "-O3", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-S",
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

// Version is the version of the compiler on this machine, as "19.1.7". The error is exec.ErrNotFound if there is none.
var Version = sync.OnceValues(func() (string, error) {
	out, err := exec.Command(Compiler, "-dumpversion").Output()
	if err != nil {
		return "", fmt.Errorf("emulate: %s -dumpversion: %w", Compiler, err)
	}
	return strings.TrimSpace(string(out)), nil
})

// littleEndian reports whether this processor stores numbers as GPUs do.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// Required reports whether tests that need the compiler must not be skipped. Where numbers are stored in another order
// than on GPUs, kernels cannot be emulated.
func Required() bool { return os.Getenv("TOPOI_REQUIRE_CLANG") == "1" && littleEndian }

// Need skips a test that needs the compiler if missing, the fault of Version or Available,
// is not nil. With TOPOI_REQUIRE_CLANG=1 in the environment the test fails instead.
func Need(t testing.TB, missing error) {
	t.Helper()
	switch {
	case missing == nil:
	case Required():
		t.Fatalf("TOPOI_REQUIRE_CLANG is set: %v", missing)
	default:
		t.Skipf("skipped: %v (TOPOI_REQUIRE_CLANG=1 makes this a failure)", missing)
	}
}
