package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

var when = time.Date(2024, 2, 29, 12, 30, 44, 0, time.UTC)

// Archives depend on neither directory nor times nor rights of the files.
func TestPack(t *testing.T) {
	for _, zipped := range []bool{false, true} {
		var made [2][]byte
		for i, mode := range []os.FileMode{0o600, 0o644} {
			dir := t.TempDir()
			program, licence := filepath.Join(dir, "a"), filepath.Join(dir, "b")
			for path, data := range map[string]string{program: "program", licence: "licence"} {
				if err := os.WriteFile(path, []byte(data), mode); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Chtimes(program, when, when.Add(time.Duration(i)*time.Hour)); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, "topoi-v1")
			if err := pack(path, zipped, []packed{{program, "topoi", 0o755}, {licence, "LICENSE", 0o644}}, when); err != nil {
				t.Fatal(err)
			}
			made[i] = archive(t, dir)
		}
		if !bytes.Equal(made[0], made[1]) {
			t.Errorf("zipped %v: the bytes differ", zipped)
		}
		if got, want := listed(t, made[0], zipped), "topoi-v1/topoi 755 7 bytes, topoi-v1/LICENSE 644 7 bytes"; got != want {
			t.Errorf("zipped %v: %s, want %s", zipped, got, want)
		}
	}
}

// archive returns the bytes of the archive in a directory.
func archive(t *testing.T, dir string) []byte {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "topoi-v1.*"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	data, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// listed lists an archive.
func listed(t *testing.T, data []byte, zipped bool) string {
	t.Helper()
	var list []string
	if zipped {
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			list = append(list, fmt.Sprintf("%s %o %d bytes", f.Name, f.Mode(), f.UncompressedSize64))
		}
		return strings.Join(list, ", ")
	}
	g, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(g); ; {
		h, err := r.Next()
		if err == io.EOF {
			return strings.Join(list, ", ")
		}
		if err != nil || !h.ModTime.Equal(when) {
			t.Fatal(h, err)
		}
		list = append(list, fmt.Sprintf("%s %o %d bytes", h.Name, h.Mode, h.Size))
	}
}

func TestBillOfMaterials(t *testing.T) {
	info := &debug.BuildInfo{
		GoVersion: "go1.26.1", Main: debug.Module{Path: "example.org/topoi", Version: "(devel)"},
		Deps: []*debug.Module{
			{Path: "example.org/a", Version: "v1.0.0", Sum: "h1:abc"},
			{Path: "example.org/b", Version: "v2.0.0", Replace: &debug.Module{Path: "example.org/c", Version: "v3.0.0"}},
		},
	}
	data, err := billOfMaterials(info, "v0.9.0", targets[2], when)
	if err != nil {
		t.Fatal(err)
	}
	var b bill
	if err := json.Unmarshal(data, &b); err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, c := range append(b.Components, b.Metadata.Component) {
		list = append(list, c.PURL)
	}
	want := "pkg:golang/std@1.26.1 pkg:golang/example.org/a@v1.0.0 pkg:golang/example.org/c@v3.0.0 pkg:golang/example.org/topoi@v0.9.0"
	if got := strings.Join(list, " "); got != want || b.Format != "CycloneDX" || b.Metadata.Timestamp != "2024-02-29T12:30:44Z" {
		t.Errorf("%s\n%s", got, data)
	}
}

func TestSums(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b", "a"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the second time there is a file of sums
		if err := writeSums(dir); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(filepath.Join(dir, sumsFile))
	want := fmt.Sprintf("%x  a\n%x  b\n", sha256.Sum256([]byte("a")), sha256.Sum256([]byte("b")))
	if err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
}

func TestVersion(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	dir := t.TempDir()
	commands := func(lines ...string) {
		t.Helper()
		for _, line := range lines {
			c := exec.Command("git", strings.Fields(line)...)
			c.Dir = dir
			c.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b", "GIT_COMMITTER_DATE=2024-02-29T12:30:44Z")
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", line, err, out)
			}
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "cmd/topoi"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "cmd/topoi/VERSION"), []byte("1.2.0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	commands("init -q", "add .", "commit -q -m x")
	r, err := newRelease(dir)
	if err != nil || !strings.HasPrefix(r.version, "v1.2.0-dev.20240229123044.") || len(r.version) != len("v1.2.0-dev.20240229123044.")+12 || !r.time.Equal(when) {
		t.Fatal(r, err)
	}
	commands("tag v1.2.0")
	if r, err = newRelease(dir); err != nil || r.version != "v1.2.0" || r.name(targets[0]) != "topoi-v1.2.0-linux-amd64" {
		t.Error(r, err)
	}
	commands("tag -d v1.2.0", "tag v1.3.0")
	if _, err := newRelease(dir); err == nil || err.Error() != "the tag is v1.3.0 and cmd/topoi/VERSION says v1.2.0: make them the same" {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "stray"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := newRelease(dir); err == nil || err.Error() != "the checkout differs from its commit (?? stray): commit or remove what is there" {
		t.Error(err)
	}
}

func TestWheelVersion(t *testing.T) {
	for version, want := range map[string]string{
		"v1.2.0":                                 "1.2.0",
		"v1.2.0-rc1":                             "1.2.0rc1",
		"v1.2.0-dev.20240229123044.0123456789ab": "1.2.0.dev20240229123044",
	} {
		if got := wheelVersion(version); got != want {
			t.Errorf("%s: %s, want %s", version, got, want)
		}
	}
}

func TestChooseTargets(t *testing.T) {
	if list, err := chooseTargets("macos-arm64,linux-amd64-static"); err != nil || len(list) != 2 || list[1].tags != "nocuda" {
		t.Error(list, err)
	}
	if _, err := chooseTargets("linux"); err == nil || !strings.HasPrefix(err.Error(), `unknown target "linux": there are linux-amd64, `) {
		t.Error(err)
	}
	names := make(map[string]bool)
	for _, target := range targets {
		if names[target.name] || names[target.platform] {
			t.Errorf("%s or %s stands twice", target.name, target.platform)
		}
		names[target.name], names[target.platform] = true, true
	}
}

// Every module that the program may be made of has a licence, and so have Go and the word lists.
func TestLicences(t *testing.T) {
	r := &release{root: filepath.Join("..", "..", "..")}
	dirs, err := r.moduleDirs()
	if err != nil {
		t.Fatal(err)
	}
	info := &debug.BuildInfo{}
	for _, path := range []string{"github.com/spf13/cobra", "github.com/klauspost/compress", "github.com/redis/rueidis"} {
		if dirs[path] == "" {
			t.Fatalf("%s is not among the modules", path)
		}
		info.Deps = append(info.Deps, &debug.Module{Path: path, Version: "v1"})
	}
	text, err := r.licences(info)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"==== Go: LICENSE ====", "==== github.com/spf13/cobra v1: LICENSE.txt ====", "==== stop words and dictionary: NOTICE ===="} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is missing", want)
		}
	}
	if err := appendLicences(new(bytes.Buffer), "nothing", t.TempDir()); err == nil || err.Error() != "no licence of nothing is found" {
		t.Error(err)
	}
}
