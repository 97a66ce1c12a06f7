package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// fakeRelease makes the files of a release whose programs are scripts, for every target.
func fakeRelease(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the scripts are for Unix")
	}
	dir, tree := t.TempDir(), t.TempDir()
	put := func(name, text string, mode os.FileMode) packed {
		path := filepath.Join(tree, strings.ReplaceAll(name, "/", "-"))
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return packed{path, name, mode}
	}
	files := []packed{put("topoi", "#!/bin/sh\necho topoi v0.1.0\n", 0o755), put("share/man/man1/topoi.1", "page", 0o644)}
	for _, name := range []string{"LICENSE", "THIRD-PARTY-LICENSES.txt", "CHANGELOG.md"} {
		files = append(files, put(name, name, 0o644))
	}
	for _, target := range targets {
		if err := pack(filepath.Join(dir, "topoi-v0.1.0-"+target.name), target.os == "windows", files, when); err != nil {
			t.Fatal(err)
		}
	}
	if err := writeSums(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// sh runs a script of the repository.
func sh(t *testing.T, env []string, args ...string) (string, error) {
	t.Helper()
	c := exec.Command("sh", args...)
	c.Env = append(os.Environ(), env...)
	out, err := c.CombinedOutput()
	return string(out), err
}

// The script installs a program whose sum is right, and nothing if it is wrong.
func TestInstallScript(t *testing.T) {
	dist, prefix := fakeRelease(t), filepath.Join(t.TempDir(), "a prefix")
	env := []string{"TOPOI_FROM=" + dist, "TOPOI_PREFIX=" + prefix}
	out, err := sh(t, env, "../install.sh")
	if err != nil || !strings.Contains(out, "installed topoi v0.1.0 as "+prefix+"/bin/topoi") {
		t.Fatalf("%v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(prefix, "share/man/man1/topoi.1")); err != nil {
		t.Error(err)
	}
	archives, err := filepath.Glob(filepath.Join(dist, "*.tar.gz"))
	if err != nil || len(archives) == 0 {
		t.Fatal(archives, err)
	}
	for _, path := range archives {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString("x"); err != nil || f.Close() != nil {
			t.Fatal(err)
		}
	}
	other := filepath.Join(t.TempDir(), "other")
	out, err = sh(t, append(env, "TOPOI_PREFIX="+other), "../install.sh")
	if err == nil || !strings.Contains(out, "is not the one in SHA256SUMS: nothing was installed") {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := os.Stat(other); err == nil {
		t.Error("something was installed all the same")
	}
	out, err = sh(t, append(env, "TOPOI_FROM="+other), "../install.sh")
	if err == nil || !strings.Contains(out, "SHA256SUMS could not be fetched") {
		t.Errorf("%v\n%s", err, out)
	}
}

// The files for package managers are filled in.
func TestPackageFiles(t *testing.T) {
	dist := fakeRelease(t)
	if out, err := sh(t, []string{"NFPM=none"}, "../packages/build", dist); err != nil || strings.Contains(out, "zeros") {
		t.Fatalf("%v\n%s", err, out)
	}
	sums, err := os.ReadFile(filepath.Join(dist, sumsFile))
	if err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{
		"homebrew/topoi.rb": "macos-arm64", "conda/meta.yaml": "linux-amd64",
		"winget/topoi-lda.topoi.yaml": "", "winget/topoi-lda.topoi.installer.yaml": "windows-amd64", "winget/topoi-lda.topoi.locale.en-US.yaml": "", "flake.nix": "linux-arm64-static", "Containerfile": "",
	} {
		text, err := os.ReadFile(filepath.Join(dist, "packages", name))
		if err != nil || !strings.Contains(string(text), "v0.1.0") && !strings.Contains(string(text), `"0.1.0"`) {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
		for _, line := range strings.Split(string(sums), "\n") {
			sum, file, _ := strings.Cut(line, "  ")
			if target != "" && strings.Contains(file, "-"+target+".") && !strings.Contains(string(text), sum) {
				t.Errorf("%s does not have the sum of %s", name, file)
			}
		}
	}
	if out, err := sh(t, nil, "../packages/build", t.TempDir()); err == nil || !strings.Contains(out, "has no archive for linux-amd64") {
		t.Errorf("%v\n%s", err, out)
	}
}

// The scripts pass the checker of shell scripts, if it is there.
func TestReleaseScripts(t *testing.T) {
	if out, err := exec.Command(tool(t, "shellcheck", "--version"), "../install.sh", "../pages", "../newcomer", "../twice", "../packages/build").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
