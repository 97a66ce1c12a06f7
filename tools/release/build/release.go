// Command build makes the files of a release: the program for every system, packed with its licence, wheels of the
// Python package, a bill of materials for each program and checksums of everything. The same commit and the same Go
// give the same bytes, wherever they are built: docs/internals/releasing.md says how to compare.
//
//	go run ./tools/release/build -o dist
package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/topoi-lda/topoi/internal/lists"
)

// release holds the files made from one commit.
type release struct {
	root    string    // of the source
	out     string    // directory of the files
	version string    // v1.2.3, or v1.2.3-dev.TIME.COMMIT without a tag
	time    time.Time // of the commit, and of all files
}

// newRelease learns version and time from the checkout in root, which must hold nothing but a commit.
func newRelease(root string) (*release, error) {
	changed, err := output(root, "git", "status", "--porcelain")
	if err != nil {
		return nil, err
	}
	if changed != "" {
		first, _, _ := strings.Cut(changed, "\n")
		return nil, fmt.Errorf("the checkout differs from its commit (%s): commit or remove what is there",
			strings.TrimSpace(first))
	}
	stamp, err := output(root, "git", "log", "-1", "--format=%ct %H")
	if err != nil {
		return nil, err
	}
	seconds, hash, _ := strings.Cut(stamp, " ")
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil || len(hash) < 12 {
		return nil, fmt.Errorf("git tells %q of the commit, expected its time and hash", stamp)
	}
	r := &release{root: root, time: time.Unix(unix, 0).UTC()}
	source, err := os.ReadFile(filepath.Join(root, "cmd/topoi/VERSION"))
	if err != nil {
		return nil, err
	}
	version := "v" + strings.TrimSpace(string(source))
	r.version = fmt.Sprintf("%s-dev.%s.%s", version, r.time.Format("20060102150405"), hash[:12])
	if tag, err := output(root, "git", "describe", "--tags", "--exact-match", "--match", "v*"); err == nil {
		if r.version = tag; tag != version {
			return nil, fmt.Errorf("the tag is %s and cmd/topoi/VERSION says %s: make them the same", tag, version)
		}
	}
	return r, nil
}

// output runs a program in a directory and returns what it prints.
func output(dir, name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir = dir
	out, err := c.Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("%s %s: %s", name, args[0], strings.TrimSpace(string(failed.Stderr)))
	}
	return strings.TrimSpace(string(out)), err
}

// compile builds the program of a target to path. Nothing of the machine goes into it: neither paths
// nor times nor settings of Go.
func (r *release) compile(t target, path string) error {
	c := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-tags="+t.tags,
		"-ldflags=-s -w -buildid= -X main.version="+r.version, "-o", path, "./cmd/topoi")
	c.Dir, c.Stderr = r.root, os.Stderr
	c.Env = append(os.Environ(), "GOOS="+t.os, "GOARCH="+t.arch, "GOAMD64=v1", "GOARM64=v8.0", "CGO_ENABLED=0",
		"GOFLAGS=", "GOEXPERIMENT=", "GOWORK=off")
	return c.Run()
}

// name returns the beginning of the names of a target's files.
func (r *release) name(t target) string { return "topoi-" + r.version + "-" + t.name }

// make builds a target, packs it and writes its bill of materials; with a Python also its wheel.
func (r *release) make(t target, python string) error {
	fmt.Println(r.name(t))
	dir, err := os.MkdirTemp("", "topoi-release-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, t.program())
	if err := r.compile(t, program); err != nil {
		return err
	}
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	licences, err := r.licences(info)
	if err != nil {
		return err
	}
	others := filepath.Join(dir, licencesFile)
	if err := os.WriteFile(others, licences, 0o644); err != nil {
		return err
	}
	files := []packed{{program, t.program(), 0o755}, {others, licencesFile, 0o644}}
	pages := filepath.Join(dir, "pages")
	if err := r.pages(pages); err != nil {
		return err
	}
	if files, err = appendFiles(files, pages); err != nil {
		return err
	}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md", "CITATION.cff"} {
		files = append(files, packed{filepath.Join(r.root, name), name, 0o644})
	}
	if err := pack(filepath.Join(r.out, r.name(t)), t.os == "windows", files, r.time); err != nil {
		return err
	}
	bill, err := billOfMaterials(info, r.version, t, r.time)
	if err != nil {
		return err
	}
	err = os.WriteFile(filepath.Join(r.out, r.name(t)+".cdx.json"), bill, 0o644)
	if err != nil || python == "" {
		return err
	}
	return r.wheel(t, python, program)
}

// pages makes the man pages and completions in dir, by a program for this machine.
func (r *release) pages(dir string) error {
	program := filepath.Join(filepath.Dir(dir), "here")
	if err := r.compile(target{os: runtime.GOOS, arch: runtime.GOARCH}, program); err != nil {
		return err
	}
	out, err := exec.Command("sh", filepath.Join(r.root, "tools/release/pages"), program, dir).CombinedOutput()
	if err != nil {
		return fmt.Errorf("man pages and completions: %w\n%s", err, out)
	}
	return nil
}

// appendFiles appends all files below dir, sorted by name.
func appendFiles(list []packed, dir string) ([]packed, error) {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			name, _ := filepath.Rel(dir, path)
			list = append(list, packed{path, filepath.ToSlash(name), 0o644})
		}
		return err
	})
	return list, err
}

// sumsFile is the name of the checksums; sha256sum -c reads it.
const sumsFile = "SHA256SUMS"

// writeSums writes the checksums of all files of a directory.
func writeSums(dir string) error {
	entries, err := os.ReadDir(dir) // sorted by name
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, e := range entries {
		if e.Name() == sumsFile {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(data), e.Name())
	}
	return os.WriteFile(filepath.Join(dir, sumsFile), []byte(b.String()), 0o644)
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	fs := flag.NewFlagSet("build", flag.ContinueOnError)
	out := fs.String("o", "dist", "`directory` for the files; it must not exist")
	names := fs.String("targets", "", "comma-separated `names` of targets (default all: "+strings.Join(targetNames(),
		", ")+")")
	python := fs.String("python", "python3", "`program` of Python that has the module hatchling, for wheels")
	wheels := fs.Bool("wheels", true, "build wheels, if there is a Python package")
	if err := fs.Parse(args); err != nil || fs.NArg() > 0 {
		return errors.Join(err, unexpected(fs.Args()))
	}
	if !*wheels {
		*python = ""
	}
	targets, err := chooseTargets(*names)
	if err != nil {
		return err
	}
	r, err := newRelease(".")
	if err != nil {
		return err
	}
	if err := os.Mkdir(*out, 0o755); err != nil {
		return err
	}
	if r.out, err = filepath.Abs(*out); err != nil {
		return err
	}
	for _, t := range targets {
		if err := r.make(t, *python); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	script, err := os.ReadFile("tools/release/install.sh")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(r.out, "install.sh"), script, 0o755); err != nil {
		return err
	}
	return writeSums(r.out)
}

func unexpected(args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%q is no flag: see -h", args[0])
}

// wheel builds the wheel of a target around the program that was built for it. Without a Python package there is
// nothing to do.
func (r *release) wheel(t target, python, program string) error {
	source := filepath.Join(r.root, "python")
	if _, err := os.Stat(filepath.Join(source, "pyproject.toml")); err != nil {
		return nil
	}
	c := exec.Command(python, "-c", "import hatchling.build, sys; hatchling.build.build_wheel(sys.argv[1])", r.out)
	c.Dir = source
	c.Env = append(os.Environ(), "TOPOI_WHEEL_BINARY="+program, "TOPOI_WHEEL_PLATFORM="+t.platform,
		"TOPOI_WHEEL_VERSION="+wheelVersion(r.version),
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
	return lists.Of(targets, func(t target) string { return t.name })
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
