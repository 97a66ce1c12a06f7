package input

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/internal/remote"
)

// Below lists the files below a folder, sorted. Names that begin with . or _ are left out, as Spark and Hive do.
func Below(dir string) (files []string, err error) {
	hidden := func(name string) bool { return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") }
	if remote.Is(dir) {
		list, err := remote.List(strings.TrimSuffix(dir, "/") + "/")
		for _, o := range list {
			if !slices.ContainsFunc(strings.Split(o.Path[len(dir):], "/"), hidden) {
				files = append(files, o.Path)
			}
		}
		return files, err
	}
	err = filepath.WalkDir(dir+string(filepath.Separator), func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && hidden(d.Name()):
			return fs.SkipDir
		case !d.IsDir() && !hidden(d.Name()) && IsFile(p, d):
			files = append(files, p)
		}
		return nil
	})
	slices.Sort(files)
	return files, err
}

// IsFile tells whether an entry of a directory is a file, or a link to one.
func IsFile(p string, d fs.DirEntry) bool {
	if d.Type()&fs.ModeSymlink == 0 {
		return d.Type().IsRegular()
	}
	info, err := os.Stat(p)
	return err != nil || info.Mode().IsRegular() // opening a link to nothing gives the error
}

// FolderColumns returns what the folders of a path say, as date=2026-11-01/ does.
func FolderColumns(path string) map[string]string {
	var columns map[string]string
	parts := strings.Split(filepath.ToSlash(path), "/")
	for _, part := range parts[:len(parts)-1] {
		name, value, ok := strings.Cut(part, "=")
		if !ok || name == "" {
			continue
		}
		if plain, err := url.PathUnescape(value); err == nil {
			value = plain
		}
		if value == "__HIVE_DEFAULT_PARTITION__" {
			value = ""
		}
		if columns == nil {
			columns = map[string]string{}
		}
		columns[name] = value
	}
	return columns
}
