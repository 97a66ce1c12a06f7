package chaos

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// filesIn returns the files below paths that have bytes.
func filesIn(paths ...string) ([]string, error) {
	var files []string
	for _, path := range paths {
		err := filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				if os.IsNotExist(err) {
					return nil
				}
				return err
			}
			info, err := d.Info()
			if err == nil && d.Type().IsRegular() && info.Size() > 0 {
				files = append(files, name)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(files)
	return files, nil
}

// flip flips a random bit in one of the files below paths, and returns how to undo
// that. It returns nil if there is no file.
func (s *schedule) flip(paths ...string) (*flipped, error) {
	files, err := filesIn(paths...)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	name := files[s.random.IntN(len(files))]
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	x := &flipped{path: name, was: b, is: bytes.Clone(b)}
	at, bit := s.random.IntN(len(b)), s.random.IntN(8)
	x.is[at] ^= 1 << bit
	s.fault("flip", "bit %d of byte %d of %d of %s: expected the same bytes or a sentence", bit, at, len(b), strings.TrimPrefix(name, s.dir))
	return x, os.WriteFile(name, x.is, 0o644)
}

// flipped is a file with a flipped bit.
type flipped struct {
	path    string
	was, is []byte
}

// undo puts the file back, as somebody with a copy would. A program that refused it
// must have left it as it was.
func (x *flipped) undo() error {
	b, err := os.ReadFile(x.path)
	if err != nil {
		return fmt.Errorf("something lost: a file that was refused is gone: %w", err)
	}
	if bytes.Equal(b, x.was) {
		return nil // a flip between words, or in the name of the checksum: the file was taken, and written anew as it was
	}
	if !bytes.Equal(b, x.is) {
		return fmt.Errorf("something lost: a file that was refused has changed: %s", x.path)
	}
	return os.WriteFile(x.path, x.was, 0o644)
}

// copyTo copies a file or directory.
func copyTo(to, from string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return os.CopyFS(to, os.DirFS(from))
	}
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o644)
}
