package input

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/topoi-lda/topoi/internal/objects"
)

// Stored is an input as it is stored: a file, or an object elsewhere.
type Stored interface {
	io.ReadCloser
	io.ReaderAt
}

// Open opens a file or an object, and returns its size.
func Open(path string) (Stored, int64, error) {
	if objects.Is(path) {
		o, err := objects.Take(path)
		if err != nil {
			return nil, 0, OpenError(path, err)
		}
		return o, o.Len(), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, OpenError(path, err)
	}
	info, err := f.Stat()
	if err == nil {
		err = refuseDevice(f, info)
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// refuseDevice refuses devices other than a terminal that stands for standard input: /dev/zero never ends.
func refuseDevice(f *os.File, info os.FileInfo) error {
	if info.Mode()&os.ModeDevice == 0 || strings.HasPrefix(f.Name(), "/dev/fd/") || f.Name() == "/dev/stdin" {
		return nil
	}
	return (&Error{File: f.Name(), Msg: "this is a device, not a file"}).WithHint("name files, or - for standard input")
}

func OpenError(path string, err error) *Error {
	cause := err
	if f, ok := errors.AsType[*objects.Fault](err); ok {
		return &Error{File: objects.Name(path), Msg: f.Msg, Hint: f.Hint, Err: err}
	}
	if p, ok := errors.AsType[*os.PathError](err); ok {
		cause = p.Err
	}
	e := &Error{File: DisplayName(path), Msg: fmt.Sprintf("cannot open: %v", cause), Err: err}
	if errors.Is(err, os.ErrNotExist) {
		e.Hint = "check the path"
	}
	return e
}

// FindFile returns the first of the paths that exists, also with .gz or .zst behind it, or "".
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
	return objects.Name(path)
}

func IsDir(path string) bool {
	if objects.Is(path) {
		folder, err := objects.IsFolder(path)
		return folder && err == nil
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
