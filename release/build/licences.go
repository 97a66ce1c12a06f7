package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
)

// licencesFile holds the licences of all that the program is made of and that is not
// this project's.
const licencesFile = "THIRD-PARTY-LICENSES.txt"

// licences returns the licences of the modules of a program, of Go and of the word lists.
func (r *release) licences(info *debug.BuildInfo) ([]byte, error) {
	dirs, err := r.moduleDirs()
	if err != nil {
		return nil, err
	}
	goRoot, err := r.output("go", "env", "GOROOT")
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
	list, err := r.output("go", "list", "-m", "-f", "{{.Path}}\t{{.Dir}}", "all")
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

// output runs a program in the source and returns what it prints.
func (r *release) output(name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir, c.Stderr = r.root, os.Stderr
	out, err := c.Output()
	return strings.TrimSpace(string(out)), err
}

var licenceName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([.-].*)?$`)

// appendLicences writes the licences that lie in a directory. There must be one.
func appendLicences(b *bytes.Buffer, what, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("licence of %s: %w", what, err)
	}
	entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool { return e.IsDir() || !licenceName.MatchString(e.Name()) })
	if len(entries) == 0 {
		return fmt.Errorf("no licence of %s is found", what)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "==== %s: %s ====\n\n%s\n\n", what, e.Name(), strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
	}
	return nil
}
