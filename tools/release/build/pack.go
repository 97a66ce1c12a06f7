package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// packed is a file of an archive.
type packed struct {
	path string // where it is
	name string // what it is called in the archive
	mode fs.FileMode
}

// pack writes an archive path.tar.gz, or path.zip, of a directory of the same name. The bytes depend
// on names, modes and contents alone, and on the time given.
func pack(path string, zipped bool, files []packed, when time.Time) error {
	extension, write := ".tar.gz", packTar
	if zipped {
		extension, write = ".zip", packZip
	}
	var b bytes.Buffer
	if err := write(&b, filepath.Base(path), files, when); err != nil {
		return err
	}
	return os.WriteFile(path+extension, b.Bytes(), 0o666)
}

func packTar(w io.Writer, dir string, files []packed, when time.Time) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	for _, f := range files {
		data, err := os.ReadFile(f.path)
		if err != nil {
			return err
		}
		h := &tar.Header{
			Name: dir + "/" + f.name, Mode: int64(f.mode), Size: int64(len(data)), ModTime: when,
			Format: tar.FormatUSTAR,
		}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.Write(data); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return z.Close()
}

func packZip(w io.Writer, dir string, files []packed, when time.Time) error {
	z := zip.NewWriter(w)
	for _, f := range files {
		data, err := os.ReadFile(f.path)
		if err != nil {
			return err
		}
		h := &zip.FileHeader{Name: dir + "/" + f.name, Method: zip.Deflate, Modified: when}
		h.SetMode(f.mode)
		into, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := into.Write(data); err != nil {
			return err
		}
	}
	return z.Close()
}

// licencesFile holds the licences of all that the program is made of and that is not this project's.
const licencesFile = "THIRD-PARTY-LICENSES.txt"

// licences returns the licences of the modules of a program, of Go and of the word lists.
func (r *release) licences(info *debug.BuildInfo) ([]byte, error) {
	dirs, err := r.moduleDirs()
	if err != nil {
		return nil, err
	}
	goRoot, err := output(r.root, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := appendLicences(&b, "Go", goRoot); err != nil {
		return nil, err
	}
	for _, m := range info.Deps {
		if err := appendLicences(&b, m.Path+" "+m.Version, dirs[m.Path]); err != nil {
			return nil, err
		}
	}
	err = appendLicences(&b, "stop words and dictionary", filepath.Join(r.root, "corpus", "text"))
	return b.Bytes(), err
}

// moduleDirs returns where the modules of the main module are.
func (r *release) moduleDirs() (map[string]string, error) {
	list, err := output(r.root, "go", "list", "-m", "-f", "{{.Path}}\t{{.Dir}}", "all")
	if err != nil {
		return nil, err
	}
	dirs := make(map[string]string)
	for line := range strings.Lines(list) {
		path, dir, _ := strings.Cut(strings.TrimSpace(line), "\t")
		dirs[path] = dir
	}
	return dirs, nil
}

var licenceName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([.-].*)?$`)

// appendLicences writes the licences that lie in a directory. There must be one.
func appendLicences(b *bytes.Buffer, what, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("licence of %s: %w", what, err)
	}
	entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool {
		return e.IsDir() ||
			!licenceName.MatchString(e.Name())
	})
	if len(entries) == 0 {
		return fmt.Errorf("no licence of %s is found", what)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "==== %s: %s ====\n\n%s\n\n", what, e.Name(),
			strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
	}
	return nil
}

// bill is a bill of materials in CycloneDX's form, version 1.5: what a program is made of.
type bill struct {
	Format      string      `json:"bomFormat"`
	SpecVersion string      `json:"specVersion"`
	Version     int         `json:"version"`
	Metadata    metadata    `json:"metadata"`
	Components  []component `json:"components"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"` // of the commit, so that it is repeated
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	PURL       string     `json:"purl"`
	Properties []property `json:"properties,omitempty"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// billOfMaterials lists the modules of a program, as the Go tool has recorded them in it, and Go's own library.
func billOfMaterials(info *debug.BuildInfo, version string, t target, when time.Time) ([]byte, error) {
	program := module("application", info.Main.Path, version)
	program.Properties = []property{
		{"go:version", info.GoVersion},
		{"go:os", t.os},
		{"go:arch", t.arch},
		{"go:tags", t.tags},
	}
	b := bill{
		Format: "CycloneDX", SpecVersion: "1.5", Version: 1,
		Metadata:   metadata{when.Format(time.RFC3339), program},
		Components: []component{module("library", "std", strings.TrimPrefix(info.GoVersion, "go"))},
	}
	for _, d := range info.Deps {
		if d.Replace != nil {
			d = d.Replace
		}
		c := module("library", d.Path, d.Version)
		if d.Sum != "" {
			c.Properties = []property{{"go:sum", d.Sum}}
		}
		b.Components = append(b.Components, c)
	}
	data, err := json.MarshalIndent(b, "", "  ")
	return append(data, '\n'), err
}

func module(kind, path, version string) component {
	purl := "pkg:golang/" + path + "@" + version
	return component{Type: kind, Ref: purl, Name: path, Version: version, PURL: purl}
}
