package input

import (
	"os"
	"path/filepath"
	"strings"
)

// FindFile returns the first of the paths that exists, also with .gz or .zst
// behind it, or "".
func FindFile(paths ...string) string {
	for _, c := range paths {
		for _, ext := range []string{"", ".gz", ".zst"} {
			if info, err := os.Stat(c + ext); err == nil && info.Mode().IsRegular() {
				return c + ext
			}
		}
	}
	return ""
}

// PlainName returns path without .gz or .zst.
func PlainName(path string) string {
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".gz", ".zst", ".zstd":
		return path[:len(path)-len(ext)]
	}
	return path
}

func DisplayName(path string) string {
	if path == "-" {
		return "standard input"
	}
	return path
}

func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
