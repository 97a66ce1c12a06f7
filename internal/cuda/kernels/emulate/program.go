package emulate

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"time"
)

// flags keep the arithmetic what it is on the device: no fused multiply-add.
var flags = []string{"-std=c++17", "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"}

// keep is how long programs of older sources stay in the cache.
const keep = 7 * 24 * time.Hour

// Compile makes name.cu of the kernels' directory into a program for Start, and returns its path. Programs lie in the
// user's cache under the hash of what they are made from, since tests of many packages run the same kernels and
// compiling takes longer than most of them.
func Compile(dir, name string) (string, error) {
	kernel, err := Hash(dir, name)
	if err != nil {
		return "", fmt.Errorf("emulate: %w", err)
	}
	runtime := filepath.Join(dir, "emulate", "runtime")
	server, err := hashOf(filepath.Join(runtime, "emulate.cc"), filepath.Join(runtime, "device.h"),
		filepath.Join(dir, "device.h"))
	if err != nil {
		return "", fmt.Errorf("emulate: %w", err)
	}
	cache, err := programs()
	if err != nil {
		return "", fmt.Errorf("emulate: %w", err)
	}
	object := filepath.Join(cache, "server-"+server+".o")
	if err := build(object, "-x", "c++", "-c", filepath.Join(runtime, "emulate.cc")); err != nil {
		return "", err
	}
	program := filepath.Join(cache, name+"-"+kernel[:16]+"-"+server)
	return program, build(program, "-x", "c++", filepath.Join(dir, name+".cu"), "-x", "none", object, "-rdynamic",
		"-ldl")
}

// build makes a file unless it is there. It compiles into another one first, so that
// whoever looks meanwhile finds a whole file or none.
func build(path string, args ...string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	forgetOld(filepath.Dir(path))
	begun, err := os.CreateTemp(filepath.Dir(path), "*.tmp")
	if err != nil {
		return fmt.Errorf("emulate: %w", err)
	}
	defer func() { _ = os.Remove(begun.Name()) }() // gone if all went well
	_ = begun.Close()
	args = slices.Concat(flags, args, []string{"-o", begun.Name()})
	if text, err := exec.Command(Compiler, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("emulate: %s %q: %w\n%s", Compiler, args, err, text)
	}
	if err := os.Rename(begun.Name(), path); err != nil {
		return fmt.Errorf("emulate: %w", err)
	}
	return nil
}

// hashOf is the hash of files and of how they are compiled. Reading them also lets go test see when they change.
func hashOf(paths ...string) (string, error) {
	version, err := Version()
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	fmt.Fprintln(sum, version, flags, runtime.GOARCH)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(sum, len(text))
		sum.Write(text)
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:8]), nil
}

// programs is the directory of programs: in the user's cache, or among temporary files where there is none to write to.
func programs() (string, error) {
	cache, err := os.UserCacheDir()
	if err == nil {
		cache = filepath.Join(cache, "topoi-emulator")
		err = os.MkdirAll(cache, 0o700)
	}
	if err != nil {
		cache = filepath.Join(os.TempDir(), fmt.Sprint("topoi-emulator-", os.Getuid()))
		err = os.MkdirAll(cache, 0o700)
	}
	return cache, err
}

// forgetOld deletes programs that were made long ago; one that is still wanted is made again.
func forgetOld(cache string) {
	entries, _ := os.ReadDir(cache)
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && time.Since(info.ModTime()) > keep {
			_ = os.Remove(filepath.Join(cache, entry.Name()))
		}
	}
}
